"""A connection to PostgreSQL for each thread of each process, and what its errors mean to a user."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.database.sources.database_address import parse, redact
from pincite.errors import CorpusError, EngineError, UsageError
from pincite.index.engines.engine_address import EngineAddress
from pincite.index.engines.engine_rows import Placed

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
_HELD = threading.local()
_ALIVE = "connect_timeout=10&keepalives_idle=30&keepalives_interval=10&keepalives_count=3"
"""A peer that is gone is noticed within a minute."""


def asked(place: EngineAddress, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    """What `work` reads over a connection, over a new one when the first was lost.

    Raises EngineError when the server cannot be reached or refuses, CorpusError when it lacks the table.
    """
    import psycopg

    for again in (True, False):
        connection = _connection(place)
        try:
            return work(connection)
        except psycopg.errors.UndefinedTable as error:
            raise CorpusError(
                f"{place.text} lacks an index of the corpus: run `pincite index` on the corpus again"
            ) from error
        except psycopg.Error as error:
            if not (connection.broken and again):
                raise _failed(place, error) from error
            _HELD.connections.pop(_key(place), None)
    raise AssertionError("unreachable")


def written(place: EngineAddress, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    """What `work` returns of what it does in one transaction, which it is all of or nothing. Raises as `asked`."""
    import psycopg

    with _connect(place) as connection:
        try:
            with connection.transaction():
                return work(connection)
        except psycopg.Error as error:
            raise _failed(place, error) from error


def forget(connection: psycopg.Connection[Any], where: Placed, last: int) -> None:
    """Remove from a table the documents that no generation needs, and those above the number `last`, of a run that was killed."""
    connection.execute(
        f"DELETE FROM {where.rows.table} WHERE document = ANY(%s) OR document > %s",
        (where.stale.tolist(), last),
    )


def drop(place: EngineAddress, tables: Iterable[str]) -> None:
    """Remove tables, whether they are there or not. Raises as `asked`."""
    names = ", ".join(tables)
    written(place, lambda connection: connection.execute(f"DROP TABLE IF EXISTS {names}"))


def _key(place: EngineAddress) -> tuple[int, str]:
    return os.getpid(), place.url  # a process that was forked does not use its parent's


def _connection(place: EngineAddress) -> psycopg.Connection[Any]:
    held: dict[tuple[int, str], psycopg.Connection[Any]] = _HELD.__dict__.setdefault(
        "connections", {}
    )
    found = held.get(_key(place))
    if found is None or found.closed:
        found = held[_key(place)] = _connect(place)
        # an index is always there; its plan is made for the values at hand
        found.execute("SET enable_seqscan = off")
        found.execute("SET hnsw.iterative_scan = relaxed_order")
        found.execute("SET hnsw.max_scan_tuples = 200000")
        found.prepare_threshold = None
    return found


def _connect(place: EngineAddress) -> psycopg.Connection[Any]:
    try:
        import psycopg
    except ImportError:
        raise UsageError(
            "searching in PostgreSQL needs psycopg: pip install 'pincite[postgres]'"
        ) from None
    from pincite import offline
    from pincite.database.sources.postgres import refuse_network

    if offline.forbidden():
        refuse_network(psycopg.conninfo.conninfo_to_dict(place.url), parse(place.url))
    try:
        joint = "&" if "?" in place.url else "?"
        password = os.environ.get(place.password_variable) if place.password_variable else None
        made = psycopg.connect(
            f"{place.url}{joint}{_ALIVE}",
            autocommit=True,
            application_name="pincite",
            password=password,
        )
        if place.schema:  # first of those that the server looks into, which hold the extension
            made.execute(
                "SELECT set_config('search_path', concat_ws(', ', quote_ident(%s), "
                "current_setting('search_path')), false)",
                (place.schema,),
            )
        return made
    except psycopg.Error as error:
        raise _failed(place, error) from error


def _failed(place: EngineAddress, error: Exception) -> EngineError:
    said = redact(" ".join(str(error).split()), parse(place.url))[:300]
    return EngineError(
        f"{place.text}, where the corpus is searched, failed ({said}): see that the server runs, that PGUSER and PGPASSWORD let "
        "you in, and that it has the extension pgvector; to search on this machine instead, unset `search` and run "
        "`pincite index` again"
    )
