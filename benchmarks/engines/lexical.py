"""Ways to search by words in PostgreSQL, in one run over the same rows and questions: milliseconds, megabytes, and whether exact.

python -m benchmarks.engines.lexical ADDRESS [--rows N] [--corpus CORPUS]    ADDRESS of a PostgreSQL server with pgvector

- postings: what Pincite does (`postgres_words.py`): a row for each term and document, scored here
- sparsevec: a vector of BM25 weights for each row and the product with all of them, as more than 1,000 terms have no HNSW
- array: a GIN index of the rows' terms finds those that share one with the question, the same vectors score them
- tsvector: PostgreSQL's own text search with a GIN index and ts_rank, which is another formula without idf

Rows are windows of 200 words of the corpus, or invented ones with Zipf's law; questions are twelve words of a row. The first 100
rows are compared with those of the embedded index.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from pincite.corpus import Corpus, read_document
from pincite.corpus.writer import writing
from pincite.index.document_views import Windows
from pincite.index.engines.engine_index import in_engine
from pincite.index.engines.row_facts import terms_of
from pincite.index.lexical import Lexical, asked_terms, mean_length, rarity
from pincite.types import Entry

K = 100
QUESTIONS = 20
ROUNDS = 3
Search = Callable[[str], Sequence[int]]


def rows_of(corpus: Path | None, count: int) -> list[Entry]:
    if corpus is not None:
        Corpus(corpus).close()
        made: list[Entry] = []
        with writing(corpus) as writer:
            for version in sorted({file.version for file in writer.files().values()}):
                made += list(Windows(200, 50)(read_document(writer.db, version)))
        return made[:count]
    draw = np.random.default_rng(0)
    words = np.array(["".join(draw.choice(list("abcdefghiklmnoprst"), 7)) for _ in range(60_000)])
    picked = np.minimum(draw.zipf(1.2, (count, 130)), len(words)) - 1
    return [Entry(f"{at:016x}", "window", " ".join(row)) for at, row in enumerate(words[picked])]


class Vectors:
    """BM25 weights of rows as sparse vectors over the numbers of terms, and those of a question with its idf."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        lexical = Lexical()
        self.held, facts = terms_of(entries, False)
        norm = lexical.norm(facts.lengths, mean_length(facts.lengths))
        self.weights = self.held.counts / (self.held.counts + norm[self.held.rows])
        found_in = np.bincount(self.held.terms, minlength=len(self.held.vocabulary))
        self.idf = rarity(found_in, len(entries))
        self.order = np.argsort(self.held.rows, kind="stable")
        self.ends = np.searchsorted(self.held.rows[self.order], np.arange(len(entries) + 1))

    def row(self, at: int) -> dict[int, float]:
        held = self.order[self.ends[at] : self.ends[at + 1]]
        terms, weights = self.held.terms[held].tolist(), self.weights[held].tolist()
        return dict(zip(terms, weights, strict=True))

    def question(self, text: str) -> dict[int, float]:
        terms = asked_terms(text, False, ("en",), lambda term: False)
        places = np.searchsorted(self.held.vocabulary, terms)
        made: dict[int, float] = {}
        for place in places.tolist():
            made[place] = made.get(place, 0.0) + float(self.idf[place])
        return made

    def text(self, held: dict[int, float]) -> str:
        inner = ",".join(f"{term + 1}:{weight!r}" for term, weight in sorted(held.items()))
        return f"{{{inner}}}/{len(self.held.vocabulary)}"


