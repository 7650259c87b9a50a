"""What a database holds, read from its own catalog: tables and views, columns and types, keys, declared links, comments."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Container, Mapping
from typing import Any

import sqlalchemy as sa

from pincite.database.database_errors import DatabaseError
from pincite.database.relations.column_profile import profile
from pincite.database.relations.guessed_headings import Names, named
from pincite.database.relations.inferred_links import infer
from pincite.database.relations.model import Column, Database, Link, Relation, Type
from pincite.database.sources.database_address import Address
from pincite.database.sources.file_views import barred

_TYPES: tuple[tuple[type[sa.types.TypeEngine[Any]], Type], ...] = (
    (sa.Boolean, "boolean"), (sa.Integer, "integer"), (sa.Numeric, "number"), (sa.Float, "number"),
    (sa.DateTime, "datetime"), (sa.Date, "date"),
    (sa.Time, "time"), (sa.JSON, "json"), (sa.ARRAY, "array"), (sa.LargeBinary, "binary"), (sa.Uuid, "text"), (sa.String, "text"),
)  # fmt: skip


def reflect(
    engine: sa.Engine,
    place: Address,
    *,
    schema: str = "",
    tables: Collection[str] = (),
    names: Names,
    known: Collection[Relation] = (),
) -> Database:
    """The listed tables and views of a schema, profiled (see `profile` for those that are `known`), linked and with readable
    names.

    When none is listed, all that this user may read; the others are said in `Database.meta["unreadable"]`. Raises
    DatabaseError when a listed table is not there.
    """
    with engine.connect() as connection:
        unsafe = barred(connection, place.text)
        found, kept = _found(connection, schema, unsafe)
        chosen = _chosen(found, tables, place, schema, unsafe)
        denied = {} if tables else _denied(connection, chosen)
        typed = kept is not None
        before = {relation.name: relation for relation in known}
        profiled = [
            profile(connection, relation, typed=typed, before=before.get(relation.name))
            for relation in chosen
            if relation.name not in denied
        ]
        unreadable = "\n".join([*unsafe.values(), *denied.values(), *([kept] if kept else [])])
        readable = named(profiled, names, connection)
        linked = infer(readable, connection)
    return Database(
        place.name,
        tuple(linked),
        engine.dialect.name,
        place.text,
        {"unreadable": unreadable} if unreadable else {},
    )


def _found(
    connection: sa.Connection, schema: str, unsafe: Container[str]
) -> tuple[list[Relation], str | None]:
    """The relations of a schema; of files, typed as they were read, also which could not be read, else None."""
    if connection.dialect.name == "duckdb":
        from pincite.database.sources.duck import relations

        return [
            relation for relation in relations(connection, schema) if relation.name not in unsafe
        ], None
    if connection.dialect.name == "sqlite":
        from pincite.database.sources.table_files import relations_kept

        raw: Any = connection.connection.driver_connection
        if kept := relations_kept(raw):
            return kept
    return _relations(connection, schema, unsafe), None


def _chosen(
    found: list[Relation],
    tables: Collection[str],
    place: Address,
    schema: str,
    unsafe: Mapping[str, str],
) -> list[Relation]:
    by_name = {relation.name: relation for relation in found}
    by_folded = {relation.name.casefold(): relation for relation in found}
    missing = [name for name in tables if name.casefold() not in by_folded]
    if missing or not found:
        raise DatabaseError(_nothing(missing, unsafe, list(by_name), place, schema))
    if not tables:
        return found
    return list(
        dict.fromkeys([by_name.get(name) or by_folded[name.casefold()] for name in tables])
    )


def _nothing(
    missing: list[str], unsafe: Mapping[str, str], names: list[str], place: Address, schema: str
) -> str:
    """That tables are not there or are not read, or that there are none."""
    for name in missing:
        if name in unsafe:
            return f"{place.text}: {unsafe[name]}"
    within = f"schema {schema} of {place.text}" if schema else place.text
    held = ", ".join(names) or "no tables that this user may see"
    what = (
        f"there is no table {', '.join(missing)} in" if missing else "there is nothing to read in"
    )
    return f"{what} {within}; it holds {held[:600]}"


def _denied(connection: sa.Connection, relations: list[Relation]) -> dict[str, str]:
    """The tables that this user may not read, with what to say of each; DatabaseError when that is all of them."""
    if connection.dialect.name != "postgresql" or not relations:
        return {}
    asked = sa.text(
        "SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = :schema AND NOT has_table_privilege(c.oid, 'SELECT')"
    )
    denied = set(connection.scalars(asked, {"schema": relations[0].schema}))
    said = {r.name: f"{r.name}: permission denied" for r in relations if r.name in denied}
    if len(said) == len(relations):
        raise DatabaseError(
            f"this user may read none of {', '.join(said)}: grant SELECT on them, or give another user"
        )
    return said


def _relations(connection: sa.Connection, schema: str, unsafe: Container[str]) -> list[Relation]:
    warnings.filterwarnings(
        "ignore", "Did not recognize type", sa.exc.SAWarning
    )  # such columns are of type "other"
    inspector = sa.inspect(connection)
    own = schema or None
    within = _schema(inspector, schema)
    kind = sa.engine.reflection.ObjectKind.ANY
    names = None
    if unsafe:  # to ask what a view shows is to unfold it
        listed = (*inspector.get_table_names(own), *inspector.get_view_names(own))
        names = [name for name in listed if name not in unsafe]
    columns = inspector.get_multi_columns(own, kind=kind, filter_names=names)
    keys: Any = inspector.get_multi_pk_constraint(own, kind=kind)
    links = inspector.get_multi_foreign_keys(own, kind=kind)
    about: Any = (
        inspector.get_multi_table_comment(own, kind=kind)
        if connection.dialect.supports_comments
        else {}
    )
    parts, numbered = _parts_and_numbered(connection, within)
    relations = [
        Relation(
            place[1],
            tuple(map(_column, described)),
            schema=within,
            key=tuple(_told(keys, place, "constrained_columns")),
            links=tuple(map(_link, links.get(place) or ())),
            described=_told(about, place, "text"),
            rowid="rowid" if place[1] in numbered else "",
        )
        for place, described in columns.items()
        if place[1] not in parts
    ]
    return sorted(relations, key=lambda relation: relation.name)


def _told(reflected: Any, place: Any, what: str) -> Any:
    """What a catalog tells of a table; "" for nothing."""
    return (reflected.get(place) or {}).get(what) or ""


def _schema(inspector: sa.Inspector, schema: str) -> str:
    """The schema that is read: the one given, in PostgreSQL else the user's own; DatabaseError where it is not there."""
    if inspector.dialect.name != "postgresql":
        return schema
    schemas = (
        [name for name in inspector.get_schema_names() if name != "information_schema"]
        if schema
        else []
    )
    if schema and schema not in schemas:
        raise DatabaseError(f"there is no schema {schema}; known: {', '.join(schemas)}")
    return schema or inspector.default_schema_name or ""


def _parts_and_numbered(connection: sa.Connection, schema: str) -> tuple[set[str], set[str]]:
    """The tables that are only parts of another one, and those whose rows SQLite numbers."""
    if connection.dialect.name == "postgresql":
        return _partitions(connection, schema), set()
    if connection.dialect.name != "sqlite":
        return set(), set()
    listed = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    parts = {row["name"] for row in listed if row["type"] in ("shadow", "virtual")}
    return parts, {row["name"] for row in listed if row["type"] == "table" and not row["wr"]}


def _partitions(connection: sa.Connection, schema: str) -> set[str]:
    asked = sa.text(
        "SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
        "WHERE n.nspname = :schema AND c.relispartition"
    )
    return set(connection.scalars(asked, {"schema": schema}))


def _link(found: Any) -> Link:
    return Link(
        tuple(found["constrained_columns"]),
        found["referred_table"],
        tuple(found["referred_columns"]),
    )


def _column(found: Any) -> Column:
    kind: Type = next(
        (name for kind_of_type, name in _TYPES if isinstance(found["type"], kind_of_type)), "other"
    )
    return Column(found["name"], kind, described=found.get("comment") or "")
