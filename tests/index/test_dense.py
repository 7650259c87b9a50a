import re

import numpy as np
import pytest

from pincite.errors import CorpusError
from pincite.search.index.dense import Dense
from pincite.search.index.shelf import Shelf, _read, write_shelf
from pincite.types import Anchor, Document, Entry, Node


class Letters:
    """Encodes a text as the unit vector of how often a, b and c stand in it."""

    revision = "1"
    dims = 3
    window = 10

    def __init__(self, name="letters"):
        self.name = name
        self.asked = []

    def spans(self, text):
        return [found.span() for found in re.finditer(r"\w+", text)]

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


class Whole:
    """A view of each sentence of a document, whole."""

    def __call__(self, document):
        return [Entry(node.id, "s", node.text) for node in document.nodes]


def shelf_of(folder, texts):
    """An open shelf of documents with these texts, under an encoder that reads ten words at once, and its entries."""
    shelf = Shelf(Dense(Letters()), (Whole(),))
    nodes = [
        Node(f"n{at}", "paragraph", text, Anchor("s", ((1, None),)), "")
        for at, text in enumerate(texts)
    ]
    entries = shelf.entries(Document("d", "v", nodes=tuple(nodes)))
    write_shelf(shelf, folder / "shelf", entries, [0] * len(entries), ["v"])
    return _read(shelf.index, folder / "shelf"), entries


def test_a_text_that_is_longer_than_the_encoder_reads_is_found_by_its_best_part(tmp_path):
    long = "a " * 18 + "b " * 6 + "c c c"
    opened, entries = shelf_of(tmp_path, [long, "a b c", "b b b"])
    assert [entry.node for entry in entries] == ["n0"] * 4 + ["n1", "n2"]
    assert "".join(entry.text for entry in entries[:4]) == long
    assert all(len(Letters().spans(entry.text)) <= 10 for entry in entries)
    (found,) = opened.search(["a"], 3, None)
    assert [(hit.node, round(hit.score, 3)) for hit in found] == [("n0", 1.0), ("n1", 0.577)]
    (found,) = opened.search(["b"], 2, None)  # two parts of the first are before the second
    assert [hit.node for hit in found] == ["n2", "n0"]


def test_an_index_of_an_older_version_which_cut_long_texts_is_refused(tmp_path):
    Dense(Letters()).build(ENTRIES, tmp_path / "d")
    (tmp_path / "d" / "encoder.json").write_text('{"name": "letters", "revision": "1"}')
    with pytest.raises(
        CorpusError, match=r"longer texts cut\), the encoder now is .* 10 tokens at once"
    ):
        Dense(Letters()).open(tmp_path / "d")
