"""How far the scores of right and of wrong things are apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def area_under_roc(right: NDArray[np.float64], wrong: NDArray[np.float64]) -> float:
    """The chance that a right score is higher than a wrong one, a tie counting half; nan where either is empty."""
    if not len(right) or not len(wrong):
        return float("nan")
    ordered = np.sort(wrong)
    below = np.searchsorted(ordered, right, "left") + np.searchsorted(ordered, right, "right")
    return float(below.mean() / 2 / len(wrong))


def wasserstein(a: Sequence[float], b: Sequence[float]) -> float:
    """The 1-Wasserstein distance of two samples: the area between their distribution functions (nan when one is empty)."""
    if not a or not b:
        return float("nan")
    values = np.sort(np.concatenate([a, b]))
    below_a, below_b = (
        np.searchsorted(np.sort(each), values[:-1], side="right") / len(each) for each in (a, b)
    )
    return float(np.sum(np.abs(below_a - below_b) * np.diff(values)))
