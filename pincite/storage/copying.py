"""All tables of a corpus copied between SQLite files and a schema in PostgreSQL, row by row as they are."""

from __future__ import annotations

import sqlite3

from pincite.storage.common_sql import tables_of
from pincite.storage.kept_tables import KeptTables
from pincite.storage.postgres import PostgresTables

_AT_ONCE = 2000
"""Rows that are in memory at a time."""
_NUMBERED = (
    "SELECT column_name FROM information_schema.columns "
    "WHERE table_schema = current_schema() AND table_name = ? AND is_identity = 'YES'"
)
"""The columns of a table whose values the server counts."""


def copy_out(source: PostgresTables, target: sqlite3.Connection, schema: str) -> None:
    """Copy the tables of `schema` to an empty SQLite file, where it makes them. `source` is to be in one snapshot."""
    target.executescript(schema)
    for table in tables_of(schema):
        columns, keys = _columns(target, table)
        with target:
            _insert_all(source, target, table, columns, keys)


def copy_in(source: sqlite3.Connection, target: PostgresTables, schema: str) -> None:
    """Copy the tables of `schema` that a SQLite file has into those of a corpus, in the transaction that is under way."""
    for table in tables_of(schema):
        columns, keys = _columns(source, table)
        if not columns:
            continue
        target.execute(f"DELETE FROM {table}")
        _insert_all(source, target, table, columns, keys)
        for (column,) in target.execute(_NUMBERED, (table,)):
            counter = f"pg_get_serial_sequence('{table}', '{column}')"
            target.execute(
                f"SELECT setval({counter}, coalesce(max({column}), 0) + 1, false) FROM {table}"
            )


def _insert_all(
    source: KeptTables, target: KeptTables, table: str, columns: list[str], keys: list[str]
) -> None:
    """Copy the rows of a table in the order of its key, some at a time."""
    order, last = ", ".join(keys), [columns.index(key) for key in keys]
    names, marks, keyed = (
        ", ".join(each) for each in (columns, "?" * len(columns), "?" * len(keys))
    )
    begin = f"SELECT {names} FROM {table}"
    rest = f" ORDER BY {order} LIMIT {_AT_ONCE}"
    rows = list(source.execute(begin + rest))
    while rows:
        target.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
        after = [rows[-1][at] for at in last]
        rows = list(source.execute(f"{begin} WHERE ({order}) > ({keyed}){rest}", after))


def _columns(db: sqlite3.Connection, table: str) -> tuple[list[str], list[str]]:
    """The columns of a table, and those of its key."""
    found = db.execute(f"PRAGMA table_info({table})").fetchall()
    keys = sorted((row for row in found if row[5]), key=lambda row: row[5])
    return [row[1] for row in found], [row[1] for row in keys]
