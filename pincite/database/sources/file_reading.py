"""Workbooks and Parquet files read in a process of their own: a file that crashes, swells or hangs its reader ends nothing else.

Their readers are libraries in Rust and C++, which may crash on a damaged file without raising an error. The process is `python
-m pincite.database.sources.file_reading`; it speaks pickles over its pipes.
"""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self, TypeVar

from pincite.database.database_errors import DatabaseError
from pincite.errors import PinciteError
from pincite.processes import python

MEMORY = 4 << 30
"""The most bytes of memory that a reader may take."""
PATIENCE_S, A_MEGABYTE_S = 60.0, 20.0
"""How long a reader may work on a file, and how much longer for every megabyte of it."""

T = TypeVar("T")


class FileReader:
    """Runs functions that read a file, in a process that is started for the first and again after a file that ended it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def __call__(self, read: Callable[[Path], Iterator[T]], path: Path) -> Iterator[T]:
        """What `read(path)` yields in the other process. Raises DatabaseError where that fails, by its error or its end."""
        patience = PATIENCE_S + A_MEGABYTE_S * path.stat().st_size / (1 << 20)
        process = self._process = self._process or _started()
        assert process.stdin is not None and process.stdout is not None
        timer = threading.Timer(patience, process.kill)
        timer.start()
        try:
            pickle.dump((read, path), process.stdin)
            process.stdin.flush()
            while True:
                what, made = pickle.load(process.stdout)
                if what == "made":
                    yield made
                elif what == "failed":
                    raise made
                else:
                    return
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.end()
            raise DatabaseError(
                f"{path} cannot be read: its reader crashed, or took over {patience:.0f} s or {MEMORY >> 30} GiB of memory. It "
                "is damaged, hostile or far too large; open it in its program and save it again"
            ) from error
        finally:
            timer.cancel()

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _started() -> subprocess.Popen[bytes]:
    command = python("-m", "pincite.database.sources.file_reading")
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def main(given: IO[bytes], out: IO[bytes]) -> None:
    """Serve what is asked over one pipe to another until it closes."""

    def tell(what: str, made: Any) -> None:
        pickle.dump((what, made), out)
        out.flush()

    while True:
        try:
            read, path = pickle.load(given)
        except EOFError:
            return
        try:
            for made in read(path):
                tell("made", made)
            tell("done", None)
        except PinciteError as error:
            tell("failed", error)
        except BaseException as error:  # Rust panics with one that is no Exception
            said = f"{path} cannot be read ({type(error).__name__}: {str(error)[:200]}); open it in its program and save it again"
            tell("failed", DatabaseError(said))


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(
            resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1])
        )
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    # a library that prints would break the protocol: only we write to the real stdout
    channel = sys.stdout.buffer
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is the caller who ends it
    _limit_memory()
    with suppress(BrokenPipeError):  # the caller is gone
        main(sys.stdin.buffer, channel)