def tables(connection: psycopg.Connection[Any], entries: Sequence[Entry], vectors: Vectors) -> None:  # fmt: skip
    connection.execute("DROP TABLE IF EXISTS bench_rows")
    connection.execute(
        f"CREATE TABLE bench_rows (row integer PRIMARY KEY, words sparsevec({len(vectors.held.vocabulary)}), terms integer[], "
        "text tsvector)"
    )
    with connection.cursor().copy("COPY bench_rows (row, words, terms, text) FROM STDIN") as copy:
        for at in range(len(entries)):
            row = vectors.row(at)
            # the same stems and stop words: only the formula differs
            text = " ".join(f"'{term}'" for term in row)
            copy.write_row((at, vectors.text(row), list(row), text))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--corpus", type=Path)
    given = parser.parse_args()
    entries = rows_of(given.corpus, given.rows)
    draw = np.random.default_rng(1)
    asked = [
        " ".join(draw.permutation(entries[row].text.split())[:12])
        for row in draw.integers(0, len(entries), QUESTIONS)
    ]
    owners = np.arange(len(entries)) // 10
    vectors = Vectors(entries)
    with tempfile.TemporaryDirectory() as temporary, psycopg.connect(given.address, autocommit=True) as connection:  # fmt: skip
        here = Lexical()
        here.build(entries, Path(temporary) / "here")
        embedded = here.open(Path(temporary) / "here")
        index = in_engine(here, given.address)
        times, sizes = {}, {}
        started = time.perf_counter()
        index.build(entries, Path(temporary) / "there", owners=owners)
        times["postings"] = time.perf_counter() - started
        there = index.open(Path(temporary) / "there")
        started = time.perf_counter()
        tables(connection, entries, vectors)
        times["sparsevec"] = time.perf_counter() - started
        for name, column in (("array", "terms"), ("tsvector", "text")):
            started = time.perf_counter()
            connection.execute(f"CREATE INDEX bench_{name} ON bench_rows USING gin ({column})")
            times[name] = times["sparsevec"] + time.perf_counter() - started
        connection.execute("ANALYZE bench_rows")

        def size(table: str) -> float:
            row = connection.execute("SELECT pg_total_relation_size(%s::regclass)", (table,))
            return float(row.fetchall()[0][0]) / 1e6

        sizes["postings"] = size(there.rows.table)
        sizes["sparsevec"] = size("bench_rows") - size("bench_array") - size("bench_tsvector")
        sizes["array"], sizes["tsvector"] = (
            sizes["sparsevec"] + size(f"bench_{name}") for name in ("array", "tsvector")
        )

        def by_sql(statement: str, text: str) -> list[int]:
            question = vectors.question(text)
            values = {
                "words": vectors.text(question),
                "terms": list(question),
                "text": " | ".join(f"'{term}'" for term in question),
                "k": K,
            }
            return [row for (row,) in connection.execute(statement, values)]

        searches: dict[str, Search] = {
            "postings": lambda text: [hit.row for hit in there.search([text], K)[0]],
            "sparsevec": lambda text: by_sql(
                "SELECT row FROM bench_rows ORDER BY words <#> %(words)s::sparsevec, row LIMIT %(k)s", text
            ),
            "array": lambda text: by_sql(
                "SELECT row FROM bench_rows WHERE terms && %(terms)s::integer[] "
                "ORDER BY words <#> %(words)s::sparsevec, row LIMIT %(k)s", text
            ),
            "tsvector": lambda text: by_sql(
                "SELECT row FROM bench_rows, to_tsquery('simple', %(text)s) AS asked WHERE text @@ asked "
                "ORDER BY ts_rank(text, asked, 1) DESC, row LIMIT %(k)s", text
            ),
        }  # fmt: skip
        wanted = {text: [hit.row for hit in embedded.search([text], K)[0]] for text in asked}
        spent: dict[str, list[float]] = {name: [] for name in searches}
        shared: dict[str, list[float]] = {name: [] for name in searches}
        for turn in range(ROUNDS):
            for text in asked:
                for name, search in searches.items():
                    started = time.perf_counter()
                    found = search(text)
                    spent[name].append(time.perf_counter() - started)
                    if not turn:
                        shared[name].append(
                            len(set(found) & set(wanted[text])) / len(wanted[text])
                        )
        print(
            f"{len(entries)} rows, {len(vectors.held.terms)} postings, {QUESTIONS} questions of 12 words, k = {K}"
        )
        for name, seconds in spent.items():
            print(
                f"{name:<10} build {times[name]:7.1f} s  {sizes[name]:7.1f} MB  "
                f"median {statistics.median(seconds) * 1e3:7.1f} ms  "
                f"first {K} shared {statistics.mean(shared[name]):.3f}"
            )
        index.drop([there.rows.table])
        connection.execute("DROP TABLE bench_rows")


if __name__ == "__main__":
    main()
