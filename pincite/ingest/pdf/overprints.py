"""Text over other text of a PDF page: the same once more, for bold or shadow, which is read once, and stamps, which are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from pincite.ingest.pdf.letters import Colour, Letters, Marks, spread
from pincite.ingest.raw_page import Word

NEXT = 4  # a letter drawn twice comes again within so many letters, or with its whole word
LETTER_OFF = 0.4, 0.3
"""It is off by less than this share of its width along the writing, of its size across. Two real ones stand a width apart."""
LIGATURE = 0.02
"""Letters that are off by no more than this share of the size are those of one glyph, "ff"; so exactly offsets are compared."""
OFTEN = 3  # where so many letters are off alike, so are narrow ones that are off as much
SPACE = 0.15  # shares of the size that part overprinted words, whose spaces pdfium does not find
OVER = 0.5  # a word lies over another with at least this share of the shorter and of the lower one
OTHER_SIZE = 1.25  # a layer of the same text may be larger by this factor
CORE, TOUCHING = 0.22, 0.1
"""Shares of the size: what is off a word's box above and below its small letters, and how far words may run into each other."""
LARGER, BRIGHTER = 1.5, 0.25
"""A stamp is larger than the text that it crosses by this factor, or brighter by this share of full light."""
STAMPED = 0.2  # a style is a stamp if this share of its words crosses others; formulas touch less
SLANTED = 5  # degrees off most of the page from which text is slanted; scans vary by less
MOST_PAIRS = 4_000_000  # of words of one height that are compared; a drawing has more

Pair: TypeAlias = tuple[int, int]


def drawn_once(letters: Letters) -> Letters:
    """The letters without those that are drawn again where they stand, right after the first time or some letters later."""
    again = _mark_overprinted(letters)
    if not again.any():
        return letters
    kept = letters.only(~again)
    gap = np.concatenate([[0], kept.start[1:] - kept.end[:-1]])
    fewer = np.cumsum(again)[~again]
    parted = (np.diff(fewer, prepend=0) > 0) & (gap > SPACE * kept.size)
    return replace(kept, index=kept.index - fewer + np.cumsum(parted))


def _mark_overprinted(letters: Letters) -> Marks:
    codes, angle = letters.codes, letters.angle
    steps = (
        (at, at + step)
        for step in range(1, NEXT + 1)
        for at in [np.flatnonzero(codes[step:] == codes[:-step])]
    )
    first, second = map(np.concatenate, zip(*steps, strict=True))
    level = (angle[first] == angle[second]) & (angle[first] % 90 == 0)
    first, second = first[level], second[level]
    size = letters.size[first]
    along = (letters.start[second] - letters.start[first]) / size
    across = (letters.base[second] - letters.base[first]) / size
    width = (letters.end - letters.start)[first] / size
    near = (np.abs(along) < LETTER_OFF[0] * width) & (np.abs(across) < LETTER_OFF[1])
    near &= np.maximum(np.abs(along), np.abs(across)) > LIGATURE
    again = np.zeros(codes.size, dtype=np.bool_)
    if near.any():
        offset = np.rint(along / LIGATURE) + 1j * np.rint(across / LIGATURE)
        common, count = np.unique(offset[near], return_counts=True)
        again[second[near | np.isin(offset, common[count >= OFTEN])]] = True
    return again


def drawn_over(words: Sequence[Word], colours: Callable[[], Sequence[Colour]]) -> set[int]:
    """The places of those words, in the order of the content stream, that are drawn again or are stamps.

    `colours` tells the colour of each.
    """
    crossing = _find_crossing(words)
    found = _find_repeated(words, crossing) | _find_slanted(words)
    crossing = [pair for pair in crossing if found.isdisjoint(pair)]
    return found | _find_stamps(words, crossing, colours()) if crossing else found


