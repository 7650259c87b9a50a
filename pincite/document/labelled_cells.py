"""A table as a reader sees it: every body cell with its row label, the sections above it and its column header.

Besides the headers that the parser resolved, tables of reports carry section rows (a label with no values: "Cost of sales:")
and headers that start again in the middle of the table (a row of years above a second block).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from pincite.derived import kept
from pincite.document.table import grid
from pincite.document.times import when
from pincite.document.words import stems
from pincite.lexicon import pattern, word_list
from pincite.quantity.whole_text import without_aside
from pincite.types import Table


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
_NUMBER = re.compile(
    r"^[^\w(]*+\(?[^\w(]*+\d[\d,.]*+(?:\s\d{3})*+\s?\)?\W*+(?:\w{0,3}|pts|points|years)?\)?\W*+$"
)
_YEAR = re.compile(
    r"^(?:[A-Za-z]\D{0,13}|\D{0,3})?(?:\d{1,2},? )?(?:19|20)\d\d(?:\D{0,6}|\s*\(\w\)|"
    r"\s*\D{0,3}[’'‘]000)$|\b(?:19|20)\d\d\s.*[’'‘]000"
)
_UNIT = re.compile(r"^\D*0{3}s?\W*$")
_MEASURE = pattern("document", "measure column")
"""The header of a column that holds the unit of each row."""
_NOTES = pattern("document", "notes column")
"""The header of a column that says which note explains a row: its numbers are no values of the row."""
_ONE_NOTE = r"[A-Z]?\d{1,2}(?:\.\d{1,2})*\s?\(?[a-z]?\)?"
_NOTED = re.compile(rf"{_ONE_NOTE}(?:\s?(?:[,;&–-]|and|to)\s?{_ONE_NOTE})*")
_BLANK = re.compile(r"^[\s\-–—−.*$€£¥]*$")


@lru_cache(maxsize=65536)
def is_number(text: str) -> bool:
    """Whether a cell holds a number rather than words; a bare year is a label."""
    return (
        len(text) <= LONGEST
        and bool(_NUMBER.match(without_aside(text)))
        and not _YEAR.match(text)
        and not _UNIT.match(text)
    )


@lru_cache(maxsize=65536)
def is_blank(text: str) -> bool:
    """Whether a cell says nothing: empty, or a dash for nil."""
    return bool(_BLANK.match(text))


@kept
def labels(table: Table) -> Labels:
    """Label every body cell of `table`."""
    rows = _texts(table)
    headers = [_once(column[: table.header_rows]) for column in zip(*rows, strict=True)]
    measures, notes = _headed(headers, _MEASURE), _headed(headers, _NOTES)
    above = _Above(headers)
    found: list[Labelled] = []
    for row, texts in enumerate(rows[table.header_rows :], table.header_rows):
        label = " ".join(_once(texts[: table.header_columns]))
        beyond = enumerate(texts[table.header_columns :], table.header_columns)
        body = {column: text for column, text in beyond if text}
        if above.takes(label, body):
            continue
        measure = "".join(texts[column] for column in measures[:1])
        for column, text in body.items():
            if column not in notes or not _NOTED.fullmatch(text):
                heading = tuple(above.columns[column])
                found.append(Labelled(row, column, text, label, above.sections, heading, measure))
    return Labels(
        tuple(found), " ".join(_once(chain.from_iterable(headers[: table.header_columns])))
    )


def _texts(table: Table) -> list[list[str]]:
    """The texts of a table, row by row: a merged header cell counts for all that it covers, a merged body cell once."""
    held = grid(table)
    texts = [[""] * held.width for _ in range(held.height)]
    for (row, column), cell in held.cells.items():
        heads = cell.row < table.header_rows or cell.column < table.header_columns
        if heads or (cell.row, cell.column) == (row, column):
            texts[row][column] = cell.text.strip()
    return texts


def _once(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(filter(None, texts)))


def _headed(headers: Sequence[Sequence[str]], pattern: re.Pattern[str]) -> list[int]:
    """The columns whose whole header a pattern matches."""
    return [
        column
        for column, header in enumerate(headers)
        if pattern.fullmatch(" ".join(header).strip(" ()"))
    ]


@dataclass(slots=True)
class _Above:
    """What stands above the next row: the header of each column, and the sections; `opened` when a section just began."""

    columns: list[list[str]]
    sections: tuple[str, ...] = ()
    opened: bool = False

    def takes(self, label: str, body: Mapping[int, str]) -> bool:
        """Whether a row is a header or a section of the rows below it, and no row of values."""
        if not body:
            if label:
                self.sections = (*self.sections, label) if self.opened else (label,)
                self.opened = True
            return True
        if not label and (time := _time_alone(body)):
            self.columns = [_dated(time, column) for column in self.columns]
            self.sections = ()
            return True
        self.opened = _heads(list(body.values()))
        if self.opened:
            self.columns = [_once((body.get(column, ""),)) for column in range(len(self.columns))]
            self.sections = (label,) if label else ()
        return self.opened


def _time_alone(body: Mapping[int, str]) -> str:
    """The one text of a row when it is a time and no number."""
    (text, *more) = body.values()
    return text if not more and not is_number(text) and when(text) else ""


def _dated(time: str, column: Iterable[str]) -> list[str]:
    """The header of a column under another time."""
    return [time, *(text for text in column if not when(text))]


def _heads(body: Sequence[str]) -> bool:
    """Whether a row in the middle of a table starts a new header: only years or words under two columns or more."""
    texts = [text for text in body if not is_blank(text)]
    return (
        len(texts) > 1
        and len(texts) == len(body)
        and sum(bool(_YEAR.match(t)) for t in texts) * 2 > len(texts)
    )


def name_of(label: str) -> str:
    """A label as a name: without footnote marks and the colon or dash behind it."""
    return (
        re.sub(r"(?<![\s:.—–*†‡])(?:\(\d{1,2}\)|(?<=[a-z)])\d{1,2}|[\s:.—–*†‡])++$", "", label)
        or label
    )


TIME_WORDS = frozenset(chain.from_iterable(map(stems, word_list("document", "time words"))))
"""The stems of words that only say when."""


def _is_figure(stem: str) -> bool:
    """Whether a stem is a number or a fiscal year ("fy2019")."""
    return stem.removeprefix("fy").replace(".", "").isdigit()


def timeless(cell: Labelled) -> tuple[str, ...]:
    """What a cell is of, apart from its time and notes in brackets: cells that share it form a series over periods."""
    return _timeless(" ".join((*cell.sections, cell.label, cell.heading)))


@lru_cache(maxsize=65536)
def _timeless(named: str) -> tuple[str, ...]:
    text = re.sub(r"\([^()]*\)|[$€£¥][’'‘]?0*", " ", named)
    return tuple(stem for stem in stems(text) if stem not in TIME_WORDS and not _is_figure(stem))
