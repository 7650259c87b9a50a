"""The tables of a corpus in a schema of PostgreSQL. A connection that is lost is made again: what was read is read again, and a
transaction whose end is not known is looked up, and run again only when the server says that it did not happen.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NoReturn

from pincite import errors
from pincite.errors import CorpusBusy, CorpusError, CorpusUnreachable, PinciteError, UsageError
from pincite.processes import offline
from pincite.storage.common_sql import dialect, tables_of, translated
from pincite.storage.corpus_address import CorpusAddress

if TYPE_CHECKING:
    import psycopg

    _Hold = Callable[[psycopg.Connection[Any]], None]

_Step = Callable[[], list[Any]]
PATIENCE_S = 15.0
"""Seconds for which a lost connection is tried again."""
_PAUSE_S = 0.05
_NUL, _STANDS = "\0", "\ufdd0"
"""PostgreSQL stores no NUL: a character that Unicode keeps for private use in programs stands for it."""
_made: set[tuple[CorpusAddress, str]] = set()
"""The tables that this process has seen."""
_lasting: dict[CorpusAddress, PostgresTables] = {}
"""The connection of this process for what is kept beside documents, by its corpus."""
_inherited: list[object] = []
"""Connections of the process that this one was forked from: closed here, they would be closed there."""


class PostgresTables:
    """One connection to the schema of a corpus, which threads share. A `with` block is one transaction; one inside another is
    part of it. `hold` is done with every connection that is made; one that is `lasting` stays open over `close`.
    """

    def __init__(
        self, address: CorpusAddress, hold: _Hold | None = None, lasting: bool = False
    ) -> None:
        self.address = address
        self._hold, self._lasting = hold, lasting
        self._lock = threading.RLock()
        self._open: psycopg.Connection[Any] | None = None
        self._pid, self._reached = os.getpid(), False
        self._depth, self._recorded = 0, True
        # of the transaction that is under way, with what each has read
        self._steps: list[_Step] = []
        self._seen: list[list[Any]] = []

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> FetchedRows:
        """Run one statement; outside a `with` block it is a transaction of its own."""
        step = partial(self._run_one, translated(sql), _sent(values))
        with self._lock:
            if self._depth:
                return FetchedRows(self._run_step(step))
            if sql.lstrip()[:6].upper() == "SELECT":
                return FetchedRows(self._retry(step))
            with self:
                return FetchedRows(self._run_step(step))

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        """Run one statement for each of several rows of values, in one transaction."""
        step = partial(self._run_many, translated(sql), [_sent(row) for row in rows])
        with self:
            self._run_step(step)

    def __enter__(self) -> PostgresTables:
        """Begin a transaction, or go on with the one that is under way."""
        self._lock.acquire()
        try:
            if not self._depth:
                self._steps, self._seen = [], []
                self._retry(self._begin)
        except BaseException:
            self._lock.release()
            raise
        self._depth += 1
        return self

    def __exit__(self, kind: object, error: object, trace: object, /) -> None:
        """Commit it, or take it back after an error."""
        self._depth -= 1
        try:
            if self._depth == 0 and error is None:
                self._commit()
            elif self._depth == 0:
                self._roll_back()
        finally:
            self._lock.release()

    @contextmanager
    def alone(self, what: str = "beside") -> Iterator[PostgresTables]:
        """A transaction that no other of this name runs beside."""
        with self:
            self.execute("SELECT pg_advisory_xact_lock(?::bigint)", (key(self.address, what),))
            yield self

    @contextmanager
    def snapshot(self) -> Iterator[PostgresTables]:
        """A transaction that reads all as it is at one moment, however much; CorpusUnreachable when its connection is lost."""
        with self._lock:
            self._retry(lambda: self._run_one("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            self._depth, self._recorded = 1, False
            try:
                yield self
            finally:
                self._depth, self._recorded = 0, True
                self._roll_back()

    def close(self) -> None:
        """Close the connection, unless it is lasting."""
        if not self._lasting:
            self._disconnect()

    def _disconnect(self) -> None:
        with self._lock:
            if self._open is not None and self._pid == os.getpid():
                with suppress(Exception):
                    self._open.close()
            self._open = None

    def _connection(self) -> psycopg.Connection[Any]:
        if self._pid != os.getpid():
            _inherited.append(self._open)
            self._open, self._pid = None, os.getpid()
        if self._open is None or self._open.closed:
            made, self._reached = opened(self.address), True
            try:
                if self._hold is not None:
                    self._hold(made)
            except BaseException:
                made.close()
                raise
            self._open = made
        return self._open

    def _run_one(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        cursor = self._connection().execute(sql, values)
        return list(map(_received, cursor.fetchall())) if cursor.description else []

    def _run_many(self, sql: str, rows: list[Sequence[Any]]) -> list[Any]:
        with self._connection().cursor() as cursor:
            cursor.executemany(sql, rows)
        return []

    def _begin(self) -> list[Any]:
        return self._run_one("BEGIN")

    def _run_step(self, step: _Step) -> list[Any]:
        """A step of the transaction that is under way, which is run again when its connection is lost."""
        if not self._recorded:
            return self._run_once(step)
        self._steps.append(step)
        try:
            self._seen.append(step())
        except Exception as error:
            if not self._is_lost(error):
                self._raise_explained(error)
            self._retry(partial(self._replay, list(self._seen)))
        return self._seen[-1]

    def _run_once(self, step: _Step) -> list[Any]:
        """A step that is not run again: what was read before it would be of another moment."""
        try:
            return step()
        except Exception as error:
            if self._is_lost(error):
                raise CorpusUnreachable(
                    f"the connection to {self.address.text} was lost ({said(error)}): run the same command again"
                ) from error
            self._raise_explained(error)

    def _replay(self, before: Sequence[list[Any]]) -> list[Any]:
        """Run all steps of the transaction anew. CorpusBusy when one of them reads something else than `before`."""
        self._begin()
        self._seen = []
        for at, step in enumerate(self._steps):
            self._seen.append(step())
            if at < len(before) and self._seen[-1] != before[at]:
                raise CorpusBusy(
                    f"the connection to {self.address.text} was lost, and another process has written meanwhile: nothing of this "
                    "step was stored. Run the same command again"
                )
        return []

    def _commit(self) -> None:
        """End the transaction; if its connection is lost meanwhile it is run again, unless it has happened."""
        before, number = list(self._seen), ""

        def end() -> list[Any]:
            nonlocal number
            lost = self._open is None or self._open.closed
            if lost and number and self._was_committed(number):
                return []
            if lost:
                self._replay(before)
            ((given,),) = self._run_one("SELECT pg_current_xact_id_if_assigned()::text")
            number = given or ""  # without one it wrote nothing
            return self._run_one("COMMIT")

        self._retry(end)

    def _was_committed(self, transaction: str) -> bool:
        """Whether a transaction that was about to be committed was; waits while the server does not know yet."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            ((status,),) = self._run_one("SELECT pg_xact_status(%s::text::xid8)", (transaction,))
            if status != "in progress":
                return bool(status == "committed")
            if time.monotonic() > ends:
                raise CorpusUnreachable(
                    f"{self.address.text} does not say whether a transaction was committed: run the same command again, which "
                    "goes on from what is stored"
                )
            time.sleep(_PAUSE_S)

    def _roll_back(self) -> None:
        try:
            if self._open is not None and not self._open.closed:
                self._run_one("ROLLBACK")
        except Exception:
            self._disconnect()  # the server takes it back then

    def _retry(self, step: _Step) -> list[Any]:
        """A step that may be run again, for as long as PATIENCE_S where its connection is lost."""
        ends, pause = time.monotonic() + PATIENCE_S, _PAUSE_S
        while True:
            try:
                return step()
            except Exception as error:
                if not self._is_lost(error):
                    self._raise_explained(error)
                if not self._reached:
                    raise CorpusUnreachable(str(error)) from error
                if time.monotonic() + pause > ends:
                    raise CorpusUnreachable(
                        f"the connection to {self.address.text} was lost and could not be made again within {PATIENCE_S:g} "
                        f"seconds ({said(error)}). What was stored is kept: run the same command again"
                    ) from error
                time.sleep(pause)
                pause = min(2 * pause, 1.0)

    def _is_lost(self, error: Exception) -> bool:
        """Whether an error is that of a connection that is gone, which is then closed here too."""
        import psycopg

        gone = isinstance(error, ServerAway) or (
            isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
            and (self._open is None or self._open.closed or error.sqlstate in _GONE)
        )
        if gone:
            self._disconnect()
        return gone

    def _raise_explained(self, error: Exception) -> NoReturn:
        """Raise an error of the driver as one that says what to do, another as it is."""
        import psycopg

        if isinstance(error, psycopg.Error):
            raise _explain_error(error, self.address) from error
        raise error


