import math

import numpy as np
import pytest

from benchmarks.measuring.drawn_figures import area_under_roc, calibration_figures, spread
from pincite.lab.scoring import bootstrap


def test_the_spread_of_a_mean_is_its_interval():
    values = np.array([1.0] * 30 + [0.0] * 70)
    low, high = spread(lambda drawn: float(values[drawn].mean()), len(values))
    assert (low, high) == pytest.approx(bootstrap.interval(values.tolist()), abs=0.02)
    assert all(map(math.isnan, spread(lambda drawn: 1.0, 0)))


def test_area_under_roc_by_hand():
    assert area_under_roc(np.array([3.0, 1.0]), np.array([2.0, 1.0])) == (2 + 0.5) / 4
    assert np.isnan(area_under_roc(np.array([]), np.array([1.0])))


def test_the_surer_half_is_rounded_up():
    error, ratio = calibration_figures([0.9, 0.5, 0.7], [1, 0, 0])
    assert ratio.value == pytest.approx((1 / 2) / (1 / 3)) and error.n == 3
