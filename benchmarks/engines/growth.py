"""How long a shelf takes to build in an engine, and to write again when 1% of its documents have changed.

python -m benchmarks.engines.growth ADDRESS [--documents N] [--windows N]    ADDRESS as in the setting `search`

Invented windows of about 130 words with Zipf's law, and vectors of 384 numbers around 500 centres. Build and growth are each
timed as a whole: what the engine does, and the folder that is written here. Of a PostgreSQL server on this machine the seconds
of processors are told too, its own and ours.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.processors import postmaster, worked
from pincite.index.dense import Dense, OfVectors
from pincite.index.document_views import Whole
from pincite.index.lexical import Lexical
from pincite.index.shelf import EarlierFolder, Shelf, earlier_folder, searched_at, write_shelf
from pincite.types import Entry
from tests.stand_ins.fakes import HashEncoder

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


def timed(
    shelf: Shelf,
    folder: Path,
    held: dict[str, list[str]],
    more: Any,
    old: EarlierFolder | None,
    server: tuple[int, ...],
) -> tuple[float, float]:
    """Seconds, and seconds of processors."""
    keys = list(held)
    new = [(at, key) for at, key in enumerate(keys) if old is None or key not in old.documents]
    entries, owners = [], []
    for at, key in new:
        entries += [
            Entry(f"{key}{number:04x}", "window", text) for number, text in enumerate(held[key])
        ]
        owners += [at] * len(held[key])
    given = {"vectors": more(len(entries))} if isinstance(shelf.index, OfVectors) else {}
    started, before = time.perf_counter(), worked(os.getpid(), *server)
    write_shelf(shelf, folder, entries, owners, keys, keys, old, **given)
    seconds = time.perf_counter() - started
    time.sleep(0.5)  # the server's process of our connection ends
    return seconds, worked(os.getpid(), *server) - before


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--windows", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    server = postmaster(given.address)
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

            built = timed(shelf, shelves / "0", held, more, None, server)
            print(f"{name}: built in {built[0]:.1f} s, {built[1]:.1f} s of processors", flush=True)
            for number in range(given.rounds):
                old = earlier_folder(shelf, shelves / str(number))
                now = held if number % 2 else after
                grown = timed(shelf, shelves / str(number + 1), now, more, old, server)
                share, spent = (part / whole for part, whole in zip(grown, built, strict=True))
                print(
                    f"{name}: 1% changed in {grown[0]:.2f} s ({share:.2%}), "
                    f"{grown[1]:.2f} s of processors ({spent:.2%})",
                    flush=True,
                )
            shelf.index.drop([earlier_table(shelves / "0")])


def earlier_table(folder: Path) -> str:
    from pincite.index.engines.engine_rows import read_rows

    return read_rows(folder / "index").table


if __name__ == "__main__":
    main()
