"""How long `pincite ask` takes in a cold process and a question in a warm one, compared with plain searches on the same
corpus.

    python benchmarks/speed/ask.py CORPUS QUESTIONS [--runs 5]

CORPUS is an indexed corpus, QUESTIONS a JSONL file with `question`. The cold time is that of a whole process, compared with a
process that only imports the command line. The warm time is that of a question answered in this process, compared with its
search alone.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from pincite.settings import Settings
from pincite.workbench.library import Library


def seconds(call: object) -> float:
    """The wall-clock seconds of one call."""
    started = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - started


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    asked = [
        json.loads(line)["question"]
        for line in options.questions.read_text(encoding="utf-8").splitlines()
    ]
    ask = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "ask",
        asked[0],
        "--corpus",
        str(options.corpus),
    ]
    bare = [sys.executable, "-m", "pincite.cli.main", "--version"]
    cold, start = [], []
    for _ in range(options.runs):
        cold.append(seconds(lambda: subprocess.run(ask, capture_output=True, check=True)))
        start.append(seconds(lambda: subprocess.run(bare, capture_output=True, check=True)))
    library = Library(options.corpus, Settings())
    library.ask(asked[0])
    warm, search = [], []
    for question in asked[1 : 1 + 10 * options.runs]:
        search.append(seconds(lambda q=question: library.search(q)))
        warm.append(seconds(lambda q=question: library.ask(q)))
    rows = (
        ("cold `pincite ask`", statistics.median(cold)),
        ("cold `pincite --version`", statistics.median(start)),
        ("warm question", statistics.median(warm)),
        ("warm question, 95th percentile", sorted(warm)[int(0.95 * len(warm))]),
        ("warm search alone", statistics.median(search)),
    )
    for name, value in rows:
        print(f"{name:<32} {value * 1000:8.1f} ms")
    print(
        f"ratio ask / start {rows[0][1] / rows[1][1]:.2f}, question / search {rows[2][1] / rows[4][1]:.2f}"
    )


if __name__ == "__main__":
    main()
