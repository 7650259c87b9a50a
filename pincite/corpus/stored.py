"""What a corpus stores in SQLite, how it is opened, and its rows as values."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.database.held import RELATION
from pincite.disk import FULL, disk_error
from pincite.encoding import anchor_from, table_from
from pincite.errors import CorpusError
from pincite.types import Document, Node
from pincite.versions.series import Series, series_from

FORMAT = "1"

SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files (
    path TEXT PRIMARY KEY, document TEXT NOT NULL, sha TEXT NOT NULL, size BIGINT NOT NULL, changed BIGINT NOT NULL,
    version TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, meta TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS documents (
    version TEXT PRIMARY KEY, source TEXT NOT NULL, name TEXT NOT NULL, title TEXT NOT NULL, series TEXT NOT NULL,
    date TEXT NOT NULL, language TEXT NOT NULL, meta TEXT NOT NULL, pages INTEGER NOT NULL, tables INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS nodes (
    version TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, page INTEGER NOT NULL, place INTEGER NOT NULL,
    parent TEXT NOT NULL, text TEXT NOT NULL, anchor TEXT NOT NULL, grid TEXT NOT NULL, meta TEXT NOT NULL,
    PRIMARY KEY (version, id));
CREATE INDEX IF NOT EXISTS nodes_by_id ON nodes (id);
CREATE INDEX IF NOT EXISTS nodes_by_page ON nodes (version, page);
CREATE TABLE IF NOT EXISTS vectors (
    text_hash TEXT NOT NULL, encoder TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (text_hash, encoder));
CREATE TABLE IF NOT EXISTS covers (version TEXT PRIMARY KEY, cover TEXT NOT NULL, least BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS generations (number INTEGER PRIMARY KEY, published TEXT NOT NULL, content TEXT NOT NULL);
"""

NODE = "id, kind, text, anchor, parent, place, grid, meta"


WHOLE = ("ok", "ocr", "same")
"""The statuses of files that were read as a whole."""
ANSWERING = (*WHOLE, "partial")
"""The statuses of files that give answers."""


@dataclass(frozen=True, slots=True)
class FileStatus:
    """What became of one file: ok, ocr, partial, no-text, empty, unreadable, locked, unsupported, same (as another file).

    Of a file that is `partial`, `reason` names the parts that were not read.
    """

    path: str
    document: str
    sha: str = ""
    size: int = 0
    changed: int = 0
    version: str = ""
    status: str = "ok"
    reason: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Generation:
    """What was published: (document id, version) pairs, the folder of every shelf by its spelling, the series among them."""

    number: int
    published: str
    documents: tuple[tuple[str, str], ...]
    shelves: Mapping[str, str]
    series: tuple[Series, ...] = ()


@dataclass(frozen=True, slots=True)
class Entryless:
    """A document of the pinned generation without its nodes: what routing and listings need."""

    id: str
    version: str
    source: str
    title: str
    date: str
    language: str
    pages: int
    tables: int
    meta: Mapping[str, str]

    @property
    def relation(self) -> bool:
        """Whether it is a relation of a database."""
        return self.version.startswith(RELATION)


def connect(folder: Path, *, create: bool) -> sqlite3.Connection:
    """The database of a corpus. Raises CorpusError when there is none, it is damaged, or of another format."""
    path = folder / "corpus.sqlite"
    if not create and not path.is_file():
        raise CorpusError(
            f"there is no corpus at {folder}. Make one with `pincite index PATH... --corpus {folder}`, "
            "or name another folder with --corpus."
        )
    try:
        if create:
            db = sqlite3.connect(path, timeout=30, check_same_thread=False)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.executescript(SCHEMA)
            with db:
                db.execute("INSERT OR IGNORE INTO facts VALUES ('format', ?)", (FORMAT,))
        else:
            db = connect_reader(path)
        found = db.execute("SELECT value FROM facts WHERE name = 'format'").fetchone()
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and is_of_disk(error):
            raise stopped(folder, error) from error
        if isinstance(error, sqlite3.OperationalError) and (told := disk_error(error, folder)):  # locked, not to be written
            raise told from error
        raise CorpusError(
            f"{path} is not a corpus or is damaged ({error}). The files you indexed are untouched: move the folder away "
            "and index them again."
        ) from error
    if found is None or found[0] != FORMAT:
        raise CorpusError(
            f"the corpus {folder} has format {found[0] if found else 'unknown'}, this Pincite reads format {FORMAT}. "
            "Use the version that made it, or index the files again into a new folder."
        )
    return db


def connect_reader(path: Path) -> sqlite3.Connection:
    """A connection to read by; where nothing can be written, not even SQLite's own lock files, the file as it stands."""
    log = path.with_name(path.name + "-wal")
    if os.access(path.parent, os.W_OK) or log.exists():
        db = _reader(path)
        try:
            db.execute("PRAGMA schema_version")
            return db
        except sqlite3.OperationalError as error:
            db.close()
            if not is_of_disk(error) or (log.exists() and log.stat().st_size):
                raise
    return _reader(path, "?immutable=1")


def _reader(path: Path, how: str = "") -> sqlite3.Connection:
    return sqlite3.connect(path.absolute().as_uri() + how, timeout=30, check_same_thread=False, uri=True)


def is_of_disk(error: OSError | sqlite3.OperationalError) -> bool:
    """Whether a failure is the disk's: full, over a quota, failing."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def stopped(folder: Path, error: Exception) -> CorpusError:
    """What is said when the disk took no more."""
    return CorpusError(
        f"nothing more can be written to the corpus {folder} ({error}): the disk is full, or fails. What was stored until now "
        "is kept: make room, then run the same command again."
    )


def read_document(db: sqlite3.Connection, version: str) -> Document:
    """One stored document version with all its nodes, as it was parsed."""
    name, title, series, date, language, meta = db.execute(
        "SELECT name, title, series, date, language, meta FROM documents WHERE version = ?", (version,)
    ).fetchone()
    rows = db.execute(f"SELECT {NODE} FROM nodes WHERE version = ? ORDER BY place", (version,))
    return Document(name, version, title, series, date, language, json.loads(meta), tuple(node_of(row) for row in rows))


def newest(db: sqlite3.Connection) -> Generation:
    """The newest generation; number 0, without documents, before the first."""
    row = db.execute("SELECT number, published, content FROM generations ORDER BY number DESC LIMIT 1").fetchone()
    return generation_of(row) if row else Generation(0, "", (), {})


def generation_of(row: Any) -> Generation:
    """A generation from its row."""
    content = json.loads(row[2])
    documents = tuple((name, version) for name, version in content["documents"])
    series = tuple(series_from(one) for one in content.get("series", ()))
    return Generation(row[0], row[1], documents, content["shelves"], series)


def files_of(db: sqlite3.Connection) -> list[FileStatus]:
    """The status of every known file, by path."""
    rows = db.execute(
        "SELECT path, document, sha, size, changed, version, status, reason, meta FROM files ORDER BY path"
    )
    return [
        FileStatus(
            path, document, sha, size, changed, version, status, reason, {} if meta == "{}" else json.loads(meta)
        )
        for path, document, sha, size, changed, version, status, reason, meta in rows
    ]


def node_of(row: Any) -> Node:
    """A node from the columns `NODE`."""
    identity, kind, text, anchor, parent, place, grid, meta = row
    table = table_from(json.loads(grid)) if grid else None
    return Node(identity, kind, text, anchor_from(json.loads(anchor)), parent, place, table, json.loads(meta))
