"""What is on a sheet: its tables, told apart by the empty rows and columns between them, and the text around them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.document.address import area, cell_name
from pincite.ingest.given_tables import is_value, shifted, table_block, table_of
from pincite.ingest.lost import part_page
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.types import Cell

ROWS = 500
"""Rows of one table node: a longer table comes in pieces, each under the header rows."""
_APART = 3
"""A line of text is that of the table below it when the table begins at most so many rows further down."""
_NEAR = 8
"""Areas that are looked at to find the one that goes on below: those that begin nearest to its left."""
_LONG = 60
"""Characters from which a line that stands alone under a table is a note and no label."""
_NOTE = re.compile(
    r"(?:sources?|notes?|remarks?|quelle|anmerkung|k\u00e4lla|n\.?b)\b|[*\u2020\u2021]|\(?\d{1,2}\)\s", re.IGNORECASE
)
Place = tuple[int, int]
Area = tuple[int, int, int, int]
"""First row, first column, last row, last column, 0-based."""
Rows = dict[int, list[Cell]]
"""The cells that begin in each row, from left to right; the rows in order."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of a sheet that are seen, by 0-based (row, column), as text; "" is the name of the only one of a file.

    `merged` are the areas that one cell covers, `notes` the comments, `frozen` how many rows and columns stay in view,
    `tables` the areas that the sheet itself calls tables, each with its number of header rows, `hidden` the rows and columns
    that are: they part nothing.
    """

    name: str
    cells: Mapping[Place, str]
    merged: Sequence[Area] = ()
    notes: Mapping[Place, str] = field(default_factory=dict)
    bold: frozenset[Place] = frozenset()
    frozen: Place = (0, 0)
    tables: Sequence[tuple[Area, int]] = ()
    hidden: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())

    def path(self, areas: str) -> str:
        """Areas of cells of this sheet in its own terms: "Costs!A1:B9", "cells A1:B9"."""
        return f"{self.name}!{areas}" if self.name else f"cells {areas}"


def sheet_page(number: int, name: str, title: str, read: Callable[[], Sheet]) -> Page:
    """A sheet as a page; where reading it fails, an empty page that says why."""
    return part_page(number, f"sheet {name}", lambda: sheet_blocks(read()), title)


def sheet_blocks(sheet: Sheet) -> Iterator[Block]:
    """The blocks of a sheet from top to bottom: its name as a heading, then titles, tables, lines of text and comments."""
    rows = _rows(sheet)
    if sheet.name:
        yield text_block(sheet.name, "heading", 1)
    titles: list[Cell] = []  # lines that may be the title of the table that follows
    for region, headers in _regions(rows, sheet):
        held = _cut(rows, region)
        lines, body, notes = _parted(held, region) if headers is None else ([], held, [])
        titles += lines
        if not body:
            continue
        edge, count = min(body), 0
        for cell in reversed(titles):
            if not 0 < edge - cell.row <= _APART:
                break
            edge, count = cell.row, count + 1
        yield from _titled(titles[: len(titles) - count], sheet)
        over = titles[len(titles) - count :]
        for cell in over:
            yield text_block(cell.text, "caption", path=_path(sheet, cell.row, cell.column))
        yield from _told(body, sheet, headers, [cell.text for cell in over])
        titles = []
        for cell in notes:
            yield text_block(cell.text, "footnote", path=_path(sheet, cell.row, cell.column))
    yield from _titled(titles, sheet)
    for (row, column), text in sorted(sheet.notes.items()):
        yield text_block(f"{cell_name(row, column)}: {text}", "footnote", path=_path(sheet, row, column))


def _rows(sheet: Sheet) -> Rows:
    """The cells by row, merged ones with what they cover as far as there is anything on the sheet."""
    held = sorted(place for place, text in sheet.cells.items() if text.strip())
    low, wide = max((row for row, _ in held), default=0), max((column for _, column in held), default=0)
    spans = {
        (top, left): (max(min(last, low) - top + 1, 1), max(min(right, wide) - left + 1, 1))
        for top, left, last, right in sheet.merged
    }
    rows: Rows = {}
    for place in held:
        rows.setdefault(place[0], []).append(Cell(*place, sheet.cells[place], *spans.get(place, (1, 1))))
    return rows


def _titled(cells: Sequence[Cell], sheet: Sheet) -> Iterator[Block]:
    """Lines that belong to no table: short bold ones are headings."""
    for cell in cells:
        heads = (cell.row, cell.column) in sheet.bold and len(cell.text) <= 100 and not is_value(cell.text)
        path = _path(sheet, cell.row, cell.column)
        yield text_block(cell.text, "heading" if heads else "paragraph", 2 if heads else 0, path)


def _path(sheet: Sheet, row: int, column: int) -> str:
    return sheet.path(area([(row, row)], (column, column)))


def _told(body: Rows, sheet: Sheet, headers: int | None, caption: Sequence[str]) -> Iterator[Block]:
    """A table as one block, or as several under the same header rows when it is long."""
    top, left, last, right = _around(body)
    rows, columns = sheet.frozen
    frozen = rows - top if 0 < rows - top <= 5 and rows <= last else None
    table = table_of(
        shifted((cell for line in body.values() for cell in line), -top, -left),
        header_rows=frozen if headers is None else headers,
        header_columns=columns - left if 0 < columns - left <= 3 and columns <= right else None,
        caption=caption,
    )
    if table is None:
        return
    if last - top < ROWS:
        yield table_block(table, sheet.path(area([(top, last)], (left, right))))
        return
    head = table.header_rows
    over = [cell for cell in table.cells if cell.row < head]
    lines = _by_row(table.cells)
    for first in range(head, last - top + 1, ROWS):
        end = min(first + ROWS, last - top + 1)
        own = [
            Cell(row - first + head, cell.column, cell.text, min(cell.row_span, end - row), cell.column_span)
            for row in range(first, end)
            for cell in lines.get(row, ())
        ]
        if own:
            parts = [(top, top + head - 1)] if head else []
            place = area([*parts, (top + first, top + end - 1)], (left, right))
            yield table_block(replace(table, cells=(*over, *own)), sheet.path(place))


def _parted(held: Rows, region: Area) -> tuple[list[Cell], Rows, list[Cell]]:
    """A region as the lines over its table, the table's rows and the notes under it; without a table, all are lines."""
    left = region[1]
    numbers = list(held)
    first = 0
    while first < len(numbers) and _is_line(held[numbers[first]], left):
        first += 1
    if first == len(numbers):
        below = [held[row][0].text for row in numbers[1:]]
        tall = len(below) > 1 and all(map(is_value, below))  # a column of numbers
        return ([], held, []) if tall else ([held[row][0] for row in numbers], {}, [])
    last = len(numbers)
    while len(line := held[numbers[last - 1]]) == 1 and (len(line[0].text) > _LONG or _NOTE.match(line[0].text)):
        last -= 1
    body = {row: held[row] for row in numbers[first:last]}
    return [held[row][0] for row in numbers[:first]], body, [held[row][0] for row in numbers[last:]]


