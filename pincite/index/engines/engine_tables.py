"""Which tables of an engine, and which documents in them, the generations of a corpus still need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from pincite.index.engines.engine_rows import NONE, Numbers, read_rows
from pincite.ports import InEngine


def tables_of(shelves: Path) -> dict[str, Numbers]:
    """By table the documents that the indexes among these shelves have there."""
    found: dict[str, Numbers] = {}
    for folder in _indexes(shelves):
        try:
            rows = read_rows(folder)
        except (OSError, ValueError, KeyError):
            continue  # an embedded index
        found[rows.table] = np.union1d(found.get(rows.table, NONE), rows.documents)
    return found


def in_use(index: Path, table: str) -> Numbers:
    """The documents of a table that `index`, a folder of a shelf, and the shelves beside it need."""
    return tables_of(index.parent.parent).get(table, NONE)


def sweep_tables(index: InEngine, shelves: Path, sweep: Callable[[], None]) -> None:
    """Run `sweep`, which removes folders of shelves, and then the tables that only those were in. Raises EngineError."""
    before = tables_of(shelves)
    sweep()
    if left := before.keys() - tables_of(shelves).keys():
        index.drop(sorted(left))


def _indexes(shelves: Path) -> Iterable[Path]:
    return shelves.glob("*/index") if shelves.is_dir() else ()
