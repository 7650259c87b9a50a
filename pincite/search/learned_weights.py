"""Learned fusion: a small linear ranker over what each search says of a hit, instead of weights set by hand.

Of every view (or labelled search) that found a hit there are three features: its score in standard deviations above the
lowest that it gave, one over its rank, and that it found it. With the scores alone it is the weighted sum of z-scores.
The ranker is a multinomial logistic regression over the hits of each query, fitted by Newton's method (top-one ListNet: Cao et
al., "Learning to rank: from pairwise approach to listwise approach", ICML 2007).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.search.fusion import RRF, By
from pincite.types import Ranking

Floats = NDArray[np.float64]
SCORE, RANK, FOUND = "score", "rank", "found"
STEPS = 50


@dataclass(frozen=True, slots=True)
class Learned:
    """A join by the weighted sum of features, `weights` by their names ("windows score"); other features do not count."""

    weights: Mapping[str, float]
    by: By = "node"

    def __call__(self, rankings: Sequence[Ranking]) -> Ranking:
        """Join the rankings."""
        return self.ranked(merged(rankings, self.by))

    def ranked(self, ranking: Ranking) -> Ranking:
        """A ranking whose hits have the parts of every search, anew."""
        names = tuple(self.weights)
        scores = features(ranking, names) @ np.array([self.weights[name] for name in names])
        order = sorted(range(len(scores)), key=lambda at: -scores[at])
        return Ranking(
            ranking.query,
            tuple(replace(ranking.hits[at], score=float(scores[at])) for at in order),
        )


def merged(rankings: Sequence[Ranking], by: By = "node") -> Ranking:
    """The union of the hits with the parts that every ranking gave them, in the order of their reciprocal ranks."""
    return RRF(by=by)(rankings)


def features(ranking: Ranking, names: Sequence[str]) -> Floats:
    """The features of these names for every hit: (hits, names); 0 where a view did not find it."""
    made = np.zeros((len(ranking.hits), len(names)))
    column = {name: at for at, name in enumerate(names)}
    scores: dict[str, dict[int, float]] = {}
    for row, hit in enumerate(ranking.hits):
        for view, rank, score in hit.parts:
            held = scores.setdefault(view, {})
            held[row] = max(score, held.get(row, score))
            if (at := column.get(f"{view} {RANK}")) is not None and rank > 0:
                made[row, at] = max(made[row, at], 1 / rank)
            if (at := column.get(f"{view} {FOUND}")) is not None:
                made[row, at] = 1.0
    for view, held in scores.items():
        at = column.get(f"{view} {SCORE}")
        if at is not None:
            values = np.fromiter(held.values(), dtype=np.float64)
            spread = float(values.std())
            if spread > 1e-9 * float(np.abs(values).max()):
                made[list(held), at] = (values - values.min()) / spread
    return made


def names_of(rankings: Sequence[Ranking]) -> tuple[str, ...]:
    """The names of all features that some hit has."""
    views = sorted(
        {view for ranking in rankings for hit in ranking.hits for view, _, _ in hit.parts}
    )
    return tuple(f"{view} {what}" for view in views for what in (SCORE, RANK, FOUND))


def fit(
    rankings: Sequence[Ranking],
    relevant: Sequence[Sequence[bool]],
    penalty: float = 1.0,
    by: By = "node",
) -> Learned:
    """The weights under which the relevant hits of merged rankings are likeliest to come first.

    `relevant` says of each hit whether it is. The loss of a query is the mean of -ln softmax(hit) over its relevant hits, plus
    penalty / 2 times the squares of the weights of features brought to standard deviation 1. Queries all or none of whose hits
    are relevant teach nothing; raises UsageError when no others are there.
    """
    names = names_of(rankings)
    lists = [
        (features(ranking, names), np.array(wanted, dtype=np.float64))
        for ranking, wanted in zip(rankings, relevant, strict=True)
        if any(wanted) and not all(wanted)
    ]
    if not lists:
        raise UsageError(
            "nothing to learn from: no question has both relevant and other hits among what was found"
        )
    spread = np.concatenate([rows for rows, _ in lists]).std(axis=0)
    used = spread > 1e-12
    lists = [(rows[:, used] / spread[used], wanted / wanted.sum()) for rows, wanted in lists]
    weights = _fitted(lists, np.zeros(int(used.sum())), penalty)
    kept = [name for name, use in zip(names, used, strict=True) if use]
    return Learned(
        {name: float(w / s) for name, w, s in zip(kept, weights, spread[used], strict=True)}, by
    )


def _fitted(lists: Sequence[tuple[Floats, Floats]], weights: Floats, penalty: float) -> Floats:
    """The weights of the lowest loss, by Newton steps that are halved until they lower it."""
    loss, slope, bend = _loss(lists, weights, penalty)
    for _ in range(STEPS):
        step = np.linalg.solve(bend, slope)
        size = 1.0
        while (tried := _loss(lists, weights - size * step, penalty))[0] > loss and size > 1e-6:
            size /= 2
        done = loss - tried[0] < 1e-9 * max(loss, 1.0)
        if tried[0] < loss:
            weights, (loss, slope, bend) = weights - size * step, tried
        if done:
            break
    return weights


def _loss(
    lists: Sequence[tuple[Floats, Floats]], weights: Floats, penalty: float
) -> tuple[float, Floats, Floats]:
    """The loss at some weights, its gradient and its Hessian."""
    loss, slope = penalty / 2 * float(weights @ weights), penalty * weights
    bend = penalty * np.eye(len(weights))
    for rows, wanted in lists:
        scores = rows @ weights
        top = float(scores.max())
        powers = np.exp(scores - top)
        shares = powers / powers.sum()
        loss += top + float(np.log(powers.sum())) - float(wanted @ scores)
        mean = shares @ rows
        slope = slope + mean - wanted @ rows
        bend = bend + (rows * shares[:, None]).T @ rows - np.outer(mean, mean)
    return loss, slope, bend