_PARAMETERS = {"connect_timeout": "10", "application_name": "pincite"}
_ALIVE = {"keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"}
"""A peer that is gone is noticed within a minute."""
_GONE = ("57P01", "57P02", "57P03", "08000", "08003", "08006")
"""The server is shutting down, starting, or the connection is gone."""
_REFUSALS = (
    "authentication",
    "password",
    "does not exist",
    "no pg_hba",
    "permission denied",
    "not permitted",
)
"""What a server says that could be reached and does not let us in, which trying again does not change."""


class ServerAway(CorpusError):
    """The server could not be reached just now, or what a connection needs is not to be had yet."""


class FetchedRows(list[Any]):
    """The rows that a statement gave."""

    def fetchone(self) -> Any:
        """The next row; None after the last."""
        return self.pop(0) if self else None

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        return self


def opened(address: CorpusAddress) -> psycopg.Connection[Any]:
    """A connection that sees the tables of a corpus alone. Raises UsageError and CorpusError for one that cannot be had."""
    try:
        import psycopg
        from psycopg.conninfo import make_conninfo
    except ImportError as error:
        raise UsageError(
            "a corpus in PostgreSQL needs psycopg: pip install 'pincite[postgres]'"
        ) from error
    parameters = _PARAMETERS | dict(address.connection)
    if offline.forbidden() and not parameters.get("host", "/").startswith("/"):
        raise errors.NetworkForbidden(
            f"--offline is set, and {address.text} is reached over a network: give the folder of the server's Unix socket "
            "(host=/var/run/postgresql), or leave out --offline"
        )
    if name := address.password_variable:
        parameters["password"] = os.environ.get(name, "")
        if not parameters["password"]:
            raise UsageError(
                f"the address of the corpus takes its password from the variable {name}, which is not set"
            )
    own = f'-c search_path="{address.corpus}" -c standard_conforming_strings=on'
    parameters |= {"client_encoding": "utf8", "options": own, **_ALIVE}
    try:
        return psycopg.connect(make_conninfo("", **parameters), autocommit=True)
    except psycopg.OperationalError as error:
        refused = any(word in str(error) for word in _REFUSALS)
        kind = CorpusUnreachable if refused else ServerAway
        raise kind(
            f"{address.text} cannot be opened ({said(error)}): check its host, port, database and user, and PGPASSWORD"
        ) from error


