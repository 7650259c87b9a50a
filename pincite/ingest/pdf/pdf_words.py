"""The words of a PDF page: characters of the text layer, grouped by space, gap, baseline and direction."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.pdf.pdfium import PDFIUM, Floats, Frame
from pincite.ingest.raw_page import Word
from pincite.lexicon import word_list

WORD_GAP = 0.3
"""A gap wider than this share of the font size parts two words even where the file has no space."""
RAISED = 0.12
"""A baseline that is off by more than this share of the font size is another one."""
ASCENT, DESCENT = 0.75, 0.21
"""A word's box reaches from the descender to the ascender line of its size: one height for all words of a line."""
FRACTION = "\u2044"
"""What is raised before this sign is a numerator."""
SMALLEST, LARGEST = 0.01, 14_400.0
"""Letters of another size, in points, are not seen: the largest is the side of the largest page (PDF 32000-1, annex C)."""
UNKNOWN = 0xFFFD
"""What a glyph becomes whose font does not say which character it is."""

_SPACES = [
    *range(9, 14), 0x20, 0x85, 0xA0, 0xAD, *range(0x2000, 0x2010), *range(0x2028, 0x2030), 0x205F, 0x2060, 0x3000, 0xFEFF
]  # fmt: skip
_LINE_END_HYPHENS = (0x2, 0xFFFE)


@dataclass(frozen=True, slots=True, eq=False)
class _Styles:
    """What the text objects say of all their characters, a row each: size, style, direction, origin on the displayed page.

    Some programs write every character as an object of its own, so that there are as many of these as characters.
    """

    size: Floats
    bold: list[bool]
    italic: list[bool]
    angle: NDArray[np.int64]
    x: Floats
    y: Floats


def words(page: int, frame: Frame) -> tuple[Word, ...]:
    """The words of a loaded page in the order of its content stream; text outside the displayed page is left out."""
    text = PDFIUM.FPDFText_LoadPage(page)
    if not text:
        return ()
    try:
        count = PDFIUM.FPDFText_CountChars(text)
        if count <= 0:
            return ()
        letter = PDFIUM.FPDFText_GetUnicode
        codes = np.array([letter(text, at) for at in range(count)], dtype=np.int64)
        codes[np.isin(codes, _LINE_END_HYPHENS)] = ord("-")
        kept = np.flatnonzero(~np.isin(codes, _SPACES))
        codes[(codes < 32) | (codes >= 0x7F) & (codes < 0xA0) | (codes > 0x10FFFF)] = UNKNOWN
        codes[(codes >= 0xD800) & (codes < 0xE000)] = UNKNOWN
        if not kept.size:
            return ()
        boxes = _char_boxes(text, kept, frame)
        styles, which = _styles(text, kept, frame)
        size, strange = _sizes(boxes, styles, which)
        shown = _inside(boxes, frame) & np.isfinite(styles.x + styles.y)[which]
        shown &= (SMALLEST <= size) & (size <= LARGEST)
        codes, kept, boxes = codes[kept][shown], kept[shown], boxes[shown]
        return _grouped(codes, kept, boxes, styles, which[shown], size[shown], strange[shown])
    finally:
        PDFIUM.FPDFText_ClosePage(text)


def _char_boxes(text: int, kept: NDArray[np.int64], frame: Frame) -> Floats:
    call = PDFIUM.FPDFText_GetLooseCharBox
    raw = np.zeros((kept.size, 4), dtype=np.float32)
    base = raw.ctypes.data
    for at, index in enumerate(kept.tolist()):
        call(text, index, base + 16 * at)
    left, top, right, bottom = raw.astype(np.float64).T
    return frame.boxes(left, bottom, right, top)


def _inside(boxes: Floats, frame: Frame) -> NDArray[np.bool_]:
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside: NDArray[np.bool_] = (x >= 0) & (x <= frame.width) & (y >= 0) & (y <= frame.height)
    return inside


def _styles(text: int, kept: NDArray[np.int64], frame: Frame) -> tuple[_Styles, NDArray[np.int64]]:
    """The styles of the text objects, and for each kept character which of them is its own."""
    matrices = np.zeros((kept.size, 6), dtype=np.float32)
    base, count, last = matrices.ctypes.data, 0, -1
    fonts: dict[int, tuple[bool, bool]] = {}
    styles: list[tuple[bool, bool]] = []
    sizes: list[float] = []
    which: list[int] = []
    for index in kept.tolist():
        item = PDFIUM.FPDFText_GetTextObject(text, index) or 0
        if item != last:
            last = item
            PDFIUM.FPDFText_GetMatrix(text, index, base + 24 * count)
            count += 1
            sizes.append(PDFIUM.FPDFText_GetFontSize(text, index))
            font = (PDFIUM.FPDFTextObj_GetFont(item) if item else 0) or 0
            style = fonts.get(font)
            if style is None:
                style = fonts[font] = _font_style(font)
            styles.append(style)
        which.append(count - 1)
    a, b, c, d, e, f = matrices[:count].astype(np.float64).T
    along = np.hypot(a, b)
    written = along > 0
    across = np.divide(np.abs(a * d - b * c), along, out=np.zeros(count), where=written)
    angle = np.where(written, np.rint(np.degrees(np.arctan2(b, a))) - 90 * frame.rotation, 0) % 360
    x, y = frame.points(e, f)
    bold, italic = (list(marks) for marks in zip(*styles, strict=True))
    return _Styles(np.abs(sizes) * across, bold, italic, angle.astype(np.int64), x, y), np.array(
        which, dtype=np.int64
    )


