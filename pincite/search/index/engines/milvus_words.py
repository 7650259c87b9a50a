"""BM25 in Milvus: the terms of a row as a sparse vector, those of a question with their idf, and the inner product of both.

A row's weights hold the mean length of a row when the collection was made. Where that has changed since, what is found is scored
again by the mean of today: the counts of terms follow exactly from the weights. Terms are told apart by 32 bits of their digest,
which is what a dimension can be; of ten million terms about one in a thousand shares its dimension with another.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Scored
from pincite.search.index.engines import milvus_client as milvus
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
from pincite.search.index.lexical import Lexical, asked_terms, mean_length, rarity, term_digest
from pincite.search.index.term_counts import CountedTerms
from pincite.types import Entry

_FIELD = "words"
_COLUMN = {"field_name": _FIELD, "datatype": "SPARSE_FLOAT_VECTOR"}
_INDEX = {"index_type": "SPARSE_INVERTED_INDEX", "params": {}}
_DIMENSIONS = 2**32 - 1
MARGIN = 1.25
"""How many times the rows that are asked for are scored again."""


@dataclass(frozen=True, slots=True)
class MilvusWords(EngineIndex):
    """`words` over rows that Milvus holds at `place`."""

    words: Lexical
    place: EngineAddress

    def _made(self, entries: Sequence[Entry], _: object) -> tuple[CountedTerms, RowFacts]:
        return terms_of(entries, self.words.bigrams)

    def write(self, where: Placed, made: tuple[CountedTerms, RowFacts], folder: Path) -> None:
        """Write rows whose terms are counted, and the folder of their index. Raises EngineError when Milvus refuses."""
        counted, facts = made
        none = np.empty(0, np.int64)
        often = Vocabulary(none, none, mean_length(facts.lengths))
        if where.before:
            gone = np.setdiff1d(read_rows(where.before).documents, where.rows.documents)
            dimensions = self._dimensions(where.rows.table, gone)
            often = read_vocabulary(where.before).changed(dimensions, -1)
        dimensions = dimensions_of(counted.vocabulary)[counted.terms]
        norm = self.words.norm(facts.lengths, often.mean)
        weights = (counted.counts / (counted.counts + norm[counted.rows])).astype(np.float32)
        order = np.argsort(counted.rows, kind="stable")
        ends = np.searchsorted(counted.rows[order], np.arange(len(facts.lengths) + 1))

        def vector(row: int) -> dict[int, float]:
            held = order[ends[row] : ends[row + 1]]
            return dict(zip(dimensions[held].tolist(), weights[held].tolist(), strict=True))

        # a vector of nothing is not taken, and would not be found
        held = np.flatnonzero(np.diff(ends)).tolist()
        milvus.write_rows(self.place, where, _COLUMN, _INDEX, held, vector)
        where.rows.save(folder, self.place.text)
        facts.save(where, folder)
        often.changed(dimensions, 1).save(folder)

    def drop(self, tables: Iterable[str]) -> None:
        """Remove collections, whether Milvus has them or not. Raises EngineError."""
        milvus.drop(self.place, tables)

    def open(self, folder: Path) -> MilvusWordSearcher:
        """Read which rows are the index's. CorpusError when Milvus lacks the collection."""
        rows, facts, often = read_rows(folder), read_facts(folder), read_vocabulary(folder)
        milvus.asked(self.place, lambda client: client.load_collection(rows.table))
        return MilvusWordSearcher(self.place, self.words, rows, facts, often)

    def _dimensions(self, table: str, documents: Numbers) -> NDArray[np.int64]:
        """The dimensions of every row of some documents, as often as they stand there."""
        found: list[int] = []
        for document in documents.tolist():
            which = {"filter": f"document == {document}", "output_fields": [_FIELD]}
            held = milvus.asked(
                self.place,
                lambda client, which=which: client.query(table, limit=milvus.DEEPEST, **which),  # type: ignore[misc]
            )
            for row in held:
                found += row[_FIELD]
        return np.array(found, np.int64)


