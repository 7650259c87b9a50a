"""Which tables of an engine the generations of a corpus still need."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pincite.index.engines.engine_rows import FILE, read_rows
from pincite.ports import InEngine


def tables_of(shelves: Path) -> set[str]:
    """The tables that the indexes among these shelves are in."""
    found: set[str] = set()
    for file in shelves.glob(f"*/index/{FILE}"):
        with suppress(OSError, ValueError, KeyError):  # what is damaged is in no table
            found.add(read_rows(file.parent).table)
    return found


def sweep_tables(index: InEngine, shelves: Path, sweep: Callable[[], None]) -> None:
    """Run `sweep`, which removes folders of shelves, and then the tables that only those were in. Raises EngineError."""
    before = tables_of(shelves)
    sweep()
    if left := before - tables_of(shelves):
        index.drop(sorted(left))
