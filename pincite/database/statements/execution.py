"""Statements run for reading: bounded rows and time, both kept by the database, and always rolled back."""

from __future__ import annotations

import itertools
import re
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql import visitors
from sqlalchemy.sql.selectable import GenerativeSelect

from pincite.database.database_errors import (
    DatabaseUnreachable,
    StatementFailed,
    StatementRefused,
    StatementTimeout,
)
from pincite.database.relations.model import Database
from pincite.database.sources.database_address import redact
from pincite.database.sources.postgres import SEARCH_PATH
from pincite.database.statements import statement_bounds as bounds
from pincite.database.statements.statement_guard import allowed_name, bounded
from pincite.text.lexicon import pattern

Statement = GenerativeSelect | str
_COLONS = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|:(\w+)|:""")


@dataclass(frozen=True, slots=True)
class Result:
    """What a statement found, at most as many rows as were allowed; `truncated` when there were more.

    `statement` is the text that finds the same rows again, its values written in.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool = False
    statement: str = ""
    seconds: float = 0.0


def execute(
    engine: sa.Engine,
    database: Database,
    statement: Statement,
    parameters: Mapping[str, Any] | None = None,
    *,
    rows: int = 10_000,
    seconds: float = 10.0,
) -> Result:
    """Run a SQLAlchemy select, or a text that `statement_guard.guarded` lets through, for at most so many rows and seconds.

    Parameters are bound to the `:names` of a text. Raises StatementRefused before anything is run, StatementTimeout,
    StatementFailed with the database's own words, DatabaseUnreachable when the connection is lost.
    """
    began = time.monotonic()
    plain: Any = statement
    limited: Any
    if isinstance(statement, str):
        plain, limited = (
            _bind_parameters(text, parameters) for text in bounded(statement, database, rows + 1)
        )
    else:
        _check_expression(statement, database)
        own = getattr(statement, "_limit_clause", None)
        value = getattr(own, "value", None)
        short = own is not None and not (isinstance(value, int) and value > rows + 1)
        limited = statement if short else statement.limit(rows + 1)
    shown = _with_literals(plain, engine)
    with _read_connection(engine, seconds) as connection:
        try:
            found = connection.execute(limited, execution_options={bounds.OPTION: True})
            columns = tuple(found.keys())
            fetched = _fetch_rows(found, rows + 1)
        except Exception as error:
            raise _failure(error, database, seconds, time.monotonic() - began) from None
    spent = time.monotonic() - began
    return Result(columns, tuple(fetched[:rows]), len(fetched) > rows, shown, spent)


def _fetch_rows(found: Iterable[Any], rows: int) -> list[tuple[Any, ...]]:
    """At most so many rows, one by one, so that no more than is allowed of them is ever held."""
    fetched: list[tuple[Any, ...]] = []
    size = 0
    for row in itertools.islice(found, rows):
        fetched.append(tuple(row))
        size += sum(len(cell) for cell in fetched[-1] if isinstance(cell, str | bytes))
        if size > bounds.BYTES:
            raise StatementFailed(bounds.TOO_LARGE)
    return fetched


def _bind_parameters(text: str, parameters: Mapping[str, Any] | None) -> sa.TextClause:
    """A text with its parameters bound; colons in quotes and those of no parameter are left as they are."""
    given = dict(parameters or {})
    escaped = _COLONS.sub(lambda m: m[0] if m[1] in given else m[0].replace(":", "\\:"), text)
    named = {name: value for name, value in given.items() if f":{name}" in escaped}
    return sa.text(escaped).bindparams(**named)


