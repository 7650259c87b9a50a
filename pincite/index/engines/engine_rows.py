"""Which rows of a table in an engine are those of an index: the table is shared by the generations of a corpus.

A document's rows are written once, under a number of its own, and are there unchanged until no generation needs them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_hex

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
FILE = "engine.json"
_ARRAYS = ("documents", "starts", "hidden")
NONE: Numbers = np.empty(0, np.int64)


@dataclass(frozen=True, eq=False)
class EngineRows:
    """The rows of an index, by document: rows `starts[i]` to `starts[i + 1]` are those of the table's document `documents[i]`.

    `hidden` are the table's documents that only the generation before this one has.
    """

    table: str
    documents: Numbers
    starts: Numbers
    hidden: Numbers

    @property
    def top(self) -> int:
        """The highest number of a document here: those above it were written later."""
        return int(self.documents.max(initial=-1))

    @property
    def last(self) -> int:
        """The highest number that was given when this was written."""
        return max(self.top, int(self.hidden.max(initial=-1)))

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.starts[-1])

    def admitted(self, only: NDArray[np.bool_]) -> Numbers:
        """The documents with a row that a mask of all rows lets through."""
        held = np.flatnonzero(np.diff(self.starts))
        found = np.logical_or.reduceat(only, self.starts[held]) if len(held) else held > 0
        return self.documents[held[found]]

    def rows(self, documents: NDArray[np.integer], places: NDArray[np.integer]) -> Numbers:
        """The rows at `places` within `documents`, counted from 0; all must be documents of this index."""
        made: Numbers = self._first_rows[documents] + places
        return made

    @cached_property
    def _first_rows(self) -> Numbers:
        """The first row of each document, by its number in the table."""
        made = np.zeros(self.top + 1, np.int64)
        made[self.documents] = self.starts[:-1]
        return made

    def count(self, documents: Numbers) -> int:
        """How many rows these documents have."""
        held = np.isin(self.documents, documents)
        return int(np.diff(self.starts)[held].sum())

    def save(self, folder: Path, place: str) -> None:
        """Write this into a new folder; `place` says for people where the table is."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(json.dumps({"place": place, "table": self.table}))
        for name in _ARRAYS:
            np.save(folder / f"{name}.npy", getattr(self, name))


def read_rows(folder: Path) -> EngineRows:
    """Read what `save` wrote. Raises OSError or ValueError when it is damaged or missing."""
    table = str(json.loads((folder / FILE).read_text())["table"])
    if not table.isidentifier() or not table.isascii():
        raise ValueError(f"no name of a table: {table[:40]!r}")
    documents, starts, hidden = (np.load(folder / f"{name}.npy") for name in _ARRAYS)
    return EngineRows(table, documents, starts, hidden)


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Where rows go: all `rows` of an index, and for each new one its document's number and its place within the document.

    `stale` are the documents of the table that the generations before this one needed last but one, and none needs now.
    """

    rows: EngineRows
    documents: Numbers
    places: Numbers
    stale: Numbers


def placed(owners: NDArray[np.integer] | None, count: int) -> Placed:
    """A new table of `count` rows; `owners[i]` tells the documents of the rows apart, each in one piece; None: all are of one."""
    new = np.full(count, -1)
    none = EngineRows(f"pincite_{token_hex(8)}", NONE, np.zeros(1, np.int64), NONE)
    return placed_beside(none, owners, new)


def placed_beside(
    before: EngineRows,
    owners: NDArray[np.integer] | None,
    rows: NDArray[np.integer],
) -> Placed:
    """The table of `before`, the index of the last generation; `rows[i]` is the row there that row i is, or -1 for a new one."""
    if owners is None:
        owners = np.zeros(len(rows), np.int64)
    firsts = np.flatnonzero(np.diff(owners, prepend=-1)) if len(owners) else NONE
    starts = np.append(firsts, len(owners)).astype(np.int64)
    new = rows[firsts] < 0
    documents = np.empty(len(firsts), np.int64)
    numbers = np.repeat(before.documents, np.diff(before.starts))
    documents[~new] = numbers[rows[firsts[~new]]]
    documents[new] = before.last + 1 + np.arange(int(new.sum()))
    lengths = np.diff(starts)
    places = np.arange(len(owners)) - np.repeat(starts[:-1], lengths)
    fresh = rows < 0
    hidden = np.setdiff1d(before.documents, documents)
    return Placed(
        EngineRows(before.table, documents, starts, hidden),
        np.repeat(documents, lengths)[fresh],
        places[fresh],
        before.hidden,
    )
