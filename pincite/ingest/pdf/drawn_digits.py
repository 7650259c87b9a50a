"""The digits of a PDF page as their fonts draw them, read off the outlines of the glyphs.

A font with a wrong map from glyphs to characters may tell a 3 where the page shows an 8 while all its letters are right. Such
digits are put right where their shapes are clear. A glyph is read by a logistic regression over its ink in a coarse grid
(`scripts/fit_digits.py`), once for all pages.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.pdf.pdfium import PDFIUM, Floats

GRID = 8  # cells to a side of the grid that a glyph's box is stretched over
CERTAIN = 0.9
"""A shape is a digit that has at least this chance: of 12,304 digits of ordinary reports, none had it for another."""
DOUBTED = 0.05
"""A digit that has a smaller chance by its shape is not believed; in ordinary reports the smallest was above .6."""
CONTRADICTION = "its text layer tells other digits than the page shows"

_ZERO = ord("0")
_OTHER = 10
_SAMPLES = 4
_MOST_SEGMENTS = 1_000
_NO_CHARACTER = 0xFFFF
_BEZIER, _MOVE = 1, 2
_STEPS = np.linspace(0.25, 1.0, 4)[:, None]
_CURVE = np.hstack([(1 - _STEPS) ** 3, 3 * (1 - _STEPS) ** 2 * _STEPS, 3 * (1 - _STEPS) * _STEPS**2, _STEPS**3])  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Glyph:
    """An outline of `count` segments; `mark`, some of its points, is the same on every page, its address `path` is not."""

    count: int
    mark: bytes
    path: int = field(compare=False)


def as_drawn(text: int, codes: NDArray[np.int64]) -> str:
    """Make the digits among the characters of a loaded text page those that it shows, in place.

    Where a font draws others than it tells and its shapes are not clear, its digits become 0, which is no character; the
    result then says what is wrong with the text layer, else it is empty.
    """
    why = ""
    for font, places in _group_by_font(
        text, np.flatnonzero((codes >= _ZERO) & (codes < _ZERO + 10))
    ):
        told = np.unique(codes[places]).tolist()
        drawn = _drawn_digits(font, told)
        if drawn != told:
            codes[places] = np.array(drawn)[np.searchsorted(told, codes[places])]
            why = why if all(drawn) else CONTRADICTION
    return why


def _group_by_font(text: int, digits: NDArray[np.int64]) -> list[tuple[int, list[int]]]:
    """The fonts of these characters, each with the places of its own."""
    found: dict[int, list[int]] = {}
    last = font = 0
    for at in digits.tolist():
        item = PDFIUM.FPDFText_GetTextObject(text, at) or 0
        if item != last:
            last, font = item, PDFIUM.FPDFTextObj_GetFont(item) or 0 if item else 0
        found.setdefault(font, []).append(at)
    return [(font, places) for font, places in found.items() if font]


def _drawn_digits(font: int, told: list[int]) -> list[int]:
    """The characters that a font draws for the digits that it tells; zeros where it draws others that are not clear."""
    drawn = []
    for character in told:
        glyph = _glyph(font, character)
        chances = _chances(glyph) if glyph else ()
        if not chances or chances[character - _ZERO] >= DOUBTED:
            drawn.append(character)
            continue
        best = chances.index(max(chances))
        if best == _OTHER or glyph == _glyph(font, _NO_CHARACTER):
            return told
        drawn.append(best + _ZERO if chances[best] >= CERTAIN else 0)
    clear = all(drawn) and len(set(drawn)) == len(drawn)
    return drawn if clear else [0] * len(drawn)


def _glyph(font: int, character: int) -> _Glyph | None:
    """What a font draws for a character; None where it has no outline, as in fonts of pictures, or an endless one."""
    path = PDFIUM.FPDFFont_GetGlyphPath(font, character, 1.0)
    count = PDFIUM.FPDFGlyphPath_CountGlyphSegments(path) if path else 0
    if not 2 < count < _MOST_SEGMENTS:
        return None
    points, _ = _segments(path, (0, count // 3, count // 2))
    return _Glyph(count, points.tobytes(), path)


def _segments(path: int, which: range | tuple[int, ...]) -> tuple[Floats, list[int]]:
    """Points and kinds of the segments of an outline, in shares of the font's size."""
    points = np.zeros((len(which), 2), dtype=np.float32)
    kinds, base = [], points.ctypes.data
    for row, at in enumerate(which):
        segment = PDFIUM.FPDFGlyphPath_GetGlyphPathSegment(path, at)
        PDFIUM.FPDFPathSegment_GetPoint(segment, base + 8 * row, base + 8 * row + 4)
        kinds.append(PDFIUM.FPDFPathSegment_GetType(segment))
    return points.astype(np.float64), kinds


