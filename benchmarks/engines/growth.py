"""How long a shelf takes to build in an engine, and to write again when 1% of its documents have changed.

python -m benchmarks.engines.growth ADDRESS [--documents N] [--windows N]    ADDRESS as in the setting `search`

Invented windows of about 130 words with Zipf's law, and vectors of 384 numbers around 500 centres. Build and growth are each
timed as a whole: what the engine does, and the folder that is written here.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.index.dense import Dense, OfVectors
from pincite.index.document_views import Whole
from pincite.index.lexical import Lexical
from pincite.index.shelf import EarlierFolder, Shelf, earlier_folder, searched_at, write_shelf
from pincite.testing.fakes import HashEncoder
from pincite.types import Entry

DIMS = 384
WORDS = 130
CENTRES = 500
CHANGED = 100


def texts(draw: np.random.Generator, words: NDArray[Any], count: int) -> list[str]:
    picked = np.minimum(draw.zipf(1.2, (count, WORDS)), len(words)) - 1
    return [" ".join(row) for row in words[picked]]


def vectors(draw: np.random.Generator, centres: NDArray[Any], count: int) -> NDArray[np.float32]:
    made = centres[draw.integers(0, len(centres), count)] + draw.normal(0, 1, (count, DIMS)) * 0.7
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return made.astype(np.float16).astype(np.float32)


def timed(shelf: Shelf, folder: Path, held: dict[str, list[str]], more: Any, old: EarlierFolder | None) -> float:  # fmt: skip
    keys = list(held)
    new = [(at, key) for at, key in enumerate(keys) if old is None or key not in old.documents]
    entries, owners = [], []
    for at, key in new:
        entries += [
            Entry(f"{key}{number:04x}", "window", text) for number, text in enumerate(held[key])
        ]
        owners += [at] * len(held[key])
    given = {"vectors": more(len(entries))} if isinstance(shelf.index, OfVectors) else {}
    started = time.perf_counter()
    write_shelf(shelf, folder, entries, owners, keys, keys, old, **given)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--windows", type=int, default=4)
    given = parser.parse_args()
    draw = np.random.default_rng(0)
    words = np.array(["".join(draw.choice(list("abcdefghiklmnoprst"), 7)) for _ in range(60_000)])
    centres = draw.normal(0, 1, (CENTRES, DIMS))
    held = {
        f"{number:012x}": texts(draw, words, given.windows) for number in range(given.documents)
    }
    kept = list(held)[given.documents // CHANGED :]
    changed = {
        f"{number + 10**9:012x}": texts(draw, words, given.windows)
        for number in range(given.documents // CHANGED)
    }
    after = {key: held[key] for key in kept} | changed
    print(f"{given.documents} documents, {given.documents * given.windows} windows")
    for name, index in (("words", Lexical()), ("vectors", Dense(HashEncoder(DIMS)))):
        shelf = searched_at(Shelf(index, (Whole(),)), given.address)
        with tempfile.TemporaryDirectory() as temporary:
            shelves = Path(temporary) / "shelves"

            def more(count: int) -> NDArray[np.float32]:
                return vectors(draw, centres, count)

            built = timed(shelf, shelves / "a", held, more, None)
            old = earlier_folder(shelf, shelves / "a")
            grown = timed(shelf, shelves / "b", after, more, old)
            again = timed(shelf, shelves / "c", held, more, earlier_folder(shelf, shelves / "b"))
            print(
                f"{name}: built in {built:.1f} s; 1% changed in {grown:.2f} s ({grown / built:.2%}) and back in {again:.2f} s"
            )
            shelf.index.drop([earlier_table(shelves / "a")])


def earlier_table(folder: Path) -> str:
    from pincite.index.engines.engine_rows import read_rows

    return read_rows(folder / "index").table


if __name__ == "__main__":
    main()
