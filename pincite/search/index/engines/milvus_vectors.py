"""Nearest neighbours in Milvus: vectors in single precision under an HNSW graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored
from pincite.search.index.dense import DenseSearcher, OfVectors
from pincite.search.index.engines import milvus_client as milvus
from pincite.search.index.engines.engine_address import EngineAddress
from pincite.search.index.engines.engine_rows import EngineIndex, EngineRows, Placed, read_rows
from pincite.types import Entry

_FIELD = "embedding"
DEEPER = 10
"""How many times the rows that are asked for are kept as candidates during a search."""
LEAST = 128
"""The fewest candidates that are kept."""


@dataclass(frozen=True, slots=True)
class MilvusVectors(EngineIndex, OfVectors):
    """Vectors of `encoder` that Milvus holds at `place`; `links` and `effort` are M and efConstruction of HNSW."""

    place: EngineAddress
    links: int = 16
    effort: int = 128

    def _made(
        self, entries: Sequence[Entry], vectors: NDArray[np.float32] | None
    ) -> NDArray[np.float32]:
        return self._vectors(entries, vectors)

    def write(self, where: Placed, made: NDArray[np.float32], folder: Path) -> None:
        """Write vectors to their place, and the folder of their index. Raises EngineError when Milvus refuses."""
        column = {"field_name": _FIELD, "datatype": "FLOAT_VECTOR", "dim": self.encoder.dims}
        index = {"index_type": "HNSW", "params": {"M": self.links, "efConstruction": self.effort}}
        milvus.write_rows(
            self.place, where, column, index, range(len(made)), lambda row: made[row]
        )
        where.rows.save(folder, self.place.text)
        self._sign(folder)

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
        admitted = self.rows.admitted(only)
        k = min(k, self.rows.count(admitted))
        if not k or not texts:
            return [[] for _ in texts]
        vectors, effort = self.questions.queries(texts), {"ef": max(LEAST, DEEPER * k)}
        found = milvus.searched(self.place, self.rows, _FIELD, vectors, k, admitted, effort)
        return [milvus.in_order(rows, scores) for rows, scores, _ in found]
