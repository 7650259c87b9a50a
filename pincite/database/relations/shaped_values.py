"""Rows of a database as an answer: a quantity or a text, a list, a table; and what a citation of a row quotes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from pincite.database.relations.column_heading import Heading, readable
from pincite.database.relations.model import Column, Relation
from pincite.text.wording import counted
from pincite.types import Cell, Quantity, Table, Value

LISTED = 3
"""Rows that a citation of many quotes."""


def shaped(rows: Sequence[Sequence[Any]], headings: Sequence[Heading]) -> Value:
    """One value where there is one cell, a list where there is one column, else a table; None when no cell holds anything."""
    if len(headings) == 1:
        held = [value for row in rows if (value := of_cell(row[0], headings[0])) is not None]
        return held[0] if len(held) == 1 else tuple(held) or None
    if not any(cell is not None for row in rows for cell in row):
        return None
    return table(rows, headings)


def of_cell(value: Any, heading: Heading) -> Value:
    """What stands in a cell, as a value: a number with its column's unit and scale."""
    if heading.type == "boolean" and value in (0, 1):
        return bool(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal) and heading.type != "identifier":
        number = exact(value)
        if number is None:
            return str(value)
        unit = heading.unit or ("year" if heading.type == "year" else "")
        return Quantity(number, unit, heading.scale, text=written(value))
    return written(value)


def table(rows: Sequence[Sequence[Any]], headings: Sequence[Heading]) -> Table:
    """Rows under their headings, which name the units."""
    top = [Cell(0, at, heading.titled) for at, heading in enumerate(headings)]
    body = []
    for row, cells in enumerate(rows, 1):
        for at, value in enumerate(cells):
            yes_no = headings[at].type == "boolean" and value in (0, 1)
            body.append(Cell(row, at, written(bool(value) if yes_no else value)))
    return Table((*top, *body), header_rows=1, header_columns=0)


def exact(value: float | Decimal) -> Decimal | None:
    """A number of a database as a Decimal: of a float the fifteen digits that it can hold; None for what is no number."""
    number = Decimal(f"{value:.15g}") if isinstance(value, float) else Decimal(value)
    return number if number.is_finite() else None


def written(value: Any) -> str:
    """A cell as text: numbers plain, dates as ISO has them, nothing as "", bytes by their number."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | Decimal):
        number = exact(value)
        text = str(value) if number is None else f"{number:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"{len(bytes(value)):,} bytes"
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def quoted(relation: Relation, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """What rows hold in these columns, in words: "grade = 4340, yield strength = 470 MPa"; of many the first few."""
    held = {column.name: column for column in relation.columns}
    told = []
    for row in rows[:LISTED]:
        pairs = zip(columns, row, strict=True)
        told.append(
            ", ".join(
                _name_and_value(held.get(name) or Column(name), value) for name, value in pairs
            )
        )
    more = f"; and {counted(len(rows) - LISTED, 'more row')}" if len(rows) > LISTED else ""
    return "; ".join(told) + more


def _name_and_value(column: Column, value: Any) -> str:
    unit = f" {column.unit}" if column.unit and value is not None else ""
    return f"{readable(column)} = {written(value) or 'nothing'}{unit}"
