"""Blocks of lines that may be tables without a lattice: lines with values in columns, between rules or alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median_high

from pincite.ingest.tables.assembly import is_part_of_period, is_period
from pincite.ingest.tables.chunks import Chunk, Line
from pincite.ingest.tables.rules import Level, ruled
from pincite.lexicon import pattern

CAPTION = pattern("ingest", "beginning", "captions")
_PAGE = re.compile(r"^(?:[A-Z]-?)?\d{1,4}$|^[ivxl]{1,6}$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FARTHEST = 4.6
"""Lines of one table are at most this many font sizes apart (or a little more than its own usual distance)."""
MOST_LABELS = 6
"""More lines in a row without a value than this end a table."""
MOST_HEADERS = 9
LONGEST_STUB = 8
"""A label among header lines has at most this many words; more are a sentence above the table."""


Span = tuple[float, float]
"""The left and right ends of a value."""


def running_text(chunk: Chunk) -> bool:
    """Whether a chunk reads as a piece of running text: several words, most of letters."""
    return len(chunk.words) >= 4 and sum(
        word.text[:1].isalpha() for word in chunk.words
    ) >= 0.6 * len(chunk.words)


@dataclass(slots=True)
class Region:
    """The lines of a table from top to bottom; `first` is the place of the first line with values."""

    lines: list[Line]
    first: int


@dataclass(frozen=True, slots=True)
class _Extent:
    """Where a block of values stands: its left and right ends, and `inner`, where its values begin."""

    left: float
    inner: float
    right: float

    @classmethod
    def of(cls, lines: Iterable[Line]) -> _Extent:
        """The extent of lines with values."""
        ends = [(line.x0, _values(line)[0][0], line.x1) for line in lines]
        left, inner, right = zip(*ends, strict=True)
        return cls(min(left), min(inner), max(right))

    def joined(self, other: _Extent) -> _Extent:
        """The extent of two blocks together."""
        left, inner = min(self.left, other.left), min(self.inner, other.inner)
        return _Extent(left, inner, max(self.right, other.right))


def valued(line: Line) -> bool:
    """Whether a line has a value beside a label or another value."""
    return line.values > 0


def regions(lines: Sequence[Line], level: Sequence[Level]) -> list[Region]:
    """The candidate regions of one text column, from top to bottom; none shares a line with another."""
    lines = _without_contents(lines)
    if not lines:
        return []
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    found: list[Region] = []
    at = free = 0
    while at < len(lines):
        end = None if not valued(lines[at]) or _prose(lines[at], width) else _end(lines, at, width)
        if end is None:
            at += 1
            continue
        start = max(_start(lines, at, end, level, width), free)
        found.append(Region(list(lines[start : end + 1]), at - start))
        at = free = end + 1
    return found


def _without_contents(lines: Sequence[Line]) -> list[Line]:
    """The lines without those of a table of contents: titles led by dots to page numbers that never go down."""
    led = [line for line in lines if _leads_to_page(line)]
    pages = [int(line.chunks[-1].text) for line in led if line.chunks[-1].text.isdecimal()]
    rising = sum(page <= following for page, following in pairwise(pages))
    if len(led) < 4 or rising < 0.9 * (len(pages) - 1):
        return list(lines)
    return [line for line in lines if not _leads_to_page(line)]


def _leads_to_page(line: Line) -> bool:
    return line.led and len(line.chunks) > 1 and bool(_PAGE.match(line.chunks[-1].text))


def _prose(line: Line, width: float, inner: float = -inf) -> bool:
    """Whether a line is running text with, at most, a number that happens to stand apart.

    What ends before `inner`, where the values of a table begin, is a long label instead.
    """
    if len(line.chunks) == 1:
        return (
            line.x1 > inner and len(line.chunks[0].words) >= 9 and line.x1 - line.x0 > 0.5 * width
        )
    running = filter(running_text, line.chunks)
    wide = [chunk for chunk in running if chunk.x1 - chunk.x0 > 0.26 * width]
    behind = line.chunks[1:]
    return len(wide) >= 2 and not any(one.numeric or is_part_of_period(one.text) for one in behind)


def _end(lines: Sequence[Line], start: int, width: float) -> int | None:
    """The last line of the block of values that begins at `start`: another header ends it as running text does.

    None when only years or dates come before its end: they are the header of values that stand elsewhere.
    """
    block = _ValueBlock(lines, width, start)
    for at in range(start + 1, len(lines)):
        if not block.takes(at):
            break
    return _wrapped(lines, block.last, block.values) if block.has_values else None


class _ValueBlock:
    """A block of values as it grows down the page, up to its `last` line with values.

    It `has_values` when those of a line are no years or dates, which may be a header. Between two lines with values stand
    lines of labels, which are `spaced` when there is space above them.
    """

    def __init__(self, lines: Sequence[Line], width: float, start: int) -> None:
        self._lines, self._width, self._start = lines, width, start
        self.last = start
        self.values = _values(lines[start])
        self.has_values = not _periods(lines[start])
        self._extent = _Extent.of([lines[start]])
        self._steps: list[float] = []
        self._labels = 0
        self._spaced = False

    def takes(self, at: int) -> bool:
        """Whether the block goes on with the next line, number `at`."""
        line = self._lines[at]
        step = line.base - self._lines[at - 1].base
        own = _values(line)
        aligned = bool(own) and all(_touches(value, self.values) for value in own)
        if step > max((FARTHEST + 0.6 * aligned) * line.size, self._usual):
            return False
        if self.has_values and (_heading(line) or _periods(line)):
            return False
        return self._takes_values(at, own) if own else self._takes_labels(line, step)

    @property
    def _usual(self) -> float:
        """A little more than the usual distance of lines with values; 0 before there are two."""
        return 1.5 * median_high(self._steps) if self._steps else 0.0

    def _takes_values(self, at: int, own: list[Span]) -> bool:
        line = self._lines[at]
        if not self.has_values:
            self.values = []
        elif not any(_touches(value, self.values) for value in own):
            if not _inside(line, self._lines[at - 1], self._extent):
                return False
        self._steps.append(line.base - self._lines[self.last].base)
        self.values.extend(own)
        self._extent = self._extent.joined(_Extent.of([line]))
        self.last, self._labels = at, 0
        self.has_values = self.has_values or not _periods(line)
        return True

    def _takes_labels(self, line: Line, step: float) -> bool:
        if _heading(line) or _prose(line, self._width, self._extent.inner):
            return False
        far = step > max(self._usual, 1.6 * line.size)
        self._spaced = self._labels > 0 and self._spaced or far
        if self._spaced and _sentence(line):
            return False
        # a first line with values right above may be of a header itself: "1-3" over "years"
        close = self.last == self._start and not self._spaced
        if self.has_values and _heads(line, self._extent, self._spaced or close):
            self.has_values = not close
            return False
        self._labels += 1
        return self._labels <= MOST_LABELS


def _sentence(line: Line) -> bool:
    """Whether a line is a whole sentence, as one that leads over to the next table is."""
    chunk = line.chunks[0]
    return len(line.chunks) == 1 and len(chunk.words) >= 9 and chunk.text.endswith((".", ":"))


def _heading(line: Line) -> bool:
    return len(line.chunks) == 1 and bool(CAPTION.match(line.chunks[0].text))


def _heads(line: Line, extent: _Extent, spaced: bool) -> bool:
    """Whether a line below values is the header of other values: several words over their columns, or a period.

    It must also stand out, by space above (`spaced`) or bold type: otherwise it is a row of words.
    """
    right = (chunk for chunk in line.chunks if chunk.x0 > extent.inner - 3 * line.size)
    over = [chunk for chunk in right if _over(chunk, extent)]
    stands_out = spaced or all(word.bold for chunk in over for word in chunk.words)
    return stands_out and (len(over) >= 2 or any(is_period(chunk.text) for chunk in over))


def dated(line: Line) -> bool:
    """Whether the values of a line are years, dates and other periods."""
    dates = [is_period(chunk.text) for chunk in line.chunks]
    return any(dates) and all(
        date or not chunk.numeric for date, chunk in zip(dates[1:], line.chunks[1:], strict=True)
    )


def _periods(line: Line) -> bool:
    """Whether the values of a line are years or dates that follow each other, as those of a header do."""
    own = [chunk.text for chunk in line.chunks if is_period(chunk.text)]
    if len(own) < 2 or not dated(line):
        return False
    years = [int(match.group()) for match in map(_YEAR.search, own) if match]
    return len(years) < 2 or any(abs(year - following) <= 1 for year, following in pairwise(years))


def _wrapped(lines: Sequence[Line], last: int, values: Sequence[Span]) -> int:
    """The last line, or the end of its label where that goes on below it."""
    inner = min(low for low, _ in values)
    while last + 1 < len(lines):
        line, above = lines[last + 1], lines[last]
        near = line.base - above.base < 1.45 * line.size and abs(line.size - above.size) < 0.6
        label = len(line.chunks) == 1 and line.x1 < inner
        if not (near and label and line.chunks[0].text[:1].islower()):
            break
        last += 1
    return last


def _values(line: Line) -> list[Span]:
    return [(chunk.x0, chunk.x1) for chunk in line.chunks[1:] if chunk.numeric]


def _inside(line: Line, above: Line, extent: _Extent) -> bool:
    """Whether values stand within the block that ends right above them, in a column of their own."""
    left, right = extent.left - 2, extent.right + 2
    inside = all(left <= low and high <= right for low, high in _values(line))
    return inside and line.base - above.base < 2 * line.size


def _touches(value: Span, others: Iterable[Span]) -> bool:
    return any(value[0] < high + 4 and low < value[1] + 4 for low, high in others)


def _start(
    lines: Sequence[Line], first: int, end: int, level: Sequence[Level], width: float
) -> int:
    """The first line of the header above the first line with values; labels may stand between the two."""
    extent = _Extent.of(filter(valued, lines[first : end + 1]))
    start = first
    for at in range(first - 1, max(first - 1 - MOST_HEADERS, -1), -1):
        line, below = lines[at], lines[at + 1]
        if _is_apart(line, below, extent, level) or _title(line, extent):
            break
        if _header(line, extent, width):
            start = at
        elif not _label(line, extent):
            break
    return start


def _is_apart(line: Line, below: Line, extent: _Extent, level: Sequence[Level]) -> bool:
    """Whether a line is too far above another to be of one header with it; a rule between them may part them further."""
    step = below.base - below.rise - line.base
    if below.rise or step <= 2.6 * max(line.size, below.size):
        return step > 4.5 * line.size
    between = (line.base, below.base, extent.left, extent.right)
    return step > 4.5 * line.size or not ruled(level, *between)


def _title(line: Line, extent: _Extent) -> bool:
    """Whether a line stands in the middle of the whole table, labels included, and so is its title, not a header."""
    chunk = line.chunks[0]
    if len(line.chunks) > 1 or chunk.x0 > extent.inner - 3 or is_part_of_period(chunk.text):
        return False
    off = abs(chunk.x0 + chunk.x1 - extent.left - extent.right) / 2
    return off < 0.06 * (extent.right - extent.left)


def _label(line: Line, extent: _Extent) -> bool:
    short = len(line.chunks) <= 2 and len(line.words) <= LONGEST_STUB
    room = 2 * line.size
    return short and line.x1 < extent.inner + room and line.x0 > extent.left - room


def _header(line: Line, extent: _Extent, width: float) -> bool:
    """Whether a line reads as a header: something stands over the columns of values and nothing runs on past them."""
    if _prose(line, width, extent.inner) or CAPTION.match(line.chunks[0].text):
        return False
    if line.x1 > extent.right + 7 * line.size or line.x0 < extent.left - 3 * line.size:
        return False
    over = [_over(chunk, extent) for chunk in line.chunks]
    labels = [chunk for chunk, header in zip(line.chunks, over, strict=True) if not header]
    return any(over) and all(chunk.x1 < extent.inner + 2 * line.size for chunk in labels)


def _over(chunk: Chunk, extent: _Extent) -> bool:
    left, inner, right, size = extent.left, extent.inner, extent.right, chunk.words[0].size
    behind_labels = chunk.x0 > left + 0.12 * (right - left) or chunk.x0 > inner - 2 * size
    return behind_labels and inner - 25 < (chunk.x0 + chunk.x1) / 2 < right + 4 * size
