"""Letters of a PDF page that are struck out: a thin line through their middle, from the first of them to the last."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence

import numpy as np

from pincite.ingest.pdf.letters import Integers, Letters, Marks, places, spread
from pincite.ingest.pdf.pdfium import PDFIUM, Floats, Frame
from pincite.types import Box

LOWEST, HIGHEST = 0.15, 0.42
"""How far above the baseline such a line runs, in shares of the size: underlines are lower, bars over letters are higher."""
THICKEST = 0.3  # the same of its thickness; pdfium tells drawn lines twice as thick as they are
BEYOND = 0.5  # the same of its ends beyond the letters: rules of tables and titles go on farther
COVERED = 0.5  # share of such a line that runs through letters; an axis runs between its labels
MOST_STROKES = 2_000  # lines of a page; one that has more is a drawing

_STRIKE_OUT = 12  # the kind of annotation


def annotated(page: int, frame: Frame) -> list[Box]:
    """The lines through the middle of what StrikeOut annotations of a loaded page mark."""
    marked = np.array(list(_marked_corners(page))).reshape(-1, 4, 2)
    boxes = frame.boxes(*marked.min(axis=1).T, *marked.max(axis=1).T) if marked.size else marked
    return [(x0, (top + bottom) / 2, x1, (top + bottom) / 2) for x0, top, x1, bottom in boxes]


def _marked_corners(page: int) -> Iterator[list[float]]:
    """The corners of what each StrikeOut annotation marks, four for every line of text."""
    corners = (ctypes.c_float * 8)()
    for at in range(PDFIUM.FPDFPage_GetAnnotCount(page)):
        if not (annotation := PDFIUM.FPDFPage_GetAnnot(page, at)):
            continue
        if PDFIUM.FPDFAnnot_GetSubtype(annotation) == _STRIKE_OUT:
            for line in range(PDFIUM.FPDFAnnot_CountAttachmentPoints(annotation)):
                PDFIUM.FPDFAnnot_GetAttachmentPoints(annotation, line, ctypes.addressof(corners))
                yield list(corners)
        PDFIUM.FPDFPage_CloseAnnot(annotation)


def struck(letters: Letters, strokes: Sequence[Box]) -> Marks:
    """Which letters thin lines strike out; in each direction of writing those lines that run along it."""
    marks = np.zeros(letters.codes.size, dtype=np.bool_)
    if 0 < len(strokes) <= MOST_STROKES:
        for angle in {0, 90, 180, 270}.intersection(letters.angle.tolist()):
            own = np.flatnonzero(letters.angle == angle)
            marks[own[_find_struck(letters.only(own), np.array(strokes), angle)]] = True
    return marks


def _find_struck(letters: Letters, strokes: Floats, angle: int) -> Integers:
    """The places of struck letters among those that are written in one direction."""
    count = len(strokes)
    origins, strange = np.zeros((count, 2)), np.ones(count, dtype=np.bool_)
    start, end, low = places(strokes, np.full(count, angle), origins, strange)
    thickness = (strokes[:, 2:] - strokes[:, :2])[:, (angle // 90 + 1) % 2]
    height = low - thickness / 2
    order = np.argsort(letters.base)
    nearest = height + LOWEST * letters.size.min(), height + HIGHEST * letters.size.max()
    above, below = (np.searchsorted(letters.base[order], base) for base in nearest)
    line, at = spread(above, np.where(end - start > thickness, below - above, 0))
    at = order[at]
    size, middle = letters.size[at], (letters.start + letters.end)[at] / 2
    rise = (letters.base[at] - height[line]) / size
    hit = (LOWEST <= rise) & (rise <= HIGHEST) & (thickness[line] <= THICKEST * size)
    hit &= (start[line] <= middle) & (middle <= end[line])
    line, at = line[hit], at[hit]
    if not line.size:
        return at
    first = np.flatnonzero(np.diff(line, prepend=-1))
    line, size = line[first], np.maximum.reduceat(letters.size[at], first)
    before = np.minimum.reduceat(letters.start[at], first) - start[line]
    after = end[line] - np.maximum.reduceat(letters.end[at], first)
    covered = np.add.reduceat(letters.end[at] - letters.start[at], first)
    length = (end - start)[line]
    good = (np.maximum(before, after) <= BEYOND * size) & (covered >= COVERED * length)
    hit = np.repeat(good, np.diff(first, append=at.size))
    free = np.ones(letters.codes.size + 1, dtype=np.bool_)
    free[at[hit]] = False
    # a line shorter than the size through a part of a word is an outline of a small drawing
    joined = np.diff(letters.index, prepend=-2, append=letters.index[-1] + 2) == 1
    low, high = np.minimum.reduceat(at, first), np.maximum.reduceat(at, first) + 1
    part = joined[low] & free[low - 1] | joined[high] & free[high]
    good &= ~part | (length >= size)
    return at[np.repeat(good, np.diff(first, append=at.size))]
