"""What reviewers accepted and corrected as questions with their gold: the corpus's own test set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite.records.answer_record import clean
from pincite.records.runfile import document_name
from pincite.review import Review, in_force
from pincite.types import Example, Quantity, Value


def examples(folder: Path) -> list[Example]:
    """What is accepted and corrected now, as questions with their gold: the corpus's own test set."""
    made = []
    for topic, one in in_force(folder).items():
        row = _gold(topic, one)
        made.append(Example(topic, one.query, row["answer"], tuple(_evidence(one)), {"gold": row}))
    return made


def question_rows(folder: Path) -> list[dict[str, Any]]:
    """The same as lines of a question file: `pincite batch` answers them, `pincite eval --rules typed` scores that."""
    return [_gold(topic, one) for topic, one in in_force(folder).items()]


def _evidence(one: Review) -> Iterator[tuple[str, int]]:
    if one.citation is not None and one.citation.anchor.page:
        yield document_name(one.citation.document), one.citation.anchor.page


def _gold(topic: str, one: Review) -> dict[str, Any]:
    """A review as a gold row: the question with what it was asked of, the right answer, where it stands, and who says so.

    It asks the system and not the reviewer: what tests it is not answered by the corrections that it was made of.
    """
    row: dict[str, Any] = {"id": topic, "question": one.query.text}
    if documents := dict(one.query.where).get("document"):
        row["doc_ids"] = list(documents)
    if fields := {name: list(values) for name, values in one.query.where if name != "document"}:
        row["where"] = fields
    if one.query.as_of:
        row["as_of"] = one.query.as_of
    if one.query.expects:
        row["kind"] = one.query.expects
    if one.query.unit:
        row["answer_unit"] = one.query.unit
    row["corrections"] = "ignore"
    row |= _answer(one.value, one.text)
    place = one.citation
    if place is not None and place.anchor.page:
        row["evidence"] = [{"doc_id": place.document, "page": place.anchor.page}]
    said = {"accept": "accepted", "correct": "corrected"}[one.action]
    return row | {
        "source": {
            "made": said,
            "by": one.by,
            "at": one.at,
            "standing": one.standing,
            "note": one.note,
        }
    }


def _answer(value: Value, text: str) -> dict[str, Any]:
    if value is None:
        return {"answer": None, "answer_type": "unanswerable"}
    if isinstance(value, bool):
        return {"answer": "yes" if value else "no", "answer_type": "yes_no"}
    if isinstance(value, Quantity):
        amount = clean(value)
        return {
            "answer": str(amount),
            "answer_num": str(amount),
            "answer_type": "number",
            "unit": value.unit,
        }
    if isinstance(value, tuple):
        return {"answer": clean(value), "answer_type": "list"}
    return {"answer": text, "answer_type": "text"}
