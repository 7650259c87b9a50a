"""Joins that take scores or orders as they are, for rankings whose scores can be compared; `fusion.py` has those that scale them.

As in `fusion.py`, `weights` are per ranking (all 1 when empty), hits are the same when node and window are, what comes out is
a permutation of the union of what went in, and equal scores stay in the order of the rankings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.search.fusion import weights_of
from pincite.types import Hit, Query, Ranking


@dataclass(frozen=True, slots=True)
class Highest:
    """By raw score: a hit counts the highest weight x score that a ranking gives it.

    CombMAX of Fox and Shaw, "Combination of multiple searches", TREC-2, 1994; of rankings without a common hit the merging of
    two indexes by similarity alone that others call simple fusion.
    """

    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        made: dict[tuple[str, int], Hit] = {}
        for ranking, weight in zip(rankings, weights_of(rankings, self.weights), strict=True):
            for hit in ranking.hits:
                share, key = weight * hit.score, (hit.node, hit.at)
                before = made.get(key)
                made[key] = (
                    replace(before, score=max(before.score, share), parts=before.parts + hit.parts)
                    if before
                    else replace(hit, score=share)
                )
        query = rankings[0].query if rankings else Query("")
        return Ranking(query, tuple(sorted(made.values(), key=lambda hit: -hit.score)))


@dataclass(frozen=True, slots=True)
class Behind:
    """The first ranking as it is, then what each further one has that is new, in its order.

    Scores of the later ones are moved below all before them, their differences kept.
    """

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        hits: list[Hit] = []
        seen: set[str] = set()
        for ranking in rankings:
            new = [hit for hit in ranking.hits if hit.node not in seen]
            lowest = hits[-1].score if hits else math.inf
            drop = max(new[0].score - lowest, 0.0) if new else 0.0
            hits += [replace(hit, score=min(hit.score - drop, lowest)) for hit in new]
            seen.update(hit.node for hit in new)
        return Ranking(rankings[0].query if rankings else Query(""), tuple(hits))
