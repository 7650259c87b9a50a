"""Kill -9 at any step of indexing a folder that changes: the corpus stays whole, and the next run finishes what was left."""

import pytest

from tests.faults.killing import kills


def test_twenty_random_kills(tmp_path):
    kills(tmp_path / "reports", tmp_path / "c", tmp_path / "fresh", 20, seed=5)


@pytest.mark.stress
@pytest.mark.parametrize("seed", range(10))
def test_fifty_random_kills(tmp_path, seed):
    kills(tmp_path / "reports", tmp_path / "c", tmp_path / "fresh", 50, seed=seed)
