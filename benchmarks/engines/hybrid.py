"""Words and meaning of very many windows in PostgreSQL: what a user waits for, and the share of the exact first ten.

python -m benchmarks.engines.hybrid OUT ADDRESS build --rows N                         writes both into the server, and they stay
python -m benchmarks.engines.hybrid OUT ADDRESS ask --rows N [--timed M] [--questions FILE...]

OUT is a folder that `benchmarks.scale.windows` has filled, with the embedded index that `benchmarks.scale.measure OUT build
ours --rows N` makes; ADDRESS as in the setting `search`. A question is encoded and searched for, by words and by meaning at
once, for the first K, which are fused by reciprocal rank. M questions are asked once each, on the clock, after the others, which
are not timed: the server and this process are warm, and no question is known. The exact ten are those of the embedded words and
of all vectors. Filters admit the documents that the first 10% and 1% of the windows are of, drawn at random.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.engines.words import read_words, size_of
from benchmarks.scale.measure import asked, best_rows, filters, fused, quantiles, share_found
from benchmarks.scale.windows import column
from pincite.index.engines.engine_address import EngineAddress, engine_address
from pincite.index.engines.postgres_connection import asked as over
from pincite.index.engines.postgres_vectors import PostgresVectors
from pincite.index.engines.postgres_words import PostgresWords
from pincite.index.engines.row_facts import RowFacts
from pincite.index.lexical import Lexical
from pincite.models.encoder import MiniLM
from pincite.stage import at_once
from pincite.types import Entry

K, TEN = 200, 10
Mask = NDArray[np.bool_] | None


def by_document(out: Path, rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The document of each window, and the windows put together by document."""
    _, owners = np.unique(column(out, "documents", rows), return_inverse=True)
    return owners, np.argsort(owners, kind="stable")


def build(out: Path, place: EngineAddress, rows: int) -> dict[str, Any]:
    """Write the words of the embedded index and the vectors of the windows into the server."""
    folder = out / "indexes" / f"postgres-{rows}"
    shutil.rmtree(folder, ignore_errors=True)
    owners, order = by_document(out, rows)
    figures: dict[str, Any] = {}

    def words() -> None:
        held = read_words(out, rows)
        facts = RowFacts(held.counted.lengths, held.counted.spoken)
        PostgresWords(Lexical(), place).write(held.counted, facts, folder / "words", held.owners)

    def meaning() -> None:
        vectors = column(out, "vectors", rows).astype(np.float32)[order]
        entries = [Entry(f"{row:016x}", "window", "") for row in order.tolist()]
        index = PostgresVectors(MiniLM(), place)
        index.build(entries, folder / "meaning", owners[order], vectors)

    for name, work in (("words", words), ("meaning", meaning)):
        started = time.perf_counter()
        work()
        figures[f"{name} s"] = round(time.perf_counter() - started, 1)
        table = json.loads((folder / name / "engine.json").read_text())["table"]
        figures[f"{name} MB"] = over(place, lambda connection, of=table: size_of(connection, of))
        print(figures, flush=True)
    return figures


@dataclass
class Hybrid:
    """Both searches over the same windows: `order[i]` is the window of row i. `seconds` are of what was asked last."""

    words: Any
    meaning: Any
    order: NDArray[np.int64]
    seconds: dict[str, float]

    def search(self, text: str, only: Mask) -> dict[str, list[int]]:
        """The windows that each search finds, and those of both."""
        calls = [
            partial(self._found, name, searcher, text, only)
            for name, searcher in (("words", self.words), ("meaning", self.meaning))
        ]
        started = time.perf_counter()
        words, meaning = at_once(calls)
        both = fused([words, meaning])
        self.seconds["hybrid"] = time.perf_counter() - started
        return {"words": words, "meaning": meaning, "hybrid": both}

    def _found(self, name: str, searcher: Any, text: str, only: Mask) -> list[int]:
        started = time.perf_counter()
        (hits,) = searcher.search([text], K, only)
        self.seconds[name] = time.perf_counter() - started
        windows: list[int] = self.order[[hit.row for hit in hits]].tolist()
        return windows


def opened(out: Path, place: EngineAddress, rows: int) -> Hybrid:
    """Both searches as the product opens them."""
    folder = out / "indexes" / f"postgres-{rows}"
    _, order = by_document(out, rows)
    words = PostgresWords(Lexical(), place).open(folder / "words")
    meaning = PostgresVectors(MiniLM(), place).open(folder / "meaning")
    return Hybrid(words, meaning, order, {})


def exact_tens(out: Path, rows: int, texts: Sequence[str], vectors: Any, only: Mask) -> Any:
    """For each question the first windows by words, by meaning and by both, of exact searches."""
    embedded = Lexical().open(out / "indexes" / f"ours-{rows}" / "words")
    near = best_rows(out, rows, vectors, only, K)
    for text, meaning in zip(texts, near, strict=True):
        words = [hit.row for hit in embedded.search([text], K, only)[0]]
        yield {"words": words, "meaning": meaning, "hybrid": fused([words, meaning])}


def ask(out: Path, searches: Hybrid, given: argparse.Namespace) -> dict[str, Any]:
    """Ask all questions under every filter; the last `timed` of them count for the times."""
    texts, vectors = asked(out, given.questions)
    owners, order = by_document(out, given.rows)
    figures: dict[str, Any] = {"questions": len(texts), "timed": given.timed}
    for name, only in filters(out, given.rows).items():
        if only is not None:  # an engine admits documents, not windows
            only = np.isin(owners, owners[only])
            figures[f"admitted{name}"] = int(only.sum())
        found, seconds = [], []
        for text in texts:
            found.append(searches.search(text, None if only is None else only[order]))
            seconds.append(dict(searches.seconds))
        for kind in ("words", "meaning", "hybrid"):
            taken = [each[kind] * 1e3 for each in seconds[-given.timed :]]
            figures[f"{kind}{name}"] = quantiles(taken)
        print(figures, flush=True)
        exact = list(exact_tens(out, given.rows, texts, vectors, only))
        for kind in ("words", "meaning", "hybrid"):
            shares = [
                share_found(mine[kind][:TEN], best[kind][:TEN])
                for mine, best in zip(found, exact, strict=True)
            ]
            figures[f"{kind} shared@{TEN}{name}"] = round(float(np.mean(shares)), 4)
        searches.meaning.questions.encoded.clear()
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("address")
    parser.add_argument("step", choices=("build", "ask"))
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--timed", type=int, default=100)
    parser.add_argument("--questions", type=Path, nargs="*", default=())
    given = parser.parse_args()
    place = engine_address(given.address)
    steps: dict[str, Callable[[], dict[str, Any]]] = {
        "build": lambda: build(given.out, place, given.rows),
        "ask": lambda: ask(given.out, opened(given.out, place, given.rows), given),
    }
    print(json.dumps(steps[given.step]()))


if __name__ == "__main__":
    main()
