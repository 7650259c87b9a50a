"""The letters that a model reads along a line to words with their ends, by the spaces that it reads and the ink of the line."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise, product, takewhile
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HEIGHT, STEP = 48, 8  # pixels of a line when it is read, and between two places that are read
SPACE = 0.22
"""A gap of this share of a line's height parts words: those between letters have a tenth, spaces a fifth to a half."""
SPACED = 2.5  # in letters set apart, a gap must be so much wider than the narrower ones
INK = 40  # steps of grey by which ink differs from the ground
RAISED, SMALLER = 0.1, 0.65
"""What ends so much of a line's height above the others, at the end of a word, is a mark; marks are so much smaller."""
RULE = 0.75  # what is inked over so much of a line's length is a rule and no row of letters
AROUND = 0.04
"""Of the height of its ink, what is left free above and below a line: typefaces are a little higher than their letters."""
MARK = re.compile(r"[(\[]?\d{1,2}[)\]]?|[*†‡]")
SMALL = re.compile("[⁰¹²³⁴-⁹⁽⁾]+$")
PLAIN = {0x4E00: "—", 0x4E28: "|", **{0xFEE0 + code: chr(code) for code in range(0x21, 0x7F)}}
"""What letters of Chinese lines stand for in other lines: a dash that was taken for the word one, and wide forms."""


Gap = tuple[int, int]  # the columns between which a line has no ink


class LineWord(NamedTuple):
    """A word of a line, with the share of the line's length where it begins and ends, and whether it stands raised."""

    text: str
    start: float
    end: float
    raised: bool = False


def words_of(letters: Sequence[tuple[str, float]], line: NDArray[Any]) -> Iterator[LineWord]:
    """The words of a line, a picture HEIGHT pixels high, from its letters with the columns of their middles."""
    return _words(_plain(letters), _find_ink(line))


def rows_of(line: NDArray[Any]) -> tuple[float, float]:
    """The shares of a line's height between which its ink stands, with AROUND it."""
    rows = np.flatnonzero(_find_ink(line).any(axis=1))
    if not len(rows):
        return 0.0, 1.0
    room = AROUND * (rows[-1] + 1 - rows[0])
    return max(0.0, (rows[0] - room) / HEIGHT), min(1.0, (rows[-1] + 1 + room) / HEIGHT)


def _plain(letters: Sequence[tuple[str, float]]) -> Sequence[tuple[str, float]]:
    """Letters of a line that is not Chinese or Japanese, with nothing of those scripts among them."""
    if any(ord(letter) >= 0x2E80 and ord(letter) not in PLAIN for letter, _ in letters):
        return letters
    return [(PLAIN.get(ord(letter), letter), at) for letter, at in letters]


