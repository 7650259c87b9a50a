"""Statements run for reading: bounded rows and time, both kept by the database, and always rolled back."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.sql import visitors
from sqlalchemy.sql.selectable import GenerativeSelect

from pincite.database.address import redact
from pincite.database.errors import DatabaseUnreachable, StatementFailed, StatementRefused, StatementTimeout
from pincite.database.functions import allowed_name
from pincite.database.guard import bounded
from pincite.database.model import Database

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
    """Run a SQLAlchemy select, or a text that `guard.guarded` lets through, for at most so many rows and seconds.

    Parameters are bound to the `:names` of a text. Raises StatementRefused before anything is run, StatementTimeout,
    StatementFailed with the database's own words, DatabaseUnreachable when the connection is lost.
    """
    began = time.monotonic()
    plain: Any
    limited: Any
    if isinstance(statement, str):
        plain, limited = (_bound(text, parameters) for text in bounded(statement, database, rows + 1))
    else:
        _check(statement, database)
        plain, limited = statement, _limited(statement, rows + 1)
    shown = _literal(plain, engine)
    with _reading(engine, seconds) as connection:
        try:
            found = connection.execute(limited)
            columns = tuple(found.keys())
            fetched = [tuple(row) for row in found.fetchmany(rows + 1)]
        except Exception as error:
            raise _failure(error, database, seconds, time.monotonic() - began) from None
    return Result(columns, tuple(fetched[:rows]), len(fetched) > rows, shown, time.monotonic() - began)


def _bound(text: str, parameters: Mapping[str, Any] | None) -> sa.TextClause:
    """A text with its parameters bound; colons in quotes and those of no parameter are left as they are."""
    given = dict(parameters or {})
    escaped = _COLONS.sub(lambda m: m[0] if m[1] in given else m[0].replace(":", "\\:"), text)
    return sa.text(escaped).bindparams(**{name: value for name, value in given.items() if f":{name}" in escaped})


def _limited(statement: Any, rows: int) -> Any:
    own = getattr(statement, "_limit_clause", None)
    value = getattr(own, "value", None)
    if own is None or (isinstance(value, int) and value > rows):
        return statement.limit(rows)
    return statement


def _literal(statement: Any, engine: sa.Engine) -> str:
    """The statement with its values written in; as it is where a value has no literal form."""
    kind: Any = type(engine.dialect)
    dialect = kind(paramstyle="named")  # other styles double every % of the text
    try:
        return str(statement.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
    except (sa.exc.SQLAlchemyError, NotImplementedError, TypeError, ValueError, AttributeError):
        return str(statement.compile(dialect=dialect))


def _check(statement: Any, database: Database) -> None:
    """That an expression only reads listed tables: no text in it, nothing that writes."""
    if not isinstance(statement, GenerativeSelect):
        raise StatementRefused(f"only a select can be run, and this is a {type(statement).__name__}")
    listed = {relation.name for relation in database.relations}
    parts: Iterable[Any] = visitors.iterate(statement)
    for part in parts:
        literal = getattr(part, "is_literal", False) and part.name != "*"  # COUNT(*)
        if isinstance(part, sa.TextClause) or getattr(part, "is_dml", False) or literal:
            raise StatementRefused(
                "an expression holds text or a change of data: build it from tables, columns and values"
            )
        if isinstance(part, sa.sql.functions.FunctionElement) and not allowed_name(str(getattr(part, "name", ""))):
            raise StatementRefused(f"the function {part} is not among those that only compute: it was not run")
        if isinstance(part, sa.TableClause) and part.name not in listed:
            raise StatementRefused(
                f"{part.name} is not among the tables of {database.name}: {', '.join(sorted(listed))}"
            )


@contextmanager
def _reading(engine: sa.Engine, seconds: float) -> Iterator[sa.Connection]:
    """A connection whose statements the database stops after so many seconds; rolled back at the end."""
    try:
        connection = engine.connect()
    except sa.exc.DBAPIError as error:
        raise _unreachable(error) from None
    with connection:
        raw: Any = connection.connection.driver_connection
        kind = engine.dialect.name
        timer: threading.Timer | None = None
        try:
            if kind == "sqlite":
                deadline = time.monotonic() + seconds
                raw.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
            elif kind == "postgresql":
                try:
                    # a query, not a SET: once a snapshot is taken the transaction can no longer be made to write
                    limit = sa.func.set_config("statement_timeout", str(max(1, int(seconds * 1000))), True)
                    connection.execute(sa.select(limit))
                except sa.exc.DBAPIError as error:
                    raise _unreachable(error) from None
            else:
                timer = threading.Timer(seconds, raw.interrupt)
                timer.daemon = True
                timer.start()
            yield connection
        finally:
            if timer:
                timer.cancel()
            if kind == "sqlite" and not connection.invalidated:
                raw.set_progress_handler(None, 0)


_LOST = re.compile(
    r"server closed|connection (?:is |was |has been )?(?:closed|lost|refused|reset)|terminating connection|ssl syscall",
    re.IGNORECASE,
)


def _unreachable(error: Exception) -> DatabaseUnreachable:
    return DatabaseUnreachable(f"the database cannot be reached: {_words(error)}; check that it runs, then ask again")


def _words(error: BaseException) -> str:
    """The first line of the driver's message, without statement, values or passwords."""
    original = getattr(error, "orig", None) or error
    return redact(str(original).strip().split("\n")[0][:300])


def _failure(error: Exception, database: Database, seconds: float, spent: float) -> Exception:
    words = _words(error)
    original = getattr(error, "orig", None) or error
    name = type(original).__name__
    if name in ("QueryCanceled", "InterruptException") or words == "interrupted":
        limit = f"after {spent:.1f} of {seconds:g} seconds"
        return StatementTimeout(f"{database.name} stopped the statement {limit}: ask for less at once")
    if getattr(error, "connection_invalidated", False) or _LOST.search(words):
        return _unreachable(error)
    return StatementFailed(f"{database.name} could not run the statement: {words}")
