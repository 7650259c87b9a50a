"""What a corpus stores in SQLite, how it is opened, and its rows as values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from pincite.corpus.checksums import is_whole, row_sum
from pincite.corpus.schema import BEFORE, DOCUMENT, FILE, FORMAT, NODE, SCHEMA
from pincite.corpus.upgrade import upgrade
from pincite.corpus.versions.series import Series, series_from
from pincite.database.holdings import RELATION
from pincite.errors import CorpusError, PinciteError
from pincite.formats.encoding import anchor_from, table_from
from pincite.storage import KeptTables, address_of, is_kept, shown
from pincite.storage.disk import disk_error, is_of_disk
from pincite.storage.kept_tables import connect_reader
from pincite.types import Document, Node
from pincite.untrusted import DAMAGE, guarded, made_of, own, statements

FILENAME = "corpus.sqlite"
AGAIN = (
    "The files that you indexed are untouched: move the folder away and index them again, or put back a copy of it. "
    "`pincite doctor --corpus FOLDER --verify` says which documents are damaged."
)
"""What to do about a damaged corpus."""
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

    @property
    def identity(self) -> str:
        """What tells this generation from every other of the corpus: its time does not, as clocks of writers differ."""
        return f"{self.number} of {self.published}"

    @property
    def replaced(self) -> int:
        """How many documents a newer edition answers for."""
        editions = chain.from_iterable(series.editions for series in self.series)
        return sum(bool(edition.replaced_by) for edition in editions)


@dataclass(frozen=True, slots=True)
class Entryless:
    """A document of the pinned generation without its nodes: what routing and listings need.

    `meta` is what is known of it (`described.py`), among it its `company`, `kind` and `year`; `declared` of that what people say.
    """

    id: str
    version: str
    source: str
    title: str
    date: str
    language: str
    pages: int
    tables: int
    meta: Mapping[str, str]
    declared: Mapping[str, str] = field(default_factory=dict)

    @property
    def relation(self) -> bool:
        """Whether it is a relation of a database."""
        return self.version.startswith(RELATION)


def connect(folder: Path, *, create: bool) -> KeptTables:
    """The database of a corpus. Raises CorpusError when there is none, it is damaged, or of another format.

    To write, `create` makes one where there is none, and brings one of an earlier format up to this.
    """
    path = folder / FILENAME
    if not create and not is_kept(folder, FILENAME, "facts"):
        raise CorpusError(
            f"there is no corpus at {shown(folder)}. Make one with `pincite index PATH... --corpus {shown(folder)}`, "
            "or name another with --corpus."
        )
    if address := address_of(folder):
        from pincite.corpus.served_schema import open_schema

        return open_schema(address)
    try:
        db = _connect_writer(path) if create else connect_reader(path, SCHEMA)
        found = format_of(db)
        made = frozenset(said for name, said in made_of(db) if not name.startswith("sqlite_"))
    except (sqlite3.DatabaseError, ValueError) as error:  # bytes that are no text: the latter
        raise _why_unreadable(folder, error) from error
    if found == FORMAT and made != statements(SCHEMA):
        raise CorpusError(
            f"{path} contains tables that Pincite does not make, and is not read. {AGAIN}"
        )
    if found == BEFORE:
        raise CorpusError(
            f"the corpus {folder} was made by an earlier Pincite and has no checksums yet: run `pincite index --corpus {folder}` "
            "once, which adds them to what it holds; nothing is parsed again."
        )
    if found != FORMAT:
        raise CorpusError(
            f"the corpus {folder} has format {found or 'unknown'}, this Pincite reads format {FORMAT}. "
            "Use the version that made it, or index the files again into a new folder."
        )
    return db


def _why_unreadable(folder: Path, error: sqlite3.DatabaseError | ValueError) -> PinciteError:
    """What is said of a corpus that cannot be opened: its disk fails, it is locked or not to be written, or it is damaged."""
    if isinstance(error, sqlite3.OperationalError):
        if is_of_disk(error):
            return stopped(folder, error)
        if told := disk_error(error, folder):
            return told
    return damaged(folder, str(error))


def _connect_writer(path: Path) -> sqlite3.Connection:
    db = guarded(sqlite3.connect(own(path), timeout=30, check_same_thread=False), SCHEMA)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
        db.executescript(SCHEMA)
        with db:
            facts = (("format", FORMAT), ("generation", "0"), ("files", "0 0"))
            db.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?)", facts)
    elif format_of(db) == BEFORE:
        upgrade(db)
    return db


def is_before(folder: Path) -> bool:
    """Whether there is a corpus of the format before this one in a folder, which opening it to write brings up to this."""
    if not (folder / FILENAME).is_file():
        return False
    try:
        with closing(connect_reader(folder / FILENAME, SCHEMA)) as db:
            return format_of(db) == BEFORE
    except sqlite3.DatabaseError:
        return False


def format_of(db: KeptTables) -> str:
    """The format that a corpus says it has; "" where it says nothing."""
    found = db.execute("SELECT value FROM facts WHERE name = 'format'").fetchone()
    return str(found[0]) if found else ""


def damaged(folder: Path, what: str) -> CorpusError:
    """What is said of a corpus that holds something else than was written."""
    where = shown(folder) if address_of(folder) else folder / FILENAME
    return CorpusError(f"{where} is not a corpus or is damaged ({what}). {AGAIN}")


def stopped(folder: Path, error: Exception) -> CorpusError:
    """What is said when the disk took no more."""
    return CorpusError(
        f"nothing more can be written to the corpus {shown(folder)} ({error}): the disk is full or failing. What was stored so "
        "far is kept: make room, then run the same command again."
    )


def read_document(db: KeptTables, version: str) -> Document:
    """One stored document version with all its nodes, as it was parsed. Raises CorpusError when any of it was changed."""
    return replace(read_facts(db, version), nodes=tuple(map(node_of, rows_of(db, version))))


def read_facts(db: KeptTables, version: str) -> Document:
    """One stored document version without its nodes, as it was parsed. Raises CorpusError when it was changed."""
    query = f"SELECT {DOCUMENT}, sum FROM documents WHERE version = ?"
    facts = checked(db.execute(query, (version,)).fetchone(), f"the document {version[:12]}")
    _, _, name, title, series, date, language, meta, _, _ = facts
    refuse_others(name, title, series, date, language)
    return Document(name, version, title, series, date, language, texts_of(meta), ())


def read_node(db: KeptTables, version: str, identity: str) -> Node:
    """One node of a stored document version. Raises CorpusError when it was changed, or there is none."""
    query = f"SELECT {NODE} FROM nodes WHERE version = ? AND id = ?"
    row = db.execute(query, (version, identity)).fetchone()
    if row is None:
        raise CorpusError(
            f"a node of the document {version[:12]} is not stored: the corpus is damaged. {AGAIN}"
        )
    return node_of(row)


def rows_of(db: KeptTables, version: str) -> list[Any]:
    """The columns `NODE` of all nodes of a document version, in reading order. Raises CorpusError when one is missing."""
    wanted = "SELECT coalesce(sum(nodes + sentences), 0) FROM pages WHERE version = ?"
    rows = db.execute(
        f"SELECT {NODE}, ({wanted}) FROM nodes INDEXED BY nodes_by_page WHERE version = ? ORDER BY place",
        (version, version),
    ).fetchall()
    (count,) = rows[0][-1:] if rows else db.execute(wanted, (version,)).fetchone()
    if len(rows) != count:
        raise CorpusError(
            f"{len(rows)} nodes of the document {version[:12]} are stored, of {count}: the corpus is damaged. {AGAIN}"
        )
    return [row[:-1] for row in rows]


def newest(db: KeptTables) -> Generation:
    """The newest generation; number 0, without documents, before the first. Raises CorpusError when it was changed or lost."""
    said = "SELECT value FROM facts WHERE name = 'generation'"
    row = db.execute(
        f"SELECT number, published, content, sum, ({said}) FROM generations ORDER BY number DESC LIMIT 1"
    ).fetchone()
    if row is None and db.execute(said).fetchone() == ("0",):
        return Generation(0, "", (), {})
    if row is None or row[-1] != str(row[0]):
        raise CorpusError(f"the newest generation is not stored: the corpus is damaged. {AGAIN}")
    return generation_of(row[:-1])


def generation_of(row: Any) -> Generation:
    """A generation from its row."""
    number, published, stored = checked(row, "a generation")
    content = json.loads(stored)
    documents = tuple((name, version) for name, version in content["documents"])
    series = tuple(series_from(given) for given in content.get("series", ()))
    shelves = content["shelves"]
    refuse_others(*chain.from_iterable(documents), *shelves, *shelves.values())
    return Generation(number, published, documents, shelves, series)


def files_of(db: KeptTables) -> list[FileStatus]:
    """The status of every known file, by path. Raises CorpusError when one was changed or lost."""
    count = "SELECT value FROM facts WHERE name = 'files'"
    rows = db.execute(f"SELECT {FILE}, sum, ({count}) FROM files ORDER BY path").fetchall()
    (said,) = rows[0][-1:] if rows else db.execute(count).fetchone() or ("",)
    if said != f"{len(rows)} {sum(row[-2] for row in rows)}":
        raise CorpusError(
            f"not all files that were indexed are listed: the corpus is damaged. {AGAIN}"
        )
    made = []
    for *row, _ in rows:
        *facts, meta = checked(row, "a file")
        refuse_others(*facts[:3], *facts[5:])  # between them a size and a time
        facts.append(texts_of(meta))
        made.append(FileStatus(*facts))
    return made


def checked(row: Any, what: str) -> Any:
    """The columns of a row before its checksum, its last one. Raises CorpusError when that is not theirs."""
    if row is None or row_sum(*row[:-1]) != row[-1]:
        raise CorpusError(
            f"{what} is not as it was stored: the corpus is damaged, or was edited. {AGAIN}"
        )
    return row[:-1]


def texts_of(stored: str) -> dict[str, str]:
    """An object of texts, from its JSON. Raises TypeError for another one."""
    if stored == "{}":
        return {}
    made = json.loads(stored)
    if not isinstance(made, dict):
        raise TypeError(f"{stored[:40]!r} is not an object")
    refuse_others(*made.values())
    return made


def refuse_others(*values: Any) -> None:
    """Raise TypeError for a value that is not a text."""
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"{value!r:.60} is not a text")


def node_of(row: Any) -> Node:
    """A node from the columns `NODE`. Raises CorpusError when it is not as it was stored."""
    version, identity, kind, page, place, parent, text, anchor, grid, meta, _ = row
    if not is_whole(row):
        raise CorpusError(
            f"a {kind} on page {page} of the document {str(version)[:12]} is not as it was stored: the corpus is damaged, or was "
            f"edited. {AGAIN}"
        )
    try:
        said = json.loads(meta)
        refuse_others(kind, parent, text)
        if not isinstance(said, dict) or not isinstance(place, int):
            raise TypeError("its meta is not an object, or its place is not a number")
        table = table_from(json.loads(grid)) if grid else None
        return Node(
            identity, kind, text, anchor_from(json.loads(anchor)), parent, place, table, said
        )
    except DAMAGE as error:
        raise CorpusError(
            f"a {kind} of the document {version[:12]} cannot be read ({error!r:.200}). {AGAIN}"
        ) from error


def source_file(folder: Path, sha: str) -> Path | None:
    """The corpus's own copy of a source file, fetched to its cache where need be; None when it is gone."""
    place = folder / "sources"
    if (path := next(place.glob(f"{sha}*"), None)) is None and address_of(folder):
        from pincite.storage.sources import fetch_source

        fetch_source(folder, sha)
        path = next(place.glob(f"{sha}*"), None)
    return path
