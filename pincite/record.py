"""An answer as one line of a run file: clean values, citations with their ids, checks."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from pincite.answers import citation_id
from pincite.types import Answer, Box, Citation, Quantity, Table, Value


def record(answer: Answer, answer_id: str, question_id: str = "") -> dict[str, Any]:
    """The fields of one answer: numbers clean (no commas, currency signs or unit words; ranges as [lo, hi])."""
    value = clean(answer.value)
    return {
        "id": question_id or answer_id,
        "answer_id": answer_id,
        "question": answer.query.text,
        "value": value,
        "unit": unit_of(answer.value),
        "text": answer.text,
        "refused": answer.value is None,
        "reason": answer.reason,
        "confidence": round(answer.confidence, 4),
        "citations": [_citation(answer_id, one) for one in answer.citations],
        "checks": [
            {"claim": one.claim, "verdict": one.verdict, "citation": one.citation, "how": one.how}
            for one in answer.checks
        ],
        "alternatives": [clean(one) for one in answer.alternatives],
    }


def clean(value: Value) -> Any:
    """A value as JSON: a number with its scale applied, [low, high] for a range, a list, text, true, false or null."""
    if isinstance(value, Quantity):
        if value.low is not None and value.high is not None:
            return [number(value.low * value.scale), number(value.high * value.scale)]
        return number(value.amount)
    if isinstance(value, Table):
        return [[cell.row, cell.column, cell.text] for cell in value.cells]
    if isinstance(value, tuple):
        return [clean(item) for item in value]
    return value


def number(value: Decimal) -> int | float:
    """A Decimal as a JSON number: an integer where it is one, twelve digits of any other."""
    return int(value) if value == value.to_integral_value() else float(f"{value:.12g}")


def unit_of(value: Value) -> str:
    """The unit of a number, or of the first of several."""
    if isinstance(value, tuple):
        return next((unit_of(one) for one in value), "")
    return value.unit if isinstance(value, Quantity) else ""


def _citation(answer_id: str, one: Citation) -> dict[str, Any]:
    return {
        "id": citation_id(answer_id, one),
        "document": one.document,
        "page": one.anchor.page,
        "box": _around(one),
        "cells": [list(cell) for cell in one.anchor.cells],
        "quote": one.quote,
    }


def _around(one: Citation) -> list[float] | None:
    """The box around everything that is cited on the first page."""
    box = around([box for page, box in one.anchor.spots if page == one.anchor.page])
    return None if box is None else [round(x, 2) for x in box]


def around(boxes: list[Box | None]) -> Box | None:
    """The smallest box around these; None when there is none."""
    known = [box for box in boxes if box]
    if not known:
        return None
    lefts, tops, rights, bottoms = zip(*known, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
