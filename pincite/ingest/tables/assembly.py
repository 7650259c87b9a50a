"""From placed lines to a Table: cells with text, spans and boxes; how many rows and columns are headers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.document.cell_text import is_measured, is_running
from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.layout.raised_marks import RAISED_SIGNS, marks_of, raised, unmarked
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.chunks import is_number
from pincite.text.lexicon import pattern
from pincite.types import Box, Cell, Table

_PERIOD = pattern("ingest", "period words", "cells")
_TIME_NUMBER = pattern("ingest", "time number", "cells")
_MONEY = pattern(
    "ingest", "money of a period", "cells"
)  # what money the numbers below a time are in: "2023 $ million"
_TICK = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_TICKS = re.compile(r"^(?:[-−]?\d[\d,]*+(?:\.\d[\d,]*+)?\s?%?\s*+)++$")


TOUCHING = 0.12  # words of a line that are parted by less than this share of the font size are one
HALF_LINE = 0.5  # middles of words on one line differ by less than this share of the font size
PERIOD = 48  # characters of a cell that names a time, at most


@dataclass(slots=True)
class PlacedCell:
    """A cell to be: its words, and the rows and columns it covers (ends excluded)."""

    words: list[Word]
    row: int
    column: int
    row_end: int
    column_end: int


def table(placed: Sequence[PlacedCell], page: int, box: Box | None = None) -> Table | None:
    """The table of some placed cells without its empty rows and columns; None when less than two by two remain, or no label."""
    rows = sorted({cell.row for cell in placed})
    columns = sorted({cell.column for cell in placed})
    if min(len(rows), len(columns)) < 2:
        return None
    cells: list[Cell] = []
    for one in placed:
        text, marks, words = cell_text(one.words)
        row, column = bisect_left(rows, one.row), bisect_left(columns, one.column)
        down = bisect_left(rows, one.row_end) - row
        across = bisect_left(columns, one.column_end) - column
        own = around(word.box for word in words)
        cells.append(Cell(row, column, text, down, across, own, marks=marks))
    cells.sort(key=lambda cell: (cell.row, cell.column))
    # without a label, the first row and column hold nothing but values
    outer = (cell.text for cell in cells if cell.row == 0 or cell.column == 0)
    if all(map(is_value, outer)) or _is_axis(cells):
        return None
    heads = _header_rows(cells, len(rows))
    sides = _header_columns(cells, heads, len(columns))
    whole = box or around(cell.box for cell in cells if cell.box)
    return Table(tuple(cells), heads, sides, page=page, box=whole)


def extent(table: Table) -> Box:
    """The box of a table that was found on a page."""
    assert table.box is not None
    return table.box


def cell_text(words: Sequence[Word]) -> tuple[str, tuple[str, ...], list[Word]]:
    """The text of some words line by line, the marks of footnotes raised beside it, and the words without those."""
    first, *others = _in_lines(words)
    text = first.text
    marks: tuple[str, ...] = ()
    kept = [first]
    for word in others:
        if not word.superscript:
            text += _space(text, kept[-1], word) + word.text
        elif added := raised(text, word.text):
            text += added
        else:
            marks += marks_of(word.text)
            continue
        kept.append(word)
    if text[-1:] in RAISED_SIGNS:
        text, mark = unmarked(text)
        marks += marks_of(mark)
    return text, marks, kept


def _space(text: str, last: Word, word: Word) -> str:
    """What parts a word from the text before it: nothing where they touch, or where a hyphen breaks a word."""
    size = max(last.size, word.size)
    if abs(_height(word) - _height(last)) < HALF_LINE * size:
        return "" if word.box[0] - last.box[2] < TOUCHING * size else " "
    broken = text.endswith("-") and text[-2:-1].isalpha() and word.text[:1].islower()
    return "" if broken else " "


def _in_lines(words: Sequence[Word]) -> list[Word]:
    """Words from top to bottom and, within a line, from left to right."""

    def on_line(line: Sequence[Word], word: Word) -> bool:
        return _height(word) - _height(line[0]) < 0.45 * max(word.size, 4.0)

    lines = consecutive(sorted(words, key=_height), on_line)
    return [word for line in lines for word in sorted(line, key=lambda word: word.box[0])]


def _height(word: Word) -> float:
    return middle(word.box)[1]


def is_period(text: str) -> bool:
    """Whether a cell names a time: a year, a quarter, a date, "Year ended June 30, 2020", "2023 $ million"."""
    text = _MONEY.sub("", text)
    return is_part_of_period(text) and bool(_TIME_NUMBER.search(text))


def is_part_of_period(text: str) -> bool:
    """Whether a cell holds nothing but words and numbers of times: "Three months ended June 30,"."""
    return len(text) < PERIOD and bool(_PERIOD.match(text))


def is_value(text: str) -> bool:
    """Whether a cell holds a number that is no time."""
    return is_number(text) and not is_period(text)


def _is_axis(cells: Sequence[Cell]) -> bool:
    """Whether a row or column counts in even steps as the axis of a chart does (the first column only downwards)."""
    lines: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    first: list[str] = []
    for cell in cells:
        ticks = _TICK.findall(cell.text)
        if cell.column == 0:
            first += ticks[:1]
        if _TICKS.match(cell.text):
            lines["row", cell.row] += ticks
            if cell.column > 0:
                lines["column", cell.column] += ticks[:1]
    return any(map(_even, lines.values())) or _even(first, downwards=True)


def _even(texts: Sequence[str], downwards: bool = False) -> bool:
    ticks = [float(text.replace(",", "").replace("−", "-")) for text in texts]
    longest = run = 1
    step = 0.0
    for tick, following in pairwise(ticks):
        same = abs(following - tick - step) <= 1e-6 * max(abs(tick), abs(following))
        run = run + 1 if same else 2
        step = following - tick
        if abs(step) not in (0.0, 1.0) and (step < 0 or not downwards):
            longest = max(longest, run)
    return longest >= 5 and longest >= 0.4 * len(ticks)


def _header_rows(cells: Sequence[Cell], count: int) -> int:
    """Leading rows that hold no values beyond the first column; rows with a label alone do not end a header."""
    values = (cell for cell in cells if cell.column > 0 and is_value(cell.text))
    first = min((cell.row for cell in values), default=None)
    if first is None:
        return 1
    ends = [cell.row + cell.row_span for cell in cells if cell.column + cell.column_span > 1]
    return min(max((end for end in ends if end <= first), default=0), count - 1)


def _header_columns(cells: Sequence[Cell], heads: int, count: int) -> int:
    """Leading columns of words, with running numbers before them, when columns of values follow; one otherwise."""
    bodies: list[list[str]] = [[] for _ in range(count)]
    for cell in cells:
        if cell.row >= heads:
            bodies[cell.column].append(cell.text)
    first = 1 if len(bodies[0]) > 1 and is_running(bodies[0]) else 0
    for column in range(first, count):
        # a number with its unit may head a column ("4 bit"), so it counts where the header rows are known
        values = sum(is_value(text) or is_measured(text) for text in bodies[column])
        if 2 * values > len(bodies[column]):
            return max(1, column)
    return 1
