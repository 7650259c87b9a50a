"""Approximate search finds nearly what exact search finds, in a fraction of the bytes, and honours filters."""

from dataclasses import dataclass

import numpy as np
import pytest

from pincite.errors import CorpusError
from pincite.formats.spell import spell
from pincite.search.index.dense import Dense, OfVectors
from pincite.search.index.ivfpq import IVFPQ
from pincite.types import Entry


@dataclass(frozen=True)
class Table:
    """Encodes a text, a number, as the row of that number in a table of random unit vectors in a few clusters."""

    name: str = "table"
    revision: str = "1"
    dims: int = 32
    window: int = 10
    rows: int = 2000

    def encode(self, texts, *, side="document"):
        draw = np.random.default_rng(5)
        made = draw.normal(size=(20, self.dims))[
            draw.integers(0, 20, self.rows)
        ] + 0.6 * draw.normal(size=(self.rows, self.dims))
        made = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
        return made[[int(text) for text in texts]]


ENTRIES = [Entry(f"n{row}", "v", str(row)) for row in range(2000)]
ASKED = [str(row) for row in range(0, 2000, 50)]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ivfpq")
    indexes = Dense(Table()), IVFPQ(Table(), parts=16)
    for index, name in zip(indexes, ("exact", "near"), strict=True):
        index.build(ENTRIES, folder / name)
    return folder, [
        index.open(folder / name) for index, name in zip(indexes, ("exact", "near"), strict=True)
    ]


def test_most_of_the_nearest_are_found_with_nearly_their_scores(both):
    exact, near = (searcher.search(ASKED, 10) for searcher in both[1])
    shared = [
        len({one.row for one in a} & {one.row for one in b}) / 10
        for a, b in zip(exact, near, strict=True)
    ]
    assert np.mean(shared) > 0.8
    assert (
        np.mean([a[0].row == b[0].row for a, b in zip(exact, near, strict=True)]) > 0.9
    )  # itself
    assert all(abs(a[0].score - b[0].score) < 0.2 for a, b in zip(exact, near, strict=True))
    assert all(one == sorted(one, key=lambda hit: -hit.score) for one in near)


def test_vectors_are_not_kept(both):
    folder, _ = both
    sizes = {
        name: sum(path.stat().st_size for path in (folder / name).iterdir())
        for name in ("exact", "near")
    }
    assert (
        not (folder / "near" / "vectors.npy").exists() and sizes["near"] < sizes["exact"] / 2
    )  # most of it the codebooks


def test_a_filter_is_honoured_in_every_list(both):
    only = np.zeros(2000, np.bool_)
    only[[3, 700, 1999]] = True
    found = both[1][1].search(["42"], 10, only)[0]
    assert sorted(one.row for one in found) == [3, 700, 1999]


def test_few_rows_and_none(tmp_path):
    IVFPQ(Table()).build(ENTRIES[:3], tmp_path / "few")
    searcher = IVFPQ(Table()).open(tmp_path / "few")
    assert [one.row for one in searcher.search(["1"], 1)[0]] == [1] and searcher.search(
        [], 5
    ) == []
    with pytest.raises(CorpusError, match="built with table"):
        IVFPQ(Table(name="other")).open(tmp_path / "few")


def test_building_twice_gives_the_same(tmp_path):
    for name in ("a", "b"):
        IVFPQ(Table(), lists=7, parts=5).build(
            ENTRIES[:300], tmp_path / name
        )  # 4 parts, the next that cut 32 evenly
    assert np.array_equal(
        np.load(tmp_path / "a" / "codes.npy"), np.load(tmp_path / "b" / "codes.npy")
    )
    assert np.load(tmp_path / "a" / "codes.npy").shape == (300, 4)
    assert spell(IVFPQ(Table())) == "IVFPQ(encoder=Table())" and isinstance(
        IVFPQ(Table()), OfVectors
    )
