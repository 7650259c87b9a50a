"""Lines of a page and their chunks: the runs of words that a wide gap or a ruling line parts, as cells are parted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pincite.ingest.layout.boxes import around, middle
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.rules import Upright
from pincite.lexicon import pattern, word_set
from pincite.types import Box

CELL_GAP = 0.85
"""A gap wider than this share of the font size parts two chunks; between words of justified prose it is seldom wider."""
VALUE_GAP = 0.5
"""The same between two numbers: wider than the blank that parts thousands."""
GROUP_GAP = 0.65
"""The same between two parts of one number by their digits: the blank of a font of one width for all letters is .6."""
FAR = 40.0
"""A currency sign in a column of its own is at most this many font sizes left of its number."""
HIGHEST = 2.0
"""What is higher than so many font sizes is a heading that is turned."""
SAME_LINE = 0.42
"""Words whose baselines differ by less than this share of the font size stand on one line."""

DOT = 0.5
"""The width of a dot as a share of that of a letter."""
DOTS = ".…·_"
"""Signs that lead from a label to its value."""

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
    placed = consecutive(sorted(words, key=_base), _on_line)
    found = [_line(held, uprights) for held in placed]
    return [line for line in found if line is not None]


def _on_line(held: Sequence[Word], word: Word) -> bool:
    """Whether the next lower word is on the line of some words, which are in the order of their baselines."""
    return _base(word) - _base(held[0]) < SAME_LINE * max(word.size, held[-1].size, 4.0)


def _base(word: Word) -> float:
    base = word.box[3] - 0.21 * word.size
    return base + 0.35 * word.size if word.superscript else base


def _line(held: Sequence[Word], uprights: Sequence[Upright]) -> Line | None:
    """The line of some words, of which the first has the highest baseline; None of dots alone."""
    words = _without_leaders(sorted(held, key=lambda word: word.box[0]))
    if not words:
        return None
    led = _letters(held) > _letters(words)
    base, (_, top, _, bottom) = _base(held[0]), around(word.box for word in words)
    size = max(word.size for word in words) or 1.0
    crossing = [x for x, y0, y1 in uprights if y0 < base - 0.2 * size and y1 > base - 0.3 * size]
    runs = consecutive(words, lambda run, word: not _parted(run[-1], word, size, crossing))
    chunks = [Chunk.of(run) for run in _joined(runs, size, crossing)]
    return Line(base, top, bottom, size, words, chunks, led)


def _letters(words: Sequence[Word]) -> int:
    return sum(len(word.text) for word in words)


def _parted(left: Word, right: Word, size: float, crossing: list[float]) -> bool:
    gap = right.box[0] - left.box[2]
    if gap > CELL_GAP * max(min(left.size, right.size), 0.6 * size) or _is_turned(right):
        return True
    behind_value = gap > VALUE_GAP * right.size or left.text[-1:] in ")%0123456789"
    if right.text in CURRENCY and behind_value or _are_two_values(left, right, gap):
        return True
    return any(middle(left.box)[0] < x < middle(right.box)[0] for x in crossing)


def _is_turned(word: Word) -> bool:
    return word.box[3] - word.box[1] > HIGHEST * word.size > 0


def _are_two_values(left: Word, right: Word, gap: float) -> bool:
    """Whether two words are numbers further apart than the parts of one, whose thousands a blank parts."""
    if not (_value(left.text) and _value(right.text)):
        return False
    if _SIGNED.match(right.text):
        return gap > 0
    decimals = "." in left.text and "." in right.text  # then they are no parts of one
    grouped = _HEAD.fullmatch(left.text) and _GROUP.match(right.text)
    most = GROUP_GAP if grouped else (0.7 if decimals else 1.0) * VALUE_GAP
    return gap > most * right.size


def _value(text: str) -> bool:
    return any(map(str.isdigit, text)) and is_number(text)


def _text(run: Sequence[Word]) -> str:
    return " ".join(word.text for word in run)


def _joined(runs: Sequence[list[Word]], size: float, crossing: list[float]) -> list[list[Word]]:
    """Currency signs and opening brackets in columns of their own go to their number, closing ones and % as well."""
    joined: list[list[Word]] = []
    for run in runs:
        text = _text(run)
        if joined and _opens(joined[-1], run, size) and is_number(text):
            run = [*joined.pop(), *run]
        last = joined[-1] if joined else []
        if last and (_scale_of(run, last, size, crossing) or _closes(text, run, last, size)):
            last.extend(run)
        else:
            joined.append(run)
    return joined


def _opens(before: Sequence[Word], run: Sequence[Word], size: float) -> bool:
    """Whether words are a currency sign or an opening bracket of what stands in a run behind them."""
    return _text(before) in CURRENCY and run[0].box[0] - before[-1].box[2] < FAR * size


def _closes(text: str, run: Sequence[Word], before: Sequence[Word], size: float) -> bool:
    """Whether a text is a sign such as "%" of the number before it."""
    near = run[0].box[0] - before[-1].box[2] < 1.6 * size
    return text in _CLOSERS and near and is_number(_text(before))


def _scale_of(run: list[Word], before: list[Word], size: float, crossing: list[float]) -> bool:
    """Whether a run says what numbers are in ("$ million") and goes on with the words close before it ("2023")."""
    if run[0].text not in CURRENCY or len(run) < 2 or is_number(_text(run)):
        return False
    bare = Word("", run[0].box, run[0].size)
    return not _parted(before[-1], bare, size, crossing)


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
    wide, begins = share * (x1 - x0), word.text.startswith(text)
    box: Box = (x0 if begins else x1 - wide, top, x0 + wide if begins else x1, bottom)
    return replace(word, text=text, box=box)
