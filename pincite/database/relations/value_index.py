"""The value index: which names stand in which text columns, found by what people call them.

An SQLite file of its own (or memory), derived from the database and brought up to date column by column. `lookup` finds
values that are the phrase when folded, `near` those that share words with it, begin with it or differ by typing slips.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.database.relations.model import Column, Relation
from pincite.database.relations.name_folding import joined, stems
from pincite.database.relations.near_values import ValueMatch, near, same
from pincite.untrusted import guarded

if TYPE_CHECKING:
    import sqlalchemy

    from pincite.database.sources.connection import OpenDatabase

LONGEST = 200
"""Letters of the longest text that is a name; longer ones are prose, which questions do not quote."""
BULK = 50_000
"""Words of which so many have changed that all are counted anew."""
Counted = tuple[str, int, int]
"""A value, the number of its rows, and its digest."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS places (
    id INTEGER PRIMARY KEY, relation TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (relation, name));
CREATE TABLE IF NOT EXISTS held (
    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, value TEXT NOT NULL, stems TEXT NOT NULL, key TEXT NOT NULL,
    count INTEGER NOT NULL, digest INTEGER NOT NULL, UNIQUE (place, digest));
CREATE INDEX IF NOT EXISTS held_by_key ON held (key);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    stems, content='held', content_rowid='id', detail='none', columnsize=0, tokenize="unicode61 remove_diacritics 0");
CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab (words, row);
CREATE TABLE IF NOT EXISTS terms (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, held INTEGER NOT NULL);
CREATE VIRTUAL TABLE IF NOT EXISTS grams USING fts5 (
    term, content='', detail='none', columnsize=0, tokenize='trigram');
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value);
"""


class Values:
    """An open value index; made by `build` or `open_values`. May be read from several threads."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._touched: set[str] = set()  # words of values added or dropped since `settle`

    def lookup(self, phrase: str) -> list[ValueMatch]:
        """The values that are `phrase` when case, accents, punctuation and plurals are folded, best first; see `near.same`."""
        return same(self._db, phrase)

    def near(self, phrase: str, k: int = 10) -> list[ValueMatch]:
        """The `k` values most like `phrase`, best first; see `near.near`."""
        return near(self._db, phrase, k)

    @contextmanager
    def changing(self) -> Iterator[None]:
        """A transaction around `hold`, `shift`, `forget`, `settle` and `note`: all of it is written, or nothing."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def hold(self, relation: str, column: str, values: Iterable[Counted]) -> None:
        """Make these values all that the index holds of a column."""
        db, place = self._db, self._place(relation, column)
        db.execute(
            "CREATE TEMP TABLE IF NOT EXISTS fresh (digest INTEGER PRIMARY KEY, value TEXT, count INTEGER)"
        )
        db.execute("DELETE FROM temp.fresh")
        added = "ON CONFLICT DO UPDATE SET count = count + excluded.count"
        db.executemany(f"INSERT INTO fresh VALUES (?3, ?1, ?2) {added}", values)
        db.execute(
            "UPDATE held SET count = fresh.count FROM fresh "
            "WHERE place = ? AND held.digest = fresh.digest AND held.count != fresh.count",
            (place,),
        )
        self._drop("place = ? AND digest NOT IN (SELECT digest FROM fresh)", place)
        new = "digest NOT IN (SELECT digest FROM held WHERE place = ?)"
        asked = f"SELECT value, count, digest FROM fresh WHERE {new}"
        self.add(relation, column, db.execute(asked, (place,)))
        db.execute("DELETE FROM temp.fresh")

    def shift(self, relation: str, column: str, shifts: Mapping[int, int]) -> list[int]:
        """Count values up or down by their digests, and drop those that no row has; returns the digests to `add`."""
        place, unknown = self._place(relation, column), []
        for digest, shift in shifts.items():
            asked = "UPDATE held SET count = count + ? WHERE place = ? AND digest = ? RETURNING id, count"
            found = self._db.execute(asked, (shift, place, digest)).fetchone()
            if found is None and shift > 0:
                unknown.append(digest)
            elif found is not None and found[1] <= 0:
                self._drop("id = ?", found[0])
        return unknown

    def add(self, relation: str, column: str, values: Iterable[Counted]) -> None:
        """Add values of a column; one that the index holds already stays as it is."""
        place, remaining = self._place(relation, column), iter(values)
        while some := list(islice(remaining, 20_000)):
            (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM held").fetchone()
            made = []
            for at, (value, count, digest) in enumerate(some, last + 1):
                stemmed = stems(value)
                made.append((at, place, value, stemmed, joined(stemmed), count, digest))
            self._db.executemany("INSERT OR IGNORE INTO held VALUES (?, ?, ?, ?, ?, ?, ?)", made)
            self._note_words(row[3] for row in made)
            new = "SELECT id, stems FROM held WHERE id > ?"
            self._db.execute(f"INSERT INTO words (rowid, stems) {new}", (last,))

    def forget(self, relation: str, column: str) -> None:
        """Drop a column that is no more."""
        self._drop("place = ?", self._place(relation, column))
        self._db.execute("DELETE FROM places WHERE relation = ? AND name = ?", (relation, column))

    def note(self, name: str, value: str) -> None:
        """Keep a fact beside the values."""
        self._db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (f"note {name}", value))

    def noted(self, name: str) -> str:
        """The fact of that name; "" when there is none."""
        asked = "SELECT value FROM facts WHERE name = ?"
        row = self._db.execute(asked, (f"note {name}",)).fetchone()
        return str(row[0]) if row else ""

    def places(self) -> set[tuple[str, str]]:
        """The (relation, column) pairs that are held."""
        return set(self._db.execute("SELECT relation, name FROM places"))

    def summary(self, relation: str, column: str, most: int) -> tuple[int, tuple[str, ...]]:
        """How many values a column has, and all of them, the most frequent first, where there are no more than `most`."""
        where = "FROM held JOIN places ON places.id = place WHERE relation = ? AND name = ?"
        (count,) = self._db.execute(f"SELECT count(*) {where}", (relation, column)).fetchone()
        if count > most:
            return count, ()
        asked = f"SELECT value {where} ORDER BY count DESC, value"
        rows = self._db.execute(asked, (relation, column))
        return count, tuple(value for (value,) in rows)

    def settle(self) -> None:
        """Bring what is known of single words up to date; after the last `hold`, `shift` or `forget`."""
        db = self._db
        if self._touched:
            columns = "(term TEXT PRIMARY KEY, held INTEGER) WITHOUT ROWID"
            db.execute(f"CREATE TEMP TABLE IF NOT EXISTS touched {columns}")
            db.execute("DELETE FROM temp.touched")
            if len(self._touched) > BULK:
                db.execute("INSERT INTO temp.touched SELECT term, doc FROM vocabulary")
                db.execute("INSERT OR IGNORE INTO temp.touched SELECT term, 0 FROM terms")
            else:
                counted = "(SELECT doc FROM vocabulary WHERE term = ?1)"
                terms = [(term,) for term in self._touched]
                db.executemany(
                    f"INSERT INTO temp.touched VALUES (?1, coalesce({counted}, 0))", terms
                )
            self._update_terms()
            self._touched.clear()
        db.execute("INSERT OR REPLACE INTO facts SELECT 'values', count(*) FROM held")

    def _update_terms(self) -> None:
        """Make the words of `touched` what it says: in how many values they are."""
        db = self._db
        joined_terms = "SELECT id, terms.term FROM terms JOIN temp.touched USING (term)"
        gone = db.execute(f"{joined_terms} WHERE touched.held = 0").fetchall()
        framed = [(identity, f"^{term}$") for identity, term in gone]
        db.executemany("INSERT INTO grams (grams, rowid, term) VALUES ('delete', ?, ?)", framed)
        db.executemany("DELETE FROM terms WHERE id = ?", [(identity,) for identity, _ in gone])
        (last,) = db.execute("SELECT coalesce(max(id), 0) FROM terms").fetchone()
        db.execute(
            "INSERT INTO terms (term, held) SELECT term, held FROM temp.touched WHERE held > 0 "
            "ON CONFLICT (term) DO UPDATE SET held = excluded.held WHERE held != excluded.held"
        )
        new = "SELECT id, '^' || term || '$' FROM terms WHERE id > ?"
        db.execute(f"INSERT INTO grams (rowid, term) {new}", (last,))

    def close(self) -> None:
        """Close the index."""
        self._db.close()

    def _place(self, relation: str, column: str) -> int:
        place = (relation, column)
        self._db.execute("INSERT OR IGNORE INTO places (relation, name) VALUES (?, ?)", place)
        asked = "SELECT id FROM places WHERE relation = ? AND name = ?"
        found: tuple[int] = self._db.execute(asked, place).fetchone()
        return found[0]

    def _drop(self, where: str, value: int) -> None:
        """Drop the values for which a condition holds."""
        rows = self._db.execute(f"SELECT id, stems FROM held WHERE {where}", (value,)).fetchall()
        self._note_words(stemmed for _, stemmed in rows)
        gone = "INSERT INTO words (words, rowid, stems) VALUES ('delete', ?, ?)"
        self._db.executemany(gone, rows)
        self._db.executemany("DELETE FROM held WHERE id = ?", [(row[0],) for row in rows])

    def _note_words(self, several: Iterable[str]) -> None:
        for stemmed in several:
            if len(self._touched) > BULK:
                return
            self._touched.update(stemmed.split())


def build(source: OpenDatabase, path: Path | None = None) -> Values:
    """The index of all text values of a source, in the file `path` or in memory; a file that is there is brought up to date.

    Raises sqlalchemy's errors when the database does not answer.
    """
    made = open_values(path, write=True)
    wanted = {
        (relation.name, column.name): (relation, column)
        for relation in source.database.relations
        for column in named(relation)
    }
    with made.changing():
        for gone in made.places() - set(wanted):
            made.forget(*gone)
        for (relation_name, column_name), (relation, column) in wanted.items():
            made.hold(relation_name, column_name, counted(source.engine, relation, column))
        made.settle()
    return made


def open_values(path: Path | None = None, *, write: bool = False) -> Values:
    """The index in a file to read, or to write, empty when there is none yet; an empty one in memory without a file."""
    if path is not None and not write:
        log = path.with_name(path.name + "-wal")
        unwritten = not os.access(path.parent, os.W_OK) and not log.exists()
        place = path.absolute().as_uri() + ("?immutable=1" if unwritten else "?mode=ro")
        db = sqlite3.connect(place, uri=True, check_same_thread=False, timeout=30)
        return Values(guarded(db, SCHEMA))
    place = str(path or ":memory:")
    db = sqlite3.connect(place, check_same_thread=False, timeout=30, isolation_level=None)
    if path is not None:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -65536")
    guarded(db, SCHEMA).executescript(SCHEMA)
    # bytes of new words that are written at once
    db.execute("INSERT INTO words (words, rank) VALUES ('hashsize', 33554432)")
    return Values(db)


def named(relation: Relation) -> list[Column]:
    """The columns whose values are names: those of text."""
    return [column for column in relation.columns if column.type == "text"]


def digest(value: str) -> int:
    """What a value is known by, in 64 bits, where the database does not say."""
    made = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(made, "little", signed=True)


def digested(column: sqlalchemy.ColumnElement[Any]) -> sqlalchemy.ColumnElement[int]:
    """What PostgreSQL knows a value by, in 64 bits."""
    import sqlalchemy as sa

    return sa.func.hashtextextended(sa.cast(column, sa.Text), sa.literal_column("0"))


def counted(
    engine: sqlalchemy.Engine,
    relation: Relation,
    column: Column,
    only: Collection[int] | None = None,
) -> Iterator[Counted]:
    """The values of a column up to LONGEST letters, each with the number of its rows and its digest; of these digests only."""
    import sqlalchemy as sa

    text = sa.cast(sa.column(column.name), sa.Text)
    by_server = engine.dialect.name == "postgresql"
    own = digested(sa.column(column.name)) if by_server else sa.null()
    statement = sa.select(text, sa.func.count(), sa.func.min(own)).select_from(relation.table(()))
    statement = statement.where(text.is_not(None), sa.func.length(text).between(1, LONGEST))
    statement = statement.group_by(text)
    if only is not None and by_server:
        known_digests = sa.literal(list(only), sa.ARRAY(sa.BigInteger))
        statement = statement.where(own == sa.any_(known_digests))
    with engine.connect().execution_options(stream_results=True, yield_per=10_000) as connection:
        for value, rows, known in connection.execute(statement):
            if isinstance(value, str):
                own_digest = digest(value) if known is None else known
                if only is None or own_digest in only:
                    yield value, rows, own_digest