def _sizes(
    boxes: Floats, styles: _Styles, which: NDArray[np.int64]
) -> tuple[Floats, NDArray[np.bool_]]:
    """The size of each character, and which are of fonts whose own units are not thousandths of the size."""
    size, angle = styles.size[which], styles.angle[which]
    height = np.where(angle % 180 == 90, boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    strange = (size < 0.4 * height) | (size > 3 * height)
    return np.where(strange & (height > 0), height, size), strange


def _font_style(font: int) -> tuple[bool, bool]:
    """Whether a font is bold and whether italic, by its name, its flags (PDF 32000-1, table 123) and its weight."""
    if not font:
        return False, False
    buffer = ctypes.create_string_buffer(256)
    PDFIUM.FPDFFont_GetBaseFontName(font, ctypes.addressof(buffer), 256)
    name = buffer.value.decode("utf-8", "replace").lower()
    flags = PDFIUM.FPDFFont_GetFlags(font)
    flags = max(flags, 0)
    bold = any(mark in name for mark in word_list("ingest", "bold fonts"))
    italic = any(mark in name for mark in word_list("ingest", "italic fonts"))
    heavy = bool(flags & 1 << 18) or PDFIUM.FPDFFont_GetWeight(font) >= 700
    return bold or heavy, italic or bool(flags & 1 << 6)


def _grouped(
    codes: NDArray[np.int64],
    index: NDArray[np.int64],
    boxes: Floats,
    styles: _Styles,
    which: NDArray[np.int64],
    size: Floats,
    strange: NDArray[np.bool_],
) -> tuple[Word, ...]:
    if not codes.size:
        return ()
    angle = styles.angle[which]
    origin = np.stack([styles.x[which], styles.y[which]], axis=1)
    start, end, base = _along(boxes, angle, origin, strange)
    rise = base[:-1] - base[1:]
    bigger = np.maximum(size[:-1], size[1:])
    smaller = np.minimum(size[:-1], size[1:])
    gap = np.maximum(start[1:] - end[:-1], start[:-1] - end[1:])
    lowered = (rise < 0) & (size[1:] < 0.9 * size[:-1]) | (rise > 0) & (size[:-1] < 0.9 * size[1:])
    parted = (np.diff(index) > 1) | (np.diff(angle) != 0) | (gap > WORD_GAP * smaller)
    parted |= np.abs(rise) > np.where(lowered, 0.4, RAISED) * bigger
    first = np.concatenate([[0], np.flatnonzero(parted) + 1])
    last = np.concatenate([first[1:], [codes.size]])
    spans = _word_boxes(first, boxes, angle, size, base, strange)
    raised = _raised(start[first], end[last - 1], base[first], size[first], angle[first])
    letters = "".join(map(chr, codes.tolist()))
    told = (first, last, size[first], which[first], angle[first])
    rows = zip(*(each.tolist() for each in told), map(tuple, spans.tolist()), raised, strict=True)
    found: list[Word] = []
    for a, b, points, style, turn, box, up in rows:
        look = (round(points, 2), styles.bold[style], styles.italic[style], turn)
        found.append(Word(letters[a:b], box, *look, up and letters[b : b + 1] != FRACTION))
    return tuple(found)


def _along(
    boxes: Floats, angle: NDArray[np.int64], origin: Floats, strange: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Start, end and baseline of each character in the direction of its writing (larger baseline is further down)."""
    x0, top, x1, bottom = boxes.T
    turns = [angle == 90, angle == 180, angle == 270]
    start = np.select(turns, [-bottom, -x1, top], x0)
    end = np.select(turns, [-top, -x0, bottom], x1)
    base = np.select(turns, [origin[:, 0], -origin[:, 1], -origin[:, 0]], origin[:, 1])
    low = np.select(turns, [x1, -top, -x0], bottom)
    return start, end, np.where(strange, low, base)


def _word_boxes(
    first: NDArray[np.int64],
    boxes: Floats,
    angle: NDArray[np.int64],
    size: Floats,
    base: Floats,
    strange: NDArray[np.bool_],
) -> Floats:
    """The boxes of the words: along the writing those of the characters, across it from descender to ascender."""
    low = np.minimum.reduceat(boxes[:, :2], first)
    high = np.maximum.reduceat(boxes[:, 2:], first)
    spans = np.concatenate([low, high], axis=1)
    turn = angle[first]
    up, down = base[first] - ASCENT * size[first], base[first] + DESCENT * size[first]
    plain = ~strange[first]
    for direction in (0, 90, 180, 270):
        near, far = (up, down) if direction < 180 else (-down, -up)
        chosen, across = plain & (turn == direction), 1 - direction % 180 // 90
        spans[chosen, across] = near[chosen]
        spans[chosen, across + 2] = far[chosen]
    return np.round(spans, 2)


def _raised(
    start: Floats, end: Floats, base: Floats, size: Floats, angle: NDArray[np.int64]
) -> list[bool]:
    """Which words stand raised beside a larger neighbour of the same line, as footnote marks and exponents do."""
    raised = np.zeros(start.size, dtype=np.bool_)
    if start.size > 1:
        for small, large in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            rise = (base[large] - base[small]) / np.maximum(size[large], 0.1)
            gap = np.maximum(start[small] - end[large], start[large] - end[small])
            beside = (gap < 0.7 * size[large]) & (angle[small] == angle[large])
            smaller = (size[small] < 0.85 * size[large]) & (rise > 0.15) & (rise < 0.8)
            raised[small] |= beside & smaller
    found: list[bool] = raised.tolist()
    return found