def _is_line(line: Sequence[Cell], left: int) -> bool:
    """Whether a row is one cell at the left edge."""
    return len(line) == 1 and line[0].column == left


def _regions(rows: Rows, sheet: Sheet) -> list[tuple[Area, int | None]]:
    """The areas that belong together, from top to bottom: those that are called tables, then what empty lines part."""
    named = [(one, headers) for one, headers in sheet.tables if _cut(rows, one)]
    inside = {(cell.row, cell.column) for one, _ in named for line in _cut(rows, one).values() for cell in line}
    free = _by_row(cell for line in rows.values() for cell in line if (cell.row, cell.column) not in inside)
    found: list[tuple[Area, int | None]] = [
        *named,
        *((area, None) for area in _joined(_split(free, sheet.hidden), free)),
    ]
    return sorted(found, key=lambda one: one[0])


def _split(rows: Rows, hidden: tuple[frozenset[int], frozenset[int]]) -> Iterator[Area]:
    """Areas that empty rows part, and within those areas that empty columns part."""
    covered = {row + down for row, line in rows.items() for cell in line for down in range(cell.row_span)}
    for first, last in _runs(covered | hidden[0]):
        band = [cell for row in range(first, last + 1) for cell in rows.get(row, ())]
        columns = {cell.column + right for cell in band for right in range(cell.column_span)}
        edges = [left for left, _ in _runs(columns | hidden[1])]
        parts: dict[int, list[Cell]] = {}
        for cell in band:
            parts.setdefault(bisect_right(edges, cell.column), []).append(cell)
        for part in _side_by_side([parts[at] for at in sorted(parts)]):
            yield _around(_by_row(part))


