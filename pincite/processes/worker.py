"""Python processes that Pincite starts: they import nothing from the working directory, which may be a stranger's folder.

A `Worker` is one that calls functions: what crashes, hangs or takes too much memory in them ends that process and nothing
else. It is `python -P -m pincite.processes.worker`, so that a caller's script needs no guard around its main code.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, Self

SAFE = "PYTHONSAFEPATH"
"""The variable by which Python keeps the working directory and a script's folder off its path."""
ENDED: tuple[str, Any] = ("ended", None)
"""What a worker says that ended while it was called."""


def python(*arguments: str) -> list[str]:
    """The command of another Python process with these arguments."""
    return [sys.executable, "-P", *arguments]


@contextmanager
def safe_path() -> Iterator[None]:
    """Meanwhile, processes that a library starts import nothing from the working directory either."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before


class Worker:
    """A process that calls functions one after the other: it begins with the first, and again after one that ended it.

    What they tell waits in a pipe, so that no more of it is on its way than the caller takes. `quiet` hides what the process
    writes to the standard error.
    """

    def __init__(self, environment: Mapping[str, str] | None = None, quiet: bool = False) -> None:
        self._environment, self._quiet = environment, quiet
        self._process: Any = None
        self._pipe: Connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ended: object) -> None:
        self.end()

    def call(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Have `function(tell, *arguments)` called, which must not raise; `tell(what, made)` is what it tells on its way."""
        if self._process is not None and self._process.poll() is not None:
            self.end()
        if self._process is None:
            self._process, self._pipe = start(self._environment, self._quiet)
        with suppress(OSError):  # it has ended, which `hear` finds out
            self._pipe.send((function, arguments))

    def hear(self) -> tuple[str, Any]:
        """Wait for what is told next, for ("done", what the function returned), or for ENDED."""
        try:
            said: tuple[str, Any] = self._pipe.recv()
            return said
        except Exception:  # nothing more, or nothing that could be a message
            return self.end()

    def hear_all(
        self, longest_s: float, function: Callable[..., Any], *arguments: Any
    ) -> Iterator[tuple[str, Any]]:
        """Call a function and yield all that is heard of it; what says nothing for `longest_s` seconds is ended."""
        self.call(function, *arguments)
        what = ""
        try:
            while what not in ("done", "ended"):
                what, made = self.hear() if self._pipe.poll(longest_s) else self.end()
                yield what, made
        finally:
            if what != "done":  # what it still says is of no call that follows
                self.end()

    def end(self) -> tuple[str, Any]:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._pipe.close()
            self._process = None
        return ENDED

    @staticmethod
    def heard(workers: Sequence[Worker], seconds: float) -> list[bool]:
        """Wait until one of the workers has said something or ended, so many seconds at most; which of them have."""
        ready = wait([worker._pipe for worker in workers], seconds)
        return [worker._pipe in ready for worker in workers]


def start(environment: Mapping[str, str] | None, quiet: bool) -> tuple[Any, Connection]:
    """A process that serves calls, and the end of its pipe that is here."""
    ours, theirs = Pipe()
    process = subprocess.Popen(
        python("-m", "pincite.processes.worker"),
        stdin=theirs.fileno(),
        stdout=subprocess.DEVNULL,  # of libraries that print
        stderr=subprocess.DEVNULL if quiet else None,
        env=environment,
    )
    theirs.close()
    return process, ours


def serve(pipe: Connection) -> None:
    """Call what comes through a pipe until its other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the caller who ends its workers

    def tell(what: str, made: Any) -> None:
        pipe.send((what, made))

    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # the caller is gone
        while True:
            function, arguments = pipe.recv()
            tell("done", function(tell, *arguments))


def limit_memory(most: int) -> None:
    """Let what takes more than so many bytes in this process fail, and write no image of it, where the system can do so."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(
            resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1])
        )
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    channel = Connection(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = sys.stderr
    serve(channel)
