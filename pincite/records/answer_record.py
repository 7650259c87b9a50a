"""An answer as one line of a run file: clean values, citations with their ids, checks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any

from pincite.database.statements.pins import read_pin
from pincite.document.address import place_of
from pincite.document.table_headers import column_header
from pincite.evidence.headline import headline
from pincite.records.answer_store import citation_id
from pincite.types import Answer, Box, Citation, Quantity, Reading, Table, Value

_CHECK = ("claim", "verdict", "citation", "how", "answers")
_OTHER = (
    "value", "unit", "text", "refused", "confidence", "citations", "checks", "reading", "date",
)  # fmt: skip
"""What of the record of another answer is told."""


def record(answer: Answer, answer_id: str, question_id: str = "") -> dict[str, Any]:
    """The fields of one answer: numbers clean (no commas, currency signs or unit words; ranges as [lo, hi]). `model_explanation`
    holds the words of a model, which were not checked; it is there where a model answered.
    """
    made: dict[str, Any] = {
        "id": question_id or answer_id, "answer_id": answer_id, "question": answer.query.text,
        "value": clean(answer.value), "unit": unit_of(answer.value), "text": answer.text, "headline": headline(answer),
        "refused": answer.value is None, "reason": answer.reason, "confidence": round(answer.confidence, 4),
        "citations": [_citation(answer_id, citation) for citation in answer.citations],
        "checks": [{name: getattr(check, name) for name in _CHECK} for check in answer.checks],
        "possible": [
            {
                "value": clean(near.value), "unit": unit_of(near.value), "confidence": round(near.confidence, 4),
                # the place that it was read at, null where that is not known
                "citation": _citation(answer_id, near.citation) if near.citation else None,
            }
            for near in answer.possible
        ],
    }  # fmt: skip
    if answer.reading is not None:
        made["reading"] = reading(answer.reading)
    if answer.model_explanation:
        made["model_explanation"] = answer.model_explanation
    if answer.date:
        made["date"] = answer.date
    if (said := answer.corrected) is not None:
        made["corrected"] = {
            "used": not said.unused, "said": said.said, "by": said.by, "at": said.at, "how": said.how, "note": said.note,
            "review": said.review,
        }  # fmt: skip
    if answer.others:
        others = enumerate(answer.others, 1)
        made["others"] = [_other(answer, other, f"{answer_id}+{at}") for at, other in others]
    return made


def reading(asked: Reading) -> dict[str, Any]:
    """How a database was asked."""
    return {
        "database": asked.database, "statement": asked.statement, "meaning": asked.meaning,
        "mapping": [{"words": words, "meaning": meaning} for words, meaning in asked.mapping],
        "unmapped": list(asked.unmapped),
    }  # fmt: skip


def _other(first: Answer, other: Answer, identity: str) -> dict[str, Any]:
    """What another source says to the same question, whether that is the same, and how the source stands to the answer's."""
    stands = {name: getattr(other, name) for name in ("stands", "reason", "date")}
    stands = {name: said for name, said in stands.items() if said}
    if other.value is None:
        return {"refused": True, "reason": other.reason, **stands}
    from pincite.reconcile.settlement import agree

    told = record(other, identity)
    kept = {name: told[name] for name in _OTHER if name in told}
    return {"agrees": agree(first.value, other.value), **kept, **stands}


def clean(value: Value) -> Any:
    """A value as JSON: a number with its scale applied, [low, high] for a range, a list, text, true, false or null. Each of
    several that differ in their unit is an object with `value` and `unit`.
    """
    if isinstance(value, Quantity):
        if value.low is not None and value.high is not None:
            return [number(value.low * value.scale), number(value.high * value.scale)]
        return number(value.amount)
    if isinstance(value, Table):
        return dict(zip(("columns", "rows"), columns_and_rows(value), strict=True))
    if isinstance(value, tuple) and len(_units(value)) > 1:
        return [{"value": clean(item), "unit": unit_of(item)} for item in value]
    return list(map(clean, value)) if isinstance(value, tuple) else value


_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def columns_and_rows(table: Table) -> tuple[list[str], list[list[Any]]]:
    """A table as its headings and rows: cells of columns that hold nothing but numbers as numbers, empty ones as None."""
    width = max((cell.column + 1 for cell in table.cells), default=0)
    body: dict[int, list[str]] = {}
    for cell in sorted(table.cells, key=attrgetter("row")):
        if cell.row >= table.header_rows:
            body.setdefault(cell.row, [""] * width)[cell.column] = cell.text
    columns = map(_cells, zip(*body.values(), strict=True))
    headings = [column_header(table, at) for at in range(width)]
    return headings, list(map(list, zip(*columns, strict=True)))


def _cells(texts: Sequence[str]) -> list[Any]:
    """The cells of a column: as numbers where it holds nothing else, empty ones as None."""
    if all(not text or _PLAIN.fullmatch(text) for text in texts):
        return [number(Decimal(text)) if text else None for text in texts]
    return [text or None for text in texts]


def table_of(value: Any, heading: str) -> tuple[list[str], list[list[Any]]]:
    """Any answer's value as columns and rows: a table as it is, a list as one column, one value as one cell. The unit of numbers
    stands in the heading, where they differ in a column of its own.
    """
    if isinstance(value, Table):
        return columns_and_rows(value)
    items = value if isinstance(value, tuple) else () if value is None else (value,)
    unit = unit_of(value)
    if len(_units(items)) > 1:
        return [heading, "unit"], [[clean(item), unit_of(item)] for item in items]
    if unit and unit != "year":
        heading = re.sub(r"\s*\([^()]*\)$", "", heading) + f" ({unit})"
    return [heading], [[clean(item)] for item in items]


def number(value: Decimal) -> int | float:
    """A Decimal as a JSON number: an integer where it is one, twelve digits of any other."""
    return int(value) if value == value.to_integral_value() else float(f"{value:.12g}")


def unit_of(value: Value) -> str:
    """The unit of a number, or of several that have the same."""
    if isinstance(value, tuple):
        units = _units(value)
        return units.pop() if len(units) == 1 else ""
    return value.unit if isinstance(value, Quantity) else ""


def _units(values: tuple[Value, ...]) -> set[str]:
    return set(filter(None, map(unit_of, values)))


def _citation(answer_id: str, citation: Citation) -> dict[str, Any]:
    anchor = citation.anchor
    # the box around everything that is cited on the first page
    box = around([box for page, box in anchor.spots if page == anchor.page])
    made = {
        "id": citation_id(answer_id, citation), "document": citation.document, "page": anchor.page,
        "place": place_of(anchor), "box": box and [round(x, 2) for x in box],
        "cells": list(map(list, anchor.cells)), "quote": citation.quote,
    }  # fmt: skip
    pin = read_pin(anchor.sql) if anchor.sql else None
    if pin is not None:
        made |= {
            "database": pin.database, "table": pin.relation, "columns": list(pin.columns), "key": list(pin.key),
            "rows": [list(map(_plain, row)) for row in pin.rows], "statement": pin.statement,
        }  # fmt: skip
    return made


def _plain(value: Any) -> Any:
    """A key's value as JSON."""
    if isinstance(value, Decimal):
        return number(value)
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)


def around(boxes: list[Box | None]) -> Box | None:
    """The smallest box around these; None when there is none."""
    known = [box for box in boxes if box]
    if not known:
        return None
    lefts, tops, rights, bottoms = zip(*known, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
