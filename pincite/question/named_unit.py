"""The unit that a caller names beside a question, and the one that the question names by what it counts."""

from __future__ import annotations

from pincite.errors import UsageError
from pincite.quantity import canonical_unit
from pincite.quantity.unit_names import is_unit, near_units
from pincite.quantity.units import is_counted
from pincite.question import wording
from pincite.question.ask import Ask
from pincite.text.words import stems

COUNTED_WITHIN = 3
"""Words behind "how many" or "number of" among which the thing is named that is counted: "how many full-time employees"."""


def named_unit(unit: str, question: str) -> str:
    """A unit to answer in, as it was given. Raises UsageError, with the nearest units, for one that is not known.

    What is counted is named by the question itself: "patents" is a unit of "how many patents ...".
    """
    asked = set(stems(question))
    if not unit or is_unit(unit) or asked.issuperset(stems(unit)) and stems(unit):
        return unit
    near = near_units(unit)
    meant = f" Did you mean {' or '.join(near)}?" if near else ""
    raise UsageError(
        f"{unit!r} is not a known unit, and the question does not count such things.{meant} Units are in "
        "pincite/data/units.toml; the setting `units` names a file with more of them"
    )


def counted_unit(ask: Ask) -> str:
    """The unit of the things that a question asks the number of, "" where it names none: "employee" of "how many employees"."""
    things = wording.things_asked(ask.text).split()[:COUNTED_WITHIN]
    named = (canonical_unit(word.strip(",.?")) for word in things)
    return next((unit for unit in named if is_counted(unit)), "")