@lru_cache(maxsize=4096)
def _chances(glyph: _Glyph) -> tuple[float, ...]:
    """How likely a glyph is each of the ten digits, or none of them."""
    ink, aspect = _ink(_edges(*_segments(glyph.path, range(glyph.count))))
    scores = _weights() @ features(ink, aspect)
    chances = np.exp(scores - scores.max())
    return tuple((chances / chances.sum()).tolist())


def features(ink: Floats, aspect: float) -> Floats:
    """What a glyph is read by: the ink in the cells from the top left, thin or bold alike, and the width over the height."""
    wide = float(np.log(aspect))
    return np.array([*ink.ravel() / max(float(ink.mean()), 1e-6), wide, wide * wide, 1.0])


@lru_cache(maxsize=1)
def _weights() -> Floats:
    """A row for each digit and one for other shapes, a column for each feature."""
    data = json.loads((files("pincite") / "data" / "digits.json").read_text(encoding="utf-8"))
    return np.array(data, dtype=np.float64) / 100


def _edges(points: Floats, kinds: list[int]) -> Floats:
    """The edges of an outline with its curves made straight, rows x0, y0, x1, y1; every contour is closed."""
    contours: list[list[Floats]] = []
    at = 0
    while at < len(kinds):
        if kinds[at] == _MOVE or not contours:
            contours.append([points[at : at + 1]])
        elif kinds[at] == _BEZIER:
            control = np.concatenate([contours[-1][-1][-1:], points[at : at + 3]])
            contours[-1].append(_CURVE[:, : len(control)] @ control)
            at += 2
        else:
            contours[-1].append(points[at : at + 1])
        at += 1
    rings = [np.concatenate(contour) for contour in contours]
    return np.concatenate([np.hstack([ring, np.roll(ring, -1, axis=0)]) for ring in rings])


def _ink(edges: Floats) -> tuple[Floats, float]:
    """The share of each cell that an outline fills (nonzero winding) when its box is stretched over the grid, and its aspect."""
    ends = edges.reshape(-1, 2)
    low = ends.min(axis=0)
    size = np.maximum(ends.max(axis=0) - low, 1e-6)
    lines = GRID * _SAMPLES
    x0, y0, x1, y1 = ((ends - low) / size * lines).reshape(-1, 4).T
    middle = np.arange(lines)[:, None] + 0.5
    up, down = (y0 <= middle) & (middle < y1), (y1 <= middle) & (middle < y0)
    row, edge = np.nonzero(up | down)
    x = x0[edge] + (row + 0.5 - y0[edge]) / (y1[edge] - y0[edge]) * (x1[edge] - x0[edge])
    winding = np.zeros((lines, lines + 1))
    column = np.clip(np.ceil(x - 0.5), 0, lines).astype(np.int64)
    np.add.at(winding, (row, column), np.where(up[row, edge], 1, -1))
    filled = np.cumsum(winding, axis=1)[::-1, :lines] != 0
    cells = filled.reshape(GRID, _SAMPLES, GRID, _SAMPLES).mean(axis=(1, 3))
    return cells, float(size[0] / size[1])
