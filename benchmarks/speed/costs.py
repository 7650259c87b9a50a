"""The cost of recipes on one corpus: seconds to index, index size, seconds per question, peak memory; each in a separate
process.

    python benchmarks/speed/costs.py CORPUS QUESTIONS RECIPE ... [--asked 30] [--own]

CORPUS is an indexed corpus. Each recipe starts from a copy of it without indexes and vectors, so that only the parsing is
shared. A RECIPE is a name or a spelling, as in "Enrich(told='plain')"; stand-ins replace missing models. QUESTIONS is a set
that `pincite experiment` reads; its first `--asked` questions are asked after a warm-up question. Seconds are processor time
of one thread, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pincite.corpus import Corpus, writing
from pincite.indexing import ensure
from pincite.lab.experiments.experiment import read_examples
from pincite.library import Library, shelves_of
from pincite.recipes import read, recipe
from pincite.recipes.base import Recipe
from pincite.settings import Settings


def named(text: str) -> Recipe:
    return read(text) if "(" in text else recipe(text)


def bare(corpus: Path, folder: Path) -> None:
    """Copy a corpus without its indexes and vectors."""
    shutil.copytree(corpus, folder, ignore=shutil.ignore_patterns("shelves", "sources"))
    documents = Corpus(corpus).generation.documents
    with writing(folder) as writer:
        writer.db.execute("DELETE FROM vectors")
        writer.publish(documents, {})


def indexed(corpus: Path, made: Recipe) -> dict[str, float]:
    started = time.process_time()
    ensure(corpus, shelves_of(made, corpus, stand_ins=True))
    seconds = time.process_time() - started
    size = sum(path.stat().st_size for path in (corpus / "shelves").rglob("*") if path.is_file())
    return {"index_s": seconds, "size": size / 2**20, "index_peak": peak()}


def asked(corpus: Path, made: Recipe, questions: Path, count: int, own: bool) -> dict[str, float]:
    library = Library(corpus, Settings(), recipe=made, stand_ins=True)
    some = [one.query for one in read_examples(questions)[: count + 1]]
    seconds = []
    for query in some:
        started = time.process_time()
        library.ask(query.text, query.where if own else (), query.expects, query.unit)
        seconds.append(time.process_time() - started)
    return {"question_ms": 1000 * statistics.median(seconds[1:]), "question_peak": peak()}


def peak() -> float:
    """Peak memory of this process, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def alone(*arguments: str) -> dict[str, float]:
    """What this script prints when it runs in a separate process."""
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{arguments} failed:\n{done.stderr}")
    told: dict[str, float] = json.loads(done.stdout)
    return told


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("corpus", type=Path)
    arguments.add_argument("questions", type=Path)
    arguments.add_argument("recipes", nargs="+", metavar="RECIPE")
    arguments.add_argument("--asked", type=int, default=30)
    arguments.add_argument(
        "--own", action="store_true", help="hold each question to its own documents"
    )
    arguments.add_argument("--part", choices=("index", "ask"), help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.part:
        made = named(given.recipes[0])
        told = (
            indexed(given.corpus, made)
            if given.part == "index"
            else asked(given.corpus, made, given.questions, given.asked, given.own)
        )
        print(json.dumps(told))
        return
    os.environ |= {"PINCITE_THREADS": "1", "OMP_NUM_THREADS": "1"}
    print(
        "| recipe | index, s | index, MiB | peak, MiB | question, ms | peak, MiB |\n|---|---|---|---|---|---|",
        flush=True,
    )
    for one in given.recipes:
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "corpus"
            bare(given.corpus, corpus)
            more = ["--asked", str(given.asked), *(["--own"] if given.own else [])]
            its: dict[str, float] = {}
            for part in ("index", "ask"):
                its |= alone(str(corpus), str(given.questions), one, *more, "--part", part)
            cells = (
                its["index_s"],
                its["size"],
                its["index_peak"],
                its["question_ms"],
                its["question_peak"],
            )
            print(
                f"| `{one}` | "
                + " | ".join(f"{cell:.1f}" if cell < 10 else f"{cell:.0f}" for cell in cells)
                + " |",
                flush=True,
            )


if __name__ == "__main__":
    main()
