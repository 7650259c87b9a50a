from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.models.encoder import MiniLM
from pincite.search.index.document_views import Tables, Whole
from pincite.search.index.lexical import Lexical
from pincite.search.index.row_scores import best
from pincite.search.index.shelf import FORMAT, OpenShelf, Shelf, numbered, write_shelf
from pincite.types import Entry

SHELF = Shelf(Lexical(), (Whole(), Tables()))
ENTRIES = [
    Entry("0" * 15 + "1", "paragraph", "solar power"),
    Entry("0" * 15 + "2", "metadata", "solar farms 2021", 3),
]


def opened(folder, **other):
    held = {
        name: np.load(folder / f"{name}.npy") for name in ("nodes", "windows", "owners", "views")
    }
    return OpenShelf(SHELF.index.open(folder / "index"), versions=("v",), **(held | other))


def test_a_hit_says_which_view_saw_it(tmp_path):
    write_shelf(SHELF, tmp_path / "s", ENTRIES, [0, 0], ["v"])
    (hits,) = opened(tmp_path / "s").search(["solar"], 5, None)
    assert [(hit.node[-1], hit.at, [(view, rank) for view, rank, _ in hit.parts]) for hit in hits] == [
        ("1", 0, [("paragraph", 1)]), ("2", 3, [("metadata", 2)]),
    ]  # fmt: skip
    assert hits[0].parts[0][2] == hits[0].score


@dataclass(frozen=True)
class Scores:
    """A searcher whose rows have these scores, whatever is searched for."""

    rows: np.ndarray

    def search(self, texts, k, only=None):
        return [best(self.rows, k, only) for _ in texts]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.integers(1, 6), st.randoms())
def test_the_best_entries_are_found_however_many_parts_they_have(parts, k, random):
    entry = np.repeat(np.arange(len(parts)), parts)
    scores = np.array([random.randint(1, 10**6) / 10**6 for _ in entry], np.float32)
    nodes = np.array([f"{at:016x}".encode() for at in entry])
    zeros = np.zeros(len(entry), np.int32)
    views = np.full(len(entry), b"window")
    shelf = OpenShelf(
        Scores(scores), nodes, zeros, zeros, views, ("v",), numbered(nodes, zeros, views)
    )
    (hits,) = shelf.search(["x"], k, None)
    highest = [scores[entry == at].max() for at in range(len(parts))]
    assert [hit.score for hit in hits] == [
        float(score) for score in sorted(highest, reverse=True)[:k]
    ]
    assert len({hit.node for hit in hits}) == len(hits) == min(k, len(parts))


def test_other_weights_of_the_encoder_come_with_another_format():
    """A dense index refuses another encoder's vectors; only where FORMAT is raised does the next indexing make it again."""
    assert (FORMAT, MiniLM.revision) == ("4", "int8-3366a329-5fd1c882")
