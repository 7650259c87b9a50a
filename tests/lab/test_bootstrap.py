import math

import numpy as np
import pytest

from benchmarks.measuring.drawn_figures import spread
from pincite.lab.scoring import bootstrap


def test_an_interval_is_seeded_and_holds_the_mean():
    values = [1.0] * 30 + [0.0] * 70
    low, high = bootstrap.interval(values)
    assert (low, high) == bootstrap.interval(values)
    assert low < 0.3 < high
    half = 1.96 * math.sqrt(0.3 * 0.7 / 100)  # the normal approximation
    assert low == pytest.approx(0.3 - half, abs=0.02) and high == pytest.approx(
        0.3 + half, abs=0.02
    )


def test_constant_values_have_no_width():
    assert bootstrap.interval([0.5, 0.5, 0.5]) == (0.5, 0.5)
    assert all(map(math.isnan, bootstrap.interval([])))
    assert all(map(math.isnan, bootstrap.interval([0.0], [0.0])))


def test_a_ratio_resamples_questions():
    assert bootstrap.interval([1, 2, 3], [2, 4, 6]) == (0.5, 0.5)


def test_the_spread_of_a_mean_is_its_interval():
    values = np.array([1.0] * 30 + [0.0] * 70)
    low, high = spread(lambda drawn: float(values[drawn].mean()), len(values))
    assert (low, high) == pytest.approx(bootstrap.interval(values.tolist()), abs=0.02)
    assert all(map(math.isnan, spread(lambda drawn: 1.0, 0)))
