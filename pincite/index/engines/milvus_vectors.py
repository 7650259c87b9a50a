"""Nearest neighbours in Milvus: vectors in single precision under an HNSW graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.index.dense import DenseSearcher, OfVectors
from pincite.index.engines import milvus_client as milvus
from pincite.index.engines.engine_address import EngineAddress
from pincite.index.engines.engine_rows import (
    EngineRows,
    Placed,
    placed,
    placed_beside,
    read_rows,
)
from pincite.ports import Scored
from pincite.types import Entry

_FIELD = "embedding"
DEEPER = 10
"""How many times the rows that are asked for are kept as candidates during a search."""
LEAST = 128
"""The fewest candidates that are kept."""


@dataclass(frozen=True, slots=True)
class MilvusVectors(OfVectors):
    """Vectors of `encoder` that Milvus holds at `place`; `links` and `effort` are M and efConstruction of HNSW."""

    place: EngineAddress
    links: int = 16
    effort: int = 128

    def build(
        self,
        entries: Sequence[Entry],
        folder: Path,
        owners: NDArray[np.integer] | None = None,
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        """Write the vectors of `entries` into a new collection; `vectors` as for Dense, `owners` tells the documents of the rows
        apart. Raises EngineError when Milvus refuses.
        """
        where, made = placed(owners, len(entries)), self._vectors(entries, vectors)
        index = {"index_type": "HNSW", "params": {"M": self.links, "efConstruction": self.effort}}
        milvus.create(
            self.place, where.rows.table, _FIELD, "FLOAT_VECTOR", dim=self.encoder.dims, **index
        )
        self._insert(where, made)
        self._save(where.rows, folder)

    def grow(
        self,
        entries: Sequence[Entry],
        folder: Path,
        before: Path,
        rows: NDArray[np.int64],
        owners: NDArray[np.integer] | None = None,
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        """Write the vectors of `entries` beside those of the index in `before`; `rows[i]` is the row there of row i, or -1."""
        old = read_rows(before)
        where = placed_beside(old, owners, rows)
        milvus.forget(self.place, where, old.last)
        self._insert(where, self._vectors(entries, vectors))
        self._save(where.rows, folder)

    def drop(self, tables: Iterable[str]) -> None:
        """Remove collections, whether Milvus has them or not. Raises EngineError."""
        milvus.drop(self.place, tables)

    def open(self, folder: Path) -> MilvusVectorSearcher:
        """Read which rows are the index's; one of another encoder is refused. CorpusError when Milvus lacks the collection."""
        self._refuse_other(folder)
        rows = read_rows(folder)
        milvus.asked(self.place, lambda client: client.load_collection(rows.table))
        none = np.empty((0, self.encoder.dims), np.float32)
        return MilvusVectorSearcher(self.place, rows, DenseSearcher(none, self.encoder))

    def _insert(self, where: Placed, vectors: NDArray[np.float32]) -> None:
        milvus.insert(self.place, where, _FIELD, lambda row: vectors[row], range(len(vectors)))

    def _save(self, rows: EngineRows, folder: Path) -> None:
        rows.save(folder, self.place.text)
        self._sign(folder)


@dataclass(frozen=True, slots=True, eq=False)
class MilvusVectorSearcher:
    """Vectors of some rows of a collection; `questions` encodes what is searched for."""

    place: EngineAddress
    rows: EngineRows
    questions: DenseSearcher

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the `k` rows of highest cosine, best first, as far as the graph finds them."""
        admitted = None if only is None else self.rows.admitted(only)
        k = min(k, self.rows.size if admitted is None else self.rows.count(admitted))
        if not k or not texts:
            return [[] for _ in texts]
        found = milvus.searched(
            self.place,
            self.rows,
            _FIELD,
            list(self.questions.queries(texts)),
            k,
            admitted,
            {"ef": max(LEAST, DEEPER * k)},
        )
        return [in_order(rows, scores) for rows, scores, _ in found]


def in_order(rows: NDArray[np.int64], scores: Sequence[float]) -> list[Scored]:
    """Rows with their scores, best first, equal ones in row order."""
    made = map(Scored, rows.tolist(), scores)
    return sorted(made, key=lambda scored: (-scored.score, scored.row))
