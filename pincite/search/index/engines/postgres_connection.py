"""The connections to PostgreSQL that the threads of a process share, what its errors mean to a user, and rows as its COPY takes
them in binary form: whole arrays at a time instead of value by value.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from queue import LifoQueue
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from pincite.database.sources.database_address import parse, redact
from pincite.errors import CorpusError, EngineError, UsageError
from pincite.search.index.engines.engine_address import EngineAddress
from pincite.search.index.engines.engine_rows import Placed

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
MOST = 4
"""Connections that a process holds to a server at most: several processes of several servers share what it lets in."""
_ALIVE = "connect_timeout=10&keepalives_idle=30&keepalives_interval=10&keepalives_count=3"
"""A peer that is gone is noticed within a minute."""
_READER = (
    "SET enable_seqscan = off",
    "SET hnsw.iterative_scan = relaxed_order",
    "SET hnsw.max_scan_tuples = 200000",
)
"""An index is always there; its plan is made for the values at hand."""
_FIRST = """
SELECT set_config('search_path', concat_ws(', ', quote_ident(%s), current_setting('search_path')), false)"""
"""A schema is looked into first, before those that hold the extension."""
Slots: TypeAlias = "LifoQueue[psycopg.Connection[Any] | None]"
"""Connections that no thread uses, and None for each that may yet be made."""
_SLOTS: dict[tuple[int, str], Slots] = {}
"""By process, as one that was forked does not use its parent's, and by server."""


def asked(place: EngineAddress, work: Callable[[psycopg.Connection[Any]], T]) -> T:
    """What `work` reads over a connection, over a new one when the first was lost; waits while all are in use.

    Raises EngineError when the server cannot be reached or refuses, CorpusError when it lacks the table.
    """
    import psycopg

    key = os.getpid(), place.url
    for again in (True, False):
        slots = _slots(key)
        connection = slots.get()
        try:
            if connection is None or connection.closed:
                connection = None  # which goes back where no new one can be made
                connection = _connect(place)
                for setting in _READER:
                    connection.execute(setting)
                connection.prepare_threshold = None
            return work(connection)
        except psycopg.errors.UndefinedTable as error:
            raise CorpusError(
                f"{place.text} lacks an index of the corpus: run `pincite index` on the corpus again"
            ) from error
        except psycopg.Error as error:
            if not (connection and connection.broken and again):
                raise _engine_error(place, error) from error
            if _SLOTS.get(key) is slots:  # those that are not in use were lost with it
                _SLOTS.pop(key, None)
        finally:
            slots.put(connection)
    raise AssertionError("unreachable")


def write_rows(
    place: EngineAddress,
    where: Placed,
    create: Sequence[str],
    copy: Callable[[psycopg.Connection[Any]], None],
    finish: Sequence[str],
) -> None:
    """Have `copy` write new rows, in a table that `create` makes and `finish` indexes where it is new, all of it or nothing.

    In one that is there documents that no generation needs go. Raises as `asked`.
    """

    def work(connection: psycopg.Connection[Any]) -> None:
        for statement in () if where.before else create:
            connection.execute(statement)
        if where.before:
            connection.execute(
                f"DELETE FROM {where.rows.table} WHERE document = ANY(%s) OR document > %s",
                (where.stale.tolist(), where.last),
            )
        copy(connection)
        for statement in () if where.before else finish:
            connection.execute(statement)

    _in_transaction(place, work)


def drop(place: EngineAddress, tables: Iterable[str]) -> None:
    """Remove tables, whether they are there or not. Raises as `asked`."""
    names = ", ".join(tables)
    _in_transaction(place, lambda connection: connection.execute(f"DROP TABLE IF EXISTS {names}"))


def _in_transaction(
    place: EngineAddress, work: Callable[[psycopg.Connection[Any]], object]
) -> None:
    """Do work in one transaction."""
    import psycopg

    with _connect(place) as connection:
        try:
            with connection.transaction():
                work(connection)
        except psycopg.Error as error:
            raise _engine_error(place, error) from error


def _slots(key: tuple[int, str]) -> Slots:
    found = _SLOTS.get(key)
    if found is None:
        found = LifoQueue()
        for _ in range(MOST):
            found.put(None)
        found = _SLOTS.setdefault(key, found)
    return found


def _connect(place: EngineAddress) -> psycopg.Connection[Any]:
    try:
        import psycopg
    except ImportError:
        needs = "searching in PostgreSQL needs psycopg: pip install 'pincite[postgres]'"
        raise UsageError(needs) from None
    from pincite.database.sources.postgres import refuse_network
    from pincite.processes import offline

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
        if place.schema:
            made.execute(_FIRST, (place.schema,))
        return made
    except psycopg.Error as error:
        raise _engine_error(place, error) from error


def _engine_error(place: EngineAddress, error: Exception) -> EngineError:
    said = redact(" ".join(str(error).split()), parse(place.url))[:300]
    return EngineError(
        f"{place.text}, where the corpus is searched, failed ({said}): see that the server runs, that PGUSER and PGPASSWORD let "
        "you in, and that it has the extension pgvector; to search on this machine instead, unset `search` and run "
        "`pincite index` again"
    )


HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
END = b"\xff\xff"
AT_ONCE = 10_000
"""Rows in a piece that is sent."""


def copy_rows(
    connection: psycopg.Connection[Any],
    table: str,
    values: Mapping[str, NDArray[Any]],
    body: str,
    bodies: bytes,
    ends: NDArray[np.int64],
) -> None:
    """Add rows to a table: their `values` by column, in the types of the table with the highest byte first; and in the column
    `body` the bytes of `bodies` up to each of `ends`.
    """
    kinds: list[Any] = [("columns", ">i2")]
    for name, column in values.items():
        kinds += [(f"{name} length", ">i4"), (name, column.dtype)]
    heads = np.empty(len(ends), [*kinds, ("body length", ">i4")])
    heads["columns"], heads["body length"] = len(values) + 1, np.diff(ends, prepend=0)
    for name, column in values.items():
        heads[f"{name} length"], heads[name] = column.dtype.itemsize, column
    first, size, edges = heads.tobytes(), heads.dtype.itemsize, [0, *ends.tolist()]
    statement = f"COPY {table} ({', '.join((*values, body))}) FROM STDIN (FORMAT binary)"
    with connection.cursor().copy(statement) as copy:
        copy.write(HEAD)
        for start in range(0, len(ends), AT_ONCE):
            piece = bytearray()
            for row in range(start, min(start + AT_ONCE, len(ends))):
                piece += first[row * size : (row + 1) * size]
                piece += bodies[edges[row] : edges[row + 1]]
            copy.write(bytes(piece))
        copy.write(END)
