"""Ruling lines of a page: short pieces joined, thin boxes made into level and upright lines."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.ingest.layout.consecutive import consecutive
from pincite.types import Box

Level = tuple[float, float, float]
"""y, x0, x1 of a level rule."""
Upright = tuple[float, float, float]
"""x, top, bottom of an upright rule."""

THIN = 4.0
JOIN = 3.5
"""Pieces of one line that are at most this many points apart are one rule: dashes, dots, cell by cell borders."""
SAME = 1.6
"""Pieces whose places differ by at most this many points are of one line."""
SHORTEST = 9.0


def ruling(rules: Iterable[Box]) -> tuple[list[Level], list[Upright]]:
    """The level rules (y, x0, x1) from top to bottom and the upright ones (x, top, bottom) from left to right."""
    level: list[Level] = []
    upright: list[Upright] = []
    for x0, top, x1, bottom in rules:
        if bottom - top <= THIN and x1 - x0 > bottom - top:
            level.append(((top + bottom) / 2, x0, x1))
        elif x1 - x0 <= THIN:
            upright.append(((x0 + x1) / 2, top, bottom))
    return _joined(level, SHORTEST), _joined(upright, 0.7 * SHORTEST)


def ruled(level: Iterable[Level], top: float, bottom: float, left: float, right: float) -> bool:
    """Whether a rule is drawn between two heights, over or under some of what stands between `left` and `right`."""
    return any(top < y < bottom and x0 < right and x1 > left for y, x0, x1 in level)


def _joined(
    pieces: list[tuple[float, float, float]], shortest: float
) -> list[tuple[float, float, float]]:
    """Pieces at about the same place joined where they touch."""
    found: list[tuple[float, float, float]] = []
    for group in consecutive(sorted(pieces), lambda group, piece: piece[0] - group[0][0] <= SAME):
        place = sum(piece[0] for piece in group) / len(group)
        found += [(place, start, end) for start, end in _covered(group) if end - start >= shortest]
    return found


def _covered(pieces: Iterable[tuple[float, float, float]]) -> list[tuple[float, float]]:
    """The stretches that pieces of one line cover, where they touch as one."""
    covered: list[tuple[float, float]] = []
    for _, low, high in sorted(pieces, key=lambda piece: piece[1]):
        if covered and low - covered[-1][1] <= JOIN:
            covered[-1] = covered[-1][0], max(covered[-1][1], high)
        else:
            covered.append((low, high))
    return covered