def _side_by_side(parts: Sequence[list[Cell]]) -> list[list[Cell]]:
    """Parts of a band: one that has no labels of its own goes on with the one to its left, across a spacer column."""
    out: list[list[Cell]] = []
    for part in parts:
        top, left = min(cell.row for cell in part), min(cell.column for cell in part)
        labels = [cell.text for cell in part if cell.column == left and cell.row > top]
        labelled = len({cell.column for cell in part}) > 1 and labels and not any(map(is_value, labels))
        if out and not labelled and any(cell.row > top for cell in part):
            out[-1] += part
        else:
            out.append(list(part))
    return out


def _joined(areas: Iterable[Area], rows: Rows) -> list[Area]:
    """Areas below each other that are one table: the lower one has no header row and reaches no further to the sides."""
    out: list[Area] = []
    ends: dict[int, list[tuple[int, int]]] = {}  # by their last row: the areas that end there, by their first column
    several: list[bool] = []  # whether a row of the area holds more than one cell
    for rectangle in sorted(areas):
        over = ends.get(rectangle[0] - 2, [])
        last = bisect_right(over, (rectangle[1], len(out)))
        place = next(
            (at for at in range(last - 1, max(last - 1 - _NEAR, -1), -1) if _under(out[over[at][1]], rectangle)), None
        )
        if place is not None and several[over[place][1]] and _goes_on(out[over[place][1]], rectangle, rows):
            _, at = over.pop(place)
            out[at] = (*out[at][:2], rectangle[2], out[at][3])
        else:
            at = len(out)
            out.append(rectangle)
            several.append(any(len(line) > 1 for line in _cut(rows, rectangle).values()))
        insort(ends.setdefault(rectangle[2], []), (out[at][1], at))
    return out


def _under(upper: Area, lower: Area) -> bool:
    return lower[0] - upper[2] == 2 and upper[1] <= lower[1] and lower[3] <= upper[3] and upper[3] > upper[1]


def _goes_on(upper: Area, lower: Area, rows: Rows) -> bool:
    """Whether the first row of an area holds values or is the label of those below."""
    below = list(_cut(rows, lower).values())
    first = below[0]
    section = len(first) == 1 and len(below) > 1 and first[0].column == upper[1]
    valued = any(is_value(cell.text) for cell in first[1:])
    return valued or section and any(is_value(cell.text) for cell in below[1][1:])


def _cut(rows: Rows, region: Area) -> Rows:
    """The rows of cells in an area."""
    top, left, last, right = region
    held: Rows = {}
    for row in range(top, last + 1) if last - top < len(rows) else [at for at in rows if top <= at <= last]:
        line = rows.get(row, [])
        first = bisect_left(line, left, key=_column)
        if own := line[first : bisect_right(line, right, first, key=_column)]:
            held[row] = own
    return held


def _column(cell: Cell) -> int:
    return cell.column


def _by_row(cells: Iterable[Cell]) -> Rows:
    rows: Rows = {}
    for cell in sorted(cells, key=lambda one: (one.row, one.column)):
        rows.setdefault(cell.row, []).append(cell)
    return rows


def _runs(numbers: set[int]) -> list[tuple[int, int]]:
    """Numbers without a gap between them, as (first, last)."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _around(rows: Rows) -> Area:
    cells = [cell for line in rows.values() for cell in line]
    return (
        min(cell.row for cell in cells),
        min(cell.column for cell in cells),
        max(cell.row + cell.row_span - 1 for cell in cells),
        max(cell.column + cell.column_span - 1 for cell in cells),
    )
