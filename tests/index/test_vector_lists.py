"""Very many vectors: what lists find is what an exact search finds, nearly always, with the same scores, under any filter."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from pincite.search.index.dense import Dense
from pincite.search.index.shelf import Shelf, earlier_folder, write_shelf
from pincite.search.index.vector_lists import means, nearest_centroids
from pincite.types import Entry

ROWS, K = 3000, 10


@dataclass(frozen=True)
class Clustered:
    """Encodes a number, as text, as the row of that number among unit vectors in forty clusters."""

    name: str = "clustered"
    revision: str = "1"
    dims: int = 32
    window: int = 10

    def spans(self, text):
        return [(0, len(text))]

    def encode(self, texts, *, side="document"):
        draw = np.random.default_rng(5)
        made = draw.normal(size=(40, self.dims))[draw.integers(0, 40, ROWS)]
        made = made + 0.5 * draw.normal(size=(ROWS, self.dims))
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made[[int(text) for text in texts]].astype(np.float16).astype(np.float32)


ENTRIES = [Entry(f"{row:016}", "v", str(row)) for row in range(ROWS)]
ASKED = [str(row) for row in range(0, ROWS, 60)]
EXACT, LISTED = Dense(Clustered()), Dense(Clustered(), exact=100, scored=400)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lists")
    made = []
    for name, index in (("exact", EXACT), ("listed", LISTED)):
        index.build(ENTRIES, folder / name)
        made.append(index.open(folder / name))
    return made


def pairs(found):
    return {hit.row: hit.score for hit in found}


def test_nearly_all_of_the_nearest_are_found_with_their_exact_scores(both):
    exact, listed = (searcher.search(ASKED, K) for searcher in both)
    shared = [
        len(pairs(a).keys() & pairs(b).keys()) / K for a, b in zip(exact, listed, strict=True)
    ]
    assert np.mean(shared) > 0.95
    for a, b in zip(exact, listed, strict=True):
        assert b == sorted(b, key=lambda hit: (-hit.score, hit.row))
        for row in pairs(a).keys() & pairs(b).keys():
            assert pairs(a)[row] == pytest.approx(pairs(b)[row], abs=1e-6)


@pytest.mark.parametrize("admitted", [1, 7, 250])
def test_a_filter_that_admits_few_rows_is_exact(both, admitted):
    only = np.zeros(ROWS, np.bool_)
    only[np.random.default_rng(admitted).permutation(ROWS)[:admitted]] = True
    exact, listed = (searcher.search(ASKED, K, only) for searcher in both)
    for a, b in zip(exact, listed, strict=True):
        assert [hit.row for hit in b] == [hit.row for hit in a]
        assert all(only[hit.row] for hit in b)


def test_as_many_are_found_as_are_wanted(both):
    (found,) = both[1].search(["7"], 1500)
    assert len(found) == 1500  # more than are looked at for fewer


def test_every_row_can_be_scored(both):
    exact, listed = (searcher.score_all(ASKED[:3]) for searcher in both)
    np.testing.assert_allclose(exact, listed, atol=1e-6)


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(("before", "after"), [(200, 250), (90, 150), (150, 90)])
def test_what_has_grown_or_shrunk_is_what_is_built(tmp_path, before, after):
    shelf = Shelf(LISTED, ())

    def written(name, count, old=None):
        keys = [str(row) for row in range(count)]
        new = [row for row in range(count) if old is None or str(row) not in old.documents]
        entries = [ENTRIES[row] for row in new]
        write_shelf(shelf, tmp_path / name, entries, new, keys, keys, old)
        return tmp_path / name

    whole = written("whole", after)
    old = earlier_folder(shelf, written("first", before))
    assert files(written("grown", after, old)) == files(whole)
    assert (whole / "index" / "codes.npy").exists() == (after > 100)


def test_a_folder_without_lists_is_searched_exactly_however_many_rows_it_holds(tmp_path, both):
    EXACT.build(ENTRIES, tmp_path / "older")
    searcher = replace(LISTED, exact=10).open(tmp_path / "older")
    assert searcher.search(ASKED, K) == both[0].search(ASKED, K)


def test_means_by_hand():
    vectors = np.array([[0, 0], [0, 2], [10, 0], [10, 2]], np.float32)
    made = means(vectors, 2, np.random.default_rng(1))
    halves = nearest_centroids(vectors, made)
    if halves[0] == halves[1]:
        assert sorted(made.tolist()) == [[0, 1], [10, 1]]
    else:  # the other fixed point of Lloyd's rounds
        assert sorted(made.tolist()) == [[5, 0], [5, 2]]
    assert means(np.zeros((0, 3), np.float32), 4, np.random.default_rng(0)).shape == (1, 3)