def _with_literals(statement: Any, engine: sa.Engine) -> str:
    """The statement with its values written in; as it is where a value has no literal form."""
    kind: Any = type(engine.dialect)
    dialect = kind(paramstyle="named")  # other styles double every % of the text
    try:
        return str(statement.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    except (sa.exc.SQLAlchemyError, NotImplementedError, TypeError, ValueError, AttributeError):
        return str(statement.compile(dialect=dialect))


def _check_expression(statement: Any, database: Database) -> None:
    """That an expression only reads listed tables: no text in it, nothing that writes."""
    if not isinstance(statement, GenerativeSelect):
        what = type(statement).__name__
        raise StatementRefused(f"only a select can be run, but this is a {what}")
    listed = {relation.name for relation in database.relations}
    parts: Iterable[Any] = visitors.iterate(statement)
    for part in parts:
        name = str(getattr(part, "name", ""))
        literal = getattr(part, "is_literal", False) and name != "*"  # COUNT(*)
        why = ""
        if isinstance(part, sa.TextClause) or literal or getattr(part, "is_dml", False):
            why = "an expression holds text or a change of data: build it from tables, columns and values"
        elif isinstance(part, sa.sql.functions.FunctionElement) and not allowed_name(name):
            why = f"the function {part} is not on the list of those that only compute: it was not run"
        elif isinstance(part, sa.TableClause) and name not in listed:
            why = f"{name} is not among the tables of {database.name}: {', '.join(sorted(listed))}"
        if why:
            raise StatementRefused(why)


@contextmanager
def _read_connection(engine: sa.Engine, seconds: float) -> Iterator[sa.Connection]:
    """A connection whose statements are stopped after so many seconds; rolled back at the end."""
    try:
        connection = engine.connect()
    except sa.exc.DBAPIError as error:
        raise _unreachable(error) from None
    with connection:
        raw: Any = connection.connection.driver_connection
        if engine.dialect.name == "sqlite":
            watched = _watched_sqlite(connection, raw, seconds)
        elif engine.dialect.name == "duckdb":
            watched = _call_after(seconds, raw.interrupt)
        else:  # the server stops a statement itself; cancelling is for the time that sending what was found takes
            _limit_transaction(connection, seconds)
            watched = _call_after(seconds + 1, partial(raw.cancel_safe, timeout=5))
        with watched:
            yield connection


@contextmanager
def _watched_sqlite(connection: sa.Connection, raw: Any, seconds: float) -> Iterator[None]:
    deadline = time.monotonic() + seconds
    longest = raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, bounds.BYTES)
    raw.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    try:
        yield
    finally:
        if not connection.invalidated:
            raw.set_progress_handler(None, 0)
            raw.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, longest)


@contextmanager
def _call_after(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` from another thread when what is inside takes longer than so many seconds."""
    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _limit_transaction(connection: sa.Connection, seconds: float) -> None:
    """Have PostgreSQL stop this transaction's statements, and look their functions up among its own."""
    # a query, not a SET: once a snapshot is taken the transaction can no longer be made to write
    time_limit = sa.func.set_config("statement_timeout", str(max(1, int(seconds * 1000))), True)
    path = sa.func.set_config("search_path", connection.info[SEARCH_PATH], True)
    try:
        connection.execute(sa.select(time_limit, path))
    except sa.exc.DBAPIError as error:
        raise _unreachable(error) from None


_LOST = pattern("database", "lost", "connections")


def _unreachable(error: Exception) -> DatabaseUnreachable:
    what = f"the database cannot be reached: {_driver_words(error)}"
    return DatabaseUnreachable(f"{what}; check that it runs, then ask again")


def _driver_words(error: BaseException) -> str:
    """The first line of the driver's message, without statement, values or passwords."""
    original = getattr(error, "orig", None) or error
    return redact(str(original).strip().split("\n")[0][:300])


def _failure(error: Exception, database: Database, seconds: float, spent: float) -> Exception:
    words = _driver_words(error)
    original = getattr(error, "orig", None) or error
    name = type(original).__name__
    if bounds.TOO_LARGE in words:
        found = f"{database.name} found more than {bounds.BYTES / 2**20:g} MB"
        return StatementFailed(f"{found}: ask for fewer columns or rows, or shorter texts")
    if name in ("QueryCanceled", "InterruptException") or words == "interrupted":
        stopped = f"{database.name} stopped the statement after {spent:.1f} of {seconds:g} seconds"
        return StatementTimeout(f"{stopped}: ask for less at once")
    if getattr(error, "connection_invalidated", False) or _LOST.search(words):
        return _unreachable(error)
    return StatementFailed(f"{database.name} could not run the statement: {words}")
