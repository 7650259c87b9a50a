"""The words of a PDF page: letters of the text layer that are in force, grouped by space, gap, baseline and direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pincite.ingest.pdf.letters import Integers, Letters, Marks, Styles, colours, letters
from pincite.ingest.pdf.overprints import drawn_once, drawn_over
from pincite.ingest.pdf.pdfium import PDFIUM, Floats, Frame
from pincite.ingest.pdf.struck_letters import struck
from pincite.ingest.raw_page import Word
from pincite.types import Box

WORD_GAP = 0.3  # a wider gap, as a share of the size, parts two words even without a space
OTHER_SIZE = 1.15
"""A letter larger by this factor that runs into another by such a gap is of a stamp, which pdfium sorts into the line."""
RAISED = 0.12  # a baseline that is off by more than this share of the font size is another one
ASCENT, DESCENT = 0.75, 0.21
"""A word's box reaches from the descender to the ascender line of its size: one height for all words of a line."""
FRACTION = "\u2044"  # what is raised before this sign is a numerator


def words(page: int, frame: Frame, strokes: Sequence[Box] = ()) -> tuple[tuple[Word, ...], str]:
    """The words of a loaded page in the order of its content stream, and why they do not serve where they do not.

    Text that is drawn more than once is read once. Left out are text outside the displayed page, what `strokes` strike
    out, and stamps over or behind other text.
    """
    text = PDFIUM.FPDFText_LoadPage(page)
    if not text:
        return (), ""
    try:
        told = letters(text, frame)
        if told is None:
            return (), ""
        found, styles, doubt = told
        return _words(drawn_once(found.only(~struck(found, strokes))), styles), doubt
    finally:
        PDFIUM.FPDFText_ClosePage(text)


def _words(letters: Letters, styles: Styles) -> tuple[Word, ...]:
    """The words that letters make, without those that are drawn again and without stamps."""
    if not letters.codes.size:
        return ()
    first, last = _bounds(letters)
    text = "".join(map(chr, letters.codes.tolist()))
    rows = letters.which[first].tolist()
    looks = zip(
        map(tuple, _word_boxes(first, letters).tolist()),
        np.round(letters.size[first], 2).tolist(),
        (styles.bold[row] for row in rows),
        (styles.italic[row] for row in rows),
        letters.angle[first].tolist(),
        strict=True,
    )
    found = [Word(text[a:b], *look) for a, b, look in zip(first, last, looks, strict=True)]
    over = drawn_over(found, lambda: colours(styles.items[row] for row in rows))
    kept = np.array([at for at in range(len(found)) if at not in over], dtype=np.int64)
    for at in kept[_raised(letters, first[kept], last[kept])].tolist():
        if text[last[at] : last[at] + 1] != FRACTION:
            found[at] = replace(found[at], superscript=True)
    return tuple(found[at] for at in kept)


def _bounds(letters: Letters) -> tuple[Integers, Integers]:
    """The places of the first letter of each word, and of that after its last."""
    start, end, base, size = letters.start, letters.end, letters.base, letters.size
    rise = base[:-1] - base[1:]
    bigger = np.maximum(size[:-1], size[1:])
    smaller = np.minimum(size[:-1], size[1:])
    gap = np.maximum(start[1:] - end[:-1], start[:-1] - end[1:])
    lowered = (rise < 0) & (size[1:] < 0.9 * size[:-1]) | (rise > 0) & (size[:-1] < 0.9 * size[1:])
    parted = (np.diff(letters.index) > 1) | (np.diff(letters.angle) != 0)
    parted |= gap > WORD_GAP * smaller
    parted |= (gap < -WORD_GAP * smaller) & (bigger > OTHER_SIZE * smaller)
    parted |= np.abs(rise) > np.where(lowered, 0.4, RAISED) * bigger
    first = np.concatenate([[0], np.flatnonzero(parted) + 1])
    return first, np.concatenate([first[1:], [size.size]])


def _word_boxes(first: Integers, letters: Letters) -> Floats:
    """The boxes of the words: along the writing those of the characters, across it from descender to ascender."""
    low = np.minimum.reduceat(letters.boxes[:, :2], first)
    high = np.maximum.reduceat(letters.boxes[:, 2:], first)
    spans = np.concatenate([low, high], axis=1)
    turn, size, base = letters.angle[first], letters.size[first], letters.base[first]
    up, down = base - ASCENT * size, base + DESCENT * size
    plain = ~letters.strange[first]
    for direction in (0, 90, 180, 270):
        near, far = (up, down) if direction < 180 else (-down, -up)
        chosen, across = plain & (turn == direction), 1 - direction % 180 // 90
        spans[chosen, across] = near[chosen]
        spans[chosen, across + 2] = far[chosen]
    return np.round(spans, 2)


def _raised(letters: Letters, first: Integers, last: Integers) -> Marks:
    """Which words stand raised beside a larger neighbour of the same line, as footnote marks and exponents do."""
    start, end, base = letters.start[first], letters.end[last - 1], letters.base[first]
    size, angle = letters.size[first], letters.angle[first]
    raised = np.zeros(first.size, dtype=np.bool_)
    for small, large in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
        rise = (base[large] - base[small]) / np.maximum(size[large], 0.1)
        gap = np.maximum(start[small] - end[large], start[large] - end[small])
        beside = (gap < 0.7 * size[large]) & (angle[small] == angle[large])
        smaller = (size[small] < 0.85 * size[large]) & (rise > 0.15) & (rise < 0.8)
        raised[small] |= beside & smaller
    return raised
