"""How long a question in free words to a database takes with the model on board, and the package's own share of that time.

    python benchmarks/speed/rows.py DATABASE QUESTIONS

DATABASE is a SQLite file, QUESTIONS a JSONL file with `question` (and `database`, by whose name others are left out). All are
asked in one process with an engine that has just been started: the first reads rules and tables, the others are warm. The
engine's own time is what it says it took to read prompts and to write replies; the rest is the package's.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from pincite.indexing import Wanted
from pincite.library import Library, index
from pincite.models.endpoints import streamed_chat
from pincite.settings import load

_engine_s = [0.0]


def _counted(seen: Any) -> Any:
    """What reads a chunk of a reply, and adds up the seconds that the engine says it took for the whole reply."""

    def counted(self: Any, chunk: Any) -> Any:
        took = (chunk.model_extra or {}).get(streamed_chat.TIMINGS)
        if chunk.choices and chunk.choices[0].finish_reason is None:
            took = None  # not the whole yet
        if isinstance(took, dict):
            _engine_s[0] += (took["prompt_ms"] + took["predicted_ms"]) / 1000
        return seen(self, chunk)

    return counted


def main() -> None:
    """Print the first question's seconds, the median and the 95th percentile of the others, and the package's share."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("database", type=Path)
    parser.add_argument("questions", type=Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.questions.read_text("utf-8").splitlines()]
    asked = [row["question"] for row in rows if row.get("database", options.database.stem) == options.database.stem]  # fmt: skip
    seen = streamed_chat._Stream._map_chunk_provider_details
    setattr(streamed_chat._Stream, seen.__name__, _counted(seen))
    took, of_engine = [], []
    with tempfile.TemporaryDirectory() as folder:
        index((), Path(folder), databases=[Wanted(options.database)])
        library = Library(Path(folder), load())
        for question in asked:
            _engine_s[0], started = 0.0, time.perf_counter()
            library.rows(question)
            took.append(time.perf_counter() - started)
            of_engine.append(_engine_s[0])
    warm = [seconds for seconds, engine in list(zip(took, of_engine, strict=True))[1:] if engine]
    share = 1 - sum(of_engine[1:]) / sum(took[1:])
    print(f"first {took[0]:.1f} s; {len(warm)} read by the model: median {statistics.median(warm):.1f} s, "
          f"95th percentile {statistics.quantiles(warm, n=20)[-1]:.1f} s; looked up: {len(took) - 1 - len(warm)}; "
          f"the package's share {share:.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
