"""1,000 to 1,000,000 windows: the real ones first, then others drawn from them; goes on where it was stopped.

python -m benchmarks.scale.windows OUT --rows N    after benchmarks.scale.real_windows OUT

A drawn window belongs to a real document, as likely as that has windows. It has the length of one of its windows and as many
words drawn from all of its words, so that words keep their frequencies in the document. Its vector is the vector of one of the
document's windows, turned in a random direction by an angle drawn from those that were measured between real windows and their
nearest neighbours. OUT/rows holds blocks of BLOCK windows: documents, lengths, numbers of words (of words.json), vectors.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from pincite.types import Entry

BLOCK = 50_000
MEASURED = 2000
"""Real windows whose nearest neighbours are looked for."""


@dataclass(frozen=True)
class Real:
    """Real windows by row: the document, how many words, all words as numbers, vectors."""

    documents: NDArray[np.int32]
    lengths: NDArray[np.int32]
    words: NDArray[np.int32]
    vectors: NDArray[np.float16]

    @property
    def starts(self) -> NDArray[np.int64]:
        return np.concatenate(([0], np.cumsum(self.lengths))).astype(np.int64)


def real(out: Path) -> Real:
    """The real windows that have vectors; writes words.json."""
    blocks = [np.load(path) for path in sorted((out / "real").glob("vectors-*.npy"))]
    vectors = np.concatenate(blocks)
    with (out / "real" / "texts.jsonl").open() as file:
        rows = [json.loads(next(file)) for _ in range(len(vectors))]
    numbers: dict[str, int] = {}
    words = [[numbers.setdefault(word, len(numbers)) for word in text.split()] for _, text in rows]
    (out / "rows").mkdir(exist_ok=True)
    (out / "rows" / "words.json").write_text(json.dumps(list(numbers)))
    return Real(
        np.array([document for document, _ in rows], np.int32),
        np.array([len(row) for row in words], np.int32),
        np.concatenate([np.array(row, np.int32) for row in words]),
        vectors,
    )


def cosines(vectors: NDArray[np.float16], draw: np.random.Generator) -> NDArray[np.float32]:
    """The cosines of real windows with their nearest neighbours."""
    every = vectors.astype(np.float32)
    some = np.sort(draw.permutation(len(every))[:MEASURED])
    near = every[some] @ every.T
    near[np.arange(len(some)), some] = -1
    return near.max(axis=1)


def drawn(given: Real, count: int, near: NDArray[np.float32], draw: np.random.Generator) -> Real:
    """So many windows drawn from the real ones."""
    by_document = np.argsort(given.documents, kind="stable")
    sizes = np.bincount(given.documents)
    firsts = np.concatenate(([0], np.cumsum(sizes)))
    starts = given.starts
    chosen = given.documents[draw.integers(0, len(given.documents), count)]

    def of_the_same() -> NDArray[np.int64]:
        return by_document[firsts[chosen] + (draw.random(count) * sizes[chosen]).astype(np.int64)]

    lengths = given.lengths[of_the_same()]
    words = np.empty(lengths.sum(), np.int32)
    ends = np.cumsum(lengths)
    bags = {
        document: np.concatenate(
            [
                given.words[starts[row] : starts[row + 1]]
                for row in by_document[firsts[document] : firsts[document + 1]]
            ]
        )
        for document in np.unique(chosen).tolist()
    }
    for document, length, end in zip(
        chosen.tolist(), lengths.tolist(), ends.tolist(), strict=True
    ):
        bag = bags[document]
        words[end - length : end] = bag[draw.integers(0, len(bag), length)]
    return Real(chosen, lengths, words, turned(given.vectors[of_the_same()], near, draw))


def turned(
    vectors: NDArray[np.float16], near: NDArray[np.float32], draw: np.random.Generator
) -> NDArray[np.float16]:
    """Unit vectors, each turned in a random direction so that its cosine with what it was is one of `near`."""
    from_them = vectors.astype(np.float32)
    aside = draw.standard_normal(from_them.shape, np.float32)
    aside -= (aside * from_them).sum(axis=1, keepdims=True) * from_them
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    cosine = draw.choice(near, len(vectors)).clip(-1, 1)[:, None]
    made = cosine * from_them + np.sqrt(1 - cosine**2) * aside
    return made.astype(np.float16)


def write(out: Path, rows: int) -> None:
    """Write the blocks that `rows` windows need and that are not there."""
    given = real(out)
    near = cosines(given.vectors, np.random.default_rng(1))
    print(
        f"{len(given.lengths)} real windows of {len(np.unique(given.documents))} documents, {given.lengths.mean():.0f} words; "
        f"cosine with the nearest neighbour: median {np.median(near):.3f}, quartiles {np.quantile(near, [0.25, 0.75])}"
    )
    for start in range(0, rows, BLOCK):
        place = out / "rows" / f"vectors-{start:07}.npy"
        if place.is_file():
            continue
        held = max(min(len(given.lengths) - start, BLOCK), 0)
        starts = given.starts
        part = drawn(given, BLOCK - held, near, np.random.default_rng((2, start)))
        here = slice(start, start + held)
        columns = {
            "documents": np.concatenate((given.documents[here], part.documents)),
            "lengths": np.concatenate((given.lengths[here], part.lengths)),
            "words": np.concatenate(
                (given.words[starts[start] : starts[start + held]] if held else [], part.words)
            ).astype(np.int32),
            "vectors": np.concatenate((given.vectors[here], part.vectors)),
        }
        for name, column in columns.items():  # the vectors last: they say that the block is whole
            np.save(out / "rows" / f"{name}-{start:07}.npy", column)
        print(f"{start + BLOCK} windows", flush=True)


@dataclass(frozen=True)
class WindowEntries(Sequence[Entry]):
    """The first `count` windows as entries, whose texts are put together when they are asked for."""

    out: Path
    count: int

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Entry]:
        return self._between(0, self.count)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> list[Entry]: ...
    def __getitem__(self, at: int | slice) -> Entry | list[Entry]:
        if isinstance(at, int):
            if at >= self.count:
                raise IndexError(at)
            return next(self._between(at, at + 1))
        start, stop, _ = at.indices(self.count)
        return list(self._between(start, stop))

    def _between(self, start: int, stop: int) -> Iterator[Entry]:
        vocabulary = _vocabulary(self.out)
        for first in range(start - start % BLOCK, stop, BLOCK):
            lengths, words = _words(self.out, first)
            ends = np.cumsum(lengths)
            for row in range(max(start - first, 0), min(stop - first, BLOCK)):
                numbers = words[ends[row] - lengths[row] : ends[row]].tolist()
                text = " ".join([vocabulary[number] for number in numbers])
                yield Entry(f"{first + row:016}", "window", text)


@cache
def _vocabulary(out: Path) -> list[str]:
    return list(json.loads((out / "rows" / "words.json").read_text()))


def _words(out: Path, first: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    return np.load(out / "rows" / f"lengths-{first:07}.npy"), np.load(
        out / "rows" / f"words-{first:07}.npy", mmap_mode="r"
    )


def column(out: Path, name: str, count: int) -> NDArray[np.generic]:
    """The documents or vectors of the first `count` windows."""
    blocks = [
        np.load(out / "rows" / f"{name}-{first:07}.npy", mmap_mode="r")[: count - first]
        for first in range(0, count, BLOCK)
    ]
    return np.concatenate(blocks)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    write(given.out, given.rows)


if __name__ == "__main__":
    main()
