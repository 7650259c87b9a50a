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

from pincite.ports import Scored, Searcher
from pincite.search.index.dense import DenseSearcher, OfVectors
from pincite.search.index.row_scores import best, mapped_columns, save_columns
from pincite.search.index.vector_lists import Floats, means, nearest_centroids
from pincite.types import Entry

CODES = 256
"""Values of one byte."""
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
        centroids = means(sample, self.lists or 4 * math.isqrt(len(rows)), draw)
        lists = nearest_centroids(rows, centroids)
        left = _cut(rows - centroids[lists], self._parts(rows.shape[1]))
        learned = _cut(sample - centroids[nearest_centroids(sample, centroids)], left.shape[0])
        books = np.stack([_padded(means(part, CODES, draw)) for part in learned])
        codes = np.stack(
            [nearest_centroids(part, book) for part, book in zip(left, books, strict=True)], axis=1
        )
        order = np.argsort(lists, kind="stable")
        starts = np.searchsorted(lists[order], np.arange(len(centroids) + 1)).astype(np.int64)
        folder.mkdir(parents=True, exist_ok=True)
        self._sign(folder)
        rows_of, kept = order.astype(np.int32), codes.astype(np.uint8)[order]
        save_columns(
            folder, centroids=centroids, books=books, codes=kept, rows=rows_of, starts=starts
        )

    def open(self, folder: Path) -> Searcher:
        """Map what `build` wrote; an index of another encoder is refused."""
        self._refuse_other(folder)
        names = ("centroids", "books", "codes", "rows", "starts")
        centroids, books, codes, rows_of, starts = mapped_columns(folder, *names)
        coarse = DenseSearcher(centroids, self.encoder)
        return IVFPQSearcher(coarse, books, codes, rows_of, starts, self.probes)

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


def _padded(book: Floats) -> Floats:
    """A codebook of CODES rows; what few vectors did not fill is zero and never a code."""
    return np.concatenate((book, np.zeros((CODES - len(book), book.shape[1]), np.float32)))
