"""The views of a database file, each allowed only if the guard accepts its definition as a query.

Whoever wrote a file wrote its views: they may call anything, never end, or expand beyond the available memory. PostgreSQL has
its own answer to that: a view there is what its owner grants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import DatabaseError, StatementRefused
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.statements.scopes import ShownColumns
from pincite.database.statements.statement_guard import allowed, allowed_name, view
from pincite.database.statements.syntax import tree

_DUCKDB_TABLES = """
SELECT schema_name, table_name, column_name FROM system.main.duckdb_columns()
WHERE database_name = current_database() AND NOT internal ORDER BY schema_name, table_name, column_index
"""
_SQLITE_TABLES = """
SELECT '', m.name, p.name FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS p
WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY m.name, p.cid
"""
_DUCKDB_VIEWS = """
SELECT schema_name, view_name, sql FROM system.main.duckdb_views() WHERE database_name = current_database() AND NOT internal
"""
_SQLITE_VIEWS = "SELECT '', name, sql FROM sqlite_master WHERE type = 'view'"
_DUCKDB_MACROS = """
SELECT DISTINCT function_name, function_name IN (SELECT function_name FROM system.main.duckdb_functions() WHERE internal)
FROM system.main.duckdb_functions() WHERE NOT internal
"""
_DUCKDB_GENERATED = """
SELECT table_name, sql FROM system.main.duckdb_tables() WHERE database_name = current_database() AND sql LIKE '%GENERATED%'
"""


def barred(connection: sa.Connection, name: str) -> dict[str, str]:
    """The views, and tables with columns that are computed, that are not read, each with the reason; none of a server.

    Raises DatabaseError for a file that defines functions under the names of built-in ones.
    """
    dialect = connection.dialect.name
    if dialect == "postgresql":
        return {}
    refused: dict[str, str] = {}
    listing, asked = _SQLITE_VIEWS, _SQLITE_TABLES
    if dialect == "duckdb":
        _refuse_macros(connection, name)
        refused = _computed_tables(connection)
        listing, asked = _DUCKDB_VIEWS, _DUCKDB_TABLES
    rows = connection.exec_driver_sql(listing).all()
    if not rows:
        return refused
    tables = connection.exec_driver_sql(asked).all()
    definitions = {(schema, view): sql for schema, view, sql in rows}
    known = [
        each
        for each in _relations(tables)
        if (each.schema, each.name) not in definitions and each.name not in refused
    ]
    return refused | refused_views(definitions, known, Database(name, dialect=dialect))


def refused_views(
    definitions: Mapping[tuple[str, str], str], tables: Sequence[Relation], database: Database
) -> dict[str, str]:
    """The views whose definitions are not let through, with the reason; each may read the tables and the views that are."""
    known = list(tables)
    readings: dict[str, ShownColumns] = {}
    waiting = dict(definitions)
    refused: dict[str, str] = {}
    while waiting:
        refused, before = {}, len(waiting)
        for (schema, name), sql in list(waiting.items()):
            try:
                readable = Database(database.name, tuple(known), database.dialect)
                readings[name] = view(sql, readable, readings)
            except StatementRefused as refusal:
                refused[name] = f"the view {name} is not read: {refusal}"
            else:
                names = [column.name for column in readings[name].columns if column.name]
                known.append(Relation(name, tuple(map(Column, names)), schema=schema))
                del waiting[schema, name]
        if len(waiting) == before:
            break
    return refused


def _relations(rows: Sequence[Any]) -> list[Relation]:
    columns: dict[tuple[str, str], list[Column]] = {}
    for schema, table, column in rows:
        columns.setdefault((schema, table), []).append(Column(column))
    return [
        Relation(table, tuple(held), schema=schema) for (schema, table), held in columns.items()
    ]


def _refuse_macros(connection: sa.Connection, name: str) -> None:
    """Refuse a file whose macros would be called in the place of built-in functions."""
    found = connection.exec_driver_sql(_DUCKDB_MACROS).all()
    taken = sorted(macro for macro, built_in in found if built_in or allowed_name(macro))
    if taken:
        raise DatabaseError(
            f"{name} defines functions of its own under the names of built-in ones ({', '.join(taken)[:300]}), so their "
            "effect cannot be checked: DROP MACRO them, or give them other names"
        )


def _computed_tables(connection: sa.Connection) -> dict[str, str]:
    """The tables of DuckDB with columns that are computed by functions that are not known."""
    refused = {}
    for table, sql in connection.exec_driver_sql(_DUCKDB_GENERATED).all():
        try:
            calls = list(tree(sql, "duckdb").find_all(exp.Func))
        except SqlglotError:
            calls = [exp.Anonymous(this="?")]
        if not all(allowed(call) for call in calls):
            what = f"the table {table} is not read"
            refused[table] = f"{what}: it computes columns with unknown functions"
    return refused
