"""Feed every fuzz target a number of inputs made from a seed, in separate processes, and keep those that crash, hang or take
memory.

    python benchmarks/faults/fuzz.py [--target pdf ..] [--all] [--count 3000] [--seed 1] [--keep .fuzz]
    python benchmarks/faults/fuzz.py --target pdf --replay .fuzz/pdf/17-crash.bin ..

An input crashes its target when anything but a PinciteError comes out, or the process ends. It may take 10 s of processor
time and 1.5 GiB of memory. Failing inputs are stored under `--keep`, three for each place where one failed, with the output.
A run that was stopped resumes; `--again` starts from the beginning. Exits 1 when anything failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import pickle
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import IO

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[2]))

from pincite.errors import PinciteError
from tests.fuzz.registry import Target, targets

LIMIT_S = 10.0
"""Processor time that one input may take."""
PATIENCE_S = 60.0
"""Time on the clock that one input may take: it may wait for something."""
MEMORY = 3 << 29
"""Bytes that a process may take."""
BATCH = 200
"""Inputs of one process."""
_TICK = os.sysconf("SC_CLK_TCK")


@dataclass
class Tally:
    """The outcomes of a target's inputs so far."""

    seed: int
    done: int = 0
    crashes: int = 0
    slow: int = 0
    tracebacks: int = 0
    swollen: int = 0
    peak: int = 0
    slowest_s: float = 0.0
    spent_s: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)

    def failed(self) -> int:
        """How many inputs failed."""
        return self.crashes + self.slow + self.tracebacks + self.swollen


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = targets()
    options.add_argument("--target", nargs="*", default=[], choices=list(known), metavar="NAME")
    options.add_argument("--all", action="store_true")
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", type=Path, default=Path(".fuzz"))
    options.add_argument("--again", action="store_true")
    options.add_argument("--replay", nargs="*", type=Path, default=[])
    given = options.parse_args()
    names = list(known) if given.all else given.target
    if not names:
        options.error(f"name a target ({', '.join(known)}) or give --all")
    if given.replay:
        for path in given.replay:
            print(path, _told(known[names[0]], path.read_bytes()))
        return
    os.nice(10)
    for package in (
        "pincite.ingest",
        "pincite.database",
    ):  # most are imported only when a file needs them
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            import_module(module.name)
    resource.setrlimit(
        resource.RLIMIT_DATA, (2 * MEMORY, 2 * MEMORY)
    )  # inputs that failed are made here once more
    held = {
        name: _fuzzed(known[name], given.seed, given.count, given.keep, given.again)
        for name in names
    }
    _printed(held)
    sys.exit(any(one.failed() for one in held.values()))


def _fuzzed(target: Target, seed: int, count: int, keep: Path, again: bool) -> Tally:
    """Feed a target up to `count` inputs, going on from what is kept of an earlier run with the same seed."""
    folder, state = keep / target.name, keep / f"{target.name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    tally = Tally(seed)
    if state.exists() and not again:
        kept = json.loads(state.read_text())
        tally = Tally(
            **{**kept, "outcomes": Counter(kept["outcomes"]), "places": Counter(kept["places"])}
        )
        tally = tally if tally.seed == seed else Tally(seed)
    target.seeds()  # made once, before the processes part
    while tally.done < count:
        began = time.monotonic()
        _batch(target, tally, min(tally.done + BATCH, count), folder)
        tally.spent_s += time.monotonic() - began
        state.write_text(json.dumps(vars(tally), indent=1))
    print(f"{target.name}: {dict(tally.outcomes.most_common(12))}", flush=True)
    for place, times in tally.places.most_common():
        print(f"    {times} x {place}", flush=True)
    return tally


def _batch(target: Target, tally: Tally, end: int, folder: Path) -> None:
    """Run inputs in a process until all are done or one ends it."""
    reads, writes = os.pipe()
    stacks, scratch = folder / "stack.txt", folder / "scratch"
    scratch.mkdir(exist_ok=True)
    child = os.fork()
    if not child:
        os.close(reads)
        tempfile.tempdir = str(scratch)
        with os.fdopen(writes, "wb", buffering=0) as out:
            _serve(target, tally.seed, range(tally.done, end), out, stacks)
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb", buffering=0) as replies:
        why = _watched(child, replies, tally, target, folder)
    _, status = os.waitpid(child, 0)
    shutil.rmtree(scratch)  # what an ended process left
    if tally.done == end:
        return
    data = target.input(tally.seed, tally.done)
    why = why or (
        "crash",
        f"the process ended by {signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else status}",
    )
    said = stacks.read_text(errors="replace") if stacks.exists() else ""
    _failure(tally, why[0], f"{why[1]}\n{said}", _dumped(said) or why[1], data, folder)
    tally.done += 1


