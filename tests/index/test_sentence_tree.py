import numpy as np
import pytest

from pincite.search.index.dense import Dense, averaged
from pincite.search.index.document_views import SentenceTree
from pincite.types import Anchor, Document, Entry, Node


def node(id, kind, text, parent):
    return Node(id, kind, text, Anchor("s", ((1, None),)), parent)


DOCUMENT = Document(
    "a.pdf", "v",
    nodes=(
        node("root", "document", "A", ""),
        node("sec", "section", "1 Energy", "root"),
        node("h", "heading", "1 Energy", "sec"),
        node("p", "paragraph", "One. Two.", "sec"), node("s1", "sentence", "One.", "p"), node("s2", "sentence", "Two.", "p"),
        node("f", "figure", "", "sec"), node("c", "caption", "Figure 1", "f"),
        node("t", "table", "x 1", "sec"), node("tc", "caption", "Table 1", "t"),
        node("n", "paragraph", "42", "root"),
        node("pg", "page", "One. Two.", "root"),
    ),
)  # fmt: skip


def children(view):
    return [(entry.node, entry.children) for entry in view(DOCUMENT)]


def test_parents_above_sentences():
    assert children(SentenceTree()) == [
        ("sec", ("p", "c", "t")), ("p", ("s1", "s2")), ("s1", ()), ("s2", ()), ("c", ()), ("t", ()), ("tc", ()), ("n", ()),
    ]  # fmt: skip


def test_a_kind_that_is_no_parent_hands_its_children_up():
    assert children(SentenceTree(("section",)))[0] == ("sec", ("s1", "s2", "c", "t"))
    assert children(SentenceTree(("document",)))[0] == ("root", ("s1", "s2", "c", "t", "n"))
    assert all(not below for _, below in children(SentenceTree(())))


def test_a_parent_is_the_unit_mean_of_its_children():
    entries = [
        Entry("sec", "section", "", children=("p", "t")), Entry("p", "paragraph", "", children=("s1", "s2")),
        Entry("s1", "sentence", "x"), Entry("s2", "sentence", "y"), Entry("t", "table", "z"),
    ]  # fmt: skip
    made = averaged(entries, np.eye(3, dtype=np.float32))
    half = 2**-0.5
    assert made[1] == pytest.approx([half, half, 0])
    assert made[0] == pytest.approx([0.5, 0.5, half])  # (half, half, 1) has length 2 ** .5
    assert made[2:] == pytest.approx(np.eye(3))


def test_children_that_cancel_out_are_not_found():
    entries = [
        Entry("p", "paragraph", "", children=("a", "b")),
        Entry("a", "sentence", ""),
        Entry("b", "sentence", ""),
    ]
    made = averaged(entries, np.array([[1, 0], [-1, 0]], np.float32))
    assert made[0] == pytest.approx([0, 0])


def test_only_sentences_are_encoded(tmp_path):
    class Axes:
        name, revision, dims, window = "axes", "1", 2, 9

        def encode(self, texts, *, side="document"):
            asked.extend(texts)
            return np.array([[1, 0] if "One" in text else [0, 1] for text in texts], np.float32)

    asked = []
    entries = [entry for entry in SentenceTree()(DOCUMENT) if entry.node in ("p", "s1", "s2")]
    index = Dense(Axes())
    index.build(entries, tmp_path / "d")
    assert asked == ["One.", "Two."]
    (hits,) = index.open(tmp_path / "d").search(["One."], 3)
    assert [(entries[hit.row].node, hit.score) for hit in hits] == [
        ("s1", 1.0),
        ("p", pytest.approx(2**-0.5)),
    ]


def test_given_vectors_are_those_of_the_leaves(tmp_path):
    class Axes:
        name, revision, dims, window = "axes", "1", 2, 9

    entries = [Entry("p", "paragraph", "", children=("s",)), Entry("s", "sentence", "x")]
    Dense(Axes()).build(entries, tmp_path / "d", vectors=np.array([[0, 1]], np.float32))
    assert np.load(tmp_path / "d" / "vectors.npy").tolist() == [[0, 1], [0, 1]]
