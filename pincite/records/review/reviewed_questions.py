"""What reviewers accepted and corrected as questions with their gold: the corpus's own test set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pincite.records.answer_record import clean
from pincite.records.review import Review, in_force
from pincite.types import Quantity, Value


def question_rows(folder: Path) -> list[dict[str, Any]]:
    """What is accepted and corrected now as lines of a question file: `pincite batch` answers them, `pincite eval --rules typed`
    scores that.
    """
    return [_gold(topic, review) for topic, review in in_force(folder).items()]


def _gold(topic: str, review: Review) -> dict[str, Any]:
    """A review as a gold row: the question with what it was asked of, the right answer, where it stands, and who says so. It asks
    the system and not the reviewer: what tests it is not answered by the corrections that it was made of.
    """
    query = review.query
    fields = {name: list(values) for name, values in query.where}
    asked = {
        "doc_ids": fields.pop("document", None), "where": fields, "as_of": query.as_of, "kind": query.expects,
        "answer_unit": query.unit,
    }  # fmt: skip
    row: dict[str, Any] = {"id": topic, "question": query.text}
    row |= {name: value for name, value in asked.items() if value}
    row["corrections"] = "ignore"
    row |= _answer(review.value, review.text)
    place = review.citation
    if place is not None and place.anchor.page:
        row["evidence"] = [{"doc_id": place.document, "page": place.anchor.page}]
    said = {"accept": "accepted", "correct": "corrected"}[review.action]
    told = {name: getattr(review, name) for name in ("by", "at", "standing", "note")}
    return row | {"source": {"made": said, **told}}


def _answer(value: Value, text: str) -> dict[str, Any]:
    if value is None:
        return {"answer": None, "answer_type": "unanswerable"}
    if isinstance(value, bool):
        return {"answer": "yes" if value else "no", "answer_type": "yes_no"}
    if isinstance(value, Quantity):
        amount = str(clean(value))
        said = {"answer": amount, "answer_num": amount, "answer_type": "number"}
        return {**said, "unit": value.unit}
    if isinstance(value, tuple):
        return {"answer": clean(value), "answer_type": "list"}
    return {"answer": text, "answer_type": "text"}
