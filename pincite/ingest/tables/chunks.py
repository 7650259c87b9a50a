"""Lines of a page and their chunks: the runs of words that a wide gap or a ruling line parts, as cells are parted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.ingest.raw_page import Word
from pincite.ingest.tables.rules import Upright
from pincite.types import Box

CELL_GAP = 0.85
"""A gap wider than this share of the font size parts two chunks; between words of justified prose it is seldom wider."""
VALUE_GAP = 0.5
"""The same between two numbers: wider than the blank that parts thousands."""
FAR = 40.0
"""A currency sign in a column of its own is at most this many font sizes left of its number."""
SAME_LINE = 0.42
"""Words whose baselines differ by less than this share of the font size stand on one line."""

DOT = 0.5
"""The width of a dot as a share of that of a letter."""

CURRENCY = frozenset(
    {
        "$",
        "€",
        "£",
        "¥",
        "US$",
        "C$",
        "A$",
        "R$",
        "HK$",
        "EUR",
        "USD",
        "GBP",
        "CHF",
        "Rs.",
        "₹",
        "kr",
        "(",
        "$(",
        "€(",
        "£(",
    }
)
_CLOSERS = frozenset({")", "%", ")%", "%)", "x", "pts", "pp", "bps", "†", "*", "**", "***"})
_LEADERS = re.compile(r"(?<![\s.…·_])(?:\s*+[.…·_]){3,}+\s*+$|^(?:[.…·_]\s*+){3,}+")
_NAME = re.compile(r"^(?:\d{1,2}[.)]|\d{1,5}-\d{4,}-?\d*|\d+-\d+-\d+|0\d{3,}|not\s\w+\.)$", re.IGNORECASE)
_NUMBER = re.compile(
    r"""^[\s(\[<>~≈+±−–—-]*(?:(?:[A-Z]{0,3}[$€£¥₹]|EUR|USD|GBP|CHF|Rs\.?)[\s(<>+−–—-]*)?
        (?:\d[\d,.'’\s/:−–-]*+|\.\d++|[−–—-]|n/?a|n\.a\.?|n/?m|n\.m\.?|nil|none|not\s(?:applicable|available|material|meaningful|disclosed|reported)|[*†‡])
        (?:\s*+(?:million|billion|years?|pts?|ppt|pp|bps|bn|mn|[MBKx%]|[)\]]|[*†‡⁰¹²³⁴-⁹]|[↑↓▲▼△▽±]\s?\d[\d.,]*+%?|\([^()]{1,9}\)|[a-e]\b))*+[\s.,;]*+$""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class Chunk:
    """Words that stand together, as in one cell of one line."""

    words: list[Word]
    x0: float
    x1: float
    text: str = ""
    numeric: bool = False

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
    chunks: list[Chunk] = field(default_factory=list)
    led: bool = False

    @property
    def x0(self) -> float:
        """The left end."""
        return self.chunks[0].x0

    @property
    def x1(self) -> float:
        """The right end."""
        return self.chunks[-1].x1

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
    return len(text) < 40 and bool(_NUMBER.match(text)) and not _NAME.match(text)


def lines(words: Iterable[Word], uprights: Sequence[Upright] = ()) -> list[Line]:
    """The lines of level words from top to bottom, split into chunks at wide gaps and at upright rules."""
    found: list[Line] = []
    for word in sorted(words, key=_base):
        base = _base(word)
        if found and base - found[-1].base < SAME_LINE * max(word.size, found[-1].words[-1].size, 4.0):
            found[-1].words.append(word)
        else:
            found.append(Line(base, word.box[1], word.box[3], max(word.size, 1.0), [word]))
    for line in found:
        settle(line, uprights)
    return [line for line in found if line.chunks]


def _base(word: Word) -> float:
    base = word.box[3] - 0.21 * word.size
    return base + 0.35 * word.size if word.superscript else base


def settle(line: Line, uprights: Sequence[Upright]) -> None:
    """Sets the extent and the chunks of a line from its words."""
    words = sorted(line.words, key=lambda word: word.box[0])
    line.words = _without_leaders(words)
    line.led = line.led or sum(len(word.text) for word in words) > sum(len(word.text) for word in line.words)
    line.top = min((word.box[1] for word in line.words), default=line.top)
    line.bottom = max((word.box[3] for word in line.words), default=line.bottom)
    line.size = max((word.size for word in line.words), default=line.size) or 1.0
    crossing = [x for x, y0, y1 in uprights if y0 < line.base - 0.2 * line.size and y1 > line.base - 0.3 * line.size]
    runs: list[list[Word]] = []
    for word in line.words:
        if runs and not _parted(runs[-1][-1], word, line.size, crossing):
            runs[-1].append(word)
        else:
            runs.append([word])
    line.chunks = [_chunk(run) for run in _joined(runs, line.size, crossing)]


def _chunk(run: list[Word]) -> Chunk:
    return Chunk(run, run[0].box[0], max(word.box[2] for word in run))


def _parted(left: Word, right: Word, size: float, crossing: list[float]) -> bool:
    gap = right.box[0] - left.box[2]
    if gap > CELL_GAP * max(min(left.size, right.size), 0.6 * size):
        return True
    decimals = "." in left.text and "." in right.text  # then no blank that parts thousands
    if gap > (0.7 if decimals else 1.0) * VALUE_GAP * right.size and _value(left.text) and _value(right.text):
        return True
    if right.text in CURRENCY and gap > VALUE_GAP * right.size:
        return True
    if right.text in CURRENCY and left.text[-1:] in ")%0123456789":
        return True
    middle_left, middle_right = (left.box[0] + left.box[2]) / 2, (right.box[0] + right.box[2]) / 2
    return any(middle_left < x < middle_right for x in crossing)


def _value(text: str) -> bool:
    return any(sign.isdigit() for sign in text) and is_number(text)


def _joined(runs: list[list[Word]], size: float, crossing: list[float]) -> list[list[Word]]:
    """Currency signs and opening brackets in columns of their own go to their number, closing ones and % as well."""
    joined: list[list[Word]] = []
    pending: list[Word] = []
    for run in runs:
        text = " ".join(word.text for word in run)
        if pending:
            near = run[0].box[0] - pending[-1].box[2] < FAR * size
            if near and is_number(text):
                run = [*pending, *run]
            else:
                joined.append(pending)
            pending = []
        if text in CURRENCY:
            pending = run
            continue
        if joined and _scale_of(run, joined[-1], size, crossing):
            joined[-1].extend(run)
            continue
        closes = joined and text in _CLOSERS and run[0].box[0] - joined[-1][-1].box[2] < 1.6 * size
        if closes and is_number(" ".join(word.text for word in joined[-1])):
            joined[-1].extend(run)
            continue
        joined.append(run)
    return [*joined, pending] if pending else joined


def _scale_of(run: list[Word], before: list[Word], size: float, crossing: list[float]) -> bool:
    """Whether a run says what numbers are in ("$ million") and goes on with the words close before it ("2023")."""
    if run[0].text not in CURRENCY or len(run) < 2 or is_number(" ".join(word.text for word in run)):
        return False
    bare = Word("", run[0].box, run[0].size)
    return not _parted(before[-1], bare, size, crossing)


def _without_leaders(words: list[Word]) -> list[Word]:
    """Words without the dots that lead from a label to its value."""
    if not any("." in word.text or "…" in word.text or "_" in word.text for word in words):
        return words
    kept: list[Word] = []
    dots: list[Word] = []
    for word in words:
        if word.text.strip(".…·_") == "" and word.text:
            dots.append(word)
            continue
        if sum(len(dot.text) for dot in dots) < 3 and not any("…" in dot.text for dot in dots):
            kept.extend(dots)
        dots = []
        text = _LEADERS.sub("", word.text)
        kept.append(word if text == word.text or not text else _shorter(word, text))
    return kept


def _shorter(word: Word, text: str) -> Word:
    left_out = DOT * (len(word.text) - len(text))
    share = len(text) / (len(text) + left_out)
    x0, top, x1, bottom = word.box
    box: Box = (
        (x0, top, x0 + share * (x1 - x0), bottom)
        if word.text.startswith(text)
        else (x1 - share * (x1 - x0), top, x1, bottom)
    )
    return Word(text, box, word.size, word.bold, word.italic, word.angle, word.superscript)
