"""Lines of a page and their chunks: the runs of words that a wide gap or a ruling line parts, as cells are parted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.rules import Upright
from pincite.text.lexicon import pattern, word_set
from pincite.types import Box

# gaps as shares of the font size
CELL_GAP = 0.85  # a wider one parts two chunks; in justified prose it is seldom wider
VALUE_GAP = 0.5  # the same between two numbers: wider than the blank that parts thousands
GROUP_GAP = 0.65  # the same between parts of a number by their digits: in monospace a blank is .6
FAR = 40.0  # a currency sign in its own column is at most so many font sizes left of its number
HIGHEST = 2.0  # what is higher than so many font sizes is a heading that is turned
BEHIND = 1.6  # the same of a sign such as "%" right of its number
SAME_LINE = 0.42  # baselines on one line differ by less than this share of the font size
DESCENT = 0.21  # share of the font size by which boxes reach below the baseline (pdf/pdf_words.py)
STEP = 0.5  # points of one step of the profile by which columns are told
DOT = 0.5  # the width of a dot as a share of that of a letter
DOTS = ".…·_"  # signs that lead from a label to its value
CURRENCY = word_set("ingest", "before a number")
_CLOSERS = word_set("ingest", "behind a number")
_LEADERS = re.compile(r"(?<![\s.…·_])(?:\s*+[.…·_]){3,}+\s*+$|^(?:[.…·_]\s*+){3,}+")
_SIGNED = re.compile(r"[-\u2212]\d")
_HEAD = re.compile(r"[-\u2212(]?\d{1,3}")
_GROUP = re.compile(r"\d{3}(?!\d)")
_NO_VALUE = pattern("ingest", "no value", "cells")
_VALUE = pattern("ingest", "value", "cells")


@dataclass(slots=True)
class Chunk:
    """Words that stand together, as in one cell of one line."""

    words: list[Word]
    x0: float
    x1: float
    text: str = ""
    numeric: bool = False

    @classmethod
    def of(cls, words: list[Word]) -> Chunk:
        """Some words from left to right."""
        return cls(words, words[0].box[0], max(word.box[2] for word in words))

    def __post_init__(self) -> None:
        self.text = " ".join(word.text for word in self.words)
        self.numeric = is_number(self.text)


@dataclass(slots=True)
class Line:
    """One line of text across a page or a column of it; `led` when dots led from one of its chunks to the next."""

    base: float
    top: float
    bottom: float
    size: float
    words: list[Word]
    chunks: list[Chunk]
    led: bool

    @property
    def x0(self) -> float:
        """The left end."""
        return self.chunks[0].x0

    @property
    def x1(self) -> float:
        """The right end."""
        return self.chunks[-1].x1

    @property
    def rise(self) -> float:
        """How much turned headings make it higher than other lines."""
        height = self.bottom - self.top
        return height - self.size if height > HIGHEST * self.size else 0.0

    @property
    def numeric(self) -> bool:
        """Whether a chunk is a value."""
        return any(chunk.numeric for chunk in self.chunks)

    @property
    def values(self) -> int:
        """How many chunks behind the first are values."""
        return sum(chunk.numeric for chunk in self.chunks[1:])


def is_near(place: float, others: Iterable[float], gap: float) -> bool:
    """Whether one of the other places is less than `gap` away."""
    return any(abs(place - other) < gap for other in others)


def is_number(text: str) -> bool:
    """Whether a cell holds a value: a number with its signs and unit, a dash, or a word for a missing one."""
    return len(text) < 40 and bool(_VALUE.match(text)) and not _NO_VALUE.match(text)


def lines(words: Iterable[Word], uprights: Sequence[Upright] = ()) -> list[Line]:
    """The lines of level words from top to bottom, split into chunks at wide gaps and at upright rules."""

    def on_line(held: Sequence[Word], word: Word) -> bool:
        return _base(word) - _base(held[0]) < SAME_LINE * max(word.size, held[-1].size, 4.0)

    placed = consecutive(sorted(words, key=_base), on_line)
    return list(filter(None, (_line(held, uprights) for held in placed)))


def baseline(word: Word) -> float:
    """The height of the line that a word which is not raised stands on."""
    return word.box[3] - DESCENT * word.size


def _base(word: Word) -> float:
    return baseline(word) + 0.35 * word.size if word.superscript else baseline(word)


def _line(held: Sequence[Word], uprights: Sequence[Upright]) -> Line | None:
    """The line of some words, of which the first has the highest baseline; None of dots alone."""
    words = _without_leaders(sorted(held, key=lambda word: word.box[0]))
    if not words:
        return None
    led = _count_letters(held) > _count_letters(words)
    base, (_, top, _, bottom) = _base(held[0]), around(word.box for word in words)
    size = max(word.size for word in words) or 1.0
    crossing = [x for x, y0, y1 in uprights if y0 < base - 0.2 * size and y1 > base - 0.3 * size]
    runs = consecutive(words, lambda run, word: not _is_parted(run[-1], word, size, crossing))
    chunks = [Chunk.of(run) for run in _join_signs(runs, size, crossing)]
    return Line(base, top, bottom, size, words, chunks, led)


def _count_letters(words: Sequence[Word]) -> int:
    return sum(len(word.text) for word in words)


def _is_parted(left: Word, right: Word, size: float, crossing: list[float]) -> bool:
    gap = right.box[0] - left.box[2]
    turned = right.box[3] - right.box[1] > HIGHEST * right.size > 0
    if turned or gap > CELL_GAP * max(min(left.size, right.size), 0.6 * size):
        return True
    behind_value = gap > VALUE_GAP * right.size or left.text[-1:] in ")%0123456789"
    if right.text in CURRENCY and behind_value or _are_two_values(left, right, gap):
        return True
    return any(middle(left.box)[0] < x < middle(right.box)[0] for x in crossing)


def _are_two_values(left: Word, right: Word, gap: float) -> bool:
    """Whether two words are numbers further apart than the parts of one, whose thousands a blank parts."""
    if not all(
        is_number(text) and any(map(str.isdigit, text)) for text in (left.text, right.text)
    ):
        return False
    if _SIGNED.match(right.text):
        return gap > 0
    decimals = "." in left.text and "." in right.text  # then they are no parts of one
    grouped = _HEAD.fullmatch(left.text) and _GROUP.match(right.text)
    most = GROUP_GAP if grouped else (0.7 if decimals else 1.0) * VALUE_GAP
    return gap > most * right.size


def _text(run: Sequence[Word]) -> str:
    return " ".join(word.text for word in run)


def _join_signs(
    runs: Sequence[list[Word]], size: float, crossing: list[float]
) -> list[list[Word]]:
    """Currency signs and opening brackets in columns of their own go to their number, closing ones and % as well."""
    joined: list[list[Word]] = []
    for run in runs:
        text, left = _text(run), run[0].box[0]
        last = joined[-1] if joined else []
        if (
            last
            and is_number(text)
            and _text(last) in CURRENCY
            and left - last[-1].box[2] < FAR * size
        ):
            run = [*joined.pop(), *run]
            last = joined[-1] if joined else []
        if last and (_scale_of(run, last, size, crossing) or _closes(text, run, last, size)):
            last.extend(run)
        else:
            joined.append(run)
    return joined


def _closes(text: str, run: Sequence[Word], before: Sequence[Word], size: float) -> bool:
    """Whether a text is a sign such as "%" of the number before it."""
    near = run[0].box[0] - before[-1].box[2] < BEHIND * size
    return text in _CLOSERS and near and is_number(_text(before))


def _scale_of(run: list[Word], before: list[Word], size: float, crossing: list[float]) -> bool:
    """Whether a run says what numbers are in ("$ million") and goes on with the words close before it ("2023")."""
    if run[0].text not in CURRENCY or len(run) < 2 or is_number(_text(run)):
        return False
    bare = Word("", run[0].box, run[0].size)
    return not _is_parted(before[-1], bare, size, crossing)


def _without_leaders(words: list[Word]) -> list[Word]:
    """Words without the dots that lead from a label to its value."""
    if not any(sign in word.text for word in words for sign in ".…_"):
        return words
    kept: list[Word] = []
    dots: list[Word] = []
    for word in words:
        if word.text and not word.text.strip(DOTS):
            dots.append(word)
            continue
        signs = "".join(dot.text for dot in dots)
        if len(signs) < 3 and "…" not in signs:
            kept.extend(dots)
        dots = []
        kept.append(_without_dots(word))
    return kept


def _without_dots(word: Word) -> Word:
    """A word without the dots that it begins or ends with, and as much narrower."""
    text = _LEADERS.sub("", word.text)
    if text in ("", word.text):
        return word
    left_out = DOT * (len(word.text) - len(text))
    share = len(text) / (len(text) + left_out)
    x0, top, x1, bottom = word.box
    wide = share * (x1 - x0)
    box: Box = (x1 - wide, top, x1, bottom)
    if word.text.startswith(text):
        box = (x0, top, x0 + wide, bottom)
    return replace(word, text=text, box=box)


@dataclass(frozen=True, slots=True)
class ColumnSpan:
    """The horizontal extent of a column."""

    x0: float
    x1: float


def spans(lines: Sequence[Line]) -> list[ColumnSpan]:
    """The columns that the chunks of some lines make, from left to right.

    A gap is a stretch that no chunk covers. In a long block one line in fifteen may cross it, as a value that runs into
    its neighbour does; and of the labels one in six may, as they run on where their line has no value.
    """
    if not lines:
        return []
    left = min(line.x0 for line in lines)
    steps = int((max(line.x1 for line in lines) - left) / STEP) + 2
    labels, values = np.zeros(steps + 1, dtype=np.int64), np.zeros(steps + 1, dtype=np.int64)
    for line in lines:
        for at, chunk in enumerate(line.chunks):
            change = labels if at == 0 and not chunk.numeric else values
            change[int((chunk.x0 - left) / STEP)] += 1
            change[int((chunk.x1 - left) / STEP) + 1] -= 1
    over = (np.cumsum(labels) > len(lines) // 6) | (np.cumsum(values) > len(lines) // 15)
    edges = np.flatnonzero(np.diff(over, prepend=False, append=False)) * STEP + left
    covered = [ColumnSpan(*ends) for ends in edges.reshape(-1, 2).tolist()]
    groups = consecutive(covered, lambda group, span: span.x0 - group[-1].x1 < 1.0)
    return [ColumnSpan(group[0].x0, group[-1].x1) for group in groups]
