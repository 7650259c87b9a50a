"""What a DuckDB database holds, read from DuckDB's own catalog functions."""

from __future__ import annotations

import re
from typing import Any

import sqlalchemy as sa

from pincite.database.database_errors import DatabaseError
from pincite.database.relations.model import Column, Link, Relation, Type

_TYPES: tuple[tuple[str, Type], ...] = (
    (r".*\[\d*\]", "array"), (r"U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?", "integer"), (r"FLOAT|DOUBLE|DECIMAL.*", "number"),
    (r"BOOLEAN", "boolean"), (r"DATE", "date"), (r"TIME(?: WITH TIME ZONE)?", "time"), (r"TIMESTAMP.*", "datetime"),
    (r"JSON|STRUCT.*|MAP.*", "json"), (r"BLOB", "binary"), (r"VARCHAR|UUID|ENUM.*", "text"),
)  # fmt: skip


def relations(connection: sa.Connection, schema: str) -> list[Relation]:
    """The tables and views of a schema ("main" when none is named), not profiled yet."""
    within = schema or "main"
    named = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = current_database() ORDER BY 1"
    schemas = list(connection.scalars(sa.text(named)))
    if within not in schemas:
        raise DatabaseError(f"there is no schema {within}; known: {', '.join(schemas)}")

    def asked(what: str, function: str, order: str) -> list[Any]:
        here = "schema_name = :schema AND database_name = current_database()"
        statement = f"SELECT {what} FROM {function}() WHERE {here} ORDER BY {order}"
        return list(connection.execute(sa.text(statement), {"schema": within}).all())

    comments = {
        name: comment for name, comment in asked("table_name, comment", "duckdb_tables", "1")
    }
    held: dict[str, list[Column]] = {name: [] for name in comments}
    what = "table_name, column_name, data_type, comment"
    for table, column, kind, comment in asked(what, "duckdb_columns", "column_index"):
        held.setdefault(table, []).append(Column(column, kind_of(kind), described=comment or ""))
    keys: dict[str, tuple[str, ...]] = {}
    links: dict[str, list[Link]] = {}
    what = "table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names"
    for table, kind, names, to, to_names in asked(what, "duckdb_constraints", "constraint_index"):
        if kind == "PRIMARY KEY":
            keys[table] = tuple(names)
        elif kind == "FOREIGN KEY":
            links.setdefault(table, []).append(Link(tuple(names), to, tuple(to_names)))
    return [
        Relation(
            name,
            tuple(found),
            schema=within,
            key=keys.get(name, ()),
            links=tuple(links.get(name, ())),
            described=comments.get(name) or "",
            rowid="rowid" if name in comments else "",
        )
        for name, found in sorted(held.items())
    ]


def kind_of(declared: str) -> Type:
    """What a column is that DuckDB declares so."""
    return next((kind for pattern, kind in _TYPES if re.fullmatch(pattern, declared)), "other")
