"""The right answer to a question as text, whatever the layout of its data set: what a judging model holds answers against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pincite.lab.scoring import wattbot
from pincite.lab.scoring.measures import question_blank

Row = Mapping[str, Any]
FIELDS = ("answer", "answer_value", "gold")


def reference_of(gold: Row) -> str:
    """The answer of a gold row with its scale and unit; "" where none is known or the question has none.

    Several accepted answers are joined by "or", the items of a list by a comma.
    """
    if question_blank(gold):
        return ""
    found = next((gold[name] for name in FIELDS if gold.get(name) not in (None, "", [])), None)
    if found is None:
        return ""
    if "gold" in gold and isinstance(found, list):
        said = " or ".join(map(_plain, found))
    else:
        said = _plain(found)
    unit = str(gold.get("unit") or gold.get("answer_unit") or "")
    parts = (said, str(gold.get("scale") or ""), "" if wattbot.is_blank(unit) else unit)
    return " ".join(part for part in parts if part)


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
