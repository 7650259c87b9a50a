"""Joins: several rankings of one query into one. What comes out is a permutation of the union of what went in.

A join is a frozen callable. `weights` are per ranking, in the order in which they are given (all 1 when empty).
Hits are the same when node and window are; with `by="node"` every ranking first keeps the best window of each node
only, and hits are the same when the node is. The fused hit keeps the parts of all of them, for learned fusion and
for explaining. Equal scores stay in the order of the rankings, so a join is deterministic. `Highest` and `Behind` take scores
or orders as they are, for rankings whose scores can be compared.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Literal

from pincite.errors import UsageError
from pincite.stage import PlanResults, Stage
from pincite.types import Hit, Query, Ranking

Scores = list[float]
By = Literal["window", "node"]


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
    by: By = "window"

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _joined(rankings, self._shares, self.weights, self.by)

    def _shares(self, ranking: Ranking) -> Scores:
        shares = []
        for rank, hit in enumerate(ranking.hits, 1):
            views = (self.by_view.get(view, 1.0) for view, _, _ in hit.parts)
            shares.append(max(views, default=1.0) / (self.k + rank))
        return shares


@dataclass(frozen=True, slots=True)
class RelativeScore:
    """Min-max: a ranking's best hit counts 1, its last 0, one it did not find 0; the weighted sum of that.

    s' = (s - min) / (max - min) within a ranking; 1 for all when they are equal. As in Weaviate's fusion.
    """

    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _joined(rankings, lambda ranking: minmax(_scores(ranking)), self.weights)


@dataclass(frozen=True, slots=True)
class DistributionScore:
    """Like RelativeScore, with mean - 3 and mean + 3 standard deviations for minimum and maximum.

    s' = (s - (m - 3 d)) / (6 d); 1/2 for all when they are equal. Mazzeschi, "Distribution-based score fusion", 2023.
    """

    weights: tuple[float, ...] = ()

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _joined(
            rankings, lambda ranking: [(z + 3) / 6 for z in _zscore(ranking)], self.weights
        )


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """The weighted sum of z-scores: (s - mean) / standard deviation within a ranking.

    A hit that a ranking did not find gets that ranking's lowest z: it scored at most that.
    """

    weights: tuple[float, ...] = ()
    by: By = "window"

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return _joined(rankings, _zscore, self.weights, self.by, lowest=True)


@dataclass(frozen=True, slots=True)
class DomainSoftmax:
    """Rankings of different domains (rows, documents): each domain weighs by how well its best hits answer.

    weight = softmax over domains of (mean of the domain's `top` highest scores) / temperature; a hit's score is
    multiplied by its domain's weight. Scores must lie in [0, 1]: take the sigmoid of cross-encoder logits first.

    With `logits` the logits ln(s / (1 - s)) of the scores are averaged and multiplied instead, as the thesis that this is from
    writes it (scores in R): a larger weight then lowers the negative scores of its domain.
    """

    top: int = 10
    temperature: float = 1.0
    logits: bool = False

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        scored = [self._scored(ranking) for ranking in rankings]
        tops = [sorted(_scores(ranking))[-self.top :] for ranking in scored]
        means = [sum(top) / len(top) if top else -math.inf for top in tops]
        highest = max(filter(math.isfinite, means), default=0.0)
        powers = [math.exp((mean - highest) / self.temperature) for mean in means]
        total = sum(powers) or 1.0
        return _joined(scored, _scores, tuple(power / total for power in powers), "window")

    def _scored(self, ranking: Ranking) -> Ranking:
        scores = _scores(ranking)
        outside = next((score for score in scores if not 0 <= score <= 1), None)
        if outside is not None:
            raise UsageError(
                f"DomainSoftmax adds scores as they are, so they must lie in [0, 1], but a hit has {outside:.4g}: take the "
                "sigmoid of logits first, or join with RRF, RelativeScore or WeightedSum."
            )
        if not self.logits:
            return ranking
        kept = [min(max(score, 1e-9), 1 - 1e-9) for score in scores]
        hits = (
            replace(hit, score=math.log(p / (1 - p)))
            for hit, p in zip(ranking.hits, kept, strict=True)
        )
        return replace(ranking, hits=tuple(hits))


@dataclass(frozen=True, slots=True)
class FrequencyScore:
    """Rankings of planned queries: `frequency` times how many found a node plus the rest times the sum of its scores there.

    Each is a share of the highest that a node has; a node counts once in a ranking, with its best window. Scores must not be
    negative. As in KohakuRAG, with .4 and .6.
    """

    frequency: float = 0.4

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        best = [best_windows(ranking) for ranking in rankings]
        hits = [hit for ranking in best for hit in ranking.hits]
        found = Counter(hit.node for hit in hits)
        total: dict[str, float] = {}
        for hit in hits:
            if hit.score < 0:
                raise UsageError(
                    f"FrequencyScore adds scores as they are, so none may be negative, but a hit has {hit.score:.4g}: "
                    "take the sigmoid of logits first, or join with RRF or RelativeScore."
                )
            total[hit.node] = total.get(hit.node, 0.0) + hit.score
        most, highest = max(found.values(), default=1), max(total.values(), default=0.0) or 1.0
        joined, rest = _joined(best, _scores, (), "node"), 1 - self.frequency
        scored = []
        for hit in joined.hits:
            often, summed = found[hit.node] / most, total[hit.node] / highest
            scored.append(replace(hit, score=self.frequency * often + rest * summed))
        return _ranked(rankings, scored)


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
                share = weight * hit.score
                before = made.get((hit.node, hit.at)) or replace(hit, score=share, parts=())
                highest, parts = max(before.score, share), before.parts + hit.parts
                made[hit.node, hit.at] = replace(before, score=highest, parts=parts)
        return _ranked(rankings, made.values())


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


@dataclass(frozen=True, slots=True)
class Planned(Stage[PlanResults[Ranking], Ranking]):
    """Join the rankings of a plan's queries to one of the question that was planned."""

    join: Callable[[Sequence[Ranking]], Ranking]

    def run(self, given: PlanResults[Ranking]) -> Ranking:
        """Join the rankings of one plan."""
        return replace(self.join(given.results), query=given.question)


def best_windows(ranking: Ranking) -> Ranking:
    """Each node once, with its best window."""
    kept: dict[str, Hit] = {}
    for hit in ranking.hits:
        kept.setdefault(hit.node, hit)
    return Ranking(ranking.query, tuple(kept.values()))


def minmax(scores: Sequence[float]) -> Scores:
    """Scores brought to [0, 1]: the highest is 1, the lowest 0, and all are 1 when they are equal."""
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 1.0 for score in scores]


