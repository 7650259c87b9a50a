"""An answer as one line of a run file: clean values, citations with their ids, checks."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from pincite.database.statements.pins import read_pin
from pincite.document.address import place_of
from pincite.records.answer_store import citation_id
from pincite.types import Answer, Box, Citation, Possible, Quantity, Reading, Table, Value


def record(answer: Answer, answer_id: str, question_id: str = "") -> dict[str, Any]:
    """The fields of one answer: numbers clean (no commas, currency signs or unit words; ranges as [lo, hi])."""
    value = clean(answer.value)
    made: dict[str, Any] = {
        "id": question_id or answer_id,
        "answer_id": answer_id,
        "question": answer.query.text,
        "value": value,
        "unit": unit_of(answer.value),
        "text": answer.text,
        "refused": answer.value is None,
        "reason": answer.reason,
        "confidence": round(answer.confidence, 4),
        "citations": [_citation(answer_id, citation) for citation in answer.citations],
        "checks": [
            {
                "claim": check.claim,
                "verdict": check.verdict,
                "citation": check.citation,
                "how": check.how,
                "answers": check.answers,
            }
            for check in answer.checks
        ],
        "possible": [_possible(answer_id, possible) for possible in answer.possible],
    }
    if answer.reading is not None:
        made["reading"] = reading(answer.reading)
    if answer.date:
        made["date"] = answer.date
    if (said := answer.corrected) is not None:
        made["corrected"] = {
            "used": not said.unused, "said": said.said, "by": said.by, "at": said.at, "how": said.how, "note": said.note,
            "review": said.review,
        }  # fmt: skip
    if answer.others:
        made["others"] = [_other(answer, one, f"{answer_id}+{at}") for at, one in enumerate(answer.others, 1)]
    return made


def _possible(answer_id: str, one: Possible) -> dict[str, Any]:
    """A possible answer with the place that it was read at, null where that is not known."""
    citation = _citation(answer_id, one.citation) if one.citation else None
    told = {"value": clean(one.value), "unit": unit_of(one.value), "confidence": round(one.confidence, 4)}
    return {**told, "citation": citation}


def reading(one: Reading) -> dict[str, Any]:
    """How a database was asked."""
    return {
        "database": one.database,
        "statement": one.statement,
        "meaning": one.meaning,
        "mapping": [{"words": words, "meaning": meaning} for words, meaning in one.mapping],
        "unmapped": list(one.unmapped),
    }


def _other(first: Answer, one: Answer, identity: str) -> dict[str, Any]:
    """What another source says to the same question, whether that is the same, and how the source stands to the answer's."""
    stands = {name: said for name, said in (("stands", one.stands), ("reason", one.reason), ("date", one.date)) if said}
    if one.value is None:
        return {"refused": True, "reason": one.reason, **stands}
    from pincite.reconcile.settlement import agree

    told = record(one, identity)
    kept = ("value", "unit", "text", "refused", "confidence", "citations", "checks", "reading", "date")
    return {"agrees": agree(first.value, one.value), **{name: told[name] for name in kept if name in told}, **stands}


def clean(value: Value) -> Any:
    """A value as JSON: a number with its scale applied, [low, high] for a range, a list, text, true, false or null."""
    if isinstance(value, Quantity):
        if value.low is not None and value.high is not None:
            return [number(value.low * value.scale), number(value.high * value.scale)]
        return number(value.amount)
    if isinstance(value, Table):
        columns, rows = columns_and_rows(value)
        return {"columns": columns, "rows": rows}
    if isinstance(value, tuple):
        return [clean(item) for item in value]
    return value


_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")


def columns_and_rows(table: Table) -> tuple[list[str], list[list[Any]]]:
    """A table as its headings and rows: cells of columns that hold nothing but numbers as numbers, empty ones as None."""
    width = max((cell.column + 1 for cell in table.cells), default=0)
    grid: dict[int, list[str]] = {}
    for cell in table.cells:
        grid.setdefault(cell.row, [""] * width)[cell.column] = cell.text
    heads = [row for at, row in sorted(grid.items()) if at < table.header_rows]
    body = [row for at, row in sorted(grid.items()) if at >= table.header_rows]
    numeric = [all(not row[at] or _PLAIN.fullmatch(row[at]) for row in body) for at in range(width)]
    columns = [" ".join(dict.fromkeys(row[at] for row in heads if row[at])) for at in range(width)]
    return columns, [
        [None if not text else number(Decimal(text)) if numeric[at] else text for at, text in enumerate(row)]
        for row in body
    ]


def table_of(value: Any, heading: str) -> tuple[list[str], list[list[Any]]]:
    """Any answer's value as columns and rows: a table as it is, a list as one column, one value as one cell.

    The unit of numbers stands in the heading.
    """
    if isinstance(value, Table):
        return columns_and_rows(value)
    items = value if isinstance(value, tuple) else () if value is None else (value,)
    unit = unit_of(value)
    bare = re.sub(r"\s*\([^()]*\)$", "", heading)
    return [f"{bare} ({unit})" if unit and unit != "year" else heading], [[clean(item)] for item in items]


def number(value: Decimal) -> int | float:
    """A Decimal as a JSON number: an integer where it is one, twelve digits of any other."""
    return int(value) if value == value.to_integral_value() else float(f"{value:.12g}")


def unit_of(value: Value) -> str:
    """The unit of a number, or of the first of several."""
    if isinstance(value, tuple):
        return next((unit_of(item) for item in value), "")
    return value.unit if isinstance(value, Quantity) else ""


def _citation(answer_id: str, one: Citation) -> dict[str, Any]:
    made = {
        "id": citation_id(answer_id, one),
        "document": one.document,
        "page": one.anchor.page,
        "place": place_of(one.anchor),
        "box": _around(one),
        "cells": [list(cell) for cell in one.anchor.cells],
        "quote": one.quote,
    }
    pin = read_pin(one.anchor.sql) if one.anchor.sql else None
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
