"""Which rows of a table in an engine are those of an index: the table is shared by the generations of a corpus.

A document's rows are written once, under a number of its own, and are there unchanged until no generation needs them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.search.index.row_scores import joined_rows
from pincite.search.index.term_counts import CountedTerms, counted_terms, with_parts
from pincite.text.language import ENGLISH
from pincite.types import Entry

Numbers = NDArray[np.int64]
Owners = NDArray[np.integer] | None
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

    def admitted(self, only: NDArray[np.bool_] | None) -> Numbers | None:
        """The documents with a row that a mask of all rows lets through; None for all of them."""
        if only is None:
            return None
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

    def count(self, documents: Numbers | None) -> int:
        """How many rows these documents have; None: all of them."""
        if documents is None:
            return self.size
        return int(np.diff(self.starts)[np.isin(self.documents, documents)].sum())

    def values(self, admitted: Numbers | None) -> dict[str, Any]:
        """What a statement says to read of the rows of this index only those of the documents that are admitted."""
        only = [] if admitted is None else admitted.tolist()
        return {"top": self.top, "hidden": self.hidden.tolist(), "admitted": only}

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
    return EngineRows(table, *(np.load(folder / f"{name}.npy") for name in _ARRAYS))


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """Where rows go: all `rows` of an index, and for each new one its document's number and its place within the document.

    `before` is the folder of the index that they are written beside, None where the table is new: there row i is the row
    `known[i]`, or -1. Documents above its number `last` are of a run that was killed, and `stale` ones no generation needs.
    """

    rows: EngineRows
    documents: Numbers
    places: Numbers
    stale: Numbers
    last: int
    before: Path | None
    known: NDArray[np.integer]


def placed(owners: Owners, known: NDArray[np.integer], before: Path | None = None) -> Placed:
    """Where the rows of an index go, whose documents `owners` tells apart, each in one piece; None: all are of one."""
    table = f"pincite_{token_hex(8)}"
    old = read_rows(before) if before else EngineRows(table, NONE, np.zeros(1, np.int64), NONE)
    if owners is None:
        owners = np.zeros(len(known), np.int64)
    firsts = np.flatnonzero(np.diff(owners, prepend=-1)) if len(owners) else NONE
    starts = np.append(firsts, len(owners)).astype(np.int64)
    new = known[firsts] < 0
    documents = np.empty(len(firsts), np.int64)
    documents[~new] = np.repeat(old.documents, np.diff(old.starts))[known[firsts[~new]]]
    documents[new] = old.last + 1 + np.arange(int(new.sum()))
    lengths, fresh = np.diff(starts), known < 0
    places = np.arange(len(owners)) - np.repeat(starts[:-1], lengths)
    rows = EngineRows(old.table, documents, starts, np.setdiff1d(old.documents, documents))
    owned = np.repeat(documents, lengths)[fresh]
    return Placed(rows, owned, places[fresh], old.hidden, old.last, before, known)


class EngineIndex:
    """An index in an engine: `_made` makes of entries what is stored of them, `write` puts it into the table."""

    __slots__ = ()

    def build(
        self,
        entries: Sequence[Entry],
        folder: Path,
        owners: Owners = None,
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        """Write `entries` into a new table, and into `folder` which rows they are; `vectors` as for Dense.

        `owners[i]` tells the document of entry i from the others. Raises EngineError when the engine refuses.
        """
        where = placed(owners, np.full(len(entries), -1))
        self.write(where, self._made(entries, vectors), folder)

    def grow(
        self,
        entries: Sequence[Entry],
        folder: Path,
        before: Path,
        rows: NDArray[np.int64],
        owners: Owners = None,
        vectors: NDArray[np.float32] | None = None,
    ) -> None:
        """Write `entries` beside those of the index in `before`; `rows[i]` is the row there that row i is, or -1.

        Parts of compounds are found among the words of `entries` alone.
        """
        self.write(placed(owners, rows, before), self._made(entries, vectors), folder)

    def _made(self, entries: Sequence[Entry], vectors: NDArray[np.float32] | None) -> Any:
        raise NotImplementedError

    def write(self, where: Placed, made: Any, folder: Path) -> None:
        """Write new rows to their place, and the folder of their index. Raises as `build`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class RowFacts:
    """Of every row how many terms it has, and its languages, codes with a space between."""

    lengths: NDArray[np.int64]
    spoken: NDArray[np.str_]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that rows are written in."""
        codes = {code for several in np.unique(self.spoken).tolist() for code in several.split()}
        return tuple(sorted(codes)) or (ENGLISH,)

    def save(self, where: Placed, folder: Path) -> None:
        """Write what new rows, whose facts these are, and those of the index before have, beside the rows of an index."""
        lengths, spoken = self.lengths, self.spoken
        if where.before:
            old = read_facts(where.before)
            lengths = joined_rows(old.lengths, lengths, where.known)
            spoken = joined_rows(old.spoken, spoken, where.known)
        np.save(folder / "lengths.npy", lengths.astype(np.int32))
        codes, numbers = np.unique(spoken, return_inverse=True)
        np.save(folder / "codes.npy", codes)
        np.save(folder / "spoken.npy", numbers.astype(np.min_scalar_type(len(codes))))


def read_facts(folder: Path) -> RowFacts:
    """Read what `save` wrote. Raises OSError or ValueError when it is damaged or missing."""
    names = ("lengths", "codes", "spoken")
    lengths, codes, numbers = (np.load(folder / f"{name}.npy") for name in names)
    spoken = codes[numbers] if len(codes) else np.empty(0, np.str_)
    return RowFacts(lengths.astype(np.int64), spoken)


def terms_of(entries: Sequence[Entry], bigrams: bool) -> tuple[CountedTerms, RowFacts]:
    """The terms of entries by term and row, the parts of compounds among them, and the facts of these rows."""
    held = with_parts(counted_terms(entries, bigrams))
    return held, RowFacts(held.lengths, held.spoken)
