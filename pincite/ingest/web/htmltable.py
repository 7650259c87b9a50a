"""A table of HTML: its grid with merged cells, its headers, and the columns that only hold signs closed up."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Any

from pincite.ingest.given_tables import table_of
from pincite.ingest.web.markup import name_of, named, whole
from pincite.types import Cell, Table

_BEFORE = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9(]|[A-Z]{2,3}?\s?[$\u20ac\u00a3]|\(\s?[$\u20ac\u00a3\u00a5]"
)
"""What stands in a cell of its own before a number: a currency sign, an open bracket."""
_AFTER = re.compile(r"\)?\s?%?|%\s?\)|\)")
_MOST = 1000
"""The most columns or rows that one cell covers."""
Text = Callable[[Any], str]
Hidden = Callable[[Any], bool]


def is_data(table: Any, hidden: Hidden) -> bool:
    """Whether a table holds data: two columns and rows or more and no table in it; others lay things out."""
    if table.get("role") in ("presentation", "none"):
        return False
    if any(inner is not table for inner in named(table.iter(), "table")):
        return False
    rows = [list(cells_of(row, hidden)) for row in rows_of(table, hidden)]
    headed = any(name_of(cell) == "th" for row in rows for cell in row)
    return max(map(len, rows), default=0) > 1 and (len(rows) > 1 or headed)


def rows_of(table: Any, hidden: Hidden) -> Iterator[Any]:
    """The rows of a table itself that are shown."""
    for child in table:
        name = name_of(child)
        if name == "tr" and not hidden(child):
            yield child
        elif name in ("thead", "tbody", "tfoot") and not hidden(child):
            yield from (row for row in child if name_of(row) == "tr" and not hidden(row))


def cells_of(row: Any, hidden: Hidden) -> Iterator[Any]:
    """The cells of a row that are shown."""
    return (cell for cell in row if name_of(cell) in ("td", "th") and not hidden(cell))


def html_table(table: Any, text: Text, hidden: Hidden, caption: Sequence[str]) -> Table | None:
    """The table of an element; `text` reads a cell."""
    rows = list(rows_of(table, hidden))
    elements = [list(cells_of(row, hidden)) for row in rows]
    heads = (
        cells and all(name_of(cell) == "th" for cell in cells) or name_of(row.getparent()) == "thead"
        for row, cells in zip(rows, elements, strict=True)
    )  # fmt: skip
    headers = len(list(takewhile(bool, heads)))
    cells: list[Cell] = []
    named_to = [0] * len(rows)  # the column up to which cells of each row call themselves headers
    for cell, element in _cells_at_places(elements):
        cells.append(replace(cell, text=" ".join(text(element).split())))
        if name_of(element) == "th" and cell.column < 3:
            named_to[cell.row] = cell.column + 1
    sides = list(filter(None, named_to[headers:]))
    side = max(sides) if len(sides) > (len(rows) - headers) / 2 else 0
    closed, moved = _without_sign_columns(cells, headers)
    first = min((cell.row for cell in closed), default=0)
    top = max(headers, first) if 0 < headers < len(rows) else None
    left = moved(side) if side else None
    return table_of(closed, header_rows=top, header_columns=left, caption=caption)


def _cells_at_places(rows: Sequence[Sequence[Any]]) -> Iterator[tuple[Cell, Any]]:
    """The cells of rows at their places, without text, each with its element."""
    taken: dict[int, int] = {}  # the row down to which a cell from above covers each column
    for at, row in enumerate(rows):
        column = 0
        for element in row:
            while taken.get(column, 0) > at:
                column += 1
            # 0 rows are all to the end
            deep = min(whole(element.get("rowspan"), 1, _MOST) or len(rows), len(rows) - at)
            wide = whole(element.get("colspan"), 1, _MOST) or 1
            yield Cell(at, column, "", deep, wide), element
            taken.update(dict.fromkeys(range(column, column + wide), at + deep))
            column += wide


def _without_sign_columns(
    cells: Sequence[Cell], headers: int
) -> tuple[list[Cell], Callable[[int], int]]:
    """Cells with signs joined to their numbers and without the columns that are empty then; where a column is now."""
    rows = groupby((cell for cell in cells if cell.text), key=attrgetter("row"))
    made: list[Cell] = []
    for row, line in rows:
        made += line if row < headers else _with_signs(list(line))
    # a column stays in which something begins; what spans several of them, as a header does, stands over those that stay
    used = sorted({cell.column for cell in made if cell.row >= headers or cell.column_span == 1})
    used = sorted({*used, *(cell.column for cell in made if not _width(used, cell))})

    def moved(column: int) -> int:
        return bisect_left(used, column)

    placed = ((cell, moved(cell.column), _width(used, cell)) for cell in made)
    closed = [replace(cell, column=first, column_span=wide) for cell, first, wide in placed]
    return _one_per_place(closed), moved


def _with_signs(line: Sequence[Cell]) -> list[Cell]:
    """The cells of a row, each sign in a cell of its own joined to the number beside it."""
    texts = ["", *(cell.text for cell in line), " "]
    for at in range(1, len(texts) - 1):
        if _BEFORE.fullmatch(texts[at]) and texts[at + 1][0] in "0123456789(.-\u2014\u2013":
            texts[at + 1] = texts[at] + texts[at + 1]
            texts[at] = ""
        elif _AFTER.fullmatch(texts[at]) and texts[at - 1][-1:].isdigit():
            texts[at - 1] += texts[at]
            texts[at] = ""
    return [replace(cell, text=text) for cell, text in zip(line, texts[1:-1], strict=True) if text]


def _one_per_place(cells: list[Cell]) -> list[Cell]:
    """Cells of which each has its own place: two of a row that closing up brought together are one."""
    found: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        here = found.get((cell.row, cell.column))
        joined = replace(here, text=f"{here.text} {cell.text}") if here else cell
        found[cell.row, cell.column] = joined
    return list(found.values())


def _width(columns: Sequence[int], cell: Cell) -> int:
    """How many of the columns a cell covers."""
    return bisect_left(columns, cell.column + cell.column_span) - bisect_left(columns, cell.column)
