"""Joins: several rankings of one query into one. What comes out is a permutation of the union of what went in.

A join is a frozen callable. `weights` are per ranking, in the order in which they are given (all 1 when empty).
Hits are the same when node and window are; the fused hit keeps the parts of all of them, for learned fusion and for
explaining. Equal scores stay in the order of the rankings, so a join is deterministic.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite.errors import UsageError
from pincite.types import Hit, Query, Ranking

Scores = list[float]


@dataclass(frozen=True, slots=True)
class RRF:
    """Reciprocal rank fusion: the sum over rankings of weight / (k + rank), rank from 1.

    `by_view` multiplies a hit's share by the weight of the view that found it (a "table" hit counts 2.0, say).
    Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning
    methods", SIGIR 2009.
    """

    k: float = 60.0
    by_view: Mapping[str, float] = field(default_factory=dict)
    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        shares = [
            [self._view(hit) / (self.k + rank) for rank, hit in enumerate(ranking.hits, 1)] for ranking in rankings
        ]
        return _summed(rankings, shares, self.weights)

    def _view(self, hit: Hit) -> float:
        return max((self.by_view.get(view, 1.0) for view, _, _ in hit.parts), default=1.0)


@dataclass(frozen=True, slots=True)
class RelativeScore:
    """Min-max: a ranking's best hit counts 1, its last 0, one it did not find 0; the weighted sum of that.

    s' = (s - min) / (max - min) within a ranking; 1 for all when they are equal. As in Weaviate's relative score
    fusion.
    """

    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _summed(rankings, [_minmax(_scores(ranking)) for ranking in rankings], self.weights)


@dataclass(frozen=True, slots=True)
class DistributionScore:
    """Like RelativeScore, with mean - 3 and mean + 3 standard deviations for minimum and maximum.

    s' = (s - (m - 3 d)) / (6 d); 1/2 for all when they are equal. Mazzeschi, "Distribution-based score fusion", 2023.
    """

    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _summed(rankings, [[(z + 3) / 6 for z in _zscore(_scores(one))] for one in rankings], self.weights)


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The weighted sum of scores, each ranking's normalised as `norm` says.

    zscore: (s - mean) / standard deviation within the ranking. A hit that a ranking did not find gets that
    ranking's lowest z: it scored at most that. none: the scores as they are, which must lie in [0, 1] (a sigmoid, a
    probability): else UsageError, because a weight would lower a negative logit instead of raising it. A hit that a
    ranking did not find gets 0.
    """

    weights: tuple[float, ...] = ()
    norm: Literal["zscore", "none"] = "zscore"

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        if self.norm == "none":
            return _summed(rankings, [_probabilities(ranking, self) for ranking in rankings], self.weights)
        shares = [_zscore(_scores(ranking)) for ranking in rankings]
        return _summed(rankings, shares, self.weights, [min(share, default=0.0) for share in shares])


@dataclass(frozen=True, slots=True)
class DomainSoftmax:
    """Rankings of different domains (rows, documents): each domain weighs by how well its best hits answer.

    weight = softmax over domains of (mean of the domain's `top` highest scores) / temperature; a hit's score is
    multiplied by its domain's weight. Scores must lie in [0, 1]: take the sigmoid of cross-encoder logits first.
    """

    top: int = 10
    temperature: float = 1.0

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        shares = [_probabilities(ranking, self) for ranking in rankings]
        tops = [sorted(share)[-self.top :] for share in shares]
        means = [sum(top) / len(top) if top else -math.inf for top in tops]
        highest = max(means, default=0.0)
        powers = [math.exp((mean - highest) / self.temperature) if mean > -math.inf else 0.0 for mean in means]
        total = sum(powers) or 1.0
        return _summed(rankings, shares, tuple(power / total for power in powers))


def _scores(ranking: Ranking) -> Scores:
    return [hit.score for hit in ranking.hits]


def _minmax(scores: Scores) -> Scores:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


def _zscore(scores: Scores) -> Scores:
    mean = sum(scores) / max(len(scores), 1)
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(len(scores), 1))
    return [(score - mean) / deviation if deviation > 0 else 0.0 for score in scores]


def _probabilities(ranking: Ranking, join: object) -> Scores:
    scores = _scores(ranking)
    outside = next((score for score in scores if not 0 <= score <= 1), None)
    if outside is not None:
        raise UsageError(
            f"{join} adds scores as they are, so they must lie in [0, 1], but a hit has {outside:.4g}: take the "
            "sigmoid of logits first, or join with RRF, RelativeScore or WeightedSum(norm='zscore')."
        )
    return scores


def _summed(
    rankings: Sequence[Ranking], shares: Sequence[Scores], weights: Sequence[float], absent: Scores | None = None
) -> Ranking:
    """The union of the hits by the weighted sum of their shares; `absent` is the share of a hit that a ranking
    lacks.
    """
    weights = weights or (1.0,) * len(rankings)
    if len(weights) != len(rankings):
        raise UsageError(f"{len(rankings)} rankings to join need as many weights, got {len(weights)}: {tuple(weights)}")
    base = sum(weight * low for weight, low in zip(weights, absent or (), strict=False))
    totals: dict[tuple[str, int], float] = {}
    parts: dict[tuple[str, int], tuple[tuple[str, int, float], ...]] = {}
    for index, (ranking, share, weight) in enumerate(zip(rankings, shares, weights, strict=True)):
        low = absent[index] if absent else 0.0
        for hit, value in zip(ranking.hits, share, strict=True):
            key = hit.node, hit.at
            totals[key] = totals.get(key, base) + weight * (value - low)
            parts[key] = parts.get(key, ()) + hit.parts
    best = sorted(totals, key=totals.__getitem__, reverse=True)
    query = rankings[0].query if rankings else Query("")
    return Ranking(query, tuple(Hit(node, totals[node, at], at, parts[node, at]) for node, at in best))
