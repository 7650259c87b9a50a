"""SQLite opened so that it can only read: by its mode, and by an authorizer that lists what may be read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import sqlalchemy as sa

from pincite.text.lexicon import word_set

LONGEST_VALUE = 64 * 2**20
"""Bytes of the longest text, blob or row that is read; those of statements of questions have a limit of their own."""
LONGEST_PATTERN = 500
"""Bytes of a pattern of LIKE or GLOB: nothing stops one comparison, and it takes the product of both lengths."""
_READS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION))
_EFFECTS = word_set("database", "functions with effects")

Reads = frozenset[tuple[str, str, str]]
"""What views look at: (view, table, column), case folded; the column "" is the table as such."""


def engine(path: Path, tables: Iterable[str] | None = None) -> sa.Engine:
    """An engine whose connections only read, and only these tables and views; without them all there is, for reflection."""
    uri = path.resolve().as_uri() + "?mode=ro"
    listed = None if tables is None else list(tables)
    through: Reads = frozenset()
    if listed is not None:
        connection = sqlite3.connect(uri, uri=True)
        through = _reads_of_views(connection, listed)
        connection.close()

    def connect() -> sqlite3.Connection:
        made = sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=10)
        made.execute("PRAGMA query_only = 1")
        if listed is not None:
            restrict(made, listed, through)
        return made

    return sa.create_engine("sqlite://", creator=connect, poolclass=sa.pool.QueuePool)


def _reads_of_views(connection: sqlite3.Connection, tables: list[str]) -> Reads:
    """What the views among these tables look at, noted while SQLite prepares them."""
    seen: set[tuple[str, str, str]] = set()
    listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'view'")
    views = {name.casefold(): name for (name,) in listed}

    def note(
        action: int, table: str | None, column: str | None, schema: str | None, view: str | None
    ) -> int:
        if action == sqlite3.SQLITE_READ and table and view:
            place = (view.casefold(), table.casefold())
            seen.update((*place, named) for named in ("", (column or "").casefold()))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(note)
    for name in views.keys() & {table.casefold() for table in tables}:
        try:
            connection.execute('SELECT * FROM "' + views[name].replace('"', '""') + '" LIMIT 0')
        except sqlite3.Error:
            continue  # a view of tables that are gone has nothing to look at
    return frozenset(seen)


def restrict(
    connection: sqlite3.Connection, tables: Iterable[str], through: Reads = frozenset()
) -> None:
    """Let a connection only read, and only these tables, and others as views do."""
    listed = {table.casefold() for table in tables}

    def authorize(
        action: int, first: str | None, second: str | None, schema: str | None, inner: str | None
    ) -> int:
        name, column, view = ((text or "").casefold() for text in (first, second, inner))
        if action == sqlite3.SQLITE_PRAGMA:
            allowed = first == "read_uncommitted" and not second  # asked by SQLAlchemy
        elif action == sqlite3.SQLITE_FUNCTION:
            allowed = column not in _EFFECTS
        elif action == sqlite3.SQLITE_READ and first:
            allowed = name in listed or (view, name, column) in through
        else:
            allowed = action in _READS
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    connection.execute("PRAGMA query_only = 1")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LONGEST_PATTERN)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.set_authorizer(authorize)
