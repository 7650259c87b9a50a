"""What is on a sheet: its tables, told apart by the empty rows and columns between them, and the text around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, takewhile
from operator import attrgetter, itemgetter

from pincite.document.address import area, cell_name
from pincite.ingest.given_tables import is_value, shifted, table_block, table_of
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.lost_parts import hidden_page, part_page
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.text.lexicon import pattern
from pincite.text.struck_text import without_struck
from pincite.types import Cell, Table

ROWS = 500
"""Rows of one table node: a longer table comes in pieces, each under the header rows."""
_APART = 3
"""A line of text is that of the table below it when the table begins at most so many rows further down."""
_NEAR = 8
"""Areas that are looked at to find the one that goes on below: those that begin nearest to its left."""
_LONG = 60
"""Characters from which a line that stands alone under a table is a note and no label."""
_NOTE = pattern("ingest", "note", "cells")
_COLUMN = attrgetter("column")
Place = tuple[int, int]
Area = tuple[int, int, int, int]
"""First row, first column, last row, last column, 0-based."""
Rows = dict[int, list[Cell]]
"""The cells that begin in each row, from left to right; the rows in order."""


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet that are seen, by 0-based (row, column), as text; "" is the name of the only one of a file.

    `merged` are the areas that one cell covers, `notes` the comments, `frozen` how many rows and columns stay in view,
    `tables` the areas that the sheet itself calls tables, each with its number of header rows; `boxes` are the texts of boxes
    over it, `unseen` the cells that are hidden. Hidden rows and columns part nothing.
    """

    name: str
    cells: dict[Place, str] = field(default_factory=dict)
    merged: list[Area] = field(default_factory=list)
    notes: dict[Place, str] = field(default_factory=dict)
    bold: set[Place] = field(default_factory=set)
    frozen: Place = (0, 0)
    tables: list[tuple[Area, int]] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    boxes: list[tuple[Place, str]] = field(default_factory=list)
    unseen: set[Place] = field(default_factory=set)
    left: Counter[str] = field(default_factory=Counter)

    def hides(self, place: Place) -> bool:
        """Whether a cell is in a hidden row or column."""
        return place[0] in self.hidden_rows or place[1] in self.hidden_columns

    def put(self, place: Place, text: str, bold: bool = False) -> None:
        """Add a cell, its text on one line, unless it is empty or hidden."""
        line = " ".join(without_struck(text).split())
        if line and self.hides(place):
            self.unseen.add(place)
        elif line:
            self.cells[place] = line
            if bold:
                self.bold.add(place)

    def path(self, areas: str) -> str:
        """Areas of cells of this sheet in its own terms: "Costs!A1:B9", "cells A1:B9"."""
        return f"{self.name}!{areas}" if self.name else f"cells {areas}"


def sheet_pages(
    sheets: Iterable[tuple[int, str, bool, Callable[[], Sheet]]], title: str
) -> Iterator[Page]:
    """Sheets as pages that say what of them was left out; where reading one fails, its page is empty and says why.

    Each comes with its number, its name, whether it is hidden, and what reads it.
    """

    def blocks(read: Callable[[], Sheet], left: Counter[str]) -> Iterator[Block]:
        sheet = read()
        rows = {row for row, _ in sheet.unseen} & sheet.hidden_rows
        columns = {column for row, column in sheet.unseen if row not in rows}
        left.update({"hidden row": len(rows), "hidden column": len(columns)} | sheet.left)
        return sheet_blocks(sheet)

    for number, name, hidden, read in sheets:
        if hidden:
            yield hidden_page(number, f"sheet {name}")
        else:
            yield part_page(number, f"sheet {name}", partial(blocks, read), title)


def sheet_blocks(sheet: Sheet) -> Iterator[Block]:
    """The blocks of a sheet from top to bottom: its name as a heading, then titles, tables, lines of text and comments."""
    rows = _rows(sheet)
    if sheet.name:
        yield text_block(sheet.name, "heading", 1)
    titles: list[Cell] = []  # lines that may be the title of the table that follows
    for region, headers in _regions(rows, sheet):
        held = _rows_within(rows, region)
        lines, body, notes = (
            _lines_table_notes(held, region[1]) if headers is None else ([], held, [])
        )
        titles += lines
        if not body:
            continue
        first, top = len(titles), min(body)
        while first and 0 < top - titles[first - 1].row <= _APART:
            first, top = first - 1, titles[first - 1].row
        over = titles[first:]  # those that stand right over the table or over each other
        yield from _loose_lines(titles[:first], sheet)
        for cell in over:
            yield text_block(cell.text, "caption", path=_path(sheet, cell.row, cell.column))
        yield from _table_blocks(body, sheet, headers, [cell.text for cell in over])
        titles = []
        for cell in notes:
            yield text_block(cell.text, "footnote", path=_path(sheet, cell.row, cell.column))
    yield from _loose_lines(titles, sheet)
    for (row, column), text in sorted(sheet.notes.items()):
        said, path = f"{cell_name(row, column)}: {text}", _path(sheet, row, column)
        yield text_block(said, "footnote", path=path)
    for place, text in sheet.boxes:
        yield text_block(text, path=_path(sheet, *place))


