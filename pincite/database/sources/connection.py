"""Sources of tables opened for reading only: an engine that cannot write, what it holds, and how to ask it."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from pincite.database.database_errors import DatabaseError, DatabaseUnreachable, need
from pincite.database.relations.column_profile import profile
from pincite.database.relations.guessed_headings import dictionary
from pincite.database.relations.model import Database, Relation
from pincite.database.sources import postgres, sqlite
from pincite.database.sources.catalog import reflect
from pincite.database.sources.database_address import Address, parse, redact, variable, with_login
from pincite.database.sources.file_views import barred
from pincite.database.sources.table_files import import_files
from pincite.database.sources.typed_columns import Row, create, insert
from pincite.database.statements.execution import Result, Statement, execute
from pincite.database.statements.statement_bounds import bound
from pincite.errors import PinciteError


@dataclass(frozen=True, slots=True)
class OpenDatabase:
    """A database open for reading only: `database` is what it holds, `engine` reads it, `run` asks it within limits."""

    database: Database
    engine: sa.Engine = field(repr=False)
    folder: tempfile.TemporaryDirectory[str] | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        return f"Source({self.database.name!r}, {self.database.address!r})"

    def run(
        self,
        statement: Statement,
        parameters: Mapping[str, Any] | None = None,
        *,
        rows: int = 10_000,
        seconds: float = 10.0,
    ) -> Result:
        """What a SQLAlchemy select, or a text that the guard lets through, finds; see `execution.execute`."""
        known = (self.engine, self.database)
        return execute(*known, statement, parameters, rows=rows, seconds=seconds)

    def close(self) -> None:
        """Close the connections, and forget files of tables that were read for this source only."""
        self.engine.dispose()
        if self.folder is not None:
            self.folder.cleanup()

    def __enter__(self) -> OpenDatabase:
        return self

    def __exit__(self, *ended: object) -> None:
        self.close()


def open_source(
    address: str | Path,
    *,
    name: str = "",
    schema: str = "",
    tables: Collection[str] = (),
    names: Mapping[str, Any] | Path | None = None,
    database: Database | None = None,
    known: Collection[Relation] = (),
) -> OpenDatabase:
    """Open the database, file or folder of tables at a URL or path, its tables reflected and profiled.

    `tables` are those that may be read, all of the schema when none is named; `names` is a dictionary of readable names or
    its yaml file (see `headings`); `database` is a profile made before, taken as it is; of relations that are `known` only
    the ends and the number of rows are looked up again. Raises DatabaseError with what to do when it cannot be opened,
    UsageError for an address that cannot be one.
    """
    place = with_login(parse(address, name))
    given = dictionary(names)
    folder: tempfile.TemporaryDirectory[str] | None = None
    if place.kind == "files":
        folder = tempfile.TemporaryDirectory(prefix="pincite-")
        place = import_files(place, Path(folder.name))
    engine = _engine(place)
    try:
        if database is None:
            held = reflect(engine, place, schema=schema, tables=tables, names=given, known=known)
        else:  # without the views that the file now defines otherwise than they are let through
            with engine.connect() as connection:
                unsafe = barred(connection, place.text)
            kept = tuple(r for r in database.relations if r.name not in unsafe)
            held = replace(database, relations=kept) if unsafe else database
        if place.path is not None and place.kind == "sqlite":
            engine.dispose()
            engine = sqlite.engine(place.path, [relation.name for relation in held.relations])
        with engine.connect():
            return OpenDatabase(held, engine, folder)
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        engine.dispose()
        raise unreadable(error, place) from None
    except PinciteError:
        engine.dispose()
        raise


def unreadable(error: sa.exc.DBAPIError | sqlite3.Error, place: Address) -> DatabaseError:
    """What a driver's error at opening or reflecting means to a user; never with a password."""
    words = redact(str(getattr(error, "orig", None) or error).strip().split("\n")[0][:300], place)
    folded = words.casefold()
    if "permission denied" in folded:
        grant = "grant this user SELECT on the tables, or name others with --tables"
        return DatabaseError(f"{place.text}: {words}; {grant}")
    no_role = "role" in folded and "exist" in folded
    if "password" in folded or "authentication" in folded or no_role:
        return DatabaseError(
            f"{place.text} refuses this user: {words}; set {variable(place.name)} to the URL with user and password, "
            "or PGUSER and PGPASSWORD, or write a line for it into ~/.pgpass"
        )
    if place.kind == "postgresql":
        check = "check host, port and database name"
        return DatabaseUnreachable(f"{place.text} cannot be reached: {words}; {check}")
    return DatabaseError(f"{place.text} cannot be read as a {place.kind} database: {words}")


def _engine(place: Address) -> sa.Engine:
    if place.path is not None:
        return sqlite.engine(place.path) if place.kind == "sqlite" else _duckdb(place.path)
    need("psycopg", "postgres")
    return postgres.engine(place)


def in_memory(tables: Iterable[tuple[Relation, Sequence[Row]]], name: str) -> OpenDatabase:
    """A source in memory of typed relations as `relation_of` makes them; row n of a relation has rowid n, from 1."""
    connection, relations = sqlite3.connect(":memory:", check_same_thread=False), []
    for relation, rows in tables:
        relations.append(relation)
        create(connection, relation)
        insert(connection, relation, rows)
    connection.commit()
    sqlite.restrict(connection, [relation.name for relation in relations])
    engine = sa.create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with engine.connect() as opened:
        profiled = tuple(profile(opened, relation, typed=True) for relation in relations)
    return OpenDatabase(Database(name, profiled), engine)


def _duckdb(path: Path) -> sa.Engine:
    need("duckdb_engine", "duckdb")
    options = {
        "enable_external_access": "false",
        "python_enable_replacements": "false",
        "lock_configuration": "true",
        "memory_limit": "1GB",
        "threads": str(min(4, os.cpu_count() or 1)),
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
    }
    url, arguments = (
        sa.URL.create("duckdb", database=str(path)),
        {"read_only": True, "config": options},
    )
    made = sa.create_engine(url, connect_args=arguments, poolclass=sa.pool.QueuePool)
    bound(made)
    return made
