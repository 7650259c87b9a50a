"""The schema of a corpus in PostgreSQL: how it is opened, and brought up to date step by step."""

from __future__ import annotations

import time
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from pincite.corpus.schema import FORMAT, SCHEMA
from pincite.errors import CorpusBusy, CorpusError
from pincite.storage.common_sql import tables_of
from pincite.storage.corpus_address import CorpusAddress
from pincite.storage.postgres import PostgresTables, ServerAway, connect, has_table, key, make

if TYPE_CHECKING:
    import psycopg

STEPS: tuple[str, ...] = ()
"""What brings a schema of this format up to date, in order: each is one statement, run once. Steps are only added."""
_FACTS = (("format", FORMAT), ("generation", "0"), ("files", "0 0"))


def open_schema(address: CorpusAddress) -> PostgresTables:
    """A connection to read a corpus by. Raises CorpusError when there is none, or it is of another format."""
    connect(address, SCHEMA, write=False)  # says so when there are no tables
    db = PostgresTables(address)
    _check_format(db)
    return db


def only_writer(address: CorpusAddress, wait: float) -> PostgresTables:
    """A connection to write a corpus by, which holds its lock: CorpusBusy when another one has it after `wait` seconds.

    Tables are made where there are none, and the steps that they lack are taken.
    """
    lock = _WriterLock(address, wait)
    db = PostgresTables(address, lock.hold)
    try:
        _bring_up(db)
        _check_format(db)
        lock.mark(db)
    except BaseException:
        db.close()
        raise
    return db


class _WriterLock:
    """The lock of the one writer of a corpus: held by its connection, taken again by one that takes its place.

    The name of the writer stands among the facts, so that whoever lost the lock knows whether another one wrote meanwhile.
    """

    def __init__(self, address: CorpusAddress, wait: float) -> None:
        self.address, self._wait, self._name = address, wait, ""

    def hold(self, connection: psycopg.Connection[Any]) -> None:
        """Take the lock by a connection."""
        ends = time.monotonic() + self._wait
        while True:
            taken = "SELECT pg_try_advisory_lock(%s::bigint)"
            if connection.execute(taken, (key(self.address, "writer"),)).fetchone() == (True,):
                break
            if self._name:  # most likely our own connection that is gone holds it
                raise ServerAway("another process holds the lock")
            if time.monotonic() > ends:
                raise CorpusBusy(
                    f"another process, here or on another machine, is indexing the corpus {self.address.text}; readers are not "
                    "affected. Try again when it is done."
                )
            time.sleep(0.1)
        if self._name:
            writer = "SELECT value FROM facts WHERE name = 'writer'"
            if connection.execute(writer).fetchone() != (self._name,):
                raise CorpusBusy(
                    f"the connection to {self.address.text} was lost, and another process has indexed it meanwhile. What was "
                    "stored is kept: run the same command again"
                )

    def mark(self, db: PostgresTables) -> None:
        """Say in the corpus who writes it now."""
        name = token_hex(8)
        said = "INSERT INTO facts VALUES ('writer', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        db.execute(said, (name,))
        self._name = name


def _check_format(db: PostgresTables) -> None:
    """Raise CorpusError for a corpus of another format."""
    address = db.address
    facts = dict(db.execute("SELECT name, value FROM facts WHERE name IN ('format', 'steps')"))
    made_by, taken = facts.get("format", "unknown"), int(facts.get("steps", "0"))
    if made_by != FORMAT or taken > len(STEPS):
        raise CorpusError(
            f"the corpus {address.text} has format {made_by}.{taken}, this Pincite reads "
            f"format {FORMAT}.{len(STEPS)}. Use the version that made it, or index the files again as another corpus."
        )
    if taken < len(STEPS):
        raise CorpusError(
            f"the corpus {address.text} was made by an earlier Pincite: run `pincite index --corpus ADDRESS` once as a user who "
            "may write it, which brings its tables up to date; nothing is parsed again."
        )


def _bring_up(db: PostgresTables) -> None:
    """Make the tables of a new corpus, or take the steps that one lacks, all in one transaction."""
    with db.alone("tables"):
        if not all(has_table(db.address, table) for table in tables_of(SCHEMA)):
            make(db, SCHEMA)
        facts = dict(db.execute("SELECT name, value FROM facts WHERE name IN ('format', 'steps')"))
        if not facts:
            new = (*_FACTS, ("steps", str(len(STEPS))))
            db.executemany("INSERT INTO facts VALUES (?, ?) ON CONFLICT DO NOTHING", new)
            return
        taken = int(facts.get("steps", "0"))
        if facts.get("format") != FORMAT or taken >= len(STEPS):
            return
        for step in STEPS[taken:]:
            db.execute(step)
        db.execute("UPDATE facts SET value = ? WHERE name = 'steps'", (str(len(STEPS)),))
