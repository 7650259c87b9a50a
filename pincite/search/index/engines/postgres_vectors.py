"""Nearest neighbours in PostgreSQL by pgvector: vectors in half precision under an HNSW graph, and their products in single.

The graph is searched for more rows than are asked for, under the question's filters (an iterative scan goes on until enough are
let through), and the server orders what it finds by the exact product. Where a filter leaves few rows, all are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored
from pincite.search.index.dense import DenseSearcher, OfVectors
from pincite.search.index.engines.engine_address import EngineAddress
from pincite.search.index.engines.engine_rows import (
    EngineIndex,
    EngineRows,
    Numbers,
    Placed,
    read_rows,
)
from pincite.search.index.engines.postgres_connection import asked, copy_rows, drop, write_rows
from pincite.types import Entry

if TYPE_CHECKING:
    import psycopg

FEW = 60_000
"""Rows up to which all that a filter lets through are compared: that takes no longer than a search of the graph."""
DEEPER = 8
"""How many times the rows that are asked for are looked for in the graph."""
DEEPER_FILTERED = 2
"""The same under a filter, where a scan goes on until enough are let through."""
EFFORT_LATER = 64
"""ef_construction for rows that are put into a graph that is there: a quarter less work, and as much is found."""
LEAST = 128
"""The fewest rows that are looked for in it."""
WIDEST = 1000
"""The most candidates that pgvector keeps during a search (`hnsw.ef_search`)."""


_OWN = "{document} <= %(top)s AND document <> ALL(%(hidden)s)"
_ADMITTED = "{document} = ANY(%(admitted)s)"
"""Rows of the index, and those that a filter lets through; a sum keeps the planner from reading them all by document."""
_ALL = """
SELECT document, place, embedding::vector <#> %(asked)s::vector AS far FROM {table} WHERE {own}
ORDER BY far, document, place LIMIT %(k)s"""
_GRAPH = """
SELECT document, place, embedding::vector <#> %(asked)s::vector AS far FROM (
    SELECT document, place, embedding FROM {table} WHERE {own}
    ORDER BY embedding <#> %(asked)s::vector::halfvec LIMIT %(deep)s) AS near
ORDER BY far, document, place LIMIT %(k)s"""


@dataclass(frozen=True, slots=True)
class PostgresVectors(EngineIndex, OfVectors):
    """Vectors of `encoder` that a PostgreSQL server holds at `place`; `links` and `effort` are m and ef_construction of HNSW."""

    place: EngineAddress
    links: int = 16
    effort: int = 128

    def _made(
        self, entries: Sequence[Entry], vectors: NDArray[np.float32] | None
    ) -> NDArray[np.float32]:
        return self._vectors(entries, vectors)

    def write(self, where: Placed, made: NDArray[np.float32], folder: Path) -> None:
        """Write vectors to their place, with their graph, and the folder of their index. EngineError when the server refuses."""
        table, kind = where.rows.table, f"halfvec({self.encoder.dims}) NOT NULL"
        # a corpus's own schema comes first, where the extension would be out of others' sight
        within = " SCHEMA public" if self.place.schema else ""
        later = max(min(self.effort, EFFORT_LATER), 2 * self.links)  # pgvector takes no less
        create = (
            f"CREATE EXTENSION IF NOT EXISTS vector{within}",
            f"CREATE TABLE {table} (document integer NOT NULL, place integer NOT NULL, embedding {kind})",
        )
        finish = (
            f"ALTER TABLE {table} ADD PRIMARY KEY (document, place)",
            f"CREATE INDEX {table}_graph ON {table} USING hnsw (embedding halfvec_ip_ops) "
            f"WITH (m = {self.links}, ef_construction = {self.effort})",
            f"ALTER INDEX {table}_graph SET (ef_construction = {later})",
            f"ANALYZE {table}",
        )
        write_rows(self.place, where, create, partial(_copy, where=where, vectors=made), finish)
        where.rows.save(folder, self.place.text)
        self._sign(folder)

    def drop(self, tables: Iterable[str]) -> None:
        """Remove tables, whether the server has them or not. Raises EngineError."""
        drop(self.place, tables)

    def open(self, folder: Path) -> PostgresVectorSearcher:
        """Read which rows are the index's; one of another encoder is refused. CorpusError when the server lacks the table."""
        self._refuse_other(folder)
        rows = read_rows(folder)
        look = f"SELECT FROM {rows.table} LIMIT 0"
        asked(self.place, lambda connection: connection.execute(look))
        none = np.empty((0, self.encoder.dims), np.float32)
        return PostgresVectorSearcher(self.place, rows, DenseSearcher(none, self.encoder))


def _copy(
    connection: psycopg.Connection[Any], where: Placed, vectors: NDArray[np.float32]
) -> None:
    count, dims = vectors.shape
    bodies = np.zeros((count, 2 + dims), ">u2")  # the number of dimensions, nothing, and these
    bodies[:, 0] = dims
    bodies[:, 2:] = vectors.astype(np.float16).view(np.uint16)
    ends = np.arange(1, count + 1) * bodies.itemsize * (2 + dims)
    numbers = {"document": where.documents.astype(">i4"), "place": where.places.astype(">i4")}
    copy_rows(connection, where.rows.table, numbers, "embedding", bodies.tobytes(), ends)


@dataclass(frozen=True, slots=True, eq=False)
class PostgresVectorSearcher:
    """Vectors of some rows of a table; `questions` encodes what is searched for."""

    place: EngineAddress
    rows: EngineRows
    questions: DenseSearcher

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the `k` rows of highest cosine, best first, as far as the graph finds them."""
        admitted = self.rows.admitted(only)
        count = self.rows.count(admitted)
        vectors = self.questions.queries(texts)
        return [self._nearest(vector, min(k, count), admitted, count) for vector in vectors]

    def _nearest(
        self, vector: NDArray[np.float32], k: int, admitted: Numbers | None, count: int
    ) -> list[Scored]:
        if not k:
            return []
        values = {
            "asked": "[" + ",".join(map(repr, vector.tolist())) + "]",
            **self.rows.values(admitted),
            "k": k,
            "deep": max(LEAST, (DEEPER if admitted is None else DEEPER_FILTERED) * k),
        }
        own = _OWN if admitted is None else _ADMITTED
        if admitted is None or count > FEW:
            found = self._scored(_GRAPH, own.format(document="document + 0"), values)
            if len(found) == k:
                return found
        return self._scored(_ALL, own.format(document="document"), values)

    def _scored(self, statement: str, own: str, values: Mapping[str, Any]) -> list[Scored]:
        said = statement.format(table=self.rows.table, own=own)

        def work(connection: psycopg.Connection[Any]) -> list[tuple[int, int, float]]:
            kept = min(WIDEST, values["deep"])
            connection.execute(f"SELECT set_config('hnsw.ef_search', '{kept}', false)")
            return connection.execute(said, values, binary=True).fetchall()

        found = asked(self.place, work)
        documents, places = (np.array([row[at] for row in found], np.int64) for at in (0, 1))
        rows = self.rows.rows(documents, places).tolist()
        scored = (Scored(row, -far) for row, (_, _, far) in zip(rows, found, strict=True))
        return sorted(scored, key=lambda scored: (-scored.score, scored.row))
