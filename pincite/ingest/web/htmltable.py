"""A table of HTML: its grid with merged cells, its headers, and the columns that only hold signs closed up."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pincite.ingest.given_tables import table_of
from pincite.ingest.web.attributes import whole
from pincite.types import Cell, Table

_BEFORE = re.compile(r"[$\u20ac\u00a3\u00a5\u20b9(]|[A-Z]{2,3}?\s?[$\u20ac\u00a3]|\(\s?[$\u20ac\u00a3\u00a5]")
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
    rows = [row for row in rows_of(table, hidden)]
    widths = [len(list(cells_of(row, hidden))) for row in rows]
    if any(_local(inner) == "table" for inner in table.iter() if inner is not table):
        return False
    headed = any(_local(cell) == "th" for row in rows for cell in cells_of(row, hidden))
    return max(widths, default=0) > 1 and (len(rows) > 1 or headed)


def rows_of(table: Any, hidden: Hidden) -> Iterator[Any]:
    """The rows of a table itself that are shown."""
    for child in table:
        name = _local(child)
        if name == "tr" and not hidden(child):
            yield child
        elif name in ("thead", "tbody", "tfoot") and not hidden(child):
            yield from (row for row in child if _local(row) == "tr" and not hidden(row))


def cells_of(row: Any, hidden: Hidden) -> Iterator[Any]:
    """The cells of a row that are shown."""
    return (cell for cell in row if _local(cell) in ("td", "th") and not hidden(cell))


def html_table(table: Any, text: Text, hidden: Hidden, caption: Sequence[str]) -> Table | None:
    """The table of an element; `text` reads a cell."""
    cells: list[Cell] = []
    named: set[tuple[int, int]] = set()  # where a th begins
    taken: dict[int, int] = {}  # the row down to which a cell from above covers each column
    headers = 0
    rows = list(rows_of(table, hidden))
    for at, row in enumerate(rows):
        column = 0
        own = list(cells_of(row, hidden))
        for cell in own:
            while taken.get(column, 0) > at:
                column += 1
            deep, wide = min(_span(cell, "rowspan") or len(rows), len(rows) - at), _span(cell, "colspan") or 1
            cells.append(Cell(at, column, " ".join(text(cell).split()), deep, wide))
            if _local(cell) == "th":
                named.add((at, column))
            taken.update(dict.fromkeys(range(column, column + wide), at + deep))
            column += wide
        heads = _local(row.getparent()) == "thead" or bool(own) and all(_local(cell) == "th" for cell in own)
        headers += heads and headers == at
    sides = [
        max((column + 1 for line, column in named if line == at and column < 3), default=0)
        for at in range(headers, len(rows))
    ]
    side = max(sides, default=0) if sum(map(bool, sides)) > len(sides) / 2 else 0
    closed, moved = _closed(cells, headers)
    first = min((row for cell in closed if cell.text for row in (cell.row,)), default=0)
    return table_of(
        closed,
        header_rows=max(headers, first) if headers and len(rows) > headers else None,
        header_columns=moved(side) if side else None,
        caption=caption,
    )


def _closed(cells: list[Cell], headers: int) -> tuple[list[Cell], Callable[[int], int]]:
    """Cells with signs joined to their numbers and without the columns that are empty then; where a column is now."""
    rows: dict[int, list[int]] = {}
    for at, cell in enumerate(cells):
        if cell.text:
            rows.setdefault(cell.row, []).append(at)
    made = list(cells)
    for row, held in rows.items():
        if row < headers:
            continue
        for place, at in enumerate(held):
            text = made[at].text
            follows = made[held[place + 1]].text[:1] if place + 1 < len(held) else " "
            if _BEFORE.fullmatch(text) and follows in "0123456789(.-\u2014\u2013":
                following = held[place + 1]
                made[following] = replace(made[following], text=text + made[following].text)
                made[at] = replace(made[at], text="")
            elif place and _AFTER.fullmatch(text) and made[held[place - 1]].text[-1:].isdigit():
                before = held[place - 1]
                made[before] = replace(made[before], text=made[before].text + text)
                made[at] = replace(made[at], text="")
    # a column stays in which something begins; what spans several of them, as a header does, stands over those that stay
    used = sorted({cell.column for cell in made if cell.text and (cell.row >= headers or cell.column_span == 1)})
    alone = {cell.column for cell in made if cell.text and not _width(used, cell)}
    used = sorted({*used, *alone})

    def moved(column: int) -> int:
        return bisect_left(used, column)

    out = []
    for cell in made:
        if cell.text:
            out.append(replace(cell, column=moved(cell.column), column_span=_width(used, cell)))
    return _apart(out), moved


def _apart(cells: list[Cell]) -> list[Cell]:
    """Cells of which each has its own place: two of a row that closing up brought together are one."""
    found: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        here = found.get((cell.row, cell.column))
        found[cell.row, cell.column] = replace(here, text=f"{here.text} {cell.text}") if here else cell
    return list(found.values())


def _width(columns: Sequence[int], cell: Cell) -> int:
    """How many of the columns a cell covers."""
    return bisect_left(columns, cell.column + cell.column_span) - bisect_left(columns, cell.column)


def _span(element: Any, name: str) -> int:
    """How many rows or columns a cell covers; 0 for "to the end"."""
    return whole(element.get(name), 1, _MOST)


def _local(element: Any) -> str:
    tag = element.tag
    return tag.rpartition("}")[2].casefold() if isinstance(tag, str) else ""
