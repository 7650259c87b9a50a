"""Figures that are no ratio of sums, with intervals over questions that are drawn: calibration errors, areas under curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.lab.scoring import calibration
from pincite.lab.scoring.evaluation import Figure

BINS = 5
"""Bins of equal size in which confidences are held against what is right."""


def spread(
    statistic: Callable[[NDArray[np.int64]], float], n: int, samples: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """The 95% percentile bootstrap interval of what `statistic` makes of n questions, given the positions that are drawn.

    For what is no ratio of sums. Where samples lie higher than the questions themselves on the whole, as calibration errors
    do, the interval is moved down by that much (Efron and Tibshirani 1993, chapter 10); likewise up. Samples that make nan
    are left out; (nan, nan) when there are no questions or no others.
    """
    if n == 0:
        return float("nan"), float("nan")
    rng = np.random.default_rng(seed)
    values = np.array([statistic(rng.integers(0, n, n)) for _ in range(samples)])
    kept = values[~np.isnan(values)]
    if not len(kept):
        return float("nan"), float("nan")
    low, high = np.percentile(kept, [2.5, 97.5]) - (kept.mean() - statistic(np.arange(n)))
    return float(low), float(high)


def area_under_roc(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> float:
    """The chance that a right score is higher than a wrong one, a tie counting half; nan where either is empty."""
    if not len(right) or not len(wrong):
        return float("nan")
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left") + np.searchsorted(ordered, right, "right")
    return float(below.mean() / 2 / len(wrong))


def area(metric: str, right: Sequence[float], wrong: Sequence[float]) -> Figure:
    """The area under the ROC curve of as many right scores as wrong ones, drawn in pairs for the interval."""
    high, low = np.asarray(right, np.float64), np.asarray(wrong, np.float64)
    return drawn(metric, lambda at: area_under_roc(high[at], low[at]), len(high))


def calibration_figures(confidence: Sequence[float], right: Sequence[float]) -> list[Figure]:
    """Of the best candidates of questions: calibration error in five bins of equal size, and how much oftener the surer
    half is right than all (nan where none is). Intervals are drawn over questions.
    """
    c, r = np.asarray(confidence, np.float64), np.asarray(right, np.float64)

    def error(at: NDArray[np.int64]) -> float:
        return calibration.calibration_error(c[at], r[at], BINS)

    def ratio(at: NDArray[np.int64]) -> float:
        _, risks = calibration.risk_coverage(c[at], r[at])
        surer = 1 - risks[(len(at) + 1) // 2 - 1]
        return float(surer / r[at].mean()) if r[at].any() else float("nan")

    return [
        drawn("ECE, 5 bins of equal size", error, len(c)),
        drawn("right in the surer half over right of all", ratio, len(c)),
    ]


def drawn(metric: str, statistic: Callable[[NDArray[np.int64]], float], n: int) -> Figure:
    """A statistic of n questions, given by their positions, that is never below 0; with its interval."""
    low, high = spread(statistic, n)
    return Figure(
        metric,
        statistic(np.arange(n)) if n else float("nan"),
        n,
        max(low, 0.0) if n else low,
        high,
    )
