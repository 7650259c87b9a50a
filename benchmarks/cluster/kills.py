"""Workers and schedulers killed and the connection cut, while files are indexed on a cluster: documents lost and doubled.

    python benchmarks/cluster/kills.py [--kills 200] [--seed 1] [--writer]

Rounds of indexing go on until so many faults have happened: each at a random moment, of a random kind. Files change between
rounds. After each round the corpus must hold every file's content once, as a corpus does that is indexed without a cluster.
What was killed is started again after a moment, as whoever supervises it does. With --writer the process that stores is killed
too, and its command given again. A file that was under way when two workers were killed is set aside by its run and read by the
next: told as `set aside`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from pincite.corpus import Corpus  # noqa: E402
from tests.cluster.hosts import Hosts, Wire, end  # noqa: E402

WORDS = (
    "valve pump boiler turbine shaft north south tonnes hours approved replaced measured".split()
)


@dataclass
class Tally:
    """What happened."""

    faults: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    runs: int = 0
    files: int = 0
    aside: int = 0
    lost: int = 0
    doubled: int = 0
    other: int = 0


def write(folder: Path, draw: random.Random, count: int) -> None:
    """Change a share of the files, or write all at first."""
    for number in range(count):
        path = folder / f"{number}.txt"
        if not path.exists() or draw.random() < 0.5:
            pages = (
                " ".join(draw.choices(WORDS, k=60)) + f" {draw.randrange(10**9)}."
                for _ in range(draw.randrange(1, 6))
            )
            path.write_text("\f".join(pages))


def fault(
    hosts: Hosts, wire: Wire, writer: subprocess.Popen[str], kinds: list[str], draw: random.Random
) -> str:
    """Let something end."""
    kind = draw.choice(kinds)
    if kind == "worker":
        hosts.kill_worker(draw.randrange(len(hosts.workers)))
        time.sleep(draw.uniform(0, 1))
    elif kind == "scheduler":
        hosts.kill_scheduler()
        for _ in list(hosts.workers):
            hosts.kill_worker()
    elif kind == "connection":
        wire.cut()
    else:
        end(writer)
    hosts.start()
    return kind


def run(folder: Path, corpus: Path, address: str) -> subprocess.Popen[str]:
    """Begin to index."""
    words = [
        sys.executable,
        "-m",
        "pincite",
        "index",
        str(folder),
        "--corpus",
        str(corpus),
        "--on",
        address,
        "--json",
    ]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def compared(folder: Path, corpus: Path, tally: Tally) -> None:
    """Count what a corpus has too little or too much."""
    wanted = Counter(hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir())
    opened = Corpus(corpus)
    found = Counter(document.source for document in opened.documents)
    opened.close()
    tally.lost += sum((wanted - found).values())
    tally.doubled += sum((found - wanted).values())


def main() -> None:
    """Print the tally."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--writer", action="store_true")
    options = parser.parse_args()
    draw, tally, started = (
        random.Random(options.seed),
        Tally(files=options.files),
        time.monotonic(),
    )
    kinds = [
        "worker",
        "worker",
        "scheduler",
        "connection",
        *(["writer"] if options.writer else []),
    ]
    with tempfile.TemporaryDirectory() as place:
        folder, corpus, logs = (Path(place, name) for name in ("files", "corpus", "hosts"))
        folder.mkdir()
        logs.mkdir()
        hosts = Hosts(logs).start()
        wire = Wire(hosts.port)
        try:
            while tally.faults.total() < options.kills:
                write(folder, draw, options.files)
                faulty_round(folder, corpus, hosts, wire, kinds, draw, tally, options.kills)
                compared(folder, corpus, tally)
                tally.rounds += 1
                print(time.strftime("%H:%M:%S"), tally, flush=True)
        finally:
            wire.close()
            hosts.stop()
    print(json.dumps({**vars(tally), "seconds": round(time.monotonic() - started)}))


def faulty_round(
    folder: Path,
    corpus: Path,
    hosts: Hosts,
    wire: Wire,
    kinds: list[str],
    draw: random.Random,
    tally: Tally,
    most: int,
) -> None:
    """Index, while things end, until a run ends well and has read all files."""
    while True:
        tally.runs += 1
        writer = run(folder, corpus, f"dask://127.0.0.1:{wire.port}")
        while writer.poll() is None:
            try:
                writer.wait(draw.uniform(0.5, 3))
            except subprocess.TimeoutExpired:
                if tally.faults.total() < most:
                    tally.faults[fault(hosts, wire, writer, kinds, draw)] += 1
        said, wrong = writer.communicate()
        if writer.returncode < 0:
            continue  # we killed it
        if writer.returncode:
            tally.other += 1
            print("a run failed:", wrong.strip()[-300:], flush=True)
            continue
        problems = json.loads(said)["problems"]
        tally.aside += len(problems)
        if not problems:
            return


if __name__ == "__main__":
    main()
