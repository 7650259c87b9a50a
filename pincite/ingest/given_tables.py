"""A table that its format gives cell by cell: which of them are headers, what its caption says, and the block it makes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from pincite.document.table import covered
from pincite.ingest.layout.line_traits import is_numeric, table_text
from pincite.ingest.raw_page import Block
from pincite.ingest.tables.captions import bound
from pincite.quantity import declared
from pincite.quantity.declarations import Declared, scale_notes
from pincite.quantity.unit_names import is_unit
from pincite.types import Cell, Table

_VALUE = re.compile(
    r"[-+(\u2212]?\s*+(?:[A-Z]{0,3}[$\u20ac\u00a3\u00a5]|[A-Z]{3}\s)?\s*+[-+(\u2212]?"
    r"\d[\d.,'\u2019\s]*+(?:[eE][-+]?\d++)?\s*+(?:%|[$\u20ac\u00a3\u00a5]|[A-Za-z\u00b5\u00b0/]{1,4}|[-\u2212])?\)?[*\u2020\u2021]*|"
    r"\d{1,3}(?::\d\d){1,2}(?:[.,]\d+)?"
)
"""A number with its signs and unit, or a time that something took."""
_TIME = re.compile(r"\D{0,12}(?:19|20)\d\d\D{0,6}|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d.*)?")
"""A year, or a date in numbers."""
_MOST_HEADERS = 5
_LEAD = 12  # words of a line over a table that may say what its numbers are in
LARGEST = 2_000_000  # the most places that the cells of one table cover
Grid = Mapping[tuple[int, int], Cell]


def is_value(text: str) -> bool:
    """Whether a cell holds a number rather than a label; a bare year or date is a label."""
    text = text.strip()
    plain = bool(_VALUE.fullmatch(text)) or is_numeric(text)
    return plain and any(map(str.isdigit, text)) and not _TIME.fullmatch(text)


def table_of(
    cells: Iterable[Cell],
    *,
    header_rows: int | None = None,
    header_columns: int | None = None,
    caption: Sequence[str] = (),
) -> Table | None:
    """A table of cells, empty ones left out, or None when nothing is in them.

    Header rows and columns that the format does not tell (None) are told from what the cells hold; scale and unit from
    the lines of the caption and from headers that speak for the whole table.
    """
    held = tuple(cell for cell in cells if cell.text.strip())
    if not held:
        return None
    if sum(cell.row_span * cell.column_span for cell in held) > LARGEST:  # merged beyond all sense
        held = tuple(replace(cell, row_span=1, column_span=1) for cell in held)
    headers = _Headers(covered(held))
    rows = headers.rows() if header_rows is None else header_rows
    columns = headers.columns(rows) if header_columns is None else header_columns
    return bound(Table(held, rows, columns), caption)


def lead(blocks: Sequence[Block | None]) -> list[str]:
    """Of the blocks before a table, the lines right over it that are its caption or say what its numbers are in.

    Where no line does, the nearest text since the table before may, in a note: "..., as follows (in thousands):".
    """
    since = takewhile(lambda block: block is None or block.table is None, reversed(blocks))
    between = [block for block in since if block is not None]
    near = reversed(between[:2])
    over = [one.text for one in near if one.kind == "caption" or declares_measure(one)]
    if any(declared(text).scale != 1 for text in over):
        return over
    texts = (block.text for block in between)
    notes = (text[start:end] for text in texts for start, end, _ in scale_notes(text))
    return [*islice(notes, 1), *over]


def declares_measure(block: Block) -> bool:
    """Whether a block is a line of text that says what the numbers of the table under it are in: "(in thousands of euro)"."""
    short = block.table is None and len(block.text.split()) <= _LEAD
    said = declared(block.text) if short else Declared()
    return said.scale != 1 or bool(said.unit)


def header_count(marked: Sequence[bool]) -> int | None:
    """How many rows from the first are marked as headers; None, for it is not told, where none or every one is."""
    count = len(list(takewhile(bool, marked)))
    return count if 0 < count < len(marked) else None


def table_block(table: Table, path: str = "") -> Block:
    """The block of a table without geometry."""
    return Block("table", table_text(table), (None,), (0,), table=table, path=path)


def shifted(cells: Iterable[Cell], rows: int, columns: int) -> list[Cell]:
    """Cells moved down and to the right."""
    return [replace(cell, row=cell.row + rows, column=cell.column + columns) for cell in cells]


class _Headers:
    """How many rows and columns of a grid of cells are headers."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._height = 1 + max(row for row, _ in grid)
        self._width = 1 + max(column for _, column in grid)

    def rows(self) -> int:
        """One row, none where the first holds values, more where headers are merged or a row of them has no label of its own."""
        first = min(row for row, _ in self._grid)
        if self._height - first < 2 or self._width < 2:
            return first
        if self._holds_values(first) and not self._labels_values(first):
            return first
        count = first + 1
        while count < min(self._height - 1, first + _MOST_HEADERS) and self._heads_too(
            count, first
        ):
            count += 1
        return count

    def columns(self, header_rows: int) -> int:
        """The first column; more while that holds values (running numbers) or labels that come again, and labels follow."""
        if self._width < 2:
            return 0 if header_rows else 1
        rows = range(header_rows, self._height)
        count = 1
        while count < min(self._width - 1, 3) and self._labels_go_on(rows, count):
            count += 1
        return count

    def _heads_too(self, row: int, first: int) -> bool:
        """Whether a row under the headers is one: it holds no value, and stands under what spans several columns or goes on
        into it, or goes on, over a row of values, with headers that were not whole.
        """
        if not self._in_row(row, 1) or self._holds_values(row):
            return False
        if self._goes_on(row, first) and self._values_follow(row, first):
            return True
        over = set(self._in_row(row - 1))
        widest = self._width if len(over) == 1 else self._width - 1
        return any(
            1 < cell.column_span <= widest or cell.row + cell.row_span > row for cell in over
        )

    def _goes_on(self, row: int, first: int) -> bool:
        """Whether a row without values goes on with the headers above it: its label is a note of scale, or it holds nothing but
        units and such notes; it repeats the label over it, as written-out merged cells do; or nothing stands over the labels,
        or nothing but over them, and it has no label, or half of what it holds stands in columns that have no header yet.
        """
        label, own = self._text(row, 0), self._in_row(row, 1)
        # a dash for nil says nothing; a sign of a currency says what is below it
        if not all(cell.text.strip().strip(" -–—−.") for cell in own):
            return False
        if declared(label).scale != 1 or all(map(_says_measure, own)):
            return True
        if label and label == self._text(row - 1, 0):
            return True
        if (first, 0) in self._grid and self._in_row(first, 1):
            return False
        columns = [column for column in range(1, self._width) if (row, column) in self._grid]
        unheaded = sum(not self._in_column(range(first, row), column) for column in columns)
        return not label or 2 * unheaded >= len(columns)

    def _values_follow(self, row: int, first: int) -> bool:
        """Whether the first row below that is no header, and says something beyond its label, holds a value."""
        for below in range(row + 1, row + 1 + _MOST_HEADERS):
            if self._holds_values(below):
                return True
            if self._in_row(below, 1) and not self._goes_on(below, first):
                return False
        return False

    def _labels_values(self, row: int) -> bool:
        """Whether a row has words over columns that mostly hold values, and more of them than values of its own."""
        own = [column for column in range(self._width) if (row, column) in self._grid]
        words = [column for column in own if not is_value(self._grid[row, column].text)]
        below = range(row + 1, min(self._height, row + 50))
        more = 2 * (len(own) - len(words)) < len(own)
        return more and any(_mostly_values(self._in_column(below, column)) for column in words)

    def _labels_go_on(self, rows: range, count: int) -> bool:
        """Whether the next column has the labels that the first ones are not: running numbers, or what comes again."""
        following = self._in_column(rows, count)
        if not following or any(map(is_value, following)):
            return False
        labels = Counter(tuple(self._text(row, column) for column in range(count)) for row in rows)
        again = sum(times for label, times in labels.items() if times > 1 and any(label))
        return 2 * again > len(rows) or _mostly_values(self._in_column(rows, count - 1))

    def _holds_values(self, row: int) -> bool:
        return any(is_value(cell.text) for cell in self._in_row(row, 1))

    def _in_row(self, row: int, first: int = 0) -> list[Cell]:
        """The cells of a row from a column on; one that spans several columns comes for each."""
        places = ((row, column) for column in range(first, self._width))
        return [self._grid[place] for place in places if place in self._grid]

    def _in_column(self, rows: range, column: int) -> list[str]:
        """What the cells of a column say, those aside that say nothing."""
        return list(filter(None, (self._text(row, column) for row in rows)))

    def _text(self, row: int, column: int) -> str:
        cell = self._grid.get((row, column))
        return cell.text.strip() if cell is not None else ""


def _says_measure(cell: Cell) -> bool:
    """Whether a cell says no more than what numbers are in: "kg", "$M", "(in millions)"."""
    text = cell.text.strip()
    return is_unit(text) or declared(text).scale != 1


def _mostly_values(texts: Sequence[str]) -> bool:
    return 2 * sum(map(is_value, texts)) > len(texts)
