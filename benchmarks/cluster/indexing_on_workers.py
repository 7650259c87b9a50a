"""Indexing by two workers against one, and by a cluster of two against plain `pincite index`, in turn on the same files.

    python benchmarks/cluster/indexing_on_workers.py FOLDER [--pages 150] [--rounds 3] [--hosts 4]

Real scheduler and workers (one thread each) run beside; what they have loaded stays loaded. A round runs all ways, in turn
in this order and in the other. With --hosts so many workers, each alone in a network namespace, are a further way, by TLS: that
needs root and `ip`. Told are the seconds of the run, those of processors of all processes together, and the pages.
On a machine that does other work too, the seconds of processors are the steadier figure.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.cluster.namespaces import NETWORK, VARIABLES, begin, over  # noqa: E402
from benchmarks.processors import worked  # noqa: E402
from tests.cluster.certificates import authority  # noqa: E402
from tests.cluster.hosts import Hosts  # noqa: E402


@dataclass(frozen=True)
class Way:
    """A way to index: the address of a cluster, its processes, and what the environment of the command has besides."""

    on: str = ""
    hosts: tuple[int, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)


def way_of(cluster: Hosts, variables: Mapping[str, str]) -> Way:
    """The way over a cluster."""
    hosts = cluster.scheduler.pid, *(worker.pid for worker in cluster.workers)
    return Way(cluster.address, hosts, variables)


def chosen(folder: Path, pages: int) -> list[Path]:
    """PDF files of so many pages in all, the shortest documents first, so that both workers have enough of them."""
    counted = []
    for path in sorted(folder.rglob("*.pdf")):
        try:
            with pypdfium2.PdfDocument(path) as document:
                counted.append((len(document), path))
        except pypdfium2.PdfiumError:
            continue
    taken, total = [], 0
    for count, path in sorted(counted):
        if total >= pages:
            break
        taken.append(path)
        total += count
    return taken


def indexed(files: list[Path], way: Way) -> tuple[float, float, int]:
    """Seconds, seconds of processors, and pages of one run into a new corpus."""
    with tempfile.TemporaryDirectory() as folder:
        words = [
            sys.executable,
            "-m",
            "pincite",
            "index",
            *map(str, files),
            "--corpus",
            folder,
            "--json",
        ]
        before, own = worked(*way.hosts), os.times()
        done = subprocess.run(
            [*words, *(["--on", way.on] if way.on else [])],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, **way.variables},
        )
        after = os.times()
        used = worked(*way.hosts) - before + after.children_user - own.children_user
        used += after.children_system - own.children_system
        told = json.loads(done.stdout)
        return told["seconds"], used, told["pages"]


def main() -> None:
    """Print every run and the medians of the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--hosts", type=int, default=0)
    options = parser.parse_args()
    files = chosen(options.folder, options.pages)
    with ExitStack() as stack:
        ways = {"plain": Way()}
        for count, name in ((1, "1 worker"), (2, "2 workers")):
            ways[name] = stack.enter_context(workers(count))
        if options.hosts:
            ways[f"{options.hosts} hosts"] = stack.enter_context(alone(options.hosts))
        measured(files, ways, options.rounds)


@contextmanager
def workers(count: int) -> Iterator[Way]:
    """A cluster on this host."""
    with tempfile.TemporaryDirectory() as place:
        cluster = Hosts(Path(place)).start(count)
        try:
            yield way_of(cluster, {})
        finally:
            cluster.stop()


@contextmanager
def alone(count: int) -> Iterator[Way]:
    """A cluster of which each worker is alone in a network namespace."""
    with tempfile.TemporaryDirectory() as place:
        files = authority(Path(place, "certificates"))
        tls = (
            "--tls-ca-file",
            files["ca"],
            "--tls-cert",
            files["cert"],
            "--tls-key",
            files["key"],
        )
        begin(count)
        cluster = Hosts(Path(place), tls=tls, host=f"{NETWORK}.1")
        try:
            cluster.start(0)
            for number in range(count):
                cluster.start_worker(("ip", "netns", "exec", f"pincite{number}"))
            yield way_of(cluster, {VARIABLES[name]: str(path) for name, path in files.items()})
        finally:
            cluster.stop()
            over(count)


def measured(files: list[Path], ways: Mapping[str, Way], rounds: int) -> None:
    """Run the rounds."""
    clusters = [name for name in ways if name != "plain"]
    for name in clusters:
        indexed(files[:2], ways[name])  # what workers load stays loaded
    made: dict[str, list[tuple[float, float, int]]] = {name: [] for name in ways}
    for number in range(rounds):
        for name in ways if number % 2 == 0 else reversed(list(ways)):
            seconds, used, pages = indexed(files, ways[name])
            made[name].append((seconds, used, pages))
            load = os.getloadavg()[0]
            print(f"{time.strftime('%H:%M:%S')} {name}: {pages} pages in {seconds:.1f} s ({pages / seconds:.2f} pages/s), "
                  f"{used:.1f} s of processors, load {load:.1f}", flush=True)  # fmt: skip
    for what, at in (("seconds", 0), ("seconds of processors", 1)):
        pairs = [("1 worker", "2 workers"), *((name, "plain") for name in clusters[1:])]
        for first, second in pairs:
            ratios = [a[at] / b[at] for a, b in zip(made[first], made[second], strict=True)]
            print(
                f"{first} / {second}, {what}: median {statistics.median(ratios):.2f}, all {[round(r, 2) for r in ratios]}"
            )


if __name__ == "__main__":
    main()
