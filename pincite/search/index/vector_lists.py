"""Vectors of very many rows in lists by their nearest centroid: a search reads the lists nearest to it and no others.

The inverted file of Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", PAMI 2011. Lists hold a byte for
each component, from which scores are estimated; the best are scored again from the vectors themselves, so that every score is
exact, and only which rows are looked at is a matter of chance. These few are read from their file: of a mapped one the system
would keep their neighbours in this process's memory as well, which soon are all.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from pincite.search.index.row_scores import mapped_columns, save_columns

Floats = NDArray[np.float32]

ROUNDS = 10
FOR_EACH = 32
"""Vectors that a centroid is learned from."""
AT_ONCE = 512
"""Rows that are unpacked at a time: they stay in a core's cache."""
_NOWHERE = np.empty(0, np.int64)
AGAIN = 2
"""Rows scored again for each that is wanted, since estimates order them a little otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class VectorFile:
    """An open file of vectors by row in half precision; the first of `dims` numbers each begins at byte `start`."""

    file: IO[bytes]
    start: int
    dims: int

    def read(self, rows: NDArray[np.integer]) -> NDArray[np.float16]:
        """The vectors of some rows. Raises ValueError where the file lacks one."""
        size = self.dims * np.dtype(np.float16).itemsize
        number = self.file.fileno()
        held = b"".join([os.pread(number, size, self.start + size * row) for row in rows.tolist()])
        return np.frombuffer(held, np.float16).reshape(len(rows), self.dims)


@dataclass(frozen=True, slots=True, eq=False)
class VectorLists:
    """Open lists: places `starts[l]` to `starts[l + 1]` belong to the l-th of `centroids`; `rows` says whose they are.

    The vector at a place is about `codes` times `scales` there; `vectors` are by row.
    """

    vectors: VectorFile
    centroids: Floats
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    codes: NDArray[np.int8]
    scales: Floats

    def nearest(
        self, query: Floats, k: int, least: int, only: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int32], Floats]:
        """The best `k` rows by cosine, or a few more, in row order, and their cosines.

        The nearest lists are looked into until they hold `least` rows, and at least k, that `only` admits: what admits fewer
        is searched exactly.
        """
        if only is None:
            lists = self._lists(query, max(k, least), self.starts)
            places = _between(self.starts, lists)
            estimates = self._estimates(query, self._slices(lists))
        else:
            admitted = np.flatnonzero(only[self.rows])
            starts = np.searchsorted(admitted, self.starts)
            places = admitted[_between(starts, self._lists(query, max(k, least), starts))]
            several = range(0, len(places), AT_ONCE)
            estimates = self._estimates(query, (places[at : at + AT_ONCE] for at in several))
        estimates *= self.scales[places]
        wanted = AGAIN * k
        if len(places) > wanted:
            places = places[np.argpartition(-estimates, wanted)[:wanted]]
        rows = np.sort(self.rows[places])
        scores: Floats = self.vectors.read(rows).astype(np.float32) @ query
        return rows, scores

    def _lists(self, query: Floats, least: int, starts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The nearest lists that hold `least` rows, in order; the l-th holds those from `starts[l]` to `starts[l + 1]`."""
        order = np.argsort(-(self.centroids @ query), kind="stable")
        held = np.diff(starts)
        enough = int(np.searchsorted(np.cumsum(held[order]), least)) + 1
        lists = order[:enough]
        return np.sort(lists[held[lists] > 0])

    def _slices(self, lists: NDArray[np.int64]) -> Iterator[slice]:
        """All places of some lists in pieces that lie side by side, which are read without a copy."""
        for at in lists.tolist():
            start, end = int(self.starts[at]), int(self.starts[at + 1])
            for first in range(start, end, AT_ONCE):
                yield slice(first, min(first + AT_ONCE, end))

    def _estimates(self, query: Floats, pieces: Iterable[slice | NDArray[np.int64]]) -> Floats:
        """The products of the query with the codes at some places, in their order."""
        made = [self.codes[piece].astype(np.float32) @ query for piece in pieces]
        return np.concatenate(made) if made else np.empty(0, np.float32)


def _between(starts: NDArray[np.int64], lists: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers from `starts[l]` to `starts[l + 1]` for each of `lists`."""
    spans = zip(starts[lists].tolist(), starts[lists + 1].tolist(), strict=True)
    return np.concatenate([_NOWHERE, *(np.arange(start, end) for start, end in spans)])


def write_lists(vectors: NDArray[np.float16], folder: Path) -> None:
    """Learn centroids from unit vectors and write lists into the folder; on one machine the same vectors make the same bytes."""
    draw = np.random.default_rng(0)
    count = 2 * math.isqrt(len(vectors))
    sample = vectors[np.sort(draw.permutation(len(vectors))[: FOR_EACH * count])]
    centroids = means(sample.astype(np.float32), count, draw)
    lists = nearest_centroids(vectors, centroids)
    order = np.argsort(lists, kind="stable")
    starts = np.searchsorted(lists[order], np.arange(len(centroids) + 1))
    codes = np.empty(vectors.shape, np.int8)
    scales = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), AT_ONCE):
        block = vectors[order[start : start + AT_ONCE]].astype(np.float32)
        largest = np.maximum(np.abs(block).max(axis=1), np.finfo(np.float32).tiny)
        scales[start : start + AT_ONCE] = largest / 127
        codes[start : start + AT_ONCE] = np.rint(block * (127 / largest)[:, None])
    places, rows = starts.astype(np.int64), order.astype(np.int32)
    save_columns(folder, centroids=centroids, starts=places, rows=rows, codes=codes, scales=scales)


def open_lists(folder: Path) -> VectorLists | None:
    """Map the lists in a folder, and open its `vectors.npy`; None where it has no lists."""
    if not (folder / "codes.npy").is_file():
        return None
    columns = mapped_columns(folder, "centroids", "starts", "rows", "codes", "scales")
    place = folder / "vectors.npy"
    start, dims = np.load(place, mmap_mode="r").offset, columns[0].shape[1]
    return VectorLists(VectorFile(place.open("rb", buffering=0), start, dims), *columns)


def means(vectors: Floats, count: int, draw: np.random.Generator) -> Floats:
    """At most `count` centroids by Lloyd's k-means; one that loses all its vectors stays where it was."""
    count = max(min(count, len(vectors)), 1)
    if not len(vectors):
        return np.zeros((1, vectors.shape[1]), np.float32)
    made: Floats = vectors[draw.permutation(len(vectors))[:count]].copy()
    for _ in range(ROUNDS):
        nearest = nearest_centroids(vectors, made)
        order = np.argsort(nearest, kind="stable")
        used, first, counts = np.unique(nearest[order], return_index=True, return_counts=True)
        made[used] = np.add.reduceat(vectors[order], first, axis=0) / counts[:, None]
    return made


def nearest_centroids(
    vectors: Floats | NDArray[np.float16], centroids: Floats
) -> NDArray[np.int64]:
    """The centroid of least Euclidean distance of each vector."""
    half = (centroids**2).sum(axis=1) / 2
    several = [
        (vectors[at : at + AT_ONCE].astype(np.float32) @ centroids.T - half).argmax(axis=1)
        for at in range(0, len(vectors), AT_ONCE)
    ]
    return np.concatenate(several) if several else np.zeros(0, np.int64)
