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
from pincite.ingest.tables.rules import Level, is_ruled
from pincite.text.lexicon import pattern

CAPTION = pattern("ingest", "beginning", "captions")
_PAGE = re.compile(r"^(?:[A-Z]-?)?\d{1,4}$|^[ivxl]{1,6}$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FARTHEST = 4.6  # font sizes between lines of a table, or a little more than its usual distance
MOST_LABELS = 6  # more lines in a row without a value than this end a table
MOST_HEADERS = 9
LONGEST_STUB = 8  # words of a label among header lines; more are a sentence above the table


Span = tuple[float, float]  # the left and right ends of a value


def running_text(chunk: Chunk) -> bool:
    """Whether a chunk reads as a piece of running text: several words, most of letters."""
    letters = sum(word.text[:1].isalpha() for word in chunk.words)
    return len(chunk.words) >= 4 and letters >= 0.6 * len(chunk.words)


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

    def holds(self, values: Iterable[Span]) -> bool:
        """Whether values stand within the block."""
        return all(self.left - 2 <= low and high <= self.right + 2 for low, high in values)

    def is_over(self, chunk: Chunk) -> bool:
        """Whether a chunk stands over the columns of values, and not over those of labels."""
        width, size = self.right - self.left, chunk.words[0].size
        right_of_labels = chunk.x0 > self.left + 0.12 * width or chunk.x0 > self.inner - 2 * size
        middle = (chunk.x0 + chunk.x1) / 2
        return right_of_labels and self.inner - 25 < middle < self.right + 4 * size

    def is_headed_by(self, line: Line, spaced: bool) -> bool:
        """Whether a line below values is the header of other values: several words over their columns, or a period.

        It must also stand out, by space above (`spaced`) or bold type: otherwise it is a row of words.
        """
        right = (chunk for chunk in line.chunks if chunk.x0 > self.inner - 3 * line.size)
        over = list(filter(self.is_over, right))
        stands_out = spaced or all(word.bold for chunk in over for word in chunk.words)
        return stands_out and (len(over) >= 2 or any(is_period(chunk.text) for chunk in over))

    def is_titled_by(self, line: Line) -> bool:
        """Whether a line stands in the middle of the whole table, labels included, and so is its title, not a header."""
        chunk = line.chunks[0]
        values_only = chunk.x0 > self.inner - 3
        if len(line.chunks) > 1 or values_only or is_part_of_period(chunk.text):
            return False
        off = abs(chunk.x0 + chunk.x1 - self.left - self.right) / 2
        return off < 0.06 * (self.right - self.left)

    def is_label(self, line: Line) -> bool:
        """Whether a line is short and stands over the labels."""
        short, room = len(line.chunks) <= 2 and len(line.words) <= LONGEST_STUB, 2 * line.size
        return short and line.x1 < self.inner + room and line.x0 > self.left - room

    def is_header(self, line: Line, width: float) -> bool:
        """Whether a line reads as a header: something stands over the columns of values and nothing runs on past them."""
        if _is_prose(line, width, self.inner) or CAPTION.match(line.chunks[0].text):
            return False
        if line.x1 > self.right + 7 * line.size or line.x0 < self.left - 3 * line.size:
            return False
        labels = [chunk for chunk in line.chunks if not self.is_over(chunk)]
        inside = all(chunk.x1 < self.inner + 2 * line.size for chunk in labels)
        return len(labels) < len(line.chunks) and inside


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
        begins = valued(lines[at]) and not _is_prose(lines[at], width)
        end = _end(lines, at, width) if begins else None
        if end is None:
            at += 1
            continue
        start = max(_start(lines, at, end, level, width), free)
        found.append(Region(list(lines[start : end + 1]), at - start))
        at = free = end + 1
    return found


def _without_contents(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines without those of a table of contents: titles led by dots to page numbers that never go down."""
    led = [line for line in lines if _leads_to_page(line)]
    pages = [int(line.chunks[-1].text) for line in led if line.chunks[-1].text.isdecimal()]
    rising = sum(page <= following for page, following in pairwise(pages))
    if len(led) < 4 or rising < 0.9 * (len(pages) - 1):
        return lines
    return [line for line in lines if not _leads_to_page(line)]


def _leads_to_page(line: Line) -> bool:
    return line.led and len(line.chunks) > 1 and bool(_PAGE.match(line.chunks[-1].text))


def _is_prose(line: Line, width: float, inner: float = -inf) -> bool:
    """Whether a line is running text with, at most, a number that happens to stand apart.

    What ends before `inner`, where the values of a table begin, is a long label instead.
    """
    first, *behind = line.chunks
    if not behind:
        return line.x1 > inner and len(first.words) >= 9 and line.x1 - line.x0 > 0.5 * width
    running = filter(running_text, line.chunks)
    wide = [chunk for chunk in running if chunk.x1 - chunk.x0 > 0.26 * width]
    return len(wide) >= 2 and not any(one.numeric or is_part_of_period(one.text) for one in behind)


def _end(lines: Sequence[Line], start: int, width: float) -> int | None:
    """The last line of the block of values that begins at `start`: another header ends it as running text does.

    The label of the last line may go on below it. None when only years or dates come before its end: they are the header of
    values that stand elsewhere.
    """
    block = _ValueBlock(lines, width, start)
    for at in range(start + 1, len(lines)):
        if not block.takes(at):
            break
    if not block.has_values:
        return None
    last, inner = block.last, min(low for low, _ in block.values)
    for line, above in zip(lines[last + 1 :], lines[last:], strict=False):
        near = line.base - above.base < 1.45 * line.size and abs(line.size - above.size) < 0.6
        label = len(line.chunks) == 1 and line.x1 < inner
        if not (near and label and line.chunks[0].text[:1].islower()):
            break
        last += 1
    return last


class _ValueBlock:
    """A block of values as it grows down the page, up to its `last` line with values.

    It `has_values` when those of a line are no years or dates, which may be a header. Between two lines with values stand
    lines of labels, which are `spaced` when there is space above them.
    """

    def __init__(self, lines: Sequence[Line], width: float, start: int) -> None:
        self._lines, self._width, self._start = lines, width, start
        self.last = start
        self.values = _values(lines[start])
        self.has_values = not _are_periods(lines[start])
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
        # a little more than the usual distance of lines with values
        usual = 1.5 * median_high(self._steps) if self._steps else 0.0
        if step > max((FARTHEST + 0.6 * aligned) * line.size, usual):
            return False
        if self.has_values and (_is_caption(line) or _are_periods(line)):
            return False
        return self._takes_values(at, own) if own else self._takes_labels(line, step, usual)

    def _takes_values(self, at: int, own: list[Span]) -> bool:
        line = self._lines[at]
        if not self.has_values:
            self.values = []
        elif not any(_touches(value, self.values) for value in own):
            # in a column of their own they stand within the block that ends right above them
            near = line.base - self._lines[at - 1].base < 2 * line.size
            if not near or not self._extent.holds(own):
                return False
        self._steps.append(line.base - self._lines[self.last].base)
        self.values.extend(own)
        self._extent = self._extent.joined(_Extent.of([line]))
        self.last, self._labels = at, 0
        self.has_values = self.has_values or not _are_periods(line)
        return True

    def _takes_labels(self, line: Line, step: float, usual: float) -> bool:
        if _is_caption(line) or _is_prose(line, self._width, self._extent.inner):
            return False
        far = step > max(usual, 1.6 * line.size)
        self._spaced = self._labels > 0 and self._spaced or far
        chunk = line.chunks[0]
        long = len(line.chunks) == 1 and len(chunk.words) >= 9
        if self._spaced and long and chunk.text.endswith((".", ":")):
            return False  # a whole sentence, as one that leads over to the next table
        # a first line with values right above may be of a header itself: "1-3" over "years"
        close = self.last == self._start and not self._spaced
        if self.has_values and self._extent.is_headed_by(line, self._spaced or close):
            self.has_values = not close
            return False
        self._labels += 1
        return self._labels <= MOST_LABELS


def _is_caption(line: Line) -> bool:
    return len(line.chunks) == 1 and bool(CAPTION.match(line.chunks[0].text))


def dated(line: Line) -> bool:
    """Whether the values of a line are years, dates and other periods."""
    dates = [is_period(chunk.text) for chunk in line.chunks]
    behind = zip(dates[1:], line.chunks[1:], strict=True)
    return any(dates) and all(date or not chunk.numeric for date, chunk in behind)


def _are_periods(line: Line) -> bool:
    """Whether the values of a line are years or dates that follow each other, as those of a header do."""
    own = [chunk.text for chunk in line.chunks if is_period(chunk.text)]
    if len(own) < 2 or not dated(line):
        return False
    years = [int(match.group()) for match in map(_YEAR.search, own) if match]
    return len(years) < 2 or any(abs(year - following) <= 1 for year, following in pairwise(years))


def _values(line: Line) -> list[Span]:
    return [(chunk.x0, chunk.x1) for chunk in line.chunks[1:] if chunk.numeric]


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
        if _is_apart(line, below, extent, level) or extent.is_titled_by(line):
            break
        if extent.is_header(line, width):
            start = at
        elif not extent.is_label(line):
            break
    return start


def _is_apart(line: Line, below: Line, extent: _Extent, level: Sequence[Level]) -> bool:
    """Whether a line is too far above another to be of one header with it; a rule between them may part them further."""
    step = below.base - below.rise - line.base
    far = step > 4.5 * line.size
    if below.rise or step <= 2.6 * max(line.size, below.size):
        return far
    return far or not is_ruled(level, line.base, below.base, extent.left, extent.right)
