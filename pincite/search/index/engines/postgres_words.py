"""BM25 in PostgreSQL: a table of postings, one row for each term and document, from which a query takes those of its terms.

The server reads which rows a question's terms stand in, under the question's filters; idf and weights are worked out here from
the same numbers as in the embedded index, so that scores are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored
from pincite.search.index.engines.engine_address import EngineAddress
from pincite.search.index.engines.engine_rows import (
    EngineIndex,
    EngineRows,
    Numbers,
    Placed,
    RowFacts,
    read_facts,
    read_rows,
    terms_of,
)
from pincite.search.index.engines.postgres_connection import asked, copy_rows, drop, write_rows
from pincite.search.index.lexical import Lexical, asked_terms, mean_length, rarity, term_digest
from pincite.search.index.row_scores import best
from pincite.search.index.term_counts import CountedTerms
from pincite.types import Entry

if TYPE_CHECKING:
    import psycopg

_HIT = np.dtype([("document", "<i4"), ("place", "<u4"), ("count", "<u2")])
"""One posting: the document's number, the row within it, and how often the term stands there."""
_MOST = 2**16 - 1


@dataclass(frozen=True, slots=True)
class PostgresWords(EngineIndex):
    """`words` over rows that a PostgreSQL server holds at `place`."""

    words: Lexical
    place: EngineAddress

    def _made(self, entries: Sequence[Entry], _: object) -> tuple[CountedTerms, RowFacts]:
        return terms_of(entries, self.words.bigrams)

    def write(self, where: Placed, made: tuple[CountedTerms, RowFacts], folder: Path) -> None:
        """Write rows whose terms are counted, and the folder of their index. Raises EngineError when the server refuses."""
        counted, facts = made
        table = where.rows.table
        columns = "term bigint NOT NULL, document integer NOT NULL, hits bytea NOT NULL"
        indexes = [f"CREATE INDEX ON {table} ({column})" for column in ("term", "document")]
        copy = partial(_copy, where=where, counted=counted)
        create, finish = [f"CREATE TABLE {table} ({columns})"], [*indexes, f"ANALYZE {table}"]
        write_rows(self.place, where, create, copy, finish)
        where.rows.save(folder, self.place.text)
        facts.save(where, folder)

    def drop(self, tables: Iterable[str]) -> None:
        """Remove tables, whether the server has them or not. Raises EngineError."""
        drop(self.place, tables)

    def open(self, folder: Path) -> PostgresWordSearcher:
        """Read which rows are the index's. Raises CorpusError when the server lacks their table."""
        rows, facts = read_rows(folder), read_facts(folder)
        look = f"SELECT FROM {rows.table} LIMIT 0"
        asked(self.place, lambda connection: connection.execute(look))
        norm = self.words.norm(facts.lengths, mean_length(facts.lengths))
        return PostgresWordSearcher(self.place, self.words, rows, norm, facts.languages)


def _copy(connection: psycopg.Connection[Any], where: Placed, counted: CountedTerms) -> None:
    documents = where.documents[counted.rows]
    hits = np.empty(len(counted.rows), _HIT)
    hits["document"], hits["place"] = documents, where.places[counted.rows]
    hits["count"] = np.minimum(counted.counts, _MOST)
    changes = (np.diff(counted.terms) != 0) | (np.diff(documents) != 0)
    firsts = np.concatenate(([0], np.flatnonzero(changes) + 1))[: len(hits)]
    terms = counted.vocabulary.view(np.int64)[counted.terms[firsts]]
    values = {"term": terms.astype(">i8"), "document": documents[firsts].astype(">i4")}
    ends = np.append(firsts[1:], len(hits))[: len(firsts)] * _HIT.itemsize
    copy_rows(connection, where.rows.table, values, "hits", hits.tobytes(), ends)


@dataclass(frozen=True, slots=True, eq=False)
class PostgresWordSearcher:
    """Postings of some rows of a table; `norm` is what a term's count is weighed against in each of them."""

    place: EngineAddress
    words: Lexical
    rows: EngineRows
    norm: NDArray[np.float64]
    languages: tuple[str, ...]
    known: dict[str, bool] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.rows.size

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the best `k` rows that share a term with it, best first; equal scores in row order."""
        admitted = self.rows.admitted(only)
        return [best(self._scores(text, admitted), k, only) for text in texts]

    def score_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The BM25 score of every row for each text, (texts, rows)."""
        return np.stack([self._scores(text, None) for text in texts])

    def holding(self, term: str, beside: str = "") -> NDArray[np.int32]:
        """The rows that hold a term, or that hold it and `beside` right after it where the index has pairs of neighbours."""
        digest = int(term_digest(term, beside).astype(np.int64))
        found = self._postings([digest], None).get(digest)
        if found is None:
            return np.empty(0, np.int32)
        rows, _ = self._placed(found[1])
        return np.sort(rows).astype(np.int32)

    def _scores(self, text: str, admitted: Numbers | None) -> NDArray[np.float32]:
        """The score of every row; those of documents that are not admitted have 0."""
        found = np.zeros(self.size, np.float32)
        terms = asked_terms(text, self.words.bigrams, self.languages, self._knows)
        asked_for = terms.astype(np.int64).tolist()
        postings = self._postings(list(dict.fromkeys(asked_for)), admitted)
        weighed = {
            term: self._weighed(found_in, hits) for term, (found_in, hits) in postings.items()
        }
        for term in asked_for:
            if term in weighed:
                np.add.at(found, *weighed[term])
        return found

    def _weighed(self, found_in: int, hits: bytes) -> tuple[Numbers, NDArray[np.float32]]:
        """The rows that a term stands in, and its weight in each."""
        rows, counts = self._placed(hits)
        weights = rarity(np.array(found_in), self.size) * counts / (counts + self.norm[rows])
        return rows, weights.astype(np.float32)

    def _placed(self, hits: bytes) -> tuple[Numbers, NDArray[np.int64]]:
        held = np.frombuffer(hits, _HIT)
        return self.rows.rows(held["document"], held["place"]), held["count"].astype(np.int64)

    def _postings(
        self, terms: Sequence[int], admitted: Numbers | None
    ) -> dict[int, tuple[int, bytes]]:
        """By term in how many rows of the index it stands, and its postings in the documents that are admitted."""
        if not terms:
            return {}
        kept = "" if admitted is None else "FILTER (WHERE document = ANY(%(admitted)s))"
        statement = f"""
            SELECT term, sum(length(hits)) / {_HIT.itemsize}, coalesce(string_agg(hits, ''::bytea) {kept}, ''::bytea)
            FROM {self.rows.table}
            WHERE term = ANY(%(terms)s) AND document <= %(top)s AND document <> ALL(%(hidden)s)
            GROUP BY term"""
        values = {"terms": list(terms), **self.rows.values(admitted)}
        found = asked(
            self.place,
            lambda connection: connection.execute(statement, values, binary=True).fetchall(),
        )
        return {term: (int(count), hits) for term, count, hits in found}

    def _knows(self, term: str) -> bool:
        if term not in self.known:
            self.known[term] = len(self.holding(term)) > 0
        return self.known[term]