def _find_crossing(words: Sequence[Word]) -> list[Pair]:
    """The pairs of words, by their place, whose letters lie over each other; of each pair the one drawn first comes first."""
    boxes = np.array([word.box for word in words]).reshape(-1, 4)
    size = np.array([word.size for word in words])
    angle = np.array([word.angle for word in words], dtype=np.int64)[:, None] % 180
    across = CORE * size[:, None] * np.where(angle == 0, (0, 1), (1, 0))
    length = np.array([len(word.text) for word in words])[:, None]
    middle = (boxes[:, 2:] - boxes[:, :2]) * (length - 1) / (2 * length)
    inset = np.where(angle % 90 == 0, across, middle)  # of a slanted word its middle letter
    order = np.argsort(boxes[:, 1] + inset[:, 1], kind="stable")
    size = size[order]
    (x0, top), (x1, bottom) = (boxes[:, :2] + inset)[order].T, (boxes[:, 2:] - inset)[order].T
    following = np.arange(1, order.size + 1)
    count = np.maximum(np.searchsorted(top, bottom) - following, 0)
    if count.sum() > MOST_PAIRS:
        return []
    one, other = spread(following, count)
    wide = np.minimum(x1[one], x1[other]) - np.maximum(x0[one], x0[other])
    near = wide > TOUCHING * np.minimum(size[one], size[other])
    one, other = one[near], other[near]
    high = np.minimum(bottom[one], bottom[other]) - top[other]
    over = high >= OVER * np.minimum((bottom - top)[one], (bottom - top)[other])
    places = (order[one[over]].tolist(), order[other[over]].tolist())
    return [(min(pair), max(pair)) for pair in zip(*places, strict=True)]


def _find_repeated(words: Sequence[Word], crossing: Iterable[Pair]) -> set[int]:
    """The words drawn a second time over the first, with those beside them: letters of another font drift off along a line."""
    again: set[int] = set()
    for first, second in crossing:
        if not _lies_over(words[first], words[second]):
            continue
        again.add(second)
        for step in (-1, 1):
            one, other = first + step, second + step
            while 0 <= one < second and first < other < len(words) and not again & {one, other}:
                # the same again, each on the line of the one before it
                level = _is_level(words[one - step], words[one])
                level = level and _is_level(words[other - step], words[other])
                if not level or not _is_same(words[one], words[other]):
                    break
                again.add(other)
                one, other = one + step, other + step
    return again


def _lies_over(first: Word, second: Word) -> bool:
    """Whether two words that cross are one and the same, drawn twice."""
    (a, b, c, d), (e, f, g, h) = first.box, second.box
    wide, high = min(c, g) - max(a, e), min(d, h) - max(b, f)
    over = wide >= OVER * min(c - a, g - e) and high >= OVER * min(d - b, h - f)
    return over and _is_same(first, second)


def _is_same(first: Word, second: Word) -> bool:
    same = first.text == second.text and first.angle == second.angle
    return same and max(first.size, second.size) <= OTHER_SIZE * min(first.size, second.size)


def _is_level(word: Word, other: Word) -> bool:
    return abs(word.box[3] - other.box[3]) <= CORE * max(word.size, other.size)


def _find_slanted(words: Sequence[Word]) -> set[int]:
    """The words of stamps that are told by their size and slant, whether they cross others or not."""
    if len({word.angle for word in words}) < 2:
        return set()
    letters = Counter[tuple[int, float]]()
    for word in words:
        letters[word.angle, word.size] += len(word.text)
    ((angle, size), _), *_ = letters.most_common(1)
    return {
        at
        for at, word in enumerate(words)
        if word.size >= LARGER * size and abs((word.angle - angle + 45) % 90 - 45) > SLANTED
    }


def _find_stamps(
    words: Sequence[Word], crossing: Iterable[Pair], colours: Sequence[Colour]
) -> set[int]:
    """The words in the styles of those that lie over or behind others and are larger or brighter."""
    brightness = [max(colour) for colour in colours]
    crossed: set[int] = set()
    for pair in crossing:
        small, large = sorted(pair, key=lambda at: words[at].size)
        dark, bright = sorted(pair, key=lambda at: brightness[at])
        if words[large].size >= LARGER * words[small].size:
            crossed.add(large)
        elif brightness[bright] - brightness[dark] >= BRIGHTER:
            crossed.add(bright)
    styles = [(word.size, word.angle, colour) for word, colour in zip(words, colours, strict=True)]
    texts = {styles[at]: (set[str](), set[str]()) for at in crossed}
    for at, word in enumerate(words):
        if styles[at] in texts:
            texts[styles[at]][at in crossed].add(word.text)
    stamps = {
        style for style, (free, over) in texts.items() if len(over) > STAMPED * len(free | over)
    }
    return {at for at, style in enumerate(styles) if style in stamps}