def _serve(target: Target, seed: int, numbers: range, out: IO[bytes], stacks: Path) -> None:
    """In a separate process: run inputs and report the outcome of each."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    with stacks.open("w") as file:
        faulthandler.enable(file)
        faulthandler.register(signal.SIGUSR1, file)
        for at in numbers:
            data = target.input(seed, at)
            before = time.process_time()
            kind, said, place = _run(target, data)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            out.write(_framed((at, kind, said, place, time.process_time() - before, peak)))


def _run(target: Target, data: bytes) -> tuple[str, str, str]:
    """The outcome of an input: (kind, message, place)."""
    try:
        return "fine", str(target.run(data)), ""
    except PinciteError as error:
        return "fine", type(error).__name__, ""
    except MemoryError:
        return "swollen", traceback.format_exc(), _place(sys.exc_info()[1])
    except BaseException as error:  # a library in Rust panics with one that is no Exception
        return "traceback", traceback.format_exc(), _place(error)


def _place(error: BaseException | None) -> str:
    """Where an error came from: its class and the last frame of our own code, or the frames of a library."""
    frames = traceback.extract_tb(error.__traceback__) if error else []
    own = [one for one in frames if "/pincite/" in one.filename] or list(frames)
    last = [
        f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in (own[-1:] + frames[-1:])
    ]
    return f"{type(error).__name__} at {' < '.join(dict.fromkeys(last))}"


def _dumped(said: str) -> str:
    """The place of a dump of the stack that faulthandler made."""
    lines = [line.strip() for line in said.splitlines() if line.strip().startswith("File")]
    own = next((line for line in lines if "/pincite/" in line), "")
    return " < ".join(
        dict.fromkeys(
            line.rpartition("/")[2] for line in (lines[:1] + [own] if own else lines[:1])
        )
    )


def _framed(told: object) -> bytes:
    data = pickle.dumps(told)
    return len(data).to_bytes(4, "little") + data


def _watched(
    child: int, replies: IO[bytes], tally: Tally, target: Target, folder: Path
) -> tuple[str, str] | None:
    """Read what a process reports until it ends; ends one that takes too much time or memory, and returns why."""
    held = b""
    began, spent = time.monotonic(), 0.0
    while True:
        if select.select([replies], [], [], 0.2)[0]:
            got = replies.read(1 << 16)
            if not got:
                return None
            held += got
            while len(held) > 4 and len(held) >= (size := 4 + int.from_bytes(held[:4], "little")):
                _noted(tally, target, folder, *pickle.loads(held[4:size]))
                held = held[size:]
                began, spent = time.monotonic(), _processor(child)
        late = _processor(child) - spent > LIMIT_S or time.monotonic() - began > PATIENCE_S
        swollen = _resident(child) > MEMORY
        if late or swollen:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGUSR1)
                time.sleep(0.3)
                for one in (*_started(child), child):
                    os.kill(one, signal.SIGKILL)
            return (
                ("swollen", f"over {MEMORY >> 20} MiB")
                if swollen
                else ("slow", f"over {LIMIT_S:.0f} s")
            )


def _noted(
    tally: Tally,
    target: Target,
    folder: Path,
    at: int,
    kind: str,
    said: str,
    place: str,
    took: float,
    peak: int,
) -> None:
    tally.done = at + 1
    tally.peak = max(tally.peak, peak)
    tally.slowest_s = max(tally.slowest_s, took)
    if kind == "fine":
        tally.outcomes[said] += 1
    else:
        _failure(tally, kind, said, place, target.input(tally.seed, at), folder)


def _failure(tally: Tally, kind: str, said: str, place: str, data: bytes, folder: Path) -> None:
    """Count a failure; the first few inputs that fail in one place are kept with what was said."""
    match kind:
        case "crash":
            tally.crashes += 1
        case "slow":
            tally.slow += 1
        case "swollen":
            tally.swollen += 1
        case _:
            tally.tracebacks += 1
    tally.places[f"{kind}: {place}"] += 1
    if tally.places[f"{kind}: {place}"] <= 3:
        (folder / f"{tally.done}-{kind}.bin").write_bytes(data)
        (folder / f"{tally.done}-{kind}.txt").write_text(said)


def _processor(process: int) -> float:
    """Seconds of processor time that a process and those that it started took."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICK + sum(map(_processor, _started(process)))


def _started(process: int) -> list[int]:
    try:
        return [
            int(one)
            for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


def _resident(process: int) -> int:
    """The most bytes of memory that a process or one that it started holds."""
    try:
        own = int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        own = 0
    return max([own, *map(_resident, _started(process))])


def _told(target: Target, data: bytes) -> str:
    began = time.process_time()
    kind, said, _ = _run(target, data)
    took, peak = (
        time.process_time() - began,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    )
    return f"{kind}, {took:.1f} s, {peak} MiB: {said}"


def _printed(held: dict[str, Tally]) -> None:
    print(
        f"{'target':16}{'inputs':>8}{'crashes':>9}{'>10 s':>7}{'tracebacks':>12}{'>1.5 GiB':>10}"
        f"{'peak MiB':>10}{'slowest s':>11}{'s':>7}"
    )
    for name, one in held.items():
        print(
            f"{name:16}{one.done:8}{one.crashes:9}{one.slow:7}{one.tracebacks:12}{one.swollen:10}{one.peak >> 10:10}"
            f"{one.slowest_s:11.1f}{one.spent_s:7.0f}"
        )
    whole = list(held.values())
    sums = (
        sum(getattr(one, name) for one in whole)
        for name in ("done", "crashes", "slow", "tracebacks", "swollen")
    )
    print("all             {:8}{:9}{:7}{:12}{:10}".format(*sums))


if __name__ == "__main__":
    main()
