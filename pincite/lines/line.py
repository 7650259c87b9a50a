"""A line: the smallest thing that a page says and that can be cited, with the values in it and where each stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from os.path import commonprefix

from pincite.document.times import When
from pincite.evidence.candidate import Evidence, Passage
from pincite.types import Quantity, Value

CELLS = 12
"""The most cells of a row that are written out for a small model."""
HEADER = 80
"""The most characters of a header that are written out: some tables have instructions above all their columns."""


@dataclass(frozen=True, slots=True)
class LineValue:
    """A value in a line: as it is written, what it is, the times that it holds for, and the header above it.

    It stands in the cell `cell` (row, column) of its line's table, or at the characters [start, end) of its node's text.
    """

    text: str
    value: Value
    times: tuple[When, ...] = ()
    header: str = ""
    cell: tuple[int, int] | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Line:
    """A sentence, an item of a list, or a row of a table with its labels written out.

    `label` are the labels of a row with the headings above it, outermost first ("Scope 1 > Denmark"), "" for a sentence.
    `row` is its row; of a sentence it is None, and the sentence stands at the characters [start, end) of its node's text.
    `measure` is the scale and the unit that hold for the whole row ("thousand t CO2e").
    """

    passage: Passage
    values: tuple[LineValue, ...] = ()
    label: str = ""
    row: int | None = None
    start: int = 0
    end: int = 0
    measure: str = ""

    @property
    def page(self) -> int:
        """The page that the line begins on, 1-based; 0 where its format has none."""
        return self.passage.node.anchor.page

    @cached_property
    def sentence(self) -> str:
        """The text of a sentence on one line; "" for a row."""
        if self.row is not None:
            return ""
        return " ".join(self.passage.node.text[self.start : self.end].split())

    @property
    def numbers(self) -> tuple[LineValue, ...]:
        """The values that are numbers and no years."""
        return tuple(
            each
            for each in self.values
            if isinstance(each.value, Quantity) and each.value.unit != "year"
        )

    @property
    def text(self) -> str:
        """All that the line says."""
        return self.written(())

    def written(self, asked: Sequence[When], most: int = CELLS) -> str:
        """The line as a reader is shown it: of a row only the cells of the times asked for, where it has any of them, and at
        `most` so many.
        """
        if self.row is None:
            return self.sentence
        fitting = (self.of_times(asked) or self.values)[:most]
        told = zip(_headers(fitting), fitting, strict=True)
        cells = "; ".join(
            f"{header} = {each.text}" if header else each.text for header, each in told
        )
        measure = f" ({self.measure})" if self.measure else ""
        return f"{self.label}: {cells}{measure}" if self.label else f"{cells}{measure}"

    def of_times(self, asked: Sequence[When]) -> tuple[LineValue, ...]:
        """The values that hold for one of the times asked for; where some are just of these, none of a part of such a time, or
        of the year that it is a part of.
        """
        fitting = [
            (each, [(time, when) for time in each.times for when in asked if _fits(time, when)])
            for each in self.values
        ]
        just = tuple(
            each
            for each, pairs in fitting
            if any(not time.differs_in_length(when) for time, when in pairs)
        )
        return just or tuple(each for each, pairs in fitting if pairs)

    def evidence(self, value: LineValue | None = None) -> Evidence:
        """The place of a value in the line, or of the whole line."""
        node = self.passage.node
        if value is not None and value.cell is not None:
            return Evidence(node, (value.cell,), quote=value.text, document=self.passage.document)
        if self.row is not None and node.table is not None:
            own = [cell for cell in node.table.cells if cell.row == self.row and cell.text.strip()]
            own.sort(key=attrgetter("column"))
            cells = tuple((cell.row, cell.column) for cell in own)
            quote = " ".join(cell.text for cell in own)
            return Evidence(node, cells, quote=quote, document=self.passage.document)
        start, end = (value.start, value.end) if value is not None else (self.start, self.end)
        return Evidence(node, (), start, end, self.sentence, self.passage.document)


def _headers(values: Sequence[LineValue]) -> list[str]:
    """The headers of cells: of long ones that begin alike what tells them apart, of one that is still long its end, which stands
    nearest to the cell.
    """
    headers = [each.header for each in values]
    alike = commonprefix(headers) if len(set(headers)) > 1 else ""
    shared = alike.rfind(" ") + 1 if len(alike) > HEADER else 0
    own = [header[shared:] for header in headers]
    return [said if len(said) <= HEADER else f"\u2026{said[1 - HEADER :]}" for said in own]


def _fits(time: When, asked: When) -> bool:
    """Whether a time that names a year or a quarter is one that is asked for."""
    return bool(time.year or time.quarter) and time.fits(asked)
