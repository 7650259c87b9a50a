"""The tables that a corpus keeps: each set in a SQLite file of its own beside it, or all in its schema in PostgreSQL.

Their statements are written in what SQLite and PostgreSQL have in common, with `?` for values.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from pincite.storage.corpus_address import address_of
from pincite.storage.disk import is_of_disk
from pincite.untrusted import guarded, own


class StatementRows(Protocol):
    """The rows that a statement gave."""

    def fetchone(self) -> Any:
        """The next row; None after the last."""

    def fetchall(self) -> list[Any]:
        """The rows that are left."""

    def __iter__(self) -> Iterator[Any]:
        """One row after the other."""


class KeptTables(Protocol):
    """A connection to the tables of a corpus. A `with` block is one transaction, written whole or not at all."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> StatementRows:
        """Run one statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Run one statement for each of several rows of values."""

    def __enter__(self) -> Any:
        """Begin a transaction."""

    def __exit__(self, kind: Any, error: Any, trace: Any, /) -> Any:
        """Commit it, or take it back after an error."""

    def close(self) -> None:
        """Close the connection."""


def is_kept(folder: Path, file: str, table: str) -> bool:
    """Whether a corpus keeps this file, or in PostgreSQL this table of it."""
    address = address_of(folder)
    if address is None:
        return (folder / file).is_file()
    from pincite.storage.postgres import has_table

    return has_table(address, table)


def connect_kept(folder: Path, file: str, schema: str, *, write: bool = True) -> KeptTables:
    """The tables of `schema` that a corpus keeps in `file`; to write, they are made where there are none.

    Raises sqlite3.Error for a file that cannot be used, CorpusError for a database that cannot be reached.
    """
    address = address_of(folder)
    if address is not None:
        from pincite.storage.postgres import connect

        return connect(address, schema, write=write)
    if not write:
        return connect_reader(folder / file, schema)
    db = guarded(sqlite3.connect(own(folder / file), timeout=60), schema)
    db.executescript(schema)
    return db


@contextmanager
def exclusively(db: KeptTables) -> Iterator[KeptTables]:
    """A transaction that no other one of its kind runs beside, so that what it reads stays so until it has written."""
    if isinstance(db, sqlite3.Connection):
        with db:
            db.execute("BEGIN IMMEDIATE")
            yield db
        return
    from pincite.storage.postgres import PostgresTables

    assert isinstance(db, PostgresTables)
    with db.alone():
        yield db


def connect_reader(path: Path, schema: str = "") -> sqlite3.Connection:
    """A connection to read by; `schema` is that of the file, where it has views, triggers or virtual tables."""
    return guarded(connect_copy(path), schema)


def connect_copy(path: Path) -> sqlite3.Connection:
    """A connection to copy or to check a file by, whatever it holds; where nothing can be written, not even SQLite's own lock
    files, to the file as it stands.
    """
    log = path.with_name(path.name + "-wal")
    if os.access(path.parent, os.W_OK) or log.exists():
        db = _reader(path)
        try:
            db.execute("PRAGMA schema_version")
            return db
        except sqlite3.OperationalError as error:
            db.close()
            if not is_of_disk(error) or (log.exists() and log.stat().st_size):
                raise
    return _reader(path, "?immutable=1")


def _reader(path: Path, how: str = "") -> sqlite3.Connection:
    return sqlite3.connect(
        own(path).absolute().as_uri() + how, timeout=30, check_same_thread=False, uri=True
    )
