"""Ruling lines of a page: short pieces joined, thin boxes made into level and upright lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.ingest.layout.consecutive import consecutive
from pincite.types import Box

Level = tuple[float, float, float]  # y, x0, x1 of a level rule
Upright = tuple[float, float, float]  # x, top, bottom of an upright rule

# all in points
THIN = 4.0  # what is thicker is an area
JOIN = 3.5  # pieces so far apart are one rule: dashes, dots, borders of cells
SAME = 1.6  # pieces whose places differ by at most so much are of one line
SHORTEST_LEVEL, SHORTEST_UPRIGHT = (
    9.0,
    6.3,
)  # shorter ones are signs: dashes, bars of letters, ticks


@dataclass(frozen=True, slots=True)
class Ruling:
    """The level rules of a page from top to bottom and the upright ones from left to right."""

    level: Sequence[Level]
    upright: Sequence[Upright]

    @classmethod
    def of(cls, rules: Iterable[Box]) -> Ruling:
        """The rules that thin boxes make."""
        level: list[Level] = []
        upright: list[Upright] = []
        for x0, top, x1, bottom in rules:
            if bottom - top <= THIN and x1 - x0 > bottom - top:
                level.append(((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= THIN:
                upright.append(((x0 + x1) / 2, top, bottom))
        return cls(_join_pieces(level, SHORTEST_LEVEL), _join_pieces(upright, SHORTEST_UPRIGHT))


def is_ruled(level: Iterable[Level], top: float, bottom: float, left: float, right: float) -> bool:
    """Whether a rule is drawn between two heights, over or under some of what stands between `left` and `right`."""
    return any(top < y < bottom and x0 < right and x1 > left for y, x0, x1 in level)


def _join_pieces(pieces: list[Level], shortest: float) -> list[Level]:
    """Pieces at about the same place joined where they touch."""
    found: list[Level] = []
    for group in consecutive(sorted(pieces), lambda group, piece: piece[0] - group[0][0] <= SAME):
        place, covered = sum(piece[0] for piece in group) / len(group), list[tuple[float, float]]()
        for _, start, end in sorted(group, key=lambda piece: piece[1]):
            if covered and start - covered[-1][1] <= JOIN:
                covered[-1] = covered[-1][0], max(covered[-1][1], end)
            else:
                covered.append((start, end))
        found += [(place, start, end) for start, end in covered if end - start >= shortest]
    return found
