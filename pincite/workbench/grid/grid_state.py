"""The answers of a grid with their dependencies, kept beside the corpus, so that a run resumes without repeating anything."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pincite.errors import CorpusError, UsageError
from pincite.formats.encoding import answer_to, dumps
from pincite.records.answer_store import answer_stored
from pincite.storage import KeptTables, connect_kept, is_kept, shown
from pincite.types import Answer
from pincite.untrusted import readable
from pincite.workbench.grid.filled_cells import Moved
from pincite.workbench.grid.spec import Spec, spec_from, spec_to

FILE = "grids.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS grids (
    id TEXT PRIMARY KEY, spec TEXT NOT NULL, run INTEGER NOT NULL, finished INTEGER NOT NULL, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cells (
    grid TEXT NOT NULL, topic TEXT NOT NULL, depends TEXT NOT NULL, answer_id TEXT NOT NULL,
    answer TEXT NOT NULL, run INTEGER NOT NULL, at TEXT NOT NULL, moved TEXT NOT NULL, PRIMARY KEY (grid, topic));
CREATE TABLE IF NOT EXISTS scopes (digest TEXT PRIMARY KEY, documents TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class ListedGrid:
    """A grid that is kept beside a corpus; `at` is when its last run began."""

    id: str
    title: str
    rows: int
    columns: int
    at: str
    finished: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer that is kept for a cell: the digest of what it depends on, the run that made it, and what stood there before."""

    depends: str
    documents: tuple[tuple[str, str], ...]
    answer_id: str
    answer: Answer
    run: int
    at: str
    moved: Moved | None


def now() -> str:
    """The time, to the second, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class State:
    """The kept answers of one grid, open for writing. Raises CorpusError when nothing can be written there."""

    def __init__(self, folder: Path, grid: str) -> None:
        self.grid, self._folder = grid, folder
        try:
            self._db = connect_kept(folder, FILE, SCHEMA)
            if isinstance(self._db, sqlite3.Connection):
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            raise CorpusError(
                f"a grid is kept beside its corpus, and {folder / FILE} cannot be written ({error}): copy the corpus to a "
                "folder that you can write to"
            ) from error

    def begin(self, spec: Spec, idle: bool) -> int:
        """The number of this run: that of the last one where it was not finished or this is `idle`, else a new one."""
        query = "SELECT run, finished, at FROM grids WHERE id = ?"
        row = self._db.execute(query, (self.grid,)).fetchone()
        run, finished, at = row or (0, 1, "")
        if not idle or row is None:
            run, at = run + finished, now()
        with self._db:
            changed = "spec = excluded.spec, run = excluded.run, finished = 0, at = excluded.at"
            added = "INSERT INTO grids VALUES (?, ?, ?, 0, ?) ON CONFLICT (id) DO UPDATE SET"
            self._db.execute(f"{added} {changed}", (self.grid, dumps(spec_to(spec)), run, at))
        return run

    def finish(self) -> None:
        """Every cell is answered: the next run is another."""
        with self._db:
            self._db.execute("UPDATE grids SET finished = 1 WHERE id = ?", (self.grid,))

    def put(self, rows: Sequence[tuple[str, Kept]]) -> None:
        """Keep answers by their topics, in one transaction."""
        with self._db:
            scopes = {cell.depends: dumps(cell.documents) for _, cell in rows}
            added = "INSERT INTO scopes VALUES (?, ?) ON CONFLICT DO NOTHING"
            self._db.executemany(added, list(scopes.items()))
            replaced = [(self.grid, topic) for topic, _ in rows]
            self._db.executemany("DELETE FROM cells WHERE grid = ? AND topic = ?", replaced)
            self._db.executemany(
                "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (self.grid, topic, cell.depends, cell.answer_id, dumps(answer_to(cell.answer)), cell.run, cell.at,
                     dumps(cell.moved and astuple(cell.moved)))
                    for topic, cell in rows
                ],
            )  # fmt: skip

    def cells(self) -> dict[str, Kept]:
        """What is kept, by topic."""
        with _reading(self._folder):
            return dict(_cells(self._db, self.grid))

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _cells(db: KeptTables, grid: str) -> Iterator[tuple[str, Kept]]:
    scopes: dict[str, tuple[tuple[str, str], ...]] = {
        digest: tuple(map(tuple, json.loads(documents)))
        for digest, documents in db.execute("SELECT digest, documents FROM scopes")
    }
    names = "topic, depends, answer_id, answer, run, at, moved"
    rows = db.execute(f"SELECT {names} FROM cells WHERE grid = ?", (grid,))
    for topic, depends, answer_id, stored, run, at, moved in rows:
        answer, was = answer_stored(stored, answer_id), json.loads(moved)
        before = None if was is None else Moved(*was)
        yield topic, Kept(depends, scopes.get(depends, ()), answer_id, answer, run, at, before)


def grids(folder: Path) -> tuple[ListedGrid, ...]:
    """The grids that are kept beside a corpus, by title."""
    made = []
    with _reading(folder):
        for key, spec, at, finished in _rows(folder, "SELECT id, spec, at, finished FROM grids"):
            listed = spec_from(json.loads(spec))
            size = len(listed.rows), len(listed.columns)
            made.append(ListedGrid(key, listed.title, *size, at, bool(finished)))
    return tuple(sorted(made, key=lambda listed: listed.title))


def kept(folder: Path, identity: str) -> tuple[Spec, int, str, bool, Mapping[str, Kept]]:
    """A kept grid: its spec, the number of its last run, when that began, whether it was finished, and the answers. Raises
    UsageError when there is none.
    """
    found = _rows(folder, "SELECT spec, run, at, finished FROM grids WHERE id = ?", identity)
    if not found:
        names = ", ".join(listed.id for listed in grids(folder))
        raise UsageError(
            f"no grid {identity!r} is kept beside the corpus {shown(folder)}; known: "
            f"{names or 'none yet (`pincite grid SPEC` fills one)'}"
        )
    spec, run, at, finished = found[0]
    with _reading(folder), closing(connect_kept(folder, FILE, SCHEMA, write=False)) as db:
        return spec_from(json.loads(spec)), run, at, bool(finished), dict(_cells(db, identity))


def drop_grid(folder: Path, identity: str) -> None:
    """Forget a grid and its answers; reviews are kept."""
    kept(folder, identity)
    with closing(connect_kept(folder, FILE, SCHEMA)) as db, db:
        db.execute("DELETE FROM cells WHERE grid = ?", (identity,))
        db.execute("DELETE FROM grids WHERE id = ?", (identity,))


def _rows(folder: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    if not is_kept(folder, FILE, "grids"):
        return []
    with _reading(folder), closing(connect_kept(folder, FILE, SCHEMA, write=False)) as db:
        return db.execute(query, values).fetchall()


def _reading(folder: Path) -> AbstractContextManager[None]:
    return readable(
        folder / FILE, "put back a copy of it, or move it away and fill its grids again"
    )
