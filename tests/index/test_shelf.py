import numpy as np

from pincite.index.document_views import Tables, Whole
from pincite.index.lexical import Lexical
from pincite.index.shelf import OpenShelf, Shelf, write_shelf
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
