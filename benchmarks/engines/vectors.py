"""Very many vectors in PostgreSQL: building their graph, the times of a search, and the share of the exact first ten.

python -m benchmarks.engines.vectors OUT ADDRESS --rows N [--questions FILE...]

OUT is a folder that `benchmarks.scale.windows` has filled, ADDRESS as in the setting `search`. Times are on the clock, the least
of ROUNDS turns of a question, since the server works in a process of its own; the question's encoding is not among them.
Filters admit the documents that the first 10% and 1% of the windows are of, drawn at random.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.scale.measure import asked, best_rows, filters, quantiles
from benchmarks.scale.windows import column
from pincite.index.engines.engine_address import engine_address
from pincite.index.engines.postgres_vectors import PostgresVectors
from pincite.ports import Side
from pincite.types import Entry

K, ROUNDS = 200, 2


@dataclass(frozen=True)
class Known:
    """The vectors of questions that were encoded before: a text is the number of its question."""

    vectors: NDArray[np.float32]

    name: ClassVar[str] = "known"
    revision: ClassVar[str] = "1"
    window: ClassVar[int] = 254
    languages: ClassVar[tuple[str, ...]] = ("en",)

    @property
    def dims(self) -> int:
        return int(self.vectors.shape[1])

    def spans(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text))]

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        return self.vectors[[int(text) for text in texts]]


def searched(searcher: Any, number: int, only: Any) -> tuple[float, list[int]]:
    """The least milliseconds of a search, and the rows that it finds."""
    least, rows = float("inf"), list[int]()
    for _ in range(ROUNDS):
        started = time.perf_counter()
        (found,) = searcher.search([str(number)], K, only)
        least = min(least, (time.perf_counter() - started) * 1e3)
        rows = [hit.row for hit in found]
    return least, rows


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("address")
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--questions", type=Path, nargs="*", default=())
    given = parser.parse_args()
    _, vectors = asked(given.out, given.questions)
    index = PostgresVectors(Known(vectors), engine_address(given.address))
    entries = [Entry(f"{row:016x}", "window", "") for row in range(given.rows)]
    _, owners = np.unique(column(given.out, "documents", given.rows), return_inverse=True)
    order = np.argsort(owners, kind="stable")  # a document's rows stand together
    held = column(given.out, "vectors", given.rows).astype(np.float32)
    figures: dict[str, Any] = {"rows": given.rows, "questions": len(vectors)}
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        index.build(entries, Path(folder) / "index", owners[order], held[order])
        figures["build s"] = round(time.perf_counter() - started, 1)
        searcher = index.open(Path(folder) / "index")
        for name, only in filters(given.out, given.rows).items():
            if only is not None:  # an engine admits documents, not windows
                only = np.isin(owners, owners[only])
                figures[f"admitted{name}"] = int(only.sum())
            exact = best_rows(given.out, given.rows, vectors, only)
            mask = None if only is None else only[order]
            made = [searched(searcher, number, mask) for number in range(len(vectors))]
            shared = [
                len(set(order[rows[:10]]) & set(best)) / len(best)
                for (_, rows), best in zip(made, exact, strict=True)
            ]
            figures[f"search{name}"] = quantiles([taken for taken, _ in made])
            figures[f"recall@10{name}"] = round(float(np.mean(shared)), 4)
        index.drop([searcher.rows.table])
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
