"""An index of which a part was there before is, byte by byte, the one that is built of all at once."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.search.index.dense import Dense
from pincite.search.index.document_views import Whole
from pincite.search.index.ivfpq import IVFPQ
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf, earlier_folder, write_shelf
from pincite.types import Entry
from tests.index.test_dense import Letters

WORDS = ("pump", "valve", "2023", "12.5", "Kessel", "steam", "of", "pump")
TEXT = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
DOCUMENT = st.tuples(st.text("abc", min_size=1, max_size=2), st.lists(TEXT, max_size=3).map(tuple))
CORPUS = st.dictionaries(st.integers(0, 9), DOCUMENT, max_size=6)


def entries_of(held):
    """The entries of documents that have a view's name and some texts, the second below the first."""
    entries, owners = [], []
    for position, (number, (view, texts)) in enumerate(held):
        for at, text in enumerate(texts):
            children = (f"{number}-1",) if at == 0 and len(texts) > 1 else ()
            entries.append(Entry(f"{number}-{at}", view, text, at, children))
            owners.append(position)
    return entries, owners


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    "index",
    [Lexical(), Lexical(bigrams=True), Dense(Letters())],
    ids=["words", "bigrams", "dense"],
)
@settings(max_examples=25)
@given(first=CORPUS, second=CORPUS)
def test_what_has_grown_is_what_is_built(index, first, second):
    with TemporaryDirectory() as place:
        folder, shelf = Path(place), Shelf(index, (Whole(("sentence",)),))
        for name, corpus in (("first", first), ("whole", second)):
            held = sorted(corpus.items())
            keys = [repr(one) for one in held]
            write_shelf(shelf, folder / name, *entries_of(held), keys, keys)
        old = earlier_folder(shelf, folder / "first")
        assert old is not None
        held = sorted(second.items())
        keys = [repr(one) for one in held]
        new, owners = entries_of(
            [one if repr(one) not in old.documents else (0, ("", ())) for one in held]
        )
        write_shelf(shelf, folder / "grown", new, owners, keys, keys, old)
        assert files(folder / "grown") == files(folder / "whole")


def test_what_cannot_grow_or_is_damaged_is_built_anew(tmp_path):
    entries = [Entry(f"{number:016}", "s", f"pump {number}") for number in range(40)]
    for index in (Lexical(), IVFPQ(Letters())):
        write_shelf(
            Shelf(index, ()), tmp_path / type(index).__name__, entries, [0] * 40, ["v"], ["k"]
        )
    assert earlier_folder(Shelf(IVFPQ(Letters()), ()), tmp_path / "IVFPQ") is None
    folder = tmp_path / "Lexical"
    assert earlier_folder(Shelf(Lexical(), ()), folder) is not None
    (folder / "index" / "rows.npy").write_bytes(b"torn")
    assert earlier_folder(Shelf(Lexical(), ()), folder) is None
    assert earlier_folder(Shelf(Lexical(), ()), tmp_path / "nothing") is None


def test_a_term_that_is_gone_takes_no_room(tmp_path):
    shelf = Shelf(Lexical(), ())
    a, b = Entry("0" * 16, "s", "pump steam"), Entry("1" * 16, "s", "pump valve")
    write_shelf(shelf, tmp_path / "both", [a, b], [0, 1], ["a", "b"], ["a", "b"])
    write_shelf(
        shelf, tmp_path / "one", [], [], ["b"], ["b"], earlier_folder(shelf, tmp_path / "both")
    )
    assert len(np.load(tmp_path / "one" / "index" / "vocabulary.npy")) == 2
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".half")] == []
