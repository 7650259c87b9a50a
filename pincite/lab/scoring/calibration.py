"""Whether confidences are calibrated: calibration error, and risk against coverage.

Expected calibration error after Naeini et al. (2015); risk-coverage after Geifman and El-Yaniv (2017).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pincite.errors import UsageError

Floats = NDArray[np.float64]


def pairs(confidence: ArrayLike, right: ArrayLike) -> tuple[Floats, Floats]:
    """Both sides as float arrays of the same length n > 0."""
    c, r = np.asarray(confidence, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if c.shape != r.shape or c.ndim != 1 or not len(c):
        raise UsageError(
            f"calibration needs one confidence per answer and at least one: got {c.shape} and {r.shape}"
        )
    return c, r


def calibration_error(confidence: ArrayLike, right: ArrayLike, bins: int = 10) -> float:
    """Expected calibration error: |accuracy - mean confidence| of each bin, weighted by the bin's share of answers.

    Bins hold equally many answers: sorted by confidence, sizes differing by at most one, equal confidences with their mean
    accuracy so that the order of questions cannot matter.
    """
    c, r = tied_means(*pairs(confidence, right))
    return float(sum(abs(part.sum()) for part in np.array_split(r - c, bins)) / len(c))


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
