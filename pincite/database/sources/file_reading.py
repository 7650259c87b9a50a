"""Workbooks and Parquet files read in a process of their own: a file that crashes, swells or hangs its reader ends nothing else.

Their readers are libraries in Rust and C++, which may crash on a damaged file without raising an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from pincite.database.database_errors import DatabaseError
from pincite.errors import PinciteError
from pincite.processes.worker import Worker, limit_memory

MEMORY = 4 << 30
"""The most bytes of memory that a reader may take."""
PATIENCE_S, A_MEGABYTE_S = 60.0, 20.0
"""How long a reader may say nothing, and how much longer for every megabyte of its file."""

T = TypeVar("T")


class FileReader(Worker):
    """Runs functions that read a file in a process."""

    def __init__(self) -> None:
        super().__init__(quiet=True)

    def __call__(self, read: Callable[[Path], Iterator[T]], path: Path) -> Iterator[T]:
        """What `read(path)` yields in the other process. Raises DatabaseError where that fails, by its error or its end."""
        patience = PATIENCE_S + A_MEGABYTE_S * path.stat().st_size / (1 << 20)
        for what, made in self.hear_all(patience, _read, read, path):
            if what == "made":
                yield made
            elif what == "ended":
                raise DatabaseError(
                    f"{path} cannot be read: its reader crashed, or took over {patience:.0f} s or {MEMORY >> 30} GiB of "
                    "memory. It is damaged, hostile or far too large; open it in its program and save it again"
                )
            elif made is not None:
                raise made


def _read(
    tell: Callable[[str, Any], None], read: Callable[[Path], Iterator[T]], path: Path
) -> PinciteError | None:
    """Tell what a function reads in a file; why it fails."""
    limit_memory(MEMORY)
    try:
        for made in read(path):
            tell("made", made)
        return None
    except PinciteError as error:
        return error
    except BaseException as error:  # Rust panics with one that is no Exception
        said = f"{path} cannot be read ({type(error).__name__}: {str(error)[:200]})"
        return DatabaseError(f"{said}; open it in its program and save it again")
