"""A real Dask scheduler and real workers, each a process that a test may kill, and a wire to the scheduler that it may cut."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
QUIET = ("--no-dashboard",)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Hosts:
    """One scheduler on a port of its own, and workers of one thread; `path` goes before the path of the workers' modules."""

    def __init__(self, folder, path="", environment=None, tls=(), host="127.0.0.1"):
        self.folder, self.path, self.tls, self.host = folder, path, tls, host
        self.environment = environment or {}
        self.port = free_port()
        self.address = f"{'tls' if tls else 'tcp'}://{host}:{self.port}"
        self.scheduler, self.workers = None, []

    def _start(self, module, *words, wrap=()):
        environment = {
            **os.environ, **self.environment, "PYTHONPATH": os.pathsep.join(filter(None, (str(self.path), str(ROOT)))),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0", "DASK_LOGGING__DISTRIBUTED": "error",
            "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
            "DASK_TEMPORARY_DIRECTORY": str(self.folder), "PYTHONSAFEPATH": "1",
        }  # fmt: skip
        command = [
            *wrap,
            sys.executable,
            "-m",
            f"distributed.cli.{module}",
            *QUIET,
            *self.tls,
            *map(str, words),
        ]
        log = (self.folder / f"{module}.log").open("ab")
        return subprocess.Popen(
            command,
            env=environment,
            stdout=log,
            stderr=log,
            cwd=self.folder,
            start_new_session=True,
        )

    def start(self, workers=2):
        """Start what is not running, and wait until the scheduler answers."""
        if self.scheduler is None or self.scheduler.poll() is not None:
            self.start_scheduler()
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < workers:
            self.start_worker()
        waits(self._answers)
        return self

    def _answers(self):
        with suppress(OSError), socket.create_connection((self.host, self.port)):
            return True
        return False

    def start_scheduler(self):
        protocol = ("--protocol", "tls") if self.tls else ()
        self.scheduler = self._start(
            "dask_scheduler", "--host", self.host, "--port", self.port, *protocol
        )

    def start_worker(self, wrap=()):
        """Start a worker, `wrap` goes before its command."""
        worker = self._start(
            "dask_worker",
            self.address,
            "--nthreads",
            1,
            "--no-nanny",
            "--memory-limit",
            0,
            "--death-timeout",
            60,
            wrap=wrap,
        )
        self.workers.append(worker)
        return worker

    def kill_worker(self, number=0):
        worker = self.workers.pop(number)
        end(worker)

    def kill_scheduler(self):
        end(self.scheduler)

    def stop(self):
        for process in (*self.workers, self.scheduler):
            if process is not None:
                end(process)


def end(process):
    """Kill a process that we started, and those that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Wire:
    """A port that leads to another, until it is cut; then a new connection may be made."""

    def __init__(self, port):
        self.target, self.pairs = port, []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with suppress(OSError):
            while True:
                near, _ = self.listening.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.target))
                except OSError:
                    near.close()
                    continue
                self.pairs += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=(one, other), daemon=True).start()

    def cut(self):
        for end in self.pairs:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.pairs = []

    def close(self):
        self.listening.close()
        self.cut()


def _pump(one, other):
    with suppress(OSError):
        while data := one.recv(1 << 16):
            other.sendall(data)
    with suppress(OSError):
        other.shutdown(socket.SHUT_RDWR)


def waits(until, seconds=60):
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def held(corpus):
    """What a corpus holds, without the time: its files, and the sums of its documents, nodes and vectors."""
    import sqlite3

    db = sqlite3.connect(corpus / "corpus.sqlite")
    tables = {
        "documents": "name",
        "nodes": "version, id",
        "vectors": "text_hash",
        "pages": "version, page",
    }
    rows = {
        table: db.execute(f"SELECT sum FROM {table} ORDER BY {key}").fetchall()
        for table, key in tables.items()
    }
    names = [name for (name,) in db.execute("SELECT name FROM documents ORDER BY name")]
    ((content,),) = db.execute(
        "SELECT content FROM generations ORDER BY number DESC LIMIT 1"
    ).fetchall()
    db.close()
    return names, rows, json.loads(content)["documents"]
