"""Whether confidences are calibrated: calibration error, risk against coverage, and maps from raw to calibrated confidence.

Expected calibration error after Naeini et al. (2015); risk-coverage after Geifman and El-Yaniv (2017); isotonic
regression by pool-adjacent-violators (Barlow et al. 1972); logistic scaling with smoothed targets after Platt (1999),
fit by Newton steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pincite.errors import UsageError

Floats = NDArray[np.float64]
Calibrator = Callable[[ArrayLike], Floats]
"""Raw scores to confidences in [0, 1], element by element."""


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A non-decreasing map: straight lines between `knots` (raw scores, increasing), flat beyond both ends."""

    knots: tuple[float, ...]
    values: tuple[float, ...]

    def __call__(self, scores: ArrayLike) -> Floats:
        """Calibrated confidences of raw scores."""
        return np.interp(np.asarray(scores, dtype=np.float64), self.knots, self.values)


@dataclass(frozen=True, slots=True)
class Platt:
    """The map 1 / (1 + exp(-(slope x score + intercept)))."""

    slope: float
    intercept: float

    def __call__(self, scores: ArrayLike) -> Floats:
        """Calibrated confidences of raw scores."""
        return sigmoid(self.slope * np.asarray(scores, dtype=np.float64) + self.intercept)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)) without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(x / 2)), dtype=np.float64)


def pairs(confidence: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    """Both sides as float arrays of the same length n > 0."""
    c, r = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if c.shape != r.shape or c.ndim != 1 or not len(c):
        raise UsageError(
            f"calibration needs one confidence per answer and at least one: got {c.shape} and {r.shape}"
        )
    return c, r


def calibration_error(
    confidence: ArrayLike, right: ArrayLike, bins: int = 10, by: Literal["mass", "width"] = "mass"
) -> float:
    """Expected calibration error: |accuracy - mean confidence| of each bin, weighted by the bin's share of answers.

    Bins hold equally many answers (`mass`: sorted by confidence, sizes differing by at most one, equal confidences with
    their mean accuracy so that the order of questions cannot matter) or are equally wide over [0, 1] (`width`).
    """
    c, r = pairs(confidence, right)
    if by == "width":
        place = np.minimum((c * bins).astype(int), bins - 1)
        gaps = [abs((r[place == each] - c[place == each]).sum()) for each in np.unique(place)]
    else:
        c, r = tied_means(c, r)
        sizes = [len(c) // bins + (at < len(c) % bins) for at in range(min(bins, len(c)))]
        gaps = np.abs(np.add.reduceat(r - c, np.cumsum([0, *sizes[:-1]]))).tolist()
    return float(sum(gaps) / len(c))


def tied_means(c: Floats, r: Floats) -> tuple[Floats, Floats]:
    """Sorted by confidence, every answer with the mean outcome of all answers of its confidence."""
    order = np.argsort(c)
    c, r = c[order], r[order]
    starts = np.concatenate([[0], np.flatnonzero(c[1:] != c[:-1]) + 1])
    counts = np.concatenate([starts[1:], [len(c)]]) - starts
    return c, np.repeat(np.add.reduceat(r, starts) / counts, counts)


def risk_coverage(confidence: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    """The share answered (1/n ... 1) and the share of wrong answers among these, most confident first: two (n,) arrays.

    Among equal confidences the expectation over their orders is taken.
    """
    c, r = pairs(confidence, right)
    _, expected = tied_means(-c, r)
    answered = np.arange(1, len(c) + 1)
    return answered / len(c), np.cumsum(1 - expected) / answered


def area_under_risk(confidence: ArrayLike, right: ArrayLike) -> float:
    """The mean risk over all coverages (AURC): lower is better; confidences that say nothing have the error rate."""
    return float(risk_coverage(confidence, right)[1].mean())


def accuracy_at(confidence: ArrayLike, right: ArrayLike, coverage: float) -> float:
    """The share right when only the most confident `coverage` of the questions (rounded up) is answered."""
    shares, risks = risk_coverage(confidence, right)
    count = max(1, int(np.ceil(coverage * len(shares) - 1e-9)))
    return float(1 - risks[min(count, len(shares)) - 1])


def fit_isotonic(scores: ArrayLike, right: ArrayLike) -> Isotonic:
    """The non-decreasing map with the least squared error, by pooling adjacent violators."""
    x, y = pairs(scores, right)
    levels, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    blocks: list[tuple[float, float, int]] = []  # mean, weight, how many levels
    for mean, weight in zip(np.bincount(place, weights=y) / counts, counts, strict=True):
        block = (float(mean), float(weight), 1)
        while blocks and blocks[-1][0] >= block[0]:
            m, w, n = blocks.pop()
            block = ((m * w + block[0] * block[1]) / (w + block[1]), w + block[1], n + block[2])
        blocks.append(block)
    knots, values, start = [], [], 0
    for mean, _, n in blocks:
        for level in dict.fromkeys((start, start + n - 1)):
            knots.append(float(levels[level]))
            values.append(mean)
        start += n
    return Isotonic(tuple(knots), tuple(values))


def fit_platt(scores: ArrayLike, right: ArrayLike) -> Platt:
    """The logistic map with the greatest likelihood of Platt's smoothed targets (never 0 or 1, so it always exists)."""
    x, y = pairs(scores, right)
    positive = y.sum()
    negative = len(y) - positive
    target = np.where(y > 0.5, (positive + 1) / (positive + 2), 1 / (negative + 2))
    centre, spread = x.mean(), x.std() or 1.0
    design = np.column_stack([(x - centre) / spread, np.ones_like(x)])
    weights = np.zeros(2)
    for _ in range(100):
        p = sigmoid(design @ weights)
        slope = design.T @ (target - p)
        curvature = (design * (p * (1 - p))[:, None]).T @ design + 1e-9 * np.eye(2)
        step = np.linalg.solve(curvature, slope)
        weights = weights + step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return Platt(float(weights[0] / spread), float(weights[1] - weights[0] * centre / spread))


def folds(groups: Sequence[Hashable], count: int = 5, seed: int = 0) -> NDArray[np.int64]:
    """A fold number for each answer, one for all answers of a group; large groups first, each to the emptiest fold."""
    names = sorted(set(groups), key=repr)
    if len(names) < 2:
        raise UsageError(
            "cross-validation grouped by document needs answers from at least two documents"
        )
    order = np.random.default_rng(seed).permutation(len(names))
    sizes = {name: 0 for name in names}
    for group in groups:
        sizes[group] += 1
    count = min(count, len(names))
    load = [0] * count
    fold: dict[Hashable, int] = {}
    for index in sorted(order, key=lambda each: -sizes[names[each]]):
        fold[names[index]] = load.index(min(load))
        load[fold[names[index]]] += sizes[names[index]]
    return np.array([fold[group] for group in groups])


def cross_fitted(
    scores: ArrayLike,
    right: ArrayLike,
    groups: Sequence[Hashable],
    fit: Callable[[ArrayLike, ArrayLike], Calibrator] = fit_isotonic,
    count: int = 5,
    seed: int = 0,
) -> Floats:
    """Calibrated confidences, each from a map fit without the answers of its fold; folds never split a group."""
    x, y = pairs(scores, right)
    fold = folds(groups, count, seed)
    calibrated = np.empty_like(x)
    for each in np.unique(fold):
        calibrated[fold == each] = fit(x[fold != each], y[fold != each])(x[fold == each])
    return calibrated
