"""Blocks of lines that may be tables without a lattice: lines with values in columns, between rules or alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.ingest.tables.assembly import is_part_of_period, is_period
from pincite.ingest.tables.chunks import Chunk, Line
from pincite.ingest.tables.rules import Level

CAPTION = re.compile(
    r"^(?i:table|figure|fig\.|exhibit|chart|tableau|tabelle|abbildung|graph|box)\s*(?i:no\.?\s*)?"
    r"(?:\d|[A-Z]{1,3}[-.:]?\d|[IVXLC]+\b|[A-Z]\b)"
)
_PAGE = re.compile(r"^(?:[A-Z]-?)?\d{1,4}$|^[ivxl]{1,6}$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FARTHEST = 4.6
"""Lines of one table are at most this many font sizes apart (or a little more than its own usual distance)."""
MOST_LABELS = 6
"""More lines in a row without a value than this end a table."""
MOST_HEADERS = 9
LONGEST_STUB = 8
"""A label among header lines has at most this many words; more are a sentence above the table."""


def running_text(chunk: Chunk) -> bool:
    """Whether a chunk reads as a piece of running text: several words, most of letters."""
    return len(chunk.words) >= 4 and sum(word.text[:1].isalpha() for word in chunk.words) >= 0.6 * len(chunk.words)


@dataclass(slots=True)
class Region:
    """The lines of a table from top to bottom; `first` is the place of the first line with values."""

    lines: list[Line]
    first: int


def valued(line: Line) -> bool:
    """Whether a line has a value beside a label or another value."""
    return line.values > 0


def regions(lines: Sequence[Line], level: Sequence[Level]) -> list[Region]:
    """The candidate regions of one text column, from top to bottom; none shares a line with another."""
    if not lines:
        return []
    lines = _without_contents(lines)
    width = max((line.x1 for line in lines), default=0.0) - min((line.x0 for line in lines), default=0.0)
    found: list[Region] = []
    at = free = 0
    while at < len(lines):
        if not valued(lines[at]) or _prose(lines[at], width, None):
            at += 1
            continue
        end = _end(lines, at, width)
        if end is None:
            at += 1
            continue
        start = max(_start(lines, at, end, level, width), free)
        found.append(Region(list(lines[start : end + 1]), at - start))
        at = free = end + 1
    return found


def _without_contents(lines: Sequence[Line]) -> list[Line]:
    """The lines without those of a table of contents: titles led by dots to page numbers that never go down."""
    led = [line for line in lines if line.led and len(line.chunks) > 1 and _PAGE.match(line.chunks[-1].text)]
    pages = [int(line.chunks[-1].text) for line in led if line.chunks[-1].text.isdigit()]
    rising = sum(a <= b for a, b in pairwise(pages))
    if len(led) < 4 or rising < 0.9 * (len(pages) - 1):
        return list(lines)
    contents = set(map(id, led))
    return [line for line in lines if id(line) not in contents]


def _prose(line: Line, width: float, inner: float | None) -> bool:
    """Whether a line is running text with, at most, a number that happens to stand apart.

    What ends before `inner`, where the values of a table begin, is a long label instead.
    """
    longest = max(line.chunks, key=lambda chunk: len(chunk.words))
    if len(line.chunks) == 1:
        reaching = inner is None or longest.x1 > inner
        return reaching and len(longest.words) >= 9 and longest.x1 - longest.x0 > 0.5 * width
    wide = [chunk for chunk in line.chunks if running_text(chunk) and chunk.x1 - chunk.x0 > 0.26 * width]
    return len(wide) >= 2 and not any(chunk.numeric or is_period(chunk.text) for chunk in line.chunks[1:])


def _end(lines: Sequence[Line], start: int, width: float) -> int | None:
    """The last line of the block of values that begins at `start`: another header ends it as running text does.

    None when only years or dates come before its end: they are the header of values that stand elsewhere.
    """
    values = _values(lines[start])
    inner, left, right = min(low for low, _ in values), lines[start].x0, lines[start].x1
    last, labels, seen, spaced = start, 0, not periods(lines[start]), False
    steps: list[float] = []
    for at in range(start + 1, len(lines)):
        line = lines[at]
        usual = 1.5 * sorted(steps)[len(steps) // 2] if steps else 0.0
        own = _values(line) if valued(line) else []
        aligned = bool(own) and all(_touches(value, values) for value in own)
        if line.base - lines[at - 1].base > max((FARTHEST + 0.6 * aligned) * line.size, usual):
            break
        if seen and (_heading(line) or periods(line)):
            break
        if own:
            if not seen:
                values = []
            elif not any(_touch(value, other) for value in own for other in values) and not _inside(
                line, lines[at - 1], left, right
            ):
                break
            steps.append(line.base - lines[last].base)
            values.extend(own)
            inner, left, right = min(inner, own[0][0]), min(left, line.x0), max(right, line.x1)
            last, labels, seen = at, 0, seen or not periods(line)
            continue
        if _prose(line, width, inner) or CAPTION.match(line.chunks[0].text) and len(line.chunks) == 1:
            break
        spaced = spaced and labels > 0 or line.base - lines[at - 1].base > max(usual, 1.6 * line.size)
        if spaced and _sentence(line):
            break
        if seen and last == start and not spaced and _heads(line, left, right, inner, True):
            return None  # what came before was itself part of a header: "1-3" over "years"
        if seen and _heads(line, left, right, inner, spaced):
            break
        labels += 1
        if labels > MOST_LABELS:
            break
    return _wrapped(lines, last, values) if seen else None


def _sentence(line: Line) -> bool:
    """Whether a line is a whole sentence, as one that leads over to the next table is."""
    chunk = line.chunks[0]
    return len(line.chunks) == 1 and len(chunk.words) >= 9 and chunk.text.endswith((".", ":"))


def _heading(line: Line) -> bool:
    return len(line.chunks) == 1 and bool(CAPTION.match(line.chunks[0].text))


def _heads(line: Line, left: float, right: float, inner: float, spaced: bool) -> bool:
    """Whether a line below values is the header of other values: several words over their columns, or a period.

    It must also stand out, by space above (`spaced`) or bold type: otherwise it is a row of words.
    """
    over = [chunk for chunk in line.chunks if _over(chunk, left, right, inner) and chunk.x0 > inner - 3 * line.size]
    stands_out = spaced or all(word.bold for chunk in over for word in chunk.words)
    return stands_out and (len(over) >= 2 or any(is_period(chunk.text) for chunk in over))


def periods(line: Line) -> bool:
    """Whether the values of a line are years or dates that follow each other, as those of a header do."""
    own = [chunk.text for chunk in line.chunks if is_period(chunk.text)]
    if len(own) < 2 or any(chunk.numeric and not is_period(chunk.text) for chunk in line.chunks[1:]):
        return False
    years = [int(match.group()) for text in own if (match := _YEAR.search(text))]
    return len(years) < 2 or any(abs(a - b) <= 1 for a, b in pairwise(years))


def _wrapped(lines: Sequence[Line], last: int, values: Sequence[tuple[float, float]]) -> int:
    """The last line, or the end of its label where that goes on below it."""
    inner = min(low for low, _ in values)
    while last + 1 < len(lines):
        line, above = lines[last + 1], lines[last]
        near = line.base - above.base < 1.45 * line.size and abs(line.size - above.size) < 0.6
        if not (near and len(line.chunks) == 1 and line.x1 < inner and line.chunks[0].text[:1].islower()):
            break
        last += 1
    return last


def _values(line: Line) -> list[tuple[float, float]]:
    return [(chunk.x0, chunk.x1) for chunk in line.chunks[1:] if chunk.numeric]


def _inside(line: Line, above: Line, left: float, right: float) -> bool:
    """Whether values stand within the block that ends right above them, in a column of their own."""
    own = _values(line)
    return line.base - above.base < 2 * line.size and all(left - 2 <= low and high <= right + 2 for low, high in own)


def _touches(value: tuple[float, float], others: Iterable[tuple[float, float]]) -> bool:
    return any(_touch(value, other) for other in others)


def _touch(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] < other[1] + 4 and other[0] < one[1] + 4


def _start(lines: Sequence[Line], first: int, end: int, level: Sequence[Level], width: float) -> int:
    """The first line of the header above the first line with values; labels may stand between the two."""
    block = [line for line in lines[first : end + 1] if valued(line)]
    inner = min(chunk.x0 for line in block for chunk in line.chunks[1:] if chunk.numeric)
    left, right = min(line.x0 for line in block), max(line.x1 for line in block)
    start = first
    for at in range(first - 1, max(first - 1 - MOST_HEADERS, -1), -1):
        line, below = lines[at], lines[at + 1]
        step = below.base - line.base
        if step > 4.5 * line.size:
            break
        if step > 2.6 * max(line.size, below.size) and not _ruled_between(level, line, below, left, right):
            break
        if _title(line, left, right, inner):
            break
        if _header(line, left, right, inner, width):
            start = at
        elif not _label(line, left, inner):
            break
    return start


def _title(line: Line, left: float, right: float, inner: float) -> bool:
    """Whether a line stands in the middle of the whole table, labels included, and so is its title, not a header."""
    chunk = line.chunks[0]
    if len(line.chunks) > 1 or chunk.x0 > inner - 3 or is_part_of_period(chunk.text):
        return False
    return abs(chunk.x0 + chunk.x1 - left - right) / 2 < 0.06 * (right - left)


def _label(line: Line, left: float, inner: float) -> bool:
    short = len(line.chunks) <= 2 and len(line.words) <= LONGEST_STUB
    return short and line.x1 < inner + 2 * line.size and line.x0 > left - 2 * line.size


def _ruled_between(level: Sequence[Level], above: Line, below: Line, left: float, right: float) -> bool:
    return any(above.base < y < below.base and x0 < right and x1 > left for y, x0, x1 in level)


def _header(line: Line, left: float, right: float, inner: float, width: float) -> bool:
    """Whether a line reads as a header: something stands over the columns of values and nothing runs on past them."""
    if _prose(line, width, inner) or CAPTION.match(line.chunks[0].text):
        return False
    over = [chunk for chunk in line.chunks if _over(chunk, left, right, inner)]
    if not over or line.x1 > right + 7 * line.size or line.x0 < left - 3 * line.size:
        return False
    return all(chunk in over or chunk.x1 < inner + 2 * line.size for chunk in line.chunks)


def _over(chunk: Chunk, left: float, right: float, inner: float) -> bool:
    middle = (chunk.x0 + chunk.x1) / 2
    return inner - 25 < middle < right + 4 * chunk.words[0].size and (
        chunk.x0 > left + 0.12 * (right - left) or chunk.x0 > inner - 2 * chunk.words[0].size
    )
