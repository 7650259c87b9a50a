import math

import pytest

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