def _find_ink(line: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a line has ink of letters; its upper and lower edge count as without, and so do rules across it or along it."""
    grey = line.mean(axis=2)
    inked: NDArray[np.bool_] = np.abs(grey - np.median(grey)) > INK
    edge = HEIGHT // 12
    across, along = inked[edge:-edge].all(axis=0), inked.mean(axis=1) > RULE
    inked[:, across] = inked[along] = False
    inked[:edge] = inked[-edge:] = False
    return inked


def _words(letters: Sequence[tuple[str, float]], inked: NDArray[np.bool_]) -> Iterator[LineWord]:
    """Letters with their middles to words: parted by spaces and by wide gaps, and from marks that are raised.

    The model may say a letter up to a step late, when it is in the gap behind it already: a gap is first that of a space
    that was read near it.
    """
    wide, ink = inked.shape[1], np.flatnonzero(inked.any(axis=0))
    edges = (int(ink[0]), int(ink[-1]) + 1) if len(ink) else (0, wide)
    gaps = [(int(ink[at]) + 1, int(ink[at + 1])) for at in np.flatnonzero(np.diff(ink) > 1)]
    runs = _runs(inked, edges, gaps) if len(ink) else []
    shown = [(letter, at) for letter, at in letters if letter != " "]
    spaces = [at for letter, at in letters if letter == " "]
    parted = _gaps_between_words(
        [at for _, at in shown], spaces, gaps, _least_gap(gaps, len(letters))
    )
    starts = [0, *sorted(parted), len(shown)]
    ends = [(0, edges[0]), *(parted[at] for at in starts[1:-1]), (edges[1], wide)]
    for (first, last), (before, behind) in zip(pairwise(starts), pairwise(ends), strict=True):
        text = "".join(letter for letter, _ in shown[first:last])
        yield from _unmarked(text, before[1], max(before[1], behind[0]), runs, wide)


def _runs(inked: NDArray[np.bool_], edges: Gap, gaps: Sequence[Gap]) -> list[tuple[int, bool]]:
    """Where each run of columns with ink begins, and whether it ends above the line of letters, as what is raised does."""
    starts, ends = [edges[0], *(end for _, end in gaps)], [*(start for start, _ in gaps), edges[1]]
    parts = (inked[:, start:end] for start, end in zip(starts, ends, strict=True))
    low = [int(np.flatnonzero(part.any(axis=1))[-1]) for part in parts]
    # most letters have no part below the line
    base = float(np.percentile(low, 25)) - RAISED * HEIGHT
    return [(start, bottom < base) for start, bottom in zip(starts, low, strict=True)]


def _least_gap(gaps: Sequence[Gap], letters: int) -> float:
    """How wide a gap must be to part words: wider where letters are set apart."""
    widths = [end - start for start, end in gaps]
    usual = float(np.percentile(widths, 25)) if len(gaps) > max(2, letters / 2) else 0.0
    return max(SPACE * HEIGHT, SPACED * usual)


def _gaps_between_words(
    places: Sequence[float], spaces: Sequence[float], gaps: Sequence[Gap], least: float
) -> dict[int, Gap]:
    """The gaps before letters that begin a word, by their numbers: those of spaces that were read, then the wide ones."""
    parted: dict[int, Gap] = {}
    for near, number in product((STEP, 0), range(1, len(places))):
        before, at = places[number - 1], places[number]
        widest = _widest(gaps, before, at, near)
        spaced = any(before < space < at for space in spaces)
        if number not in parted and (spaced if near else widest[1] - widest[0] >= least):
            parted[number] = widest
            gaps = [gap for gap in gaps if gap != widest]
    return parted


def _widest(gaps: Sequence[Gap], before: float, at: float, near: int) -> Gap:
    """The widest gap between two letters, or at most `near` beyond them; one without width where there is none."""
    between = [gap for gap in gaps if before - near < (gap[0] + gap[1]) / 2 <= at + near]
    middle = round((before + at) / 2)
    return max(between, key=lambda gap: gap[1] - gap[0], default=(middle, middle))


def _unmarked(
    text: str, start: int, end: int, runs: Sequence[tuple[int, bool]], wide: int
) -> Iterator[LineWord]:
    """A word, and apart from it the mark at its end that stands raised; `runs` are those of ink, where they begin."""
    at = _raised_from(start, end, runs)
    if (small := SMALL.search(text)) and text[: small.start()][-1:].isdigit():
        at = at if at < end else end - (end - start) * len(small[0]) // len(text)
        yield LineWord(text[: small.start()], start / wide, at / wide)
        yield LineWord(unicodedata.normalize("NFKC", small[0]), at / wide, end / wide, True)
        return
    for count in range(min(len(text) - 1, 4), 0, -1):
        before, wide_mark = text[:-count].rstrip("(["), SMALLER * count
        usual = wide_mark / (wide_mark + len(text) - count)
        share = (end - at) / max(end - start, 1)
        fits = before[-1:].isalnum() and 0.5 * usual < share < 1.6 * usual
        if fits and MARK.fullmatch(text[-count:]):
            yield LineWord(before, start / wide, at / wide)
            yield LineWord(text[len(before) :], at / wide, end / wide, True)
            return
    yield LineWord(text, start / wide, end / wide)


def _raised_from(start: int, end: int, runs: Sequence[tuple[int, bool]]) -> int:
    """Where the ink begins that stands raised at the end of a word; its end where none does."""
    raised = takewhile(itemgetter(1), reversed([run for run in runs if start < run[0] < end]))
    return min((first for first, _ in raised), default=end)
