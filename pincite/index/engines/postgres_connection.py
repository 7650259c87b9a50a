"""The connections to PostgreSQL that the threads of a process share, and what its errors mean to a user."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from queue import LifoQueue
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pincite.database.sources.database_address import parse, redact
from pincite.errors import CorpusError, EngineError, UsageError
from pincite.index.engines.engine_address import EngineAddress
from pincite.index.engines.engine_rows import Placed

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
MOST = 4
"""Connections that a process holds to a server at most: several processes of several servers share what it lets in."""
_ALIVE = "connect_timeout=10&keepalives_idle=30&keepalives_interval=10&keepalives_count=3"
"""A peer that is gone is noticed within a minute."""
Slots: TypeAlias = "LifoQueue[psycopg.Connection[Any] | None]"
"""Connections that no thread uses, and None for each that may yet be made."""
_SLOTS: dict[tuple[int, str], Slots] = {}
"""By process, as one that was forked does not use its parent's, and by server."""


def asked(place: EngineAddress, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    """What `work` reads over a connection, over a new one when the first was lost; waits while all are in use.

    Raises EngineError when the server cannot be reached or refuses, CorpusError when it lacks the table.
    """
    import psycopg

    for again in (True, False):
        slots = _slots(place)
        connection = slots.get()
        try:
            if connection is None or connection.closed:
                connection = None  # which goes back where no new one can be made
                connection = _reader(place)
            return work(connection)
        except psycopg.errors.UndefinedTable as error:
            raise CorpusError(
                f"{place.text} lacks an index of the corpus: run `pincite index` on the corpus again"
            ) from error
        except psycopg.Error as error:
            if not (connection and connection.broken and again):
                raise _failed(place, error) from error
            if _SLOTS.get(_key(place)) is slots:  # those that are not in use were lost with it
                _SLOTS.pop(_key(place), None)
        finally:
            slots.put(connection)
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
    return os.getpid(), place.url


def _slots(place: EngineAddress) -> Slots:
    found = _SLOTS.get(_key(place))
    if found is None:
        made: Slots = LifoQueue()
        for _ in range(MOST):
            made.put(None)
        found = _SLOTS.setdefault(_key(place), made)
    return found


def _reader(place: EngineAddress) -> psycopg.Connection[Any]:
    made = _connect(place)
    # an index is always there; its plan is made for the values at hand
    made.execute("SET enable_seqscan = off")
    made.execute("SET hnsw.iterative_scan = relaxed_order")
    made.execute("SET hnsw.max_scan_tuples = 200000")
    made.prepare_threshold = None
    return made


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