def _rows(sheet: Sheet) -> Rows:
    """The cells by row, merged ones with what they cover as far as there is anything on the sheet."""
    held = sorted(sheet.cells)
    low = max((row for row, _ in held), default=0)
    wide = max((column for _, column in held), default=0)
    spans = {
        (top, left): (max(min(last, low) - top + 1, 1), max(min(right, wide) - left + 1, 1))
        for top, left, last, right in sheet.merged
    }
    rows: Rows = {}
    for place in held:
        cell = Cell(*place, sheet.cells[place], *spans.get(place, (1, 1)))
        rows.setdefault(place[0], []).append(cell)
    return rows


def _loose_lines(cells: Sequence[Cell], sheet: Sheet) -> Iterator[Block]:
    """Lines that belong to no table: short bold ones are headings."""
    for cell in cells:
        bold = (cell.row, cell.column) in sheet.bold
        heads = bold and len(cell.text) <= 100 and not is_value(cell.text)
        path = _path(sheet, cell.row, cell.column)
        yield text_block(cell.text, "heading" if heads else "paragraph", 2 if heads else 0, path)


def _path(sheet: Sheet, row: int, column: int) -> str:
    return sheet.path(area([(row, row)], (column, column)))


def _table_blocks(
    body: Rows, sheet: Sheet, headers: int | None, caption: Sequence[str]
) -> Iterator[Block]:
    """A table as one block, or as several under the same header rows when it is long."""
    top, left, last, right = _bounds_of(body)
    cells = shifted((cell for line in body.values() for cell in line), -top, -left)
    rows = _frozen_headers(sheet.frozen[0], top, last, 5) if headers is None else headers
    columns = _frozen_headers(sheet.frozen[1], left, right, 3)
    table = table_of(cells, header_rows=rows, header_columns=columns, caption=caption)
    for held, piece in _pieces(table, last - top + 1) if table else ():
        places = [(top + first, top + end) for first, end in held]
        yield table_block(piece, sheet.path(area(places, (left, right))))


def _frozen_headers(frozen: int, first: int, last: int, most: int) -> int | None:
    """How many rows or columns of a table stay in view, and so are headers; None where that is none or more than `most`."""
    return frozen - first if 0 < frozen - first <= most and frozen <= last else None


def _pieces(table: Table, height: int) -> Iterator[tuple[list[tuple[int, int]], Table]]:
    """A long table in several under the same header rows, each with the rows that it is made of as (first, last)."""
    if height <= ROWS:
        yield [(0, height - 1)], table
        return
    head = table.header_rows
    over = [cell for cell in table.cells if cell.row < head]
    rows = _by_row(table.cells)
    for first in range(head, height, ROWS):
        end = min(first + ROWS, height)
        cells = (cell for row in range(first, end) for cell in rows.get(row, ()))
        cut = ((cell, min(cell.row_span, end - cell.row)) for cell in cells)
        own = [replace(cell, row=cell.row - first + head, row_span=deep) for cell, deep in cut]
        if own:
            headers = [(0, head - 1)] if head else []
            yield [*headers, (first, end - 1)], replace(table, cells=(*over, *own))


def _lines_table_notes(held: Rows, left: int) -> tuple[list[Cell], Rows, list[Cell]]:
    """An area as the lines over its table, each one cell at its `left` edge, the table's rows and the notes under it.

    Without a table, all are lines.
    """
    lines = [line[0] if len(line) == 1 else None for line in held.values()]
    over = list(takewhile(lambda cell: cell is not None and cell.column == left, lines))
    if len(over) == len(lines) > 2 and all(cell and is_value(cell.text) for cell in lines[1:]):
        return [], held, []  # a column of numbers
    under = list(takewhile(_is_note, reversed(lines[len(over) :])))
    body = dict(islice(held.items(), len(over), len(lines) - len(under)))
    heads, notes = ([cell for cell in part if cell] for part in (over, reversed(under)))
    return (heads, body, notes) if body else (heads + notes, {}, [])


def _is_note(cell: Cell | None) -> bool:
    """Whether what stands alone in a row under a table is a note to it."""
    return cell is not None and (len(cell.text) > _LONG or bool(_NOTE.match(cell.text)))


def _regions(rows: Rows, sheet: Sheet) -> list[tuple[Area, int | None]]:
    """The areas that belong together, from top to bottom: those that are called tables, then what empty lines part."""
    named = [(place, headers) for place, headers in sheet.tables if _rows_within(rows, place)]
    lines = (line for place, _ in named for line in _rows_within(rows, place).values())
    inside = {(cell.row, cell.column) for line in lines for cell in line}
    cells = (cell for line in rows.values() for cell in line)
    free = _by_row(cell for cell in cells if (cell.row, cell.column) not in inside)
    found = [
        *named,
        *((place, None) for place in _continued_areas(_areas_apart(free, sheet), free)),
    ]
    return sorted(found, key=itemgetter(0))