def _scores(ranking: Ranking) -> Scores:
    return [hit.score for hit in ranking.hits]


def _zscore(ranking: Ranking) -> Scores:
    scores = _scores(ranking)
    mean = sum(scores) / max(len(scores), 1)
    deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(len(scores), 1))
    # Equal scores can differ from their mean by rounding: that is no spread.
    spread = deviation > 1e-9 * max(map(abs, scores), default=0.0)
    return [(score - mean) / deviation if spread else 0.0 for score in scores]


def _joined(
    rankings: Sequence[Ranking],
    shares_of: Callable[[Ranking], Scores],
    weights: Sequence[float],
    by: By = "window",
    lowest: bool = False,
) -> Ranking:
    """The union of the hits by the weighted sum of their shares; a hit that a ranking lacks counts 0 there, or with `lowest`
    the lowest share of that ranking.
    """
    weights = weights_of(rankings, weights)
    if by == "node":
        rankings = [best_windows(ranking) for ranking in rankings]
    shares = [shares_of(ranking) for ranking in rankings]
    absent = [min(share, default=0.0) for share in shares] if lowest else [0.0] * len(shares)
    base = sum(weight * low for weight, low in zip(weights, absent, strict=True))
    joined: dict[object, Hit] = {}
    for ranking, share, weight, low in zip(rankings, shares, weights, absent, strict=True):
        for hit, value in zip(ranking.hits, share, strict=True):
            key = hit.node if by == "node" else (hit.node, hit.at)
            before = joined.get(key) or Hit(hit.node, base, hit.at, ())
            score = before.score + weight * (value - low)
            joined[key] = Hit(before.node, score, before.at, before.parts + hit.parts)
    return _ranked(rankings, joined.values())


def _ranked(rankings: Sequence[Ranking], hits: Iterable[Hit]) -> Ranking:
    """Hits by their scores, for the query of the rankings that they are from."""
    query = rankings[0].query if rankings else Query("")
    return Ranking(query, tuple(sorted(hits, key=attrgetter("score"), reverse=True)))


def weights_of(rankings: Sequence[Ranking], weights: Sequence[float]) -> Sequence[float]:
    """A weight for each ranking, all 1 when none is given. Raises UsageError when there are more or fewer weights."""
    weights = weights or (1.0,) * len(rankings)
    if len(weights) != len(rankings):
        raise UsageError(
            f"{len(rankings)} rankings to join need as many weights, got {len(weights)}: {tuple(weights)}"
        )
    return weights
