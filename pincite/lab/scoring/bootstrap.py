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


def interval(
    top: Sequence[float],
    bottom: Sequence[float] | None = None,
    samples: int = SAMPLES,
    seed: int = 0,
) -> tuple[float, float]:
    """The 95% percentile bootstrap interval of sum(top) / sum(bottom) over questions; without `bottom`, of the mean.

    Samples in which the divisor is 0 are left out; (nan, nan) when there are no questions or nothing to divide by.
    """
    n = len(top)
    if n == 0:
        return float("nan"), float("nan")
    over = np.ones(n) if bottom is None else np.asarray(bottom, dtype=np.float64)
    weights = resamples(n, samples, seed)
    divisors = weights @ over
    kept = divisors > 0
    if not kept.any():
        return float("nan"), float("nan")
    values = (weights @ np.asarray(top, dtype=np.float64))[kept] / divisors[kept]
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)
