"""The letters of a PDF page as pdfium tells them: which character, where, how large, in which direction."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.pdf.drawn_digits import as_drawn
from pincite.ingest.pdf.pdfium import PDFIUM, Floats, Frame
from pincite.text.lexicon import word_list

SMALLEST, LARGEST = 0.01, 14_400.0
"""Letters of another size, in points, are not seen: the largest is the side of the largest page (PDF 32000-1, annex C)."""
UNKNOWN = 0xFFFD  # what a glyph becomes whose font does not say which character it is

_SPACES = [
    *range(9, 14), 0x20, 0x85, 0xA0, 0xAD, *range(0x2000, 0x2010), *range(0x2028, 0x2030), 0x205F, 0x2060, 0x3000, 0xFEFF
]  # fmt: skip
_LINE_END_HYPHENS = (0x2, 0xFFFE)

Integers = NDArray[np.int64]
Marks = NDArray[np.bool_]
Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Styles:
    """What text objects say of all their characters, a row each: handle, size, style, direction, origin on the displayed page.

    Some programs write every character as an object of its own, so that there are as many of these as characters.
    """

    items: list[int]
    size: Floats
    bold: list[bool]
    italic: list[bool]
    angle: NDArray[np.int64]
    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The characters of a page, spaces left out, an element each, in the order of the content stream.

    `index` counts the spaces too; `which` is the row of its text object in `Styles`. `start`, `end` and `base` are in the
    direction of writing: where it begins and ends, and its baseline, which is larger further down. `strange` are those of
    fonts whose own units are not thousandths of the size.
    """

    codes: Integers
    index: Integers
    boxes: Floats
    which: Integers
    size: Floats
    strange: Marks
    angle: Integers
    start: Floats
    end: Floats
    base: Floats

    def only(self, kept: Marks | Integers) -> Letters:
        """Some of the letters."""
        return Letters(*(getattr(self, each.name)[kept] for each in fields(self)))


def letters(text: int, frame: Frame) -> tuple[Letters, Styles, str] | None:
    """The letters of a loaded text page, the styles of its text objects, and why the letters do not serve, empty where they do.

    Text outside the displayed page is left out. None where there is no text at all.
    """
    count = PDFIUM.FPDFText_CountChars(text)
    if count <= 0:
        return None
    letter = PDFIUM.FPDFText_GetUnicode
    codes = np.array([letter(text, at) for at in range(count)], dtype=np.int64)
    codes[np.isin(codes, _LINE_END_HYPHENS)] = ord("-")
    index, doubt = np.flatnonzero(~np.isin(codes, _SPACES)), as_drawn(text, codes)
    halves = (codes >= 0xD800) & (codes < 0xE000)
    controls = (codes < 32) | (codes >= 0x7F) & (codes < 0xA0)
    codes[controls | halves | (codes > 0x10FFFF)] = UNKNOWN
    if not index.size:
        return None
    boxes = _char_boxes(text, index, frame)
    styles, which = _styles(text, index, frame)
    size, strange = _sizes(boxes, styles, which)
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    shown = (x >= 0) & (x <= frame.width) & (y >= 0) & (y <= frame.height)
    shown &= np.isfinite(styles.x + styles.y)[which] & (SMALLEST <= size) & (size <= LARGEST)
    angle, origin = styles.angle[which], np.stack([styles.x[which], styles.y[which]], axis=1)
    along = places(boxes, angle, origin, strange)
    found = Letters(codes[index], index, boxes, which, size, strange, angle, *along)
    return found.only(shown), styles, doubt


def _char_boxes(text: int, kept: Integers, frame: Frame) -> Floats:
    call = PDFIUM.FPDFText_GetLooseCharBox
    raw = np.zeros((kept.size, 4), dtype=np.float32)
    base = raw.ctypes.data
    for at, index in enumerate(kept.tolist()):
        call(text, index, base + 16 * at)
    left, top, right, bottom = raw.astype(np.float64).T
    return frame.boxes(left, bottom, right, top)


