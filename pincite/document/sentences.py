"""The text of a page as a reader needs it: sentences, lines of flattened tables, and the positions of every stem.

Offsets are into the text as given, so that whatever is found can be quoted from it. A line that is mostly numbers behind
a label is a segment of its own: running text does not go across it.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.document.derived import kept
from pincite.text.lexicon import pattern
from pincite.text.words import DOTTED
from pincite.text.words import stems as stems_of

_TOKEN = re.compile(
    rf"{DOTTED}"
    r"|CO\s?2(?:\s?eq?)?(?![\d.])"  # the subscript may stand apart
    r"|[^\W\d_]+(?:-\s?\n\s*[a-z]{2,})?(?:-?\d+(?:\.\d+)*[^\W\d_]*)?"  # a word; a name with its number is one token
    r"|\d+(?:[.,]\d+)*(?:[A-Za-z](?![^\W_]))?|%"
)
_BREAK = pattern("document", "sentence break")
_ABBREVIATED = pattern("document", "abbreviated")


LONGEST = 2_000
"""Characters of the longest sentence or row: a longer one is read in pieces, since readers compare everything in a sentence
with everything else in it.
"""
TEXTS = 16384
"""The texts read last, whose words are kept: the pages and passages that questions meet again and again."""


class _Plain(dict[int, int]):
    """Characters whose compatibility form is one character, as that one: lengths stay."""

    def __missing__(self, code: int) -> int:
        form = unicodedata.normalize("NFKC", chr(code)) if code > 127 else chr(code)
        self[code] = ord(form) if len(form) == 1 else code
        return self[code]


_PLAIN = _Plain()


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence, a heading or a line of a flattened table: characters [start, end), tokens [first, last)."""

    start: int
    end: int
    first: int
    last: int
    row: bool = False


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class TokenizedText:
    """A text with its tokens and segments."""

    text: str
    stems: tuple[str, ...]
    starts: Sequence[int]
    ends: Sequence[int]
    segments: tuple[Segment, ...]

    @property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        """The token positions at which each stem stands; a name with a number also at each of its two parts."""
        return _places(self)

    def token_at(self, offset: int) -> int:
        """The token that holds the character at `offset`, or the last one before it."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def raw(self, token: int) -> str:
        """A token as it is written."""
        return self.text[self.starts[token] : self.ends[token]]

    def between(self, token: int) -> str:
        """What stands between a token and the one before it."""
        return self.text[self.ends[token - 1] : self.starts[token]]

    def segment_at(self, token: int) -> int:
        """The segment that holds `token`."""
        return max(0, bisect_right(self.segments, token, key=lambda segment: segment.first) - 1)

    @property
    def lowered(self) -> frozenset[str]:
        """The words that stand in lower case somewhere in the text: what is among them is no name."""
        return _lowered(self)

    def quote(self, segment: int) -> str:
        """The text of a segment on one line."""
        part = self.segments[segment]
        return " ".join(self.text[part.start : part.end].split())


@lru_cache(maxsize=TEXTS)
def read(text: str) -> TokenizedText:
    """Split `text` into tokens and segments."""
    plain = text.translate(_PLAIN)
    stems: list[str] = []
    starts = array("i")
    ends = array("i")
    for match in _TOKEN.finditer(plain):
        stems.append(_stem(match[0]))
        start, end = match.span()
        starts.append(start)
        ends.append(end)
    return TokenizedText(plain, tuple(stems), starts, ends, tuple(_segments(plain, starts)))


@kept
def _places(reading: TokenizedText) -> Mapping[str, tuple[int, ...]]:
    places: dict[str, list[int]] = {}
    for at, (stem, start, end) in enumerate(
        zip(reading.stems, reading.starts, reading.ends, strict=True)
    ):
        places.setdefault(stem, []).append(at)
        if "-" in (raw := reading.text[start:end]):
            for name in parts(raw):
                places.setdefault(name, []).append(at)
    return {stem: tuple(at) for stem, at in places.items()}


@kept
def _lowered(reading: TokenizedText) -> frozenset[str]:
    return frozenset(re.findall(r"(?<![^\W_])[a-z]{2,}(?![^\W_])", reading.text))


@lru_cache(maxsize=65536)
def parts(raw: str) -> tuple[str, ...]:
    """The stems of a name and of what numbers it: "LLaMA-7B" is "llama" and "7b", as "LLaMA 7B" would be read."""
    name, hyphen, number = raw.partition("-")
    if not hyphen or not number[:1].isdigit():
        return ()
    return tuple(
        part for part in (_stem(name), _stem(number)) if not part.replace(".", "").isdigit()
    )


@lru_cache(maxsize=65536)
def _stem(raw: str) -> str:
    low = re.sub(r"[\s-]+", "", raw.lower())
    if low.startswith("co2"):
        return "co2"
    if any(character.isdigit() for character in low):
        return low.replace(",", "")
    found = stems_of(low)
    return found[0] if len(found) == 1 else low


def _segments(text: str, starts: Sequence[int]) -> Iterator[Segment]:
    for start, end, row in _blocks(text):
        for begin, stop in _pieces(text, start, end) if row else _sentences(text, start, end):
            first, last = bisect_right(starts, begin - 1), bisect_right(starts, stop - 1)
            if last > first:
                yield Segment(begin, stop, first, last, row)


def _blocks(text: str) -> Iterator[tuple[int, int, bool]]:
    """The stretches of running text, and the lines that are rows of a table: (start, end, whether it is a row)."""
    lines = _lines(text)
    wide = _width(lines)
    block = -1
    for start, end in lines:
        line = text[start:end]
        if is_row(line):
            if block >= 0:
                yield block, start, False
            yield start, end, True
            block = -1
            continue
        if block < 0:
            block = start
        short = end - start < 0.6 * wide and not line.rstrip().endswith((",", "-", ";"))
        if short and _starts_anew(text, end):
            yield block, end, False
            block = -1
    if block >= 0:
        yield block, len(text), False


def _lines(text: str) -> list[tuple[int, int]]:
    out, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            out.append((start, start + len(line)))
        start += len(line) + 1
    return out


def _width(lines: Sequence[tuple[int, int]]) -> int:
    """The width that four of five lines of running text keep within."""
    widths = sorted(end - start for start, end in lines if end - start > 20)
    return widths[int(len(widths) * 0.8)] if widths else 0


def _starts_anew(text: str, at: int) -> bool:
    """Whether the next line begins with a capital, a digit or a sign."""
    first = text[at : at + 40].lstrip()[:1]
    return first != "" and (first.isupper() or first.isdigit() or not first.isalnum())


_FUNCTION = pattern("document", "function word")
_FULL_STOP = re.compile(r"[^\W\d_][.;]\s+[A-Z][a-z]|\][.;]\s+[A-Z]")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_DIGIT = re.compile(r"[\d—–-]")
_NUMBERS = re.compile(
    r"(?<![^\W_])[($€£~<>≥≤±+−–-]*\d[\d,.]*(?:\s?[%xX×kKMBT)]+)?(?![^\W_])|(?<=\s)[—–-](?=\s|$)"
)


def is_row(line: str) -> bool:
    """Whether a line of text looks like a row of a table: a label, if any, and then mostly numbers."""
    numbers = len(_NUMBERS.findall(line)) if _DIGIT.search(line) else 0
    if not numbers:
        return False
    letters = len(_WORDS.findall(line))
    if numbers < 1.5 * letters and (len(_FUNCTION.findall(line)) > 1 or _FULL_STOP.search(line)):
        return False
    if numbers >= 2 and numbers >= 0.6 * letters:
        return True
    tail = line.rstrip()
    return (
        numbers >= 0.25 * letters
        and letters <= 8
        and tail[-1:] not in ".,;:"
        and _ends_in_number(tail)
    )


def _ends_in_number(line: str) -> bool:
    return bool(re.search(r"\d[%)\s\]*†‡xX×kKMB]*$", line)) and bool(
        re.match(r"\s*[\"'“(]?[A-Z]", line)
    )


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for match in _BREAK.finditer(text, start, end):
        cut = match.start()
        paragraph = match[0].count("\n") > 1
        if paragraph or not _ABBREVIATED.search(text, max(at, cut - 14), cut):
            yield from _pieces(text, at, cut)
            at = match.end()
    yield from _pieces(text, at, end)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence or row whole, or in pieces of at most LONGEST characters, cut at white space where there is any."""
    while end - start > LONGEST:
        space = text.rfind(" ", start + LONGEST // 2, start + LONGEST)
        cut = space if space > 0 else start + LONGEST
        yield start, cut
        start = cut
    if end > start:
        yield start, end
