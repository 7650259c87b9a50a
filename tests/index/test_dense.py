import numpy as np
import pytest

from pincite.errors import CorpusError
from pincite.index.dense import Dense
from pincite.types import Entry


class Letters:
    """Encodes a text as the unit vector of how often a, b and c stand in it."""

    revision = "1"
    dims = 3
    max_tokens = 10

    def __init__(self, name="letters"):
        self.name = name
        self.asked = []

    def encode(self, texts, *, side="document"):
        self.asked.append(side)
        counts = np.array(
            [[text.count(letter) for letter in "abc"] for text in texts], np.float32
        ).reshape(-1, 3)
        return counts / np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)


ENTRIES = [Entry(f"n{row}", "v", text) for row, text in enumerate(["aaa", "aab", "bbc", "ccc"])]


def test_cosine_order_and_filter(tmp_path):
    index = Dense(Letters())
    index.build(ENTRIES, tmp_path / "d")
    searcher = index.open(tmp_path / "d")
    first, second = searcher.search(["a", "c"], 2)
    assert [hit.row for hit in first] == [0, 1]
    assert first[0].score == pytest.approx(1.0)
    assert first[1].score == pytest.approx(2 / 5**0.5)
    assert [hit.row for hit in second] == [3, 2]
    (masked,) = searcher.search(["a"], 2, np.array([False, True, True, False]))
    assert [hit.row for hit in masked] == [1]


def test_given_vectors_are_not_encoded_again(tmp_path):
    encoder = Letters()
    Dense(encoder).build(ENTRIES, tmp_path / "d", vectors=np.eye(4, 3, dtype=np.float32))
    assert encoder.asked == []
    (hits,) = Dense(encoder).open(tmp_path / "d").search(["b"], 1)
    assert hits[0].row == 1
    assert encoder.asked == ["query"]


def test_vectors_of_the_wrong_shape(tmp_path):
    with pytest.raises(ValueError, match=r"shape \(4, 3\), got \(2, 3\)"):
        Dense(Letters()).build(ENTRIES, tmp_path / "d", vectors=np.eye(2, 3, dtype=np.float32))


def test_another_encoder_is_refused(tmp_path):
    Dense(Letters()).build(ENTRIES, tmp_path / "d")
    with pytest.raises(CorpusError, match="letters.*digits.*pincite index"):
        Dense(Letters("digits")).open(tmp_path / "d")


def test_no_entries(tmp_path):
    index = Dense(Letters())
    index.build([], tmp_path / "d")
    assert index.open(tmp_path / "d").search(["a"], 3) == [[]]
