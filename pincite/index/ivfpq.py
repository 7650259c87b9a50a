"""Approximate nearest neighbours: vectors in lists by their nearest centroid, each kept as a few bytes.

IVF-PQ of Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", PAMI 2011: a query looks into the
`probes` lists whose centroids are nearest; what a vector differs from its centroid by is cut into `parts`, each replaced by the
nearest of 256 that were learned. An index of n vectors takes n x parts bytes instead of n x dims x 4, and scores are estimates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.index.dense import DenseSearcher, OfVectors
from pincite.index.row_scores import best
from pincite.ports import Scored, Searcher
from pincite.types import Entry

Floats = NDArray[np.float32]
CODES = 256
"""Values of one byte."""
ROUNDS = 15
SAMPLE = 30_000
"""Vectors that are learned from, at most."""


@dataclass(frozen=True, slots=True)
class IVFPQ(OfVectors):
    """Approximate cosine over the vectors of `encoder`; 0 lists are 4 x the square root of the rows, 0 parts one per 8 dims.

    A filter is honoured in every list, so that it never leaves fewer hits than an exact search would.
    """

    lists: int = 0
    parts: int = 0
    probes: int = 16

    def build(self, entries: Sequence[Entry], folder: Path, vectors: Floats | None = None) -> None:
        """Learn centroids and codes from the vectors of `entries` and write them; `vectors` as for Dense."""
        rows = self._vectors(entries, vectors)
        draw = np.random.default_rng(0)
        sample = rows[draw.permutation(len(rows))[:SAMPLE]]
        centroids = _means(sample, self.lists or 4 * math.isqrt(len(rows)), draw)
        lists = _nearest(rows, centroids)
        left = _cut(rows - centroids[lists], self._parts(rows.shape[1]))
        learned = _cut(sample - centroids[_nearest(sample, centroids)], left.shape[0])
        books = np.stack([_padded(_means(part, CODES, draw)) for part in learned])
        codes = np.stack(
            [_nearest(part, book) for part, book in zip(left, books, strict=True)], axis=1
        )
        order = np.argsort(lists, kind="stable")
        folder.mkdir(parents=True, exist_ok=True)
        self._sign(folder)
        np.save(folder / "centroids.npy", centroids)
        np.save(folder / "books.npy", books)
        np.save(folder / "codes.npy", codes.astype(np.uint8)[order])
        np.save(folder / "rows.npy", order.astype(np.int32))
        np.save(
            folder / "starts.npy",
            np.searchsorted(lists[order], np.arange(len(centroids) + 1)).astype(np.int64),
        )

    def open(self, folder: Path) -> Searcher:
        """Map what `build` wrote; an index of another encoder is refused."""
        self._refuse_other(folder)
        centroids, books, codes, rows, starts = (
            np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r"))
            for name in ("centroids", "books", "codes", "rows", "starts")
        )
        return IVFPQSearcher(
            DenseSearcher(centroids, self.encoder), books, codes, rows, starts, self.probes
        )

    def _parts(self, dims: int) -> int:
        """As many parts as wanted, or the next fewer that cut `dims` evenly."""
        wanted = min(self.parts or max(dims // 8, 1), dims)
        return next(parts for parts in range(wanted, 0, -1) if dims % parts == 0)


@dataclass(frozen=True, slots=True, eq=False)
class IVFPQSearcher:
    """Open lists: `rows[starts[l]:starts[l + 1]]` and their codes are those of the l-th vector of `centroids`."""

    centroids: DenseSearcher
    books: Floats
    codes: NDArray[np.uint8]
    rows: NDArray[np.int32]
    starts: NDArray[np.int64]
    probes: int

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the `k` rows of highest estimated cosine, best first."""
        return [
            best(self._scores(query, only is None), k, only)
            for query in self.centroids.queries(texts)
        ]

    def _scores(self, query: Floats, probed: bool) -> Floats:
        """The estimated cosine of every row in the lists that are looked into, 0 for the others."""
        near = self.centroids.vectors @ query
        wanted = np.argsort(-near, kind="stable")[: self.probes if probed else None]
        table = np.einsum("pcd,pd->pc", self.books, query.reshape(len(self.books), -1))
        found = np.zeros(len(self.rows), np.float32)
        each = np.arange(len(self.books))
        for centroid in wanted:
            held = slice(self.starts[centroid], self.starts[centroid + 1])
            found[self.rows[held]] = near[centroid] + table[each, self.codes[held]].sum(axis=1)
        return found


def _cut(vectors: Floats, parts: int) -> Floats:
    """(n, dims) as (parts, n, dims / parts)."""
    return np.ascontiguousarray(vectors.reshape(len(vectors), parts, -1).swapaxes(0, 1))


def _means(vectors: Floats, count: int, draw: np.random.Generator) -> Floats:
    """At most `count` centroids by Lloyd's k-means; one that loses all its vectors stays where it was."""
    count = max(min(count, len(vectors)), 1)
    made: Floats = vectors[draw.permutation(len(vectors))[:count]].copy()
    if not len(vectors):
        return np.zeros((1, vectors.shape[1]), np.float32)
    for _ in range(ROUNDS):
        nearest = _nearest(vectors, made)
        sums = np.zeros_like(made)
        np.add.at(sums, nearest, vectors)
        counts = np.bincount(nearest, minlength=count)
        made[counts > 0] = sums[counts > 0] / counts[counts > 0, None]
    return made


def _nearest(vectors: Floats, centroids: Floats) -> NDArray[np.int64]:
    """The centroid of least Euclidean distance of each vector."""
    half = (centroids**2).sum(axis=1) / 2
    several = [
        (vectors[at : at + 8192] @ centroids.T - half).argmax(axis=1)
        for at in range(0, len(vectors), 8192)
    ]
    return np.concatenate(several) if several else np.zeros(0, np.int64)


def _padded(book: Floats) -> Floats:
    """A codebook of CODES rows; what few vectors did not fill is zero and never a code."""
    return np.concatenate((book, np.zeros((CODES - len(book), book.shape[1]), np.float32)))
