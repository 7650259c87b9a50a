"""How far two samples of scores are apart: cases worked out by hand, and scipy's own figure."""

import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pincite.lab.scoring.measures import wasserstein


def test_wasserstein_by_hand():
    assert wasserstein([0, 1], [0.5]) == 0.5
    assert wasserstein([1.0], [1.0]) == 0


samples = st.lists(st.floats(-10, 10), min_size=1, max_size=20)


@given(samples, samples)
def test_wasserstein_as_scipy_has_it(a, b):
    assert wasserstein(a, b) == pytest.approx(scipy.stats.wasserstein_distance(a, b), abs=1e-9)