def _styles(text: int, kept: Integers, frame: Frame) -> tuple[Styles, Integers]:
    """The styles of the text objects, and for each kept character which of them is its own."""
    matrices = np.zeros((kept.size, 6), dtype=np.float32)
    base, last = matrices.ctypes.data, -1
    fonts: dict[int, tuple[bool, bool]] = {}
    items: list[int] = []
    styles: list[tuple[bool, bool]] = []
    sizes: list[float] = []
    which: list[int] = []
    for index in kept.tolist():
        item = PDFIUM.FPDFText_GetTextObject(text, index) or 0
        if item != last:
            last = item
            PDFIUM.FPDFText_GetMatrix(text, index, base + 24 * len(items))
            items.append(item)
            sizes.append(PDFIUM.FPDFText_GetFontSize(text, index))
            font = (PDFIUM.FPDFTextObj_GetFont(item) if item else 0) or 0
            if font not in fonts:
                fonts[font] = _font_style(font)
            styles.append(fonts[font])
        which.append(len(items) - 1)
    count = len(items)
    a, b, c, d, e, f = matrices[:count].astype(np.float64).T
    along = np.hypot(a, b)
    written = along > 0
    across = np.divide(np.abs(a * d - b * c), along, out=np.zeros(count), where=written)
    angle = np.where(written, np.rint(np.degrees(np.arctan2(b, a))) - 90 * frame.rotation, 0) % 360
    x, y = frame.points(e, f)
    bold, italic = (list(marks) for marks in zip(*styles, strict=True))
    size = np.abs(sizes) * across
    made = Styles(items, size, bold, italic, angle.astype(np.int64), x, y)
    return made, np.array(which, dtype=np.int64)


def _sizes(boxes: Floats, styles: Styles, which: Integers) -> tuple[Floats, Marks]:
    """The size of each character, and which are of fonts whose own units are not thousandths of the size."""
    size, angle = styles.size[which], styles.angle[which]
    height = np.where(angle % 180 == 90, boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    strange = (size < 0.4 * height) | (size > 3 * height)
    return np.where(strange & (height > 0), height, size), strange


def places(
    boxes: Floats, angle: Integers, origin: Floats, strange: Marks
) -> tuple[Floats, Floats, Floats]:
    """Start, end and baseline of each box in the direction of its writing (larger baseline is further down)."""
    x0, top, x1, bottom = boxes.T
    turns = [angle == 90, angle == 180, angle == 270]
    start = np.select(turns, [-bottom, -x1, top], x0)
    end = np.select(turns, [-top, -x0, bottom], x1)
    base = np.select(turns, [origin[:, 0], -origin[:, 1], -origin[:, 0]], origin[:, 1])
    low = np.select(turns, [x1, -top, -x0], bottom)
    return start, end, np.where(strange, low, base)


def _font_style(font: int) -> tuple[bool, bool]:
    """Whether a font is bold and whether italic, by its name, its flags (PDF 32000-1, table 123) and its weight."""
    if not font:
        return False, False
    buffer = ctypes.create_string_buffer(256)
    PDFIUM.FPDFFont_GetBaseFontName(font, ctypes.addressof(buffer), 256)
    name = buffer.value.decode("utf-8", "replace").lower()
    flags = max(PDFIUM.FPDFFont_GetFlags(font), 0)
    bold = any(mark in name for mark in word_list("ingest", "bold fonts"))
    italic = any(mark in name for mark in word_list("ingest", "italic fonts"))
    heavy = bool(flags & 1 << 18) or PDFIUM.FPDFFont_GetWeight(font) >= 700
    return bold or heavy, italic or bool(flags & 1 << 6)


def colours(items: Iterable[int]) -> list[Colour]:
    """The colour of each text object as it shows on white paper: red, green and blue from 0 to 1."""
    told = (ctypes.c_uint * 4)()
    addresses = [ctypes.addressof(told) + 4 * at for at in range(4)]
    found: list[Colour] = []
    for item in items:
        told[:] = [0, 0, 0, 255]
        PDFIUM.FPDFPageObj_GetFillColor(item, *addresses)
        red, green, blue, opacity = (value / 255 for value in told)
        white = 1 - opacity
        found.append((white + opacity * red, white + opacity * green, white + opacity * blue))
    return found


def spread(first: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Pairs of each row's number with `count` places from its `first` on, one row after the other."""
    row = np.repeat(np.arange(count.size), count)
    return row, np.arange(row.size) - np.repeat(np.cumsum(count) - count - first, count)
