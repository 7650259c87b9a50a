"""Words of very many windows in PostgreSQL: what building takes, the times of a search, and the share of the embedded first ten.

python -m benchmarks.engines.words OUT ADDRESS --rows N [--ways postings sparsevec tsvector]

OUT is a folder that `benchmarks.scale.windows` has filled, with the embedded index that `benchmarks.scale.measure OUT build
ours --rows N` makes, whose postings are written to the engine; ADDRESS as in the setting `search`. The ways:

- postings: what Pincite does, a row for each term and document, scored here
- sparsevec: a vector of BM25 weights for each row, and the product of the question's with all of them
- tsvector: a GIN index of the rows' terms finds those that share one with the question, the same vectors score them

Times are on the clock, the least of ROUNDS turns of a question. Filters as in `benchmarks.engines.hybrid`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.scale.measure import asked, filters, quantiles, share_found
from benchmarks.scale.windows import column
from pincite.index.engines.engine_address import engine_address
from pincite.index.engines.postgres_words import PostgresWords
from pincite.index.engines.row_facts import RowFacts
from pincite.index.lexical import Lexical, mean_length, rarity
from pincite.index.term_counts import CountedTerms, Postings
from pincite.index.term_digests import digests

K, ROUNDS = 200, 2
Search = Callable[[str, NDArray[np.bool_] | None], Sequence[int]]


@dataclass(frozen=True)
class Words:
    """The embedded postings of all rows, in the order of their documents: `order[i]` is the embedded row of row i."""

    counted: CountedTerms
    order: NDArray[np.int64]
    owners: NDArray[np.int64]


def read_words(out: Path, rows: int) -> Words:
    """The postings of the embedded index, its rows put together by document."""
    _, owners = np.unique(column(out, "documents", rows), return_inverse=True)
    order = np.argsort(owners, kind="stable")
    places = np.empty(rows, np.int64)
    places[order] = np.arange(rows)
    folder = out / "indexes" / f"ours-{rows}" / "words"
    vocabulary, starts, held, counts = (
        np.load(folder / f"{name}.npy") for name in ("vocabulary", "starts", "rows", "counts")
    )
    postings = Postings(vocabulary, starts, held, counts.astype(np.int32))
    lengths, spoken = (np.load(folder / f"{name}.npy")[order] for name in ("lengths", "spoken"))
    moved = postings.moved(places).sorted(rows)
    counted = CountedTerms(moved, lengths, spoken, np.empty(0, np.str_))
    return Words(counted, order, owners[order])


class AsVectors:
    """A table of rows with their weights as sparse vectors and their terms as a tsvector, for two ways to search."""

    def __init__(self, address: str, words: Words) -> None:
        self.connection = psycopg.connect(address, autocommit=True)
        counted = words.counted
        self.vocabulary, self.owners = counted.vocabulary, words.owners
        self.idf = rarity(counted.postings.found_in, len(counted.lengths))
        norm = Lexical().norm(counted.lengths, mean_length(counted.lengths))
        by_row = np.argsort(counted.rows, kind="stable")
        terms, rows = counted.terms[by_row], counted.rows[by_row]
        counts = counted.counts[by_row]
        self._copy(
            terms,
            counts / (counts + norm[rows]),
            np.searchsorted(rows, np.arange(len(counted.lengths) + 1)),
        )

    def _copy(self, terms: Any, weights: Any, ends: Any) -> None:
        size = len(self.vocabulary)
        self.connection.execute("DROP TABLE IF EXISTS bench_words, bench_texts")
        self.connection.execute(
            f"CREATE TABLE bench_words (row integer, document integer, words sparsevec({size}))"
        )
        self.connection.execute(
            "CREATE TABLE bench_texts (row integer, document integer, text tsvector)"
        )
        for start in range(0, len(ends) - 1, 10_000):
            here = range(start, min(start + 10_000, len(ends) - 1))
            held = [
                (at, *(part[ends[at] : ends[at + 1]].tolist() for part in (terms, weights)))
                for at in here
            ]
            with self.connection.cursor() as cursor:
                with cursor.copy("COPY bench_words FROM STDIN") as copy:
                    for at, mine, weighed in held:
                        copy.write_row((at, int(self.owners[at]), _sparse(mine, weighed, size)))
                with cursor.copy("COPY bench_texts FROM STDIN") as copy:
                    for at, mine, _ in held:
                        copy.write_row((at, int(self.owners[at]), " ".join(map(str, mine))))

    def index_rows(self) -> None:
        """What searching all rows needs."""
        self.connection.execute("CREATE INDEX ON bench_words (document)")
        self.connection.execute("VACUUM ANALYZE bench_words")

    def index_terms(self) -> None:
        """What searching by terms needs besides."""
        self.connection.execute("CREATE UNIQUE INDEX ON bench_words (row)")
        self.connection.execute("CREATE INDEX ON bench_texts USING gin (text)")
        self.connection.execute("VACUUM ANALYZE bench_texts")

    def size(self, table: str) -> float:
        """Megabytes of a table with its indexes."""
        return size_of(self.connection, table)

    def all_rows(self, text: str, admitted: NDArray[np.bool_] | None) -> list[int]:
        """The best rows of the product with every row."""
        return self._found(
            "SELECT row FROM bench_words {where} ORDER BY words <#> %(words)s::sparsevec, row LIMIT %(k)s",
            "WHERE document = ANY(%(admitted)s)",
            text,
            admitted,
        )

    def sharing_a_term(self, text: str, admitted: NDArray[np.bool_] | None) -> list[int]:
        """The best rows among those that the index of terms finds."""
        return self._found(
            "SELECT row FROM bench_words JOIN bench_texts USING (row) WHERE text @@ %(text)s::tsquery {where} "
            "ORDER BY words <#> %(words)s::sparsevec, row LIMIT %(k)s",
            "AND bench_texts.document = ANY(%(admitted)s)",
            text,
            admitted,
        )

    def _found(
        self, statement: str, where: str, text: str, admitted: NDArray[np.bool_] | None
    ) -> list[int]:
        asked_for: dict[int, float] = {}
        for term in digests(text, False, ("en",)):
            at = int(np.searchsorted(self.vocabulary, term))
            if at < len(self.vocabulary) and self.vocabulary[at] == term:
                asked_for[at] = asked_for.get(at, 0.0) + float(self.idf[at])
        values = {
            "words": _sparse(list(asked_for), list(asked_for.values()), len(self.vocabulary)),
            "text": " | ".join(map(str, asked_for)),
            "admitted": [] if admitted is None else np.unique(self.owners[admitted]).tolist(),
            "k": K,
        }
        said = statement.format(where="" if admitted is None else where)
        return [row for (row,) in self.connection.execute(said, values)]

    def drop(self) -> None:
        """Remove the tables."""
        self.connection.execute("DROP TABLE bench_words, bench_texts")


def size_of(connection: psycopg.Connection[Any], table: str) -> float:
    """Megabytes of a table with its indexes."""
    found = connection.execute("SELECT pg_total_relation_size(%s::regclass)", (table,)).fetchone()
    return round(float(found[0] if found else 0) / 1e6, 1)


def _sparse(terms: Sequence[int], weights: Sequence[float], size: int) -> str:
    inner = ",".join(
        f"{term + 1}:{weight:.7g}" for term, weight in sorted(zip(terms, weights, strict=True))
    )
    return f"{{{inner}}}/{size}"


def timed(
    search: Search, text: str, only: NDArray[np.bool_] | None
) -> tuple[float, Sequence[int]]:
    """The least milliseconds of a search, and the rows that it finds."""
    least = float("inf")
    rows: Sequence[int] = ()
    for _ in range(ROUNDS):
        started = time.perf_counter()
        rows = search(text, only)
        least = min(least, (time.perf_counter() - started) * 1e3)
    return least, rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("address")
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--most", type=int, default=100, help="questions")
    parser.add_argument("--ways", nargs="+", default=["postings", "sparsevec", "tsvector"])
    given = parser.parse_args()
    questions, _ = asked(given.out, ())
    words = read_words(given.out, given.rows)
    embedded = Lexical().open(given.out / "indexes" / f"ours-{given.rows}" / "words")
    figures: dict[str, Any] = {
        "rows": given.rows,
        "held": len(words.counted.rows),
        "terms": len(words.counted.vocabulary),
    }
    searches: dict[str, Search] = {}
    with tempfile.TemporaryDirectory() as temporary:
        index, folder = PostgresWords(Lexical(), engine_address(given.address)), Path(temporary)
        vectors = None
        if "postings" in given.ways:
            started = time.perf_counter()
            facts = RowFacts(words.counted.lengths, words.counted.spoken)
            index.write(words.counted, facts, folder / "index", words.owners)
            figures["postings build s"] = round(time.perf_counter() - started, 1)
            there = index.open(folder / "index")
            searches["postings"] = lambda text, only: [
                hit.row for hit in there.search([text], K, only)[0]
            ]
            with psycopg.connect(given.address) as connection:
                figures["postings MB"] = size_of(connection, there.rows.table)
        if set(given.ways) - {"postings"}:
            started = time.perf_counter()
            vectors = AsVectors(given.address, words)
            vectors.index_rows()
            figures["sparsevec and texts build s"] = round(time.perf_counter() - started, 1)
            searches["sparsevec"] = vectors.all_rows
            figures["sparsevec MB"] = vectors.size("bench_words")
        if vectors and "tsvector" in given.ways:
            started = time.perf_counter()
            vectors.index_terms()
            figures["tsvector index s"] = round(time.perf_counter() - started, 1)
            searches["tsvector"] = vectors.sharing_a_term
            figures["tsvector MB"] = vectors.size("bench_texts")
        measure(given, words, embedded, questions[: given.most], searches, figures)
        if "postings" in given.ways:
            index.drop([there.rows.table])
        if vectors:
            vectors.drop()
    print(json.dumps(figures))


def measure(
    given: argparse.Namespace,
    words: Words,
    embedded: Any,
    questions: Sequence[str],
    searches: dict[str, Search],
    figures: dict[str, Any],
) -> None:
    """Ask all questions in every way, under every filter."""
    _, owners = np.unique(column(given.out, "documents", given.rows), return_inverse=True)
    figures["questions"] = len(questions)
    for name, only in filters(given.out, given.rows).items():
        if only is not None:  # an engine admits documents, not windows
            only = np.isin(owners, owners[only])
            figures[f"admitted{name}"] = int(only.sum())
        mask = None if only is None else only[words.order]
        best = [[hit.row for hit in embedded.search([text], 10, only)[0]] for text in questions]
        for way, search in searches.items():
            made = [timed(search, text, mask) for text in questions]
            shares = [
                share_found(words.order[list(rows[:10])].tolist(), ten)
                for (_, rows), ten in zip(made, best, strict=True)
            ]
            figures[f"{way}{name}"] = quantiles([taken for taken, _ in made])
            figures[f"{way} shared@10{name}"] = round(float(np.mean(shares)), 4)
            print(
                way, name, figures[f"{way}{name}"], figures[f"{way} shared@10{name}"], flush=True
            )


if __name__ == "__main__":
    main()
