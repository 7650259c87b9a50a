"""Ruling lines of a page: short pieces joined, thin boxes made into level and upright lines."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.types import Box

Level = tuple[float, float, float]
"""y, x0, x1 of a level rule."""
Upright = tuple[float, float, float]
"""x, top, bottom of an upright rule."""

THIN = 4.0
JOIN = 3.5
"""Pieces of one line that are at most this many points apart are one rule: dashes, dots, cell by cell borders."""
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


def _joined(pieces: list[tuple[float, float, float]], shortest: float) -> list[tuple[float, float, float]]:
    """Pieces at about the same place joined where they touch."""
    pieces.sort()
    groups: list[list[tuple[float, float, float]]] = []
    for piece in pieces:
        if groups and piece[0] - groups[-1][0][0] <= 1.6:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    found: list[tuple[float, float, float]] = []
    for group in groups:
        place = sum(piece[0] for piece in group) / len(group)
        start, end = None, 0.0
        for _, low, high in sorted(group, key=lambda piece: piece[1]):
            if start is None:
                start, end = low, high
            elif low - end <= JOIN:
                end = max(end, high)
            else:
                if end - start >= shortest:
                    found.append((place, start, end))
                start, end = low, high
        if start is not None and end - start >= shortest:
            found.append((place, start, end))
    return found