def _areas_apart(rows: Rows, sheet: Sheet) -> Iterator[Area]:
    """Areas that empty rows part, and within those areas that empty columns part."""
    ends = ((row, cell.row_span) for row, line in rows.items() for cell in line)
    covered = {row + down for row, deep in ends for down in range(deep)}
    for first, last in _unbroken_runs(covered | sheet.hidden_rows):
        band = [cell for row in range(first, last + 1) for cell in rows.get(row, ())]
        columns = {cell.column + right for cell in band for right in range(cell.column_span)}
        edges = [left for left, _ in _unbroken_runs(columns | sheet.hidden_columns)]
        parts: dict[int, list[Cell]] = {}
        for cell in band:
            parts.setdefault(bisect_right(edges, cell.column), []).append(cell)
        in_order = (parts[at] for at in sorted(parts))
        for group in consecutive(in_order, lambda _, part: _continues_from_the_left(part)):
            yield _bounds_of(_by_row(cell for part in group for cell in part))


def _continues_from_the_left(part: Sequence[Cell]) -> bool:
    """Whether cells in several rows have no column of labels under their first row: a spacer column parts them from their own."""
    top, left = min(cell.row for cell in part), min(cell.column for cell in part)
    below = [cell for cell in part if cell.row > top]
    labels = [cell.text for cell in below if cell.column == left]
    alone = all(cell.column == left for cell in part)
    return bool(below) and (alone or not labels or any(map(is_value, labels)))


def _continued_areas(areas: Iterable[Area], rows: Rows) -> list[Area]:
    """Areas below each other that are one table: the lower one has no header row and reaches no further to the sides."""
    out: list[Area] = []
    # by their last row: the areas that end there, by their first column
    ends: dict[int, list[tuple[int, int]]] = {}
    several: list[bool] = []  # whether a row of the area holds more than one cell
    for rectangle in sorted(areas):
        over = ends.get(rectangle[0] - 2, [])
        last = bisect_right(over, (rectangle[1], len(out)))
        near = range(last - 1, max(last - 1 - _NEAR, -1), -1)
        place = next((at for at in near if _is_under(out[over[at][1]], rectangle)), -1)
        host = over[place][1] if place >= 0 else -1
        if host >= 0 and several[host] and _continues(out[host], rectangle, rows):
            _, at = over.pop(place)
            out[at] = (*out[at][:2], rectangle[2], out[at][3])
        else:
            at = len(out)
            out.append(rectangle)
            several.append(any(len(line) > 1 for line in _rows_within(rows, rectangle).values()))
        insort(ends.setdefault(rectangle[2], []), (out[at][1], at))
    return out


def _is_under(upper: Area, lower: Area) -> bool:
    inside = upper[1] <= lower[1] and lower[3] <= upper[3]
    return lower[0] - upper[2] == 2 and inside and upper[3] > upper[1]


def _continues(upper: Area, lower: Area, rows: Rows) -> bool:
    """Whether the first row of an area holds values or is the label of those below."""
    below = list(_rows_within(rows, lower).values())
    first = below[0]
    section = len(first) == 1 and len(below) > 1 and first[0].column == upper[1]
    valued = any(is_value(cell.text) for cell in first[1:])
    return valued or section and any(is_value(cell.text) for cell in below[1][1:])


def _rows_within(rows: Rows, region: Area) -> Rows:
    """The rows of cells in an area."""
    top, left, last, right = region
    held: Rows = {}
    near = range(top, last + 1) if last - top < len(rows) else rows
    for row in (at for at in near if top <= at <= last):
        line = rows.get(row, [])
        first = bisect_left(line, left, key=_COLUMN)
        if own := line[first : bisect_right(line, right, first, key=_COLUMN)]:
            held[row] = own
    return held


def _by_row(cells: Iterable[Cell]) -> Rows:
    rows: Rows = {}
    for cell in sorted(cells, key=attrgetter("row", "column")):
        rows.setdefault(cell.row, []).append(cell)
    return rows


def _unbroken_runs(numbers: set[int]) -> list[tuple[int, int]]:
    """Numbers without a gap between them, as (first, last)."""
    runs = consecutive(sorted(numbers), lambda run, number: number == run[-1] + 1)
    return [(run[0], run[-1]) for run in runs]


def _bounds_of(rows: Rows) -> Area:
    cells = [cell for line in rows.values() for cell in line]
    top, left = min(cell.row for cell in cells), min(cell.column for cell in cells)
    last = max(cell.row + cell.row_span - 1 for cell in cells)
    return top, left, last, max(cell.column + cell.column_span - 1 for cell in cells)
