"""Ruled tables: rules that cross make a lattice, and faces of it that no rule parts make merged cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.tables.rules import Level, Upright

TOUCH = 3.0
"""Rules that miss each other by no more than this many points cross."""
SAME = 3.5
"""Lattice lines nearer than this are one, as in double rules."""
MOST_RULES = 1500
"""A page with more rules than this holds a drawing."""


@dataclass(frozen=True, slots=True)
class Face:
    """A cell of a lattice: rows and columns it covers (ends excluded)."""

    row: int
    column: int
    row_end: int
    column_end: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """Columns between `xs`, rows between `ys`, and the cells."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    faces: tuple[Face, ...]


def lattices(level: Sequence[Level], upright: Sequence[Upright]) -> list[Lattice]:
    """The lattices of at least two cells that the rules of a page make, from top to bottom."""
    if len(level) < 2 or not upright or len(level) > MOST_RULES or len(upright) > MOST_RULES:
        return []
    rows, columns = np.array(level), np.array(upright)
    y, hx0, hx1 = (rows[:, i][:, None] for i in range(3))
    x, vy0, vy1 = (columns[:, i][None, :] for i in range(3))
    cross = (x >= hx0 - TOUCH) & (x <= hx1 + TOUCH) & (y >= vy0 - TOUCH) & (y <= vy1 + TOUCH)
    found = []
    for group_h, group_v in _components(cross):
        made = _lattice(rows[group_h], columns[group_v])
        if made is not None:
            found.append(made)
    return sorted(found, key=lambda lattice: lattice.ys[0])


def _components(cross: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    """Connected groups of level and upright rules."""
    seen_h: NDArray[np.bool_] = np.zeros(cross.shape[0], bool)
    groups = []
    for start in range(cross.shape[0]):
        if seen_h[start]:
            continue
        h: NDArray[np.bool_] = np.zeros(cross.shape[0], bool)
        v: NDArray[np.bool_] = np.zeros(cross.shape[1], bool)
        h[start] = True
        while True:
            v_next = np.any(cross[h], axis=0)
            h_next: NDArray[np.bool_] = np.any(cross[:, v_next], axis=1) | h
            if (h_next == h).all() and (v_next == v).all():
                break
            h, v = h_next, v_next
        seen_h |= h
        if h.sum() >= 2 and v.any():
            groups.append((np.flatnonzero(h).tolist(), np.flatnonzero(v).tolist()))
    return groups


def _places(values: Sequence[float]) -> list[float]:
    groups = consecutive(sorted(values), lambda group, value: value - group[-1] <= SAME)
    return [sum(group) / len(group) for group in groups]


def _lattice(level: NDArray[np.float64], upright: NDArray[np.float64]) -> Lattice | None:
    xs, ys = _places(upright[:, 0].tolist()), _places(level[:, 0].tolist())
    ends_x = float(level[:, 1].min()), float(level[:, 2].max())
    ends_y = float(upright[:, 1].min()), float(upright[:, 2].max())
    open_left, open_right = ends_x[0] < xs[0] - 8, ends_x[1] > xs[-1] + 8
    open_top, open_bottom = ends_y[0] < ys[0] - 8, ends_y[1] > ys[-1] + 8
    xs = [ends_x[0]] * open_left + xs + [ends_x[1]] * open_right
    ys = [ends_y[0]] * open_top + ys + [ends_y[1]] * open_bottom
    width, height = len(xs) - 1, len(ys) - 1
    if width < 1 or height < 1 or width * height < 2 or width > 80 or height > 300:
        return None
    x, y = np.array(xs), np.array(ys)
    # above[r, c]: a rule runs along the top of face (r, c); one more row for the bottom
    above = _edges(level, y, x)
    # before[r, c]: a rule runs along its left; one more column for the right
    before = _edges(upright, x, y).T
    return Lattice(tuple(xs), tuple(ys), tuple(_faces(above, before)))


def _edges(
    rules: NDArray[np.float64], places: NDArray[np.float64], marks: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """For each place and each interval between marks, whether the rules at that place cover the interval."""
    low, high = marks[:-1], marks[1:]
    cover = np.zeros((len(places), len(low)))
    which = np.abs(places[:, None] - rules[:, 0][None, :]).argmin(axis=0)
    for place, (_, start, end) in zip(which.tolist(), rules.tolist(), strict=True):
        cover[place] = np.maximum(
            cover[place], (np.minimum(end, high) - np.maximum(start, low)) / (high - low)
        )
    covered: NDArray[np.bool_] = cover >= 0.6
    return covered


def _faces(above: NDArray[np.bool_], before: NDArray[np.bool_]) -> list[Face]:
    """Largest rectangles of faces without a rule inside, taken from the top left."""
    height, width = above.shape[0] - 1, above.shape[1]
    taken = np.zeros((height, width), bool)
    faces = []
    for row, column in np.ndindex(height, width):
        if taken[row, column]:
            continue
        right = column + 1
        while right < width and not before[row, right] and not taken[row, right]:
            right += 1
        down = row + 1
        crossed = np.any(before[:, column + 1 : right], axis=1)
        closed = np.any(above[:-1, column:right], axis=1) | crossed
        closed |= np.any(taken[:, column:right], axis=1)
        if right < width:
            closed |= ~before[:, right]
        while down < height and not closed[down]:
            down += 1
        taken[row:down, column:right] = True
        faces.append(Face(row, column, down, right))
    return faces
