"""Less of a ranking: its first hits, or those that score enough."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.stage import Stage
from pincite.types import Ranking


@dataclass(frozen=True, slots=True)
class First(Stage[Ranking, Ranking]):
    """The first `k` hits."""

    k: int

    def run(self, given: Ranking) -> Ranking:
        """Cut one ranking."""
        return replace(given, hits=given.hits[: self.k])


@dataclass(frozen=True, slots=True)
class AtLeast(Stage[Ranking, Ranking]):
    """The hits that score `least` or more: with 0, those that a cosine does not call opposite."""

    least: float = 0.0

    def run(self, given: Ranking) -> Ranking:
        """Cut one ranking."""
        return replace(given, hits=tuple(hit for hit in given.hits if hit.score >= self.least))
