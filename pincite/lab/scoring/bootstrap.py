"""Intervals and tests over questions, seeded so that they repeat (Efron 1979; Smucker, Allan and Carterette 2007)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SAMPLES = 10_000


@lru_cache(maxsize=1)
def resamples(n: int, samples: int, seed: int) -> NDArray[np.float64]:
    """How often each of n questions is drawn in each bootstrap sample: (samples, n), every row summing to n; read-only."""
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(n, np.full(n, 1 / n), size=samples).astype(np.float64)
    drawn.flags.writeable = False  # kept for the next figure over as many questions
    return drawn


def ratio(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first over the second of each row of sums (n, 2), nan where the second is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sums[:, 1] > 0, sums[:, 0] / sums[:, 1], np.nan)


def ends(drawn: NDArray[np.float64]) -> tuple[float, float]:
    """The 95% interval of what was drawn: its percentiles, nan left out; (nan, nan) where there is nothing else."""
    kept = drawn[~np.isnan(drawn)]
    low, high = np.percentile(kept, [2.5, 97.5]) if len(kept) else (np.nan, np.nan)
    return float(low), float(high)


def interval(top: Sequence[float], bottom: Sequence[float] | None = None) -> tuple[float, float]:
    """The 95% percentile bootstrap interval of sum(top) / sum(bottom) over questions; without `bottom`, of the mean.

    Samples in which the divisor is 0 are left out; (nan, nan) when there are no questions or nothing to divide by.
    """
    n = len(top)
    if n == 0:
        return np.nan, np.nan
    rows = np.column_stack((top, np.ones(n) if bottom is None else bottom)).astype(np.float64)
    return ends(ratio(resamples(n, SAMPLES, 0) @ rows))
