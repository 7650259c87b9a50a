"""The engine of a file: one process for all of a user's processes, started by the first that asks, ended with the one that
started it.

Where it serves is noted in a file of the user's cache that nobody else may read. Whoever asks reads that note; an engine that
does not answer as noted is gone, and the first to notice starts another.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import subprocess
from contextlib import suppress
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from filelock import FileLock

from pincite.errors import ModelError
from pincite.models.local.serving import Order
from pincite.models.local.weights import Weights
from pincite.processes import offline
from pincite.processes.worker import python
from pincite.storage.corpus_address import cache_folder
from pincite.storage.disk import write

START_S = 180.0
"""Seconds that a file may take to load."""
IDLE_S = 15 * 60.0
"""Seconds without a request after which an engine ends and its memory is free; the next request starts another."""
PROBE_S = 5.0
"""Seconds in which a running engine says that it is there: it does so while it works, too."""
THREADS = {"GOMP_SPINCOUNT": "10000"}
"""Threads of the engine that wait for each other spin for some microseconds and then let others run: those that spin for long
keep the rest from what it waits for where other work is done beside it (0.4 tokens a second in the place of 16), those that
never do write a quarter fewer tokens.
"""
_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_TOPOLOGY = "/sys/devices/system/cpu/cpu{}/topology/{}"
_started: dict[Path, subprocess.Popen[bytes]] = {}
"""The engines of this process: each ends when the pipe to its standard input is closed, as it is when this process ends."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A running engine: where it serves, the key that it wants, its process, the file that it has loaded, its context in tokens,
    and the version of llama.cpp.
    """

    url: str
    key: str
    pid: int
    path: str
    context: int
    version: str

    @property
    def port(self) -> int:
        """The port on the loopback address."""
        return urlsplit(self.url).port or 0

    def call(self, path: str, body: object = None, timeout: float = PROBE_S) -> object:
        """What the engine says to a request, as JSON. Raises OSError or HTTPException where it is gone, ValueError where it
        refuses.
        """
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            sent = None if body is None else json.dumps(body)
            connection.request("GET" if sent is None else "POST", path, sent, headers)
            reply = connection.getresponse()
            said = reply.read()
        finally:
            connection.close()
        if reply.status != 200:
            raise ValueError(f"status {reply.status}: {said[:200].decode(errors='replace')}")
        return json.loads(said)


def private_folder(name: Literal["engines", "slots"]) -> Path:
    """Where notes of running engines, or their saved states, are, in a folder of this user alone."""
    folder = cache_folder() / name
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


def physical_cores() -> int:
    """The physical cores that this process may run on, within the quota of its container; at least 1: two threads of one core
    share what an engine needs.
    """
    try:
        threads = os.sched_getaffinity(0)
    except AttributeError:  # no such call on this system
        return max((os.cpu_count() or 2) // 2, 1)
    cores = set()
    for thread in threads:
        try:
            parts = (_TOPOLOGY.format(thread, part) for part in ("physical_package_id", "core_id"))
            cores.add(tuple(Path(part).read_text("ascii").strip() for part in parts))
        except OSError:  # nothing says which core it is of
            cores.add((str(thread),))
    allowed = len(cores)
    with suppress(OSError, ValueError):
        most, period = _QUOTA.read_text("ascii").split()
        allowed = min(allowed, round(int(most) / int(period)))
    return max(allowed, 1)


def running(weights: Weights, context: int) -> Engine | None:
    """The engine that has loaded a file with a context of so many tokens; None where none answers."""
    note = _note(weights, context)
    try:
        engine = Engine(**json.loads(note.read_text("utf-8")))
        os.kill(engine.pid, 0)
        offline.allow_engine(engine.port)
        told = engine.call("/props")
    except (OSError, HTTPException, ValueError, TypeError):
        return None
    same = isinstance(told, dict) and told.get("model_path") == engine.path
    return engine if same else None


def engine_of(weights: Weights, context: int) -> Engine:
    """The engine that has loaded a file, started where none runs. Raises ModelError where it does not start."""
    if found := running(weights, context):
        return found
    note = _note(weights, context)
    with FileLock(note.with_suffix(".lock"), mode=0o600):
        return running(weights, context) or _start(weights, context, note)


def end(weights: Weights, context: int) -> None:
    """End the engine of a file that this process started, where there is one, and wait until its memory is free."""
    _end(_note(weights, context))


def _note(weights: Weights, context: int) -> Path:
    return private_folder("engines") / f"{weights.sha256[:16]}-{context}.json"


def _end(note: Path) -> None:
    process = _started.pop(note, None)
    if process is None:
        return
    _close_pipes(process)
    try:
        process.wait(PROBE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _close_pipes(process: subprocess.Popen[bytes]) -> None:
    for pipe in filter(None, (process.stdin, process.stdout)):
        with suppress(OSError):
            pipe.close()


def _start(weights: Weights, context: int, note: Path) -> Engine:
    _end(note)
    for last in private_folder("engines").glob("*.last"):
        last.unlink(
            missing_ok=True
        )  # of engines that are gone, or will read a beginning once more
    key, slots = secrets.token_hex(16), str(private_folder("slots"))
    order = Order(str(weights.path), context, physical_cores(), key, slots, IDLE_S)
    process = subprocess.Popen(
        python("-m", "pincite.models.local.serving"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **THREADS},
        start_new_session=True,  # Ctrl-C is for who asks: a reply ends, the engine stays
    )
    _started[note] = process
    try:
        told = _first_line(process, order)
    except BaseException:
        _end(note)
        raise
    url, version = str(told["address"]), str(told["version"])
    engine = Engine(url, order.key, process.pid, order.path, context, version)
    before = os.umask(0o077)  # for this user alone
    try:
        write(note, json.dumps(asdict(engine)))
    finally:
        os.umask(before)
    offline.allow_engine(engine.port)
    return engine


def _first_line(process: subprocess.Popen[bytes], order: Order) -> dict[str, object]:
    """What a process that is being started says once it has loaded its file. Raises ModelError."""
    assert process.stdin and process.stdout
    why = f"it said nothing in {START_S:.0f} s"
    with suppress(OSError):  # it ended at once: what it said tells why
        process.stdin.write(json.dumps(asdict(order)).encode() + b"\n")
        process.stdin.flush()
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)
    if poll.poll(START_S * 1000):
        if line := process.stdout.readline():
            told = json.loads(line)
            if "error" not in told:
                return dict(told)
            why = str(told["error"])
        else:
            code = process.wait(PROBE_S)
            why = f"it was ended by signal {-code}" if code < 0 else f"it ended with code {code}"
    raise ModelError(
        f"the engine could not load {order.path}: {why}. `pincite models check` says whether the file is whole; where memory is "
        "short, take a smaller model or set a smaller `context` under [models], or answer without a model (--no-model)"
    )


def _let_go() -> None:
    """A forked process keeps no pipe to the engines of its parent, which would outlive it."""
    for process in _started.values():
        _close_pipes(process)
        process.returncode = 0  # nobody's here to wait for
    _started.clear()


os.register_at_fork(after_in_child=_let_go)
