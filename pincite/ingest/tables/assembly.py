"""From placed lines to a Table: cells with text, spans and boxes; how many rows and columns are headers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.ingest.layout.raised_marks import RAISED_SIGNS, marks_of, raised, unmarked
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.chunks import is_number
from pincite.types import Box, Cell, Table

_PERIOD = re.compile(
    r"^(?:(?:fy|cy|q[1-4]|h[12]|fiscal|years?|three|six|nine|twelve|months?|weeks?|quarter|half|first|second|third|fourth|ended|as|of|at|on|[1-4]q|[1-2]h|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?"
    r"|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*|['’]\d\d|(?:19|20)\d\d(?:[/–-]\d{2,4})?[*a-e]?|[12]\d\d\d[ae]?|\d{1,2}/\d{1,2}(?:/\d{2,4})?|\d{1,2}\.\d{1,2}\.\d{2,4}|\d{1,2}|\(\w\)|[,.*/–-])[\s,.]*+)++$",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\d/\d|\d\.\d{1,2}\.\d|^['’]\d\d$|\bq[1-4]\b|\b[1-4]q\b", re.IGNORECASE)
_MONEY = re.compile(r"\s++[A-Z]{0,3}[$€£¥₹]\s?(?:['’]?000s?|thousands?|millions?|billions?|mn?|bn|k)?$", re.IGNORECASE)
"""What money the numbers below a time are in: "2023 $ million"."""
_TICK = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_TICKS = re.compile(r"^(?:[-−]?\d[\d,]*+(?:\.\d[\d,]*+)?\s?%?\s*+)++$")


@dataclass(slots=True)
class Placed:
    """A cell to be: its words, and the rows and columns it covers (ends excluded)."""

    words: list[Word]
    row: int
    column: int
    row_end: int
    column_end: int


def table(placed: Sequence[Placed], page: int, box: Box | None = None) -> Table | None:
    """The table of some placed cells without its empty rows and columns; None when less than two by two remain, or no label."""
    filled = [cell for cell in placed if cell.words]
    rows = sorted({cell.row for cell in filled})
    columns = sorted({cell.column for cell in filled})
    if len(rows) < 2 or len(columns) < 2:
        return None
    row_at = {row: at for at, row in enumerate(rows)}
    column_at = {column: at for at, column in enumerate(columns)}
    cells = []
    for cell in filled:
        own_rows = [row_at[row] for row in range(cell.row, cell.row_end) if row in row_at]
        own_columns = [column_at[column] for column in range(cell.column, cell.column_end) if column in column_at]
        text, marks, words = _read(cell.words)
        cells.append(
            Cell(own_rows[0], own_columns[0], text, len(own_rows), len(own_columns), box_of(words), marks=marks)
        )
    cells.sort(key=lambda cell: (cell.row, cell.column))
    if not any(_label(cell.text) for cell in cells if cell.row == 0 or cell.column == 0):
        return None
    if _axis(cells):
        return None
    heads = _header_rows(cells, len(rows))
    around = box or _around([cell.box for cell in cells if cell.box])
    return Table(tuple(cells), heads, _header_columns(cells, heads, len(columns)), page=page, box=around)


def _read(words: Sequence[Word]) -> tuple[str, tuple[str, ...], list[Word]]:
    """The text of some words line by line, the marks of footnotes raised beside it, and the words without those.

    Words that touch are joined, and so are parts of a broken word.
    """
    text = ""
    marks: tuple[str, ...] = ()
    kept: list[Word] = []
    last: Word | None = None
    for word in in_lines(words):
        if last is None:
            text = word.text
        elif word.superscript:
            added = raised(text, word.text)
            text += added
            if not added:
                marks += marks_of(word.text)
                continue
        else:
            same_line = abs(_middle(word) - _middle(last)) < 0.5 * max(word.size, last.size)
            touching = same_line and word.box[0] - last.box[2] < 0.12 * max(word.size, last.size)
            broken = (
                not same_line
                and text.endswith("-")
                and len(text) > 1
                and text[-2].isalpha()
                and word.text[:1].islower()
            )
            text += ("" if touching or broken else " ") + word.text
        kept.append(word)
        last = word
    if text[-1:] in RAISED_SIGNS:
        text, mark = unmarked(text)
        marks += marks_of(mark)
    return text, marks, kept


def in_lines(words: Sequence[Word]) -> list[Word]:
    """Words from top to bottom and, within a line, from left to right."""
    ordered: list[list[Word]] = []
    for word in sorted(words, key=_middle):
        if ordered and _middle(word) - _middle(ordered[-1][0]) < 0.45 * max(word.size, 4.0):
            ordered[-1].append(word)
        else:
            ordered.append([word])
    return [word for line in ordered for word in sorted(line, key=lambda word: word.box[0])]


def _middle(word: Word) -> float:
    return (word.box[1] + word.box[3]) / 2


def box_of(words: Sequence[Word]) -> Box:
    """The box around some words."""
    return _around([word.box for word in words])


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def is_period(text: str) -> bool:
    """Whether a cell names a time: a year, a quarter, a date, "Year ended June 30, 2020", "2023 $ million"."""
    text = _MONEY.sub("", text)
    return is_part_of_period(text) and bool(_YEAR.search(text))


def is_part_of_period(text: str) -> bool:
    """Whether a cell holds nothing but words and numbers of times: "Three months ended June 30,"."""
    return len(text) < 48 and bool(_PERIOD.match(text))


def _value(text: str) -> bool:
    return is_number(text) and not is_period(text)


def _axis(cells: Sequence[Cell]) -> bool:
    """Whether a row or column counts in even steps as the axis of a chart does (the first column only downwards)."""
    lines: dict[tuple[str, int], list[str]] = {}
    first: list[str] = []
    for cell in cells:
        if cell.column == 0:
            first.extend(_TICK.findall(cell.text)[:1])
        ticks = _TICK.findall(cell.text) if _TICKS.match(cell.text) else []
        if cell.column > 0:
            lines.setdefault(("column", cell.column), []).extend(ticks[:1])
        lines.setdefault(("row", cell.row), []).extend(ticks)
    return any(map(_even, lines.values())) or _even(first, downwards=True)


def _even(texts: Sequence[str], downwards: bool = False) -> bool:
    ticks = [float(text.replace(",", "").replace("−", "-")) for text in texts]
    longest = run = 1
    step = 0.0
    for one, other in pairwise(ticks):
        same = abs(other - one - step) <= 1e-6 * max(abs(one), abs(other))
        run = run + 1 if same else 2
        step = other - one
        if abs(step) not in (0.0, 1.0) and (step < 0 or not downwards):
            longest = max(longest, run)
    return longest >= 5 and longest >= 0.4 * len(ticks)


def _label(text: str) -> bool:
    return is_period(text) or not is_number(text)


def _header_rows(cells: Sequence[Cell], count: int) -> int:
    """Leading rows that hold no values beyond the first column; rows with a label alone do not end a header."""
    values = {cell.row for cell in cells if cell.column > 0 and _value(cell.text)}
    if not values:
        return 1
    first = min(values)
    beyond = {
        cell.row + cell.row_span - 1 for cell in cells if cell.row < first and (cell.column > 0 or cell.column_span > 1)
    }
    beyond = {row for row in beyond if row < first}
    heads = max(beyond) + 1 if beyond else 0
    return min(heads, count - 1)


def _header_columns(cells: Sequence[Cell], heads: int, count: int) -> int:
    """Leading columns of words, when columns of values follow; one otherwise."""
    leading = 0
    for column in range(count):
        body = [cell for cell in cells if cell.column == column and cell.row >= heads]
        if body and sum(_value(cell.text) for cell in body) > len(body) / 2:
            return max(1, leading)
        leading += 1
    return 1