def dimensions_of(digests: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The dimensions that terms have."""
    return (digests % np.uint64(_DIMENSIONS)).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """In how many rows of an index every dimension stands; `mean` is the length of a row that weights were made with."""

    dimensions: NDArray[np.int64]
    counts: NDArray[np.int64]
    mean: float

    def changed(self, more: NDArray[np.int64], sign: int) -> Vocabulary:
        """With these dimensions counted in as well, or taken out again where `sign` is -1."""
        held, counts = np.unique(more, return_counts=True)
        every, at = np.unique(np.concatenate((self.dimensions, held)), return_inverse=True)
        signed = np.concatenate((self.counts, sign * counts))
        total = np.bincount(at, signed, minlength=len(every)).astype(np.int64)
        return Vocabulary(every[total > 0], total[total > 0], self.mean)

    def found_in(self, dimensions: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many rows each of some dimensions stands."""
        places = np.searchsorted(self.dimensions, dimensions)
        known = places < len(self.dimensions)
        known[known] = self.dimensions[places[known]] == dimensions[known]
        counts = np.zeros(len(dimensions), np.int64)
        counts[known] = self.counts[places[known]]
        return counts

    def save(self, folder: Path) -> None:
        """Write this beside the rows of an index."""
        np.save(folder / "dimensions.npy", self.dimensions.astype(np.uint32))
        np.save(folder / "found_in.npy", self.counts.astype(np.uint32))
        (folder / "mean.json").write_text(json.dumps(self.mean))


def read_vocabulary(folder: Path) -> Vocabulary:
    """Read what `Vocabulary.save` wrote. Raises OSError or ValueError when it is damaged or missing."""
    dimensions, counts = (
        np.load(folder / f"{name}.npy").astype(np.int64) for name in ("dimensions", "found_in")
    )
    return Vocabulary(dimensions, counts, float(json.loads((folder / "mean.json").read_text())))


@dataclass(frozen=True, slots=True, eq=False)
class MilvusWordSearcher:
    """The terms of some rows of a collection."""

    place: EngineAddress
    words: Lexical
    rows: EngineRows
    facts: RowFacts
    often: Vocabulary

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.rows.size

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that rows are written in."""
        return self.facts.languages

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the best `k` rows that share a term with it, best first; equal scores in row order."""
        admitted = self.rows.admitted(only)
        return [self._best(self._weighed(text), k, admitted) for text in texts]

    def holding(self, term: str, beside: str = "") -> NDArray[np.int32]:
        """The rows that hold a term, or that hold it and `beside` right after it where the index has pairs of neighbours.

        Of a term that stands in more rows than Milvus finds in one search, as many as it finds.
        """
        dimension = dimensions_of(np.array([term_digest(term, beside)]))
        count = int(self.often.found_in(dimension)[0])
        if not count:
            return np.empty(0, np.int32)
        asked_for = {int(dimension[0]): 1.0}
        ((rows, _, _),) = milvus.searched(self.place, self.rows, _FIELD, [asked_for], count)
        return np.sort(rows).astype(np.int32)

    def _best(
        self, asked_for: Mapping[int, float], k: int, admitted: Numbers | None
    ) -> list[Scored]:
        if not asked_for or not k or (admitted is not None and not len(admitted)):
            return []
        now, search = mean_length(self.facts.lengths), (self.place, self.rows, _FIELD, [asked_for])
        if now == self.often.mean:
            ((rows, scores, _),) = milvus.searched(*search, k, admitted)
            return milvus.in_order(rows, scores)
        deep = int(MARGIN * k) + 1
        ((rows, _, vectors),) = milvus.searched(*search, deep, admitted, output=_FIELD)
        lengths = self.facts.lengths[rows]
        then, today = (self.words.norm(lengths, mean) for mean in (self.often.mean, now))
        scores = [
            _scored(asked_for, vector, before, after)
            for vector, before, after in zip(vectors, then, today, strict=True)
        ]
        return milvus.in_order(rows, scores)[:k]

    def _weighed(self, text: str) -> dict[int, float]:
        """The dimensions of a question's terms, each with its idf as often as the question has it."""
        terms = asked_terms(text, self.words.bigrams, self.languages, self._knows)
        dimensions = dimensions_of(terms)
        counts = self.often.found_in(dimensions)
        known = counts > 0
        idf = rarity(counts[known], self.size)
        made: dict[int, float] = {}
        for dimension, weight in zip(dimensions[known].tolist(), idf.tolist(), strict=True):
            made[dimension] = made.get(dimension, 0.0) + weight
        return made

    def _knows(self, term: str) -> bool:
        return bool(self.often.found_in(dimensions_of(np.array([term_digest(term)])))[0])


def _scored(
    asked_for: Mapping[int, float], held: Mapping[int, float], before: float, after: float
) -> float:
    """The score of a row whose weights were made with the norm `before`, by the norm `after`."""
    total = 0.0
    for dimension, idf in asked_for.items():
        if weight := held.get(dimension, 0.0):
            count = round(weight * before / (1 - weight))
            total += idf * count / (count + after)
    return total
