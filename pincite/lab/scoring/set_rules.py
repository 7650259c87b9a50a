"""The rules by which the answers to a question are judged, told by the fields of its gold row, and its answer as text."""

from __future__ import annotations

from typing import Any

from pincite.lab.scoring import enterprise_challenge as erc
from pincite.lab.scoring import typed_answers as typed
from pincite.lab.scoring import wattbot
from pincite.lab.scoring.examples import Row
from pincite.records.runfile import Record, text_of
from pincite.workbench import submissions


def rule_of(gold: Row) -> str:
    """The rules under which an answer to a gold row is judged; "" when the row has no answer to compare with."""
    if "answer_value" in gold and "ref_id" in gold:
        return "wattbot"
    if "gold" in gold and "kind" in gold:
        return "erc"
    return "typed" if "answer_type" in gold else ""


def question_blank(gold: Row) -> bool:
    """Whether the gold says that a question has no answer."""
    match rule_of(gold):
        case "wattbot":
            return wattbot.is_blank(gold["answer_value"])
        case "erc":
            given = gold["gold"] if isinstance(gold["gold"], list) else [gold["gold"]]
            return bool(given) and all(map(submissions.is_na, given))
        case "typed":
            return typed.answer_type(gold) == "unanswerable"
    return False


def judged(record: Record | None, gold: Row) -> float | None:
    """How right an answer is under the rules of its set, in [0, 1]; a question without an answer is right when refused.

    None when there is nothing to judge by.
    """
    rule, blank = rule_of(gold), question_blank(gold)
    if rule == "typed":
        if blank:
            return float(typed.refused(record))
        return float(typed.right(record, gold)) if typed.applies(gold) else None
    if rule == "erc":
        return erc.score(record, gold).answer
    if not rule:
        return None
    if record is None:
        return 0.0
    given = submissions.value_text(record.value)
    return float(
        wattbot.is_blank(given) if blank else wattbot.value_2025(given, gold["answer_value"])
    )


def reference_of(gold: Row) -> str:
    """The answer of a gold row with its scale and unit; "" where none is known or the question has none.

    Several accepted answers are joined by "or", the items of a list by a comma.
    """
    if question_blank(gold):
        return ""
    fields = (gold.get(name) for name in ("answer", "answer_value", "gold"))
    found = next((value for value in fields if value not in (None, "", [])), None)
    if found is None:
        return ""
    several = found if "gold" in gold and isinstance(found, list) else [found]
    unit = str(gold.get("unit") or gold.get("answer_unit") or "")
    scale, unit = str(gold.get("scale") or ""), "" if wattbot.is_blank(unit) else unit
    return " ".join(filter(None, (" or ".join(map(_plain, several)), scale, unit)))


def _plain(value: Any) -> str:
    return ", ".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
