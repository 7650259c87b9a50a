"""The drawn shapes of a PDF page: ruling lines, filled areas and pictures, out of its path and image objects."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import partial
from itertools import islice
from math import sqrt

import numpy as np

from pincite.ingest.pdf.pdfium import PDFIUM, Frame
from pincite.types import Box

THIN = 3.0  # a shape no thicker than this many points is a line, a thicker one an area
MOST_OBJECTS = 30_000  # maps and scatter plots draw more; what comes after is left out
MOST_SEGMENTS = 240  # a path of more segments is a drawing, not a grid
MOST_RULES = 200_000  # the same as MOST_OBJECTS for the lines that paths are made of

_PATH, _IMAGE, _SHADING, _FORM = 2, 3, 4, 5
_BEZIER, _MOVE = 1, 2
_DEEPEST_FORM = 6

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def shapes(page: int, frame: Frame) -> tuple[tuple[Box, ...], ...]:
    """Rules, fills, pictures and what else is drawn of a loaded page, as boxes on the displayed page and clipped to it.

    Thin lines and thin filled rectangles are rules, and so are the edges of stroked rectangles; a rectangle filled with
    anything but white is a fill.
    """
    found = _Shapes()
    for item, kind, matrix in islice(_objects(page), MOST_OBJECTS):
        if kind == _IMAGE:
            found.pictures.append(_transform(found.bounds(item), matrix))
        else:
            found.add_path(item, matrix)
        if len(found.rules) > MOST_RULES:
            break
    kinds = (found.rules, found.fills, found.pictures, found.drawn)
    return tuple(_clip_to_page(boxes, frame) for boxes in kinds)


def _objects(page: int) -> Iterator[tuple[int, int, Matrix]]:
    """The path and image objects of a page, those inside forms with the matrix of their form."""
    holders: list[tuple[int, Matrix, int]] = [(0, _IDENTITY, 0)]  # forms; 0 is the page
    while holders:
        form, matrix, depth = holders.pop()
        get, count = PDFIUM.FPDFPage_GetObject, PDFIUM.FPDFPage_CountObjects
        if form:
            get, count = PDFIUM.FPDFFormObj_GetObject, PDFIUM.FPDFFormObj_CountObjects
        holder = form or page
        for item in filter(None, map(partial(get, holder), range(count(holder)))):
            kind = PDFIUM.FPDFPageObj_GetType(item)
            if kind in (_PATH, _IMAGE):
                yield item, kind, matrix
            elif kind == _FORM and depth < _DEEPEST_FORM:
                holders.append((item, _multiply(_matrix(item), matrix), depth + 1))


def _matrix(item: int) -> Matrix:
    values = (ctypes.c_float * 6)()
    told = PDFIUM.FPDFPageObj_GetMatrix(item, ctypes.addressof(values))
    return tuple(values) if told else _IDENTITY


def _multiply(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    turned = a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j
    return *turned, e * g + f * i + k, e * h + f * j + m


def _transform(box: Box, matrix: Matrix) -> Box:
    if matrix is _IDENTITY:
        return box
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (box[0], box[2]) for y in (box[1], box[3])]
    ys = [b * x + d * y + f for x in (box[0], box[2]) for y in (box[1], box[3])]
    return min(xs), min(ys), max(xs), max(ys)


def _clip_to_page(boxes: list[Box], frame: Frame) -> tuple[Box, ...]:
    """The part of each box that the page shows; what lies outside is left out."""
    if not boxes:
        return ()
    shown = frame.boxes(*np.array(boxes, dtype=np.float64).T)
    shown[:, [0, 2]] = shown[:, [0, 2]].clip(-1, frame.width + 1)
    shown[:, [1, 3]] = shown[:, [1, 3]].clip(-1, frame.height + 1)
    size = shown[:, 2:] - shown[:, :2]
    kept = shown[np.isfinite(shown).all(axis=1) & (size.max(axis=1) > 0.5)]
    return tuple(map(tuple, np.round(kept, 2).tolist()))


class _Shapes:
    """What is drawn, in PDF space; objects are read into buffers that are reused from call to call."""

    def __init__(self) -> None:
        self.rules, self.fills, self.pictures, self.drawn = (list[Box]() for _ in range(4))
        self._floats = (ctypes.c_float * 4)()
        self._ints = (ctypes.c_uint * 4)()
        self._f = [ctypes.addressof(self._floats) + 4 * i for i in range(4)]
        self._i = [ctypes.addressof(self._ints) + 4 * i for i in range(4)]

    def bounds(self, item: int) -> Box:
        """The bounding box (left, bottom, right, top) of an object, its line width included."""
        if not PDFIUM.FPDFPageObj_GetBounds(item, *self._f):
            return 0.0, 0.0, 0.0, 0.0
        x0, y0, x1, y1 = self._floats
        return x0, y0, x1, y1

    def add_path(self, item: int, matrix: Matrix) -> None:
        """Add what a path draws."""
        self._ints[0] = self._ints[1] = 0
        PDFIUM.FPDFPath_GetDrawMode(item, self._i[0], self._i[1])
        filled, stroked = bool(self._ints[0]), bool(self._ints[1])
        if not filled and not stroked:
            return
        box = _transform(self.bounds(item), matrix)
        if min(box[2] - box[0], box[3] - box[1]) <= THIN:
            self.rules.append(box)
            return
        matrix = _multiply(_matrix(item), matrix)
        lines = self._lines(item, matrix)
        if lines is None:
            self.drawn.append(box)
            return
        if filled and len(lines) <= 5 and not self._is_white(item):
            self.fills.append(box)
        PDFIUM.FPDFPageObj_GetStrokeWidth(item, self._f[0])
        width = self._floats[0] * sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
        if stroked and width > THIN:
            self.fills.extend(_band(line, width / 2) for line in lines)
        elif stroked or len(lines) > 5:
            self.rules.extend(lines)

    def _lines(self, item: int, matrix: Matrix) -> list[Box] | None:
        """The level and upright lines of a path; None when it has slanted, curved or very many ones, as drawings have."""
        count = PDFIUM.FPDFPath_CountSegments(item)
        if count > MOST_SEGMENTS:
            return None
        a, b, c, d, e, f = matrix
        points: list[tuple[float, float, int]] = []
        for index in range(count):
            segment = PDFIUM.FPDFPath_GetPathSegment(item, index)
            kind = PDFIUM.FPDFPathSegment_GetType(segment)
            told = PDFIUM.FPDFPathSegment_GetPoint(segment, self._f[0], self._f[1])
            if kind == _BEZIER or not told:
                return None
            x, y = self._floats[0], self._floats[1]
            points.append((a * x + c * y + e, b * x + d * y + f, kind))
        return _axis_lines(points)

    def _is_white(self, item: int) -> bool:
        self._ints[3] = 255
        if not PDFIUM.FPDFPageObj_GetFillColor(item, *self._i):
            return False
        red, green, blue, opacity = self._ints
        return opacity == 0 or min(red, green, blue) >= 252


def _axis_lines(points: list[tuple[float, float, int]]) -> list[Box] | None:
    lines: list[Box] = []
    start = here = (0.0, 0.0)
    for x, y, kind in [*points, (0.0, 0.0, _MOVE)]:
        if kind == _MOVE:
            if start != here and (start[0] == here[0] or start[1] == here[1]):
                lines.append(_line(here, start))
            start = here = (x, y)
            continue
        if abs(x - here[0]) > 0.5 and abs(y - here[1]) > 0.5:
            return None
        if (x, y) != here:
            lines.append(_line(here, (x, y)))
        here = (x, y)
    return lines


def _band(line: Box, half: float) -> Box:
    """The area of a level or upright line that is drawn twice `half` wide."""
    x0, y0, x1, y1 = line
    level = x1 - x0 > y1 - y0
    return (x0, y0 - half, x1, y1 + half) if level else (x0 - half, y0, x1 + half, y1)


def _line(start: tuple[float, float], end: tuple[float, float]) -> Box:
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return x0, y0, x1, y1