def said(error: BaseException) -> str:
    """The first line of what the server said."""
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300]


def _explain_error(error: psycopg.Error, address: CorpusAddress) -> PinciteError:
    """An error of the driver as one that says what to do."""
    from psycopg import errors as causes

    if isinstance(error, causes.DiskFull):
        return errors.DiskFull(
            f"nothing more can be written to {address.text}: the server's disk is full. What was stored so far is kept: make "
            "room there, then run the same command again"
        )
    if isinstance(error, causes.InsufficientPrivilege | causes.ReadOnlySqlTransaction):
        return errors.CorpusNotWritable(
            f"this user may not do that in {address.text} ({said(error)}): grant it the right, or name another user"
        )
    if isinstance(error, causes.UndefinedTable | causes.InvalidSchemaName):
        return CorpusError(
            f"there is no corpus at {address.text}. Make one with `pincite index PATH... --corpus ADDRESS`"
        )
    return CorpusError(f"{address.text} could not be read or written: {said(error)}")


def key(address: CorpusAddress, what: str) -> int:
    """The number of an advisory lock of a corpus."""
    digest = blake2b(f"pincite {address.corpus} {what}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def connect(address: CorpusAddress, schema: str, *, write: bool) -> PostgresTables:
    """The connection of this process to the tables of `schema`; to write, they are made where there are none."""
    missing = [table for table in tables_of(schema) if not has_table(address, table)]
    if missing and not write:
        raise CorpusError(
            f"there is no corpus at {address.text}, or it lacks {', '.join(missing)}"
        )
    if missing:
        make(_lasting_connection(address), schema)
    return _lasting_connection(address)


def _lasting_connection(address: CorpusAddress) -> PostgresTables:
    return _lasting.setdefault(address, PostgresTables(address, lasting=True))


def make(db: PostgresTables, schema: str) -> None:
    """Make the tables of `schema` that a corpus lacks, and its schema in the database."""
    with db.alone("tables"):
        known = "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ?"
        if not db.execute(known, (db.address.corpus,)):
            db.execute(f'CREATE SCHEMA "{db.address.corpus}"')
        for statement in dialect(schema):
            db.execute(statement)


def has_table(address: CorpusAddress, table: str) -> bool:
    """Whether the schema of a corpus holds a table; asked until it does."""
    if (address, table) in _made:
        return True
    db = _lasting_connection(address)
    ((found,),) = db.execute("SELECT to_regclass(?)::text", (f'"{address.corpus}"."{table}"',))
    if found is not None:
        _made.add((address, table))
    return found is not None


def _replaced(old: str, new: str, values: Sequence[Any]) -> Sequence[Any]:
    """Values with one character in the place of another in their texts."""
    if not any(isinstance(value, str) and old in value for value in values):
        return values
    return tuple(value.replace(old, new) if isinstance(value, str) else value for value in values)


_sent, _received = partial(_replaced, _NUL, _STANDS), partial(_replaced, _STANDS, _NUL)
