"""Search by words and by meaning over so many windows: ours, bm25s and faiss, in turns.

python -m benchmarks.scale.measure OUT build SIDE --rows N       seconds, disk and memory of building
python -m benchmarks.scale.measure OUT ask SIDE... --rows N --questions FILE...    times by turns; shares of the exact ten
python -m benchmarks.scale.measure OUT restart SIDE --rows N     the first questions, its files out of memory

Each prints a line of JSON and adds it to OUT/figures.jsonl. All engines get the same windows, terms and vectors and find the
best K on one thread (set OMP_NUM_THREADS and OPENBLAS_NUM_THREADS to 1). A time is the least processor time of ROUNDS turns of a
question, then p50 and p95 over QUESTIONS. `hybrid` is encoding the question, both searches, and their fusion by reciprocal rank.
Filters admit 10% and 1% of the windows, by document.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scale.sides import SIDES, Side
from benchmarks.scale.windows import WindowEntries, column
from pincite.models.encoder import MiniLM

K, ROUNDS, QUESTIONS = 200, 3, 300


def asked(out: Path, files: Sequence[Path]) -> tuple[list[str], Any]:
    """Questions drawn once from the files, and their vectors."""
    place = out / "questions.npz"
    if not place.is_file():
        every = [json.loads(line)["question"] for path in files for line in path.open()]
        chosen = np.random.default_rng(0).permutation(len(every))[:QUESTIONS]
        texts = [every[at] for at in chosen]
        np.savez(place, texts=np.array(texts), vectors=MiniLM().encode(texts, side="query"))
    held = np.load(place)
    return [str(text) for text in held["texts"][:QUESTIONS]], held["vectors"][:QUESTIONS]


def filters(out: Path, rows: int) -> dict[str, Any]:
    """What may be found, by name: everything, and the windows of some documents."""
    documents = column(out, "documents", rows)
    made: dict[str, Any] = {"": None}
    for share in (0.1, 0.01):
        order = np.random.default_rng(3).permutation(np.unique(documents))
        sizes = np.array([(documents == document).sum() for document in order])
        first = int(np.searchsorted(np.cumsum(sizes), share * rows)) + 1
        # a part of the last document's windows where it has too many
        admitted = np.flatnonzero(np.isin(documents, order[:first]))
        only = np.zeros(rows, np.bool_)
        only[admitted[: int(share * rows)]] = True
        made[f" {share:.0%}"] = only
    return made


def memory() -> dict[str, int]:
    """Megabytes of this process now: all, its own, and those of mapped files, which the system can take back."""
    lines = Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines if line.startswith(("VmRSS", "Rss")))
    return {name: int(value.split()[0]) // 1024 for name, value in fields.items()}


def build(out: Path, side: Side, rows: int) -> dict[str, Any]:
    """Build what a side searches."""
    entries = WindowEntries(out, rows)
    figures: dict[str, Any] = {}
    side.folder.mkdir(parents=True, exist_ok=True)
    for name, work in (
        ("words", lambda: side.build_words(entries)),
        ("meaning", lambda: side.build_meaning(column(out, "vectors", rows).astype(np.float32))),
    ):
        started, cpu = time.perf_counter(), processors()
        if work() is False:
            continue
        figures[f"{name} s"] = round(time.perf_counter() - started, 1)
        figures[f"{name} cpu s"] = round(processors() - cpu, 1)
        figures[f"{name} MB"] = round(size(side.folder / name) / 1e6, 1)
        figures[f"after {name}, peak MB"] = (
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        )
    return figures


def processors() -> float:
    """Seconds of processor time of this process and those that it waited for."""
    mine, theirs = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def fused(several: Sequence[Sequence[int]]) -> list[int]:
    """Reciprocal rank fusion."""
    scores: dict[int, float] = {}
    for rows in several:
        for rank, row in enumerate(rows, 1):
            scores[row] = scores.get(row, 0.0) + 1 / (60 + rank)
    return sorted(scores, key=lambda row: -scores[row])[:K]


def ask(out: Path, sides: Sequence[Side], rows: int, files: Sequence[Path]) -> dict[str, Any]:
    """Ask all questions of all sides in turns."""
    texts, vectors = asked(out, files)
    figures: dict[str, Any] = {"questions": len(texts)}
    encoder = MiniLM()
    encode = [clocked(lambda text=text: encoder.encode([text], side="query"))[0] for text in texts]
    figures["encode"] = quantiles(encode)
    for side in sides:
        side.open()
    for name, only in filters(out, rows).items():
        exact = best_rows(out, rows, vectors, only)
        for side in sides:
            side.admit(only)
        times: dict[tuple[str, str], list[float]] = {}
        shared: dict[str, list[float]] = {}
        for at, text in enumerate(texts):
            for side in sides:
                found: list[list[int]] = []
                works = (
                    ("words", lambda side=side, text=text: side.words(text, K)),
                    (
                        "meaning",
                        lambda side=side, at=at, text=text: side.meaning(text, vectors[at], K),
                    ),
                )
                least: list[float] = []
                for kind, work in works:
                    taken, made = clocked(work)
                    if made is None:
                        continue
                    times.setdefault((side.name, kind), []).append(taken)
                    least.append(taken)
                    found.append(made)
                    if kind == "meaning":
                        same = len(set(made[:10]) & set(exact[at][:10])) / max(
                            len(exact[at][:10]), 1
                        )
                        shared.setdefault(side.name, []).append(same)
                if len(found) == 2:
                    fuse, _ = clocked(lambda found=found: fused(found))
                    times.setdefault((side.name, "hybrid"), []).append(
                        sum(least) + fuse + encode[at]
                    )
        figures |= {
            f"{side} {kind}{name}": quantiles(taken) for (side, kind), taken in times.items()
        }
        figures |= {
            f"{side} recall@10{name}": round(float(np.mean(s)), 4) for side, s in shared.items()
        }
    figures["memory MB"] = memory()
    return figures


def clocked(work: Callable[[], Any]) -> tuple[float, Any]:
    """The least milliseconds of processor time of ROUNDS turns, and the result: other work on the machine counts less so."""
    least, made = float("inf"), None
    for _ in range(ROUNDS):
        started = time.thread_time()
        made = work()
        least = min(least, (time.thread_time() - started) * 1e3)
    return least, made


def quantiles(taken: Sequence[float]) -> dict[str, float]:
    return {
        "p50": round(float(np.median(taken)), 2),
        "p95": round(float(np.quantile(taken, 0.95)), 2),
    }


def best_rows(out: Path, rows: int, vectors: Any, only: Any, k: int = 10) -> list[list[int]]:
    """The `k` rows of highest cosine for each question, by an exact search."""
    every = column(out, "vectors", rows)
    scores = np.concatenate(
        [vectors @ every[at : at + 8192].astype(np.float32).T for at in range(0, rows, 8192)],
        axis=1,
    )
    if only is not None:
        scores[:, ~only] = -1
    made = []
    for mine in scores:  # all at once would take three times the memory
        near = np.argpartition(mine, -k)[-k:]
        made.append(near[np.argsort(-mine[near], kind="stable")].tolist())
    return made


def share_found(mine: Sequence[int], best: Sequence[int]) -> float:
    """The share of the best that is found; where nothing is to be found, all of it when nothing is."""
    return len(set(mine) & set(best)) / len(best) if best else float(not mine)


def restart(out: Path, side: Side, rows: int, files: Sequence[Path]) -> dict[str, Any]:
    """The first questions after the side's files were put out of memory."""
    texts, vectors = asked(out, files)
    for path in side.folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    encoder = MiniLM()
    encoder.encode(["warm"], side="query")
    started = time.perf_counter()
    side.open()
    side.admit(None)
    opened = (time.perf_counter() - started) * 1e3
    taken = []
    for at, text in enumerate(texts):
        started = time.perf_counter()
        encoder.encode([text], side="query")
        fused([side.words(text, K) or [], side.meaning(text, vectors[at], K) or []])
        taken.append((time.perf_counter() - started) * 1e3)
    return {
        "open ms": round(opened, 1),
        "first ms": round(taken[0], 1),
        "first 20": quantiles(taken[:20]),
        "all": quantiles(taken),
        "memory MB": memory(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("step", choices=("build", "ask", "restart"))
    parser.add_argument("sides", nargs="+", choices=tuple(SIDES))
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--questions", type=Path, nargs="*", default=())
    given = parser.parse_args()
    sides = [SIDES[name](given.out / "indexes" / f"{name}-{given.rows}") for name in given.sides]
    figures: dict[str, Any] = {"step": given.step, "sides": given.sides, "rows": given.rows}
    if given.step == "build":
        figures |= build(given.out, sides[0], given.rows)
    elif given.step == "ask":
        figures |= ask(given.out, sides, given.rows, given.questions)
    else:
        figures |= restart(given.out, sides[0], given.rows, given.questions)
    line = json.dumps(figures)
    with (given.out / "figures.jsonl").open("a") as file:
        file.write(line + "\n")
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    main()
