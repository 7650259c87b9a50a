"""Ruled tables: rules that cross make a lattice, and faces of it that no rule parts make merged cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.tables.rules import Ruling

TOUCH = 3.0  # rules that miss each other by no more than this many points cross
SAME = 3.5  # lattice lines nearer than this are one, as in double rules
MOST_RULES = 1500  # a page with more rules than this holds a drawing
MOST_COLUMNS, MOST_ROWS = (
    80,
    300,
)  # of a table; a grid of more is the paper that a chart is drawn on
COVERED = 0.6  # share of a side of a cell that rules run along, where it is closed
BEYOND = 8.0  # points beyond the outermost rule from which on what crosses it ends at an open side

Floats = NDArray[np.float64]
Marks = NDArray[np.bool_]


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


def lattices(ruling: Ruling) -> list[Lattice]:
    """The lattices of at least two cells that the rules of a page make, from top to bottom."""
    level, upright = np.array(ruling.level), np.array(ruling.upright)
    if len(level) < 2 or not len(upright) or max(len(level), len(upright)) > MOST_RULES:
        return []
    y, x0, x1 = level.T[:, :, None]
    x, top, bottom = upright.T[:, None, :]
    cross = (x >= x0 - TOUCH) & (x <= x1 + TOUCH) & (y >= top - TOUCH) & (y <= bottom + TOUCH)
    made = (_lattice(level[rows], upright[columns]) for rows, columns in _components(cross))
    found = [lattice for lattice in made if lattice is not None]
    return sorted(found, key=lambda lattice: lattice.ys[0])


def _components(cross: Marks) -> Iterator[tuple[Marks, Marks]]:
    """Connected groups of level and upright rules; a single rule with what crosses it is none."""
    seen: Marks = np.zeros(len(cross), bool)
    for start in range(len(cross)):
        if seen[start]:
            continue
        level: Marks = np.arange(len(cross)) == start
        while True:
            upright: Marks = np.any(cross[level], axis=0)
            reached: Marks = np.any(cross[:, upright], axis=1) | level
            if (reached == level).all():
                break
            level = reached
        seen |= level
        if level.sum() >= 2:
            yield level, upright


def _places(rules: Floats, crossing: Floats) -> list[float]:
    """Where some rules stand, and where those that cross them end if that is beyond the outermost."""
    groups = consecutive(sorted(rules[:, 0].tolist()), lambda group, one: one - group[-1] <= SAME)
    places = [sum(group) / len(group) for group in groups]
    start, end = float(crossing[:, 1].min()), float(crossing[:, 2].max())
    before = [start] if start < places[0] - BEYOND else []
    return before + places + ([end] if end > places[-1] + BEYOND else [])


def _lattice(level: Floats, upright: Floats) -> Lattice | None:
    xs, ys = _places(upright, level), _places(level, upright)
    width, height = len(xs) - 1, len(ys) - 1
    few = width < 1 or height < 1 or width * height < 2
    if few or width > MOST_COLUMNS or height > MOST_ROWS:
        return None
    x, y = np.array(xs), np.array(ys)
    return Lattice(
        tuple(xs), tuple(ys), tuple(_faces(_edges(level, y, x), _edges(upright, x, y).T))
    )


def _edges(rules: Floats, places: Floats, marks: Floats) -> Marks:
    """For each place and each interval between marks, whether the rules at that place cover the interval."""
    low, high = marks[:-1], marks[1:]
    cover = np.zeros((len(places), len(low)))
    which = np.abs(places[:, None] - rules[:, 0][None, :]).argmin(axis=0)
    for place, (_, start, end) in zip(which.tolist(), rules.tolist(), strict=True):
        share = (np.minimum(end, high) - np.maximum(start, low)) / (high - low)
        cover[place] = np.maximum(cover[place], share)
    covered: Marks = cover >= COVERED
    return covered


def _faces(above: Marks, before: Marks) -> list[Face]:
    """Largest rectangles of faces without a rule inside, taken from the top left.

    `above` marks the faces along whose top a rule runs, with one more row for the bottom; `before` those along whose left one
    does, with one more column for the right.
    """
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
