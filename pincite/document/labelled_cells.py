"""A table as a reader sees it: every body cell with its row label, the sections above it and its column header.

Besides the headers that the parser resolved, tables of reports carry section rows (a label with no values: "Cost of sales:")
and headers that start again in the middle of the table (a row of years above a second block).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.derived import kept
from pincite.document.times import when
from pincite.document.words import stems
from pincite.types import Cell, Table


@dataclass(frozen=True, slots=True)
class Labelled:
    """A body cell: `label` is its row header, `sections` the headings above the row (outermost first), `header` the column's.

    `measure` is what a column of units says of the row ("tonnes", "EUR million"), "" without one.
    """

    row: int
    column: int
    text: str
    label: str
    sections: tuple[str, ...]
    header: tuple[str, ...]
    measure: str = ""

    @property
    def heading(self) -> str:
        """The column header on one line."""
        return " ".join(self.header)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Labels:
    """The body cells of a table by row and by column, blank ones left out; `corner` is what stands above the row headers."""

    cells: tuple[Labelled, ...]
    corner: str

    def row(self, row: int) -> tuple[Labelled, ...]:
        """The cells of a row from left to right."""
        return tuple(cell for cell in self.cells if cell.row == row)

    def column(self, column: int) -> tuple[Labelled, ...]:
        """The cells of a column from top to bottom."""
        return tuple(cell for cell in self.cells if cell.column == column)


LONGEST = 2_000
"""Characters of the longest cell that may hold a number; a longer one is text."""
_NUMBER = re.compile(r"^[^\w(]*+\(?[^\w(]*+\d[\d,.]*+(?:\s\d{3})*+\s?\)?\W*+(?:\w{0,3}|pts|points|years)?\)?\W*+$")
_YEAR = re.compile(
    r"^(?:[A-Za-z]\D{0,13}|\D{0,3})?(?:\d{1,2},? )?(?:19|20)\d\d(?:\D{0,6}|\s*\(\w\)|"
    r"\s*\D{0,3}[’'‘]000)$|\b(?:19|20)\d\d\s.*[’'‘]000"
)
_UNIT = re.compile(r"^\D*[’'‘]\s?0{3}s?\W*$|^\D*0{3}s?\W*$")
_MEASURE = re.compile(r"units?(?: of measure(?:ment)?)?|uom", re.IGNORECASE)
"""The header of a column that holds the unit of each row."""
_NOTES = re.compile(r"(?:foot)?notes?(?: nos?\.?| ref(?:erence)?s?\.?)?|ref(?:erence)?s?\.?", re.IGNORECASE)
"""The header of a column that says which note explains a row: its numbers are no values of the row."""
_ONE_NOTE = r"[A-Z]?\d{1,2}(?:\.\d{1,2})*\s?\(?[a-z]?\)?"
_NOTED = re.compile(rf"{_ONE_NOTE}(?:\s?(?:[,;&–-]|and|to)\s?{_ONE_NOTE})*")
_BLANK = re.compile(r"^[\s\-–—−.*$€£¥]*$")


@lru_cache(maxsize=65536)
def is_number(text: str) -> bool:
    """Whether a cell holds a number rather than words; a bare year is a label."""
    return len(text) <= LONGEST and bool(_NUMBER.match(text)) and not _YEAR.match(text) and not _UNIT.match(text)


@lru_cache(maxsize=65536)
def is_blank(text: str) -> bool:
    """Whether a cell says nothing: empty, or a dash for nil."""
    return bool(_BLANK.match(text))


@kept
def labels(table: Table) -> Labels:
    """Label every body cell of `table`."""
    width = max((c.column + c.column_span for c in table.cells), default=0)
    height = max((c.row + c.row_span for c in table.cells), default=0)
    grid: list[list[str]] = [[""] * width for _ in range(height)]
    for cell in table.cells:
        _spread(grid, cell, table)
    above: list[list[str]] = [[] for _ in range(width)]
    for row in range(min(table.header_rows, height)):
        for column in range(width):
            if grid[row][column] and grid[row][column] not in above[column]:
                above[column].append(grid[row][column])
    measures = next(
        (column for column in range(width) if _MEASURE.fullmatch(" ".join(above[column]).strip(" ()"))), None
    )
    notes = {column for column in range(width) if _NOTES.fullmatch(" ".join(above[column]).strip(" ()"))}
    corner = " ".join(dict.fromkeys(word for column in above[: table.header_columns] for word in column))
    found: list[Labelled] = []
    sections: list[str] = []
    last_was_section = False
    for row in range(table.header_rows, height):
        label = " ".join(dict.fromkeys(x for x in grid[row][: table.header_columns] if x))
        body = [
            (column, grid[row][column]) for column in range(table.header_columns, width) if grid[row][column].strip()
        ]
        if not body:
            if label:
                sections = [*sections, label] if last_was_section else [label]
                last_was_section = True
            continue
        if not label and len(body) == 1 and not is_number(body[0][1]) and when(body[0][1]):
            above = [[body[0][1], *(text for text in column if not when(text))] for column in above]
            sections = []
            continue
        if _heads(body, label):
            above = [[] for _ in range(width)]
            for column, text in body:
                above[column] = [text]
            sections = [label] if label else []
            last_was_section = bool(label)
            continue
        last_was_section = False
        measure = "" if measures is None else grid[row][measures]
        found += [
            Labelled(row, column, text, label, tuple(sections), tuple(above[column]), measure)
            for column, text in body
            if not (column in notes and _NOTED.fullmatch(text.strip()))
        ]
    return Labels(tuple(found), corner)


def _spread(grid: list[list[str]], cell: Cell, table: Table) -> None:
    """Write a cell at its place; a merged header cell counts for all that it covers, a merged body cell once."""
    header = cell.row < table.header_rows or cell.column < table.header_columns
    for row in range(cell.row, cell.row + (cell.row_span if header else 1)):
        for column in range(cell.column, cell.column + (cell.column_span if header else 1)):
            grid[row][column] = cell.text.strip()


def _heads(body: list[tuple[int, str]], label: str) -> bool:
    """Whether a row in the middle of a table starts a new header: only years or words under two columns or more."""
    texts = [text for _, text in body if not is_blank(text)]
    return len(texts) > 1 and len(texts) == len(body) and sum(bool(_YEAR.match(t)) for t in texts) * 2 > len(texts)


def name_of(label: str) -> str:
    """A label as a name: without footnote marks and the colon or dash behind it."""
    return re.sub(r"(?<![\s:.—–*†‡])(?:\(\d{1,2}\)|(?<=[a-z)])\d{1,2}|[\s:.—–*†‡])++$", "", label) or label


_TIME_WORDS = frozenset(
    stems(
        "year years ended ending fiscal fy as of at december november october september august july june may april march "
        "february january quarter first second third fourth q1 q2 q3 q4 months twelve for the period"
    )
)


def timeless(cell: Labelled) -> tuple[str, ...]:
    """What a cell is of, apart from its time and notes in brackets: cells that share it form a series over periods."""
    return _timeless(" ".join((*cell.sections, cell.label, cell.heading)))


@lru_cache(maxsize=65536)
def _timeless(named: str) -> tuple[str, ...]:
    text = re.sub(r"\([^()]*\)|[$€£¥][’'‘]?0*", " ", named)
    return tuple(s for s in stems(text) if s not in _TIME_WORDS and not re.fullmatch(r"(?:fy)?\d[\d.,/]*", s))
