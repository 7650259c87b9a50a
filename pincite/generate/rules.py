"""Rules of interpretation: how a question's terms are understood; the model is told them, and its reply is tested against them.

A rule that code can see broken (a figure that was computed, in another unit, an absence taken for a no) is a verdict here; the
others are in the prompt only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pincite.generate.problem import ReplyProblem
from pincite.quantity import UnitError, canonical_unit, find_units, in_unit
from pincite.quantity.scales import split_scale
from pincite.quantity.units import is_currency
from pincite.question.ask import Ask
from pincite.types import Quantity, Value


@dataclass(frozen=True, slots=True)
class Rules:
    """How literally questions are taken.

    `terms`: a title or metric must be the one named ("exact"), may go by another name of the same role or figure ("role":
    a Managing Director is a CEO) or be the nearest there is ("near"). `proxy` says whether a broader, narrower or related
    figure may stand in for a missing one, `other_unit` whether a figure in another currency or unit is no answer ("na"),
    or one where code can convert it ("convert"). `derived` and `silence` are as in Query and hold beside the query's own:
    forbidden by either is forbidden, silence is a no when either says so. `doubt` says what a question gets that no page answers
    outright: N/A, or the nearest statement.
    """

    terms: Literal["exact", "role", "near"] = "role"
    proxy: Literal["allow", "forbid"] = "forbid"
    derived: Literal["allow", "forbid"] = "allow"
    other_unit: Literal["na", "convert"] = "convert"
    silence: Literal["na", "no"] = "na"
    doubt: Literal["na", "nearest"] = "na"

    def derives(self, ask: Ask) -> bool:
        """Whether a figure may be computed for a question."""
        return self.derived == "allow" and ask.query.derived == "allow"

    def silent_no(self, ask: Ask) -> bool:
        """Whether what no page mentions is answered with no."""
        return self.silence == "no" or ask.query.silence == "no"

    def broken(self, ask: Ask, value: Value, operation: str) -> ReplyProblem | None:
        """The rule that a value breaks; None when code sees none broken."""
        if operation and not self.derives(ask):
            return ReplyProblem(
                "the figure is computed, and the rules ask for one that a page states",
                "Name the one line that states the figure, without a calculation; where none does, lines is empty.",
            )
        held = value if isinstance(value, tuple) else (value,)
        broken = (
            self._unit_broken(ask, quantity) for quantity in held if isinstance(quantity, Quantity)
        )
        return next((problem for problem in broken if problem), None)

    def _unit_broken(self, ask: Ask, value: Quantity) -> ReplyProblem | None:
        wanted, held = _asked_unit(ask), canonical_unit(value.unit)
        if not wanted or not held or wanted == held or ask.is_rate(held, wanted):
            return None
        remedy = f"Give the figure that a line has in {wanted}, and convert nothing; where none has, lines is empty."
        if self.other_unit == "na":
            how = f"the figure is in {held}, not in {wanted}, and the rules take another unit for no answer"
            return ReplyProblem(how, remedy)
        try:
            in_unit(value, wanted)
        except UnitError:
            return ReplyProblem(
                f"the figure is in {held}, which is not converted to {wanted}", remedy
            )
        return None


def _asked_unit(ask: Ask) -> str:
    """The unit or currency that a question or its caller names; how many of a currency is one too."""
    unit = canonical_unit(ask.query.unit or ask.unit)
    _, unit = split_scale(unit)
    if unit and (ask.query.unit or unit in find_units(unit)):
        return unit
    named = canonical_unit(ask.wants)
    return named if is_currency(named) else ""
