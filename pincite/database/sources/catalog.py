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
from pincite.database.sources import duck
from pincite.database.sources.database_address import Address
from pincite.database.sources.file_views import barred
from pincite.database.sources.table_files import relations_kept

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
        found, kept = _find_relations(connection, schema, unsafe)
        chosen = _choose_relations(found, tables, place, schema, unsafe)
        denied = {} if tables else _denied_tables(connection, chosen)
        before = {relation.name: relation for relation in known}
        profiled = [
            profile(connection, each, typed=kept is not None, before=before.get(each.name))
            for each in chosen
            if each.name not in denied
        ]
        linked = infer(named(profiled, names, connection), connection)
    unreadable = "\n".join([*unsafe.values(), *denied.values(), *([kept] if kept else [])])
    meta = {"unreadable": unreadable} if unreadable else {}
    return Database(place.name, tuple(linked), engine.dialect.name, place.text, meta)


def _find_relations(
    connection: sa.Connection, schema: str, unsafe: Container[str]
) -> tuple[list[Relation], str | None]:
    """The relations of a schema; of files, typed as they were read, also which could not be read, else None."""
    if connection.dialect.name == "duckdb":
        return [r for r in duck.relations(connection, schema) if r.name not in unsafe], None
    if connection.dialect.name == "sqlite":
        raw: Any = connection.connection.driver_connection
        if kept := relations_kept(raw):
            return kept
    return _relations(connection, schema, unsafe), None


def _choose_relations(
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
        raise DatabaseError(_missing_message(missing, unsafe, list(by_name), place, schema))
    chosen = [by_name.get(name) or by_folded[name.casefold()] for name in tables]
    return list(dict.fromkeys(chosen)) if tables else found


def _missing_message(
    missing: list[str], unsafe: Mapping[str, str], names: list[str], place: Address, schema: str
) -> str:
    """That tables are not there or are not read, or that there are none."""
    for name in missing:
        if name in unsafe:
            return f"{place.text}: {unsafe[name]}"
    within = f"schema {schema} of {place.text}" if schema else place.text
    held = ", ".join(names) or "no tables that this user may see"
    what = f"there is no table {', '.join(missing)}" if missing else "there is nothing to read"
    return f"{what} in {within}; it holds {held[:600]}"


def _denied_tables(connection: sa.Connection, relations: list[Relation]) -> dict[str, str]:
    """The tables that this user may not read, with what to say of each; DatabaseError when that is all of them."""
    if connection.dialect.name != "postgresql" or not relations:
        return {}
    lacks = "NOT has_table_privilege(c.oid, 'SELECT')"
    denied = _tables_where(connection, relations[0].schema, lacks)
    said = {r.name: f"{r.name}: permission denied" for r in relations if r.name in denied}
    if len(said) == len(relations):
        none = f"this user may read none of {', '.join(said)}"
        raise DatabaseError(f"{none}: grant SELECT on them, or give another user")
    return said


def _relations(connection: sa.Connection, schema: str, unsafe: Container[str]) -> list[Relation]:
    # columns of a type that is not recognised are of type "other"
    warnings.filterwarnings("ignore", "Did not recognize type", sa.exc.SAWarning)
    inspector = sa.inspect(connection)
    own = schema or None
    within = _schema_name(inspector, schema)
    kind = sa.engine.reflection.ObjectKind.ANY
    names = None
    if unsafe:  # to ask what a view shows is to unfold it
        listed = (*inspector.get_table_names(own), *inspector.get_view_names(own))
        names = [name for name in listed if name not in unsafe]
    columns = inspector.get_multi_columns(own, kind=kind, filter_names=names)
    keys: Any = inspector.get_multi_pk_constraint(own, kind=kind)
    links = inspector.get_multi_foreign_keys(own, kind=kind)
    about: Any = {}
    if connection.dialect.supports_comments:
        about = inspector.get_multi_table_comment(own, kind=kind)
    parts, numbered = _parts_and_numbered(connection, within)
    relations = [
        Relation(
            place[1],
            tuple(map(_column, described)),
            schema=within,
            key=tuple(_catalog_entry(keys, place, "constrained_columns")),
            links=tuple(map(_link, links.get(place) or ())),
            described=_catalog_entry(about, place, "text"),
            rowid="rowid" if place[1] in numbered else "",
        )
        for place, described in columns.items()
        if place[1] not in parts
    ]
    return sorted(relations, key=lambda relation: relation.name)


def _catalog_entry(reflected: Any, place: Any, what: str) -> Any:
    """What a catalog tells of a table; "" for nothing."""
    return (reflected.get(place) or {}).get(what) or ""


def _schema_name(inspector: sa.Inspector, schema: str) -> str:
    """The schema that is read: the one given, in PostgreSQL else the user's own; DatabaseError where it is not there."""
    if inspector.dialect.name != "postgresql":
        return schema
    if schema:
        schemas = [name for name in inspector.get_schema_names() if name != "information_schema"]
        if schema not in schemas:
            raise DatabaseError(f"there is no schema {schema}; known: {', '.join(schemas)}")
    return schema or inspector.default_schema_name or ""


def _parts_and_numbered(connection: sa.Connection, schema: str) -> tuple[set[str], set[str]]:
    """The tables that are only parts of another one, and those whose rows SQLite numbers."""
    if connection.dialect.name == "postgresql":
        return _tables_where(connection, schema, "c.relispartition"), set()
    if connection.dialect.name != "sqlite":
        return set(), set()
    listed = connection.exec_driver_sql("PRAGMA table_list").mappings().all()
    parts = {row["name"] for row in listed if row["type"] in ("shadow", "virtual")}
    return parts, {row["name"] for row in listed if row["type"] == "table" and not row["wr"]}


def _tables_where(connection: sa.Connection, schema: str, condition: str) -> set[str]:
    """The tables of a schema of PostgreSQL for which a condition holds."""
    asked = sa.text(
        "SELECT c.relname FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
        f"WHERE n.nspname = :schema AND {condition}"
    )
    return set(connection.scalars(asked, {"schema": schema}))


def _link(found: Any) -> Link:
    own, there = tuple(found["constrained_columns"]), tuple(found["referred_columns"])
    return Link(own, found["referred_table"], there)


def _column(found: Any) -> Column:
    kinds = (name for kind, name in _TYPES if isinstance(found["type"], kind))
    return Column(found["name"], next(kinds, "other"), described=found.get("comment") or "")
