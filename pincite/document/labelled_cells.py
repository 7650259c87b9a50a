"""A table as a reader sees it: every body cell with its row label, the sections above it and its column header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from pincite.document.derived import kept
from pincite.document.table import grid
from pincite.document.table_headers import headers
from pincite.text.lexicon import pattern, word_list
from pincite.text.words import stems
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


_MEASURE = pattern("document", "measure column")
"""The header of a column that holds the unit of each row."""
_NOTES = pattern("document", "notes column")
"""The header of a column that says which note explains a row: its numbers are no values of the row."""
_ONE_NOTE = r"[A-Z]?\d{1,2}(?:\.\d{1,2})*\s?\(?[a-z]?\)?"
_NOTED = re.compile(rf"{_ONE_NOTE}(?:\s?(?:[,;&–-]|and|to)\s?{_ONE_NOTE})*")


@kept
def labels(table: Table) -> Labels:
    """Label every body cell of `table`."""
    held, made = grid(table), headers(table)
    measures, notes = _headed(made.columns, _MEASURE), _headed(made.columns, _NOTES)
    found: list[Labelled] = []
    for row, beside in made.rows.items():
        label, sections = " ".join(beside.label), made.path(row)
        measure = "".join(held.own(row, column).strip() for column in measures[:1])
        for column in range(table.header_columns, held.width):
            text = held.own(row, column).strip()
            if text and (column not in notes or not _NOTED.fullmatch(text)):
                header = beside.columns[column]
                found.append(Labelled(row, column, text, label, sections, header, measure))
    corner = dict.fromkeys(chain.from_iterable(made.columns[: table.header_columns]))
    return Labels(tuple(found), " ".join(corner))


def _headed(columns: Sequence[Sequence[str]], pattern: re.Pattern[str]) -> list[int]:
    """The columns whose whole header a pattern matches."""
    return [
        column
        for column, header in enumerate(columns)
        if pattern.fullmatch(" ".join(header).strip(" ()"))
    ]


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
    return timeless_words(" ".join((*cell.sections, cell.label, cell.heading)))


@lru_cache(maxsize=65536)
def timeless_words(named: str) -> tuple[str, ...]:
    """The stems of a label but for its times and notes in brackets."""
    text = re.sub(r"\([^()]*\)|[$€£¥][’'‘]?0*", " ", named)
    return tuple(stem for stem in stems(text) if stem not in TIME_WORDS and not _is_figure(stem))
