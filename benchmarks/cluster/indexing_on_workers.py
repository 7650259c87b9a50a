"""Indexing by two workers against one, and by a cluster of two against plain `pincite index`, in turn on the same files.

    python benchmarks/cluster/indexing_on_workers.py FOLDER [--pages 150] [--rounds 3]

Real scheduler and workers (one thread each) run beside; what they have loaded stays loaded. A round runs all three ways, in turn
in this order and in the other. Told are the seconds of the run, those of processors of all processes together, and the pages.
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
from pathlib import Path

import pypdfium2

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from benchmarks.processors import worked  # noqa: E402
from tests.cluster.hosts import Hosts  # noqa: E402


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


def indexed(files: list[Path], on: str, hosts: list[int]) -> tuple[float, float, int]:
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
        before, own = worked(*hosts), os.times()
        done = subprocess.run(
            [*words, *(["--on", on] if on else [])], capture_output=True, text=True, check=True
        )
        after = os.times()
        used = worked(*hosts) - before + after.children_user - own.children_user
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
    options = parser.parse_args()
    files = chosen(options.folder, options.pages)
    with tempfile.TemporaryDirectory() as place:
        single, double = Path(place, "single"), Path(place, "double")
        single.mkdir()
        double.mkdir()
        clusters = [Hosts(single).start(1), Hosts(double).start(2)]
        try:
            measured(files, clusters, options.rounds)
        finally:
            for cluster in clusters:
                cluster.stop()


def measured(files: list[Path], clusters: list[Hosts], rounds: int) -> None:
    """Run the rounds."""
    ways = {"plain": ("", [])}
    for name, cluster in zip(("1 worker", "2 workers"), clusters, strict=True):
        pids = [cluster.scheduler.pid, *(worker.pid for worker in cluster.workers)]
        ways[name] = (cluster.address, pids)
    for name in ("1 worker", "2 workers"):
        indexed(files[:2], *ways[name])  # what workers load stays loaded
    made: dict[str, list[tuple[float, float, int]]] = {name: [] for name in ways}
    for number in range(rounds):
        for name in ways if number % 2 == 0 else reversed(ways):
            seconds, used, pages = indexed(files, *ways[name])
            made[name].append((seconds, used, pages))
            load = os.getloadavg()[0]
            print(f"{time.strftime('%H:%M:%S')} {name}: {pages} pages in {seconds:.1f} s ({pages / seconds:.2f} pages/s), "
                  f"{used:.1f} s of processors, load {load:.1f}", flush=True)  # fmt: skip
    for what, at in (("seconds", 0), ("seconds of processors", 1)):
        pairs = {
            "1 worker / 2 workers": ("1 worker", "2 workers"),
            "2 workers / plain": ("2 workers", "plain"),
        }
        for title, (over, under) in pairs.items():
            ratios = [a[at] / b[at] for a, b in zip(made[over], made[under], strict=True)]
            print(
                f"{title}, {what}: median {statistics.median(ratios):.2f}, all {[round(r, 2) for r in ratios]}"
            )


if __name__ == "__main__":
    main()
