"""Maps from raw to calibrated confidence, fitted on the questions of other documents.

Isotonic regression by pool-adjacent-violators (Barlow et al. 1972); logistic scaling with smoothed targets after Platt (1999),
fitted by Newton steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pincite.errors import UsageError
from pincite.lab.scoring.calibration import Floats, pairs

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
