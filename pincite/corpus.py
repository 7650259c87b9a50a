"""A corpus: one folder whose SQLite file is the only truth, read through published generations.

A writer holds a file lock, puts documents, vectors and the status of every file into SQLite in small transactions (the
resume point of a killed run), and ends with one transaction that publishes a new generation: which document versions it
holds and which index folders serve it. Readers pin a generation when they open and never see half of another.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.database.held import RELATION, Held, card_id, held
from pincite.encoding import anchor_from, anchor_to, dumps, table_from, table_to
from pincite.errors import CorpusBusy, CorpusError
from pincite.types import Document, Kind, Node, Where

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = "1"
KEPT_GENERATIONS = 2  # a reader that opened just before a publication still finds its folders

_SCHEMA = """
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
CREATE TABLE IF NOT EXISTS generations (number INTEGER PRIMARY KEY, published TEXT NOT NULL, content TEXT NOT NULL);
"""

_NODE = "id, kind, text, anchor, parent, place, grid, meta"


@dataclass(frozen=True, slots=True)
class FileStatus:
    """What became of one file: ok, ocr, no-text, empty, unreadable, locked, unsupported, same (as another file)."""

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
    """What was published: (document id, version) pairs and the folder of every shelf by its spelling."""

    number: int
    published: str
    documents: tuple[tuple[str, str], ...]
    shelves: Mapping[str, str]


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


class Corpus:
    """A corpus opened for reading, pinned to its newest generation.

    Raises CorpusError when the folder holds no corpus, one of another version, or a damaged one.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self._db = _connect(self.folder, create=False)
        self.generation = _newest(self._db)

    @cached_property
    def documents(self) -> tuple[Entryless, ...]:
        """The documents of the generation, in the order of their ids."""
        named = dict((version, name) for name, version in reversed(self.generation.documents))
        metas = {row[0]: row[1] for row in self._db.execute("SELECT version, meta FROM files WHERE meta != '{}'")}
        rows = self._db.execute(
            "SELECT version, source, title, date, language, pages, tables, meta FROM documents"
        ).fetchall()
        found = [
            Entryless(
                named[version], version, source, title, date, language, pages, tables,
                {**json.loads(meta), **json.loads(metas.get(version, "{}"))},
            )
            for version, source, title, date, language, pages, tables, meta in rows
            if version in named
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda one: one.id))

    @cached_property
    def by_version(self) -> Mapping[str, Entryless]:
        """The documents of the generation by version."""
        return {one.version: one for one in self.documents}

    @cached_property
    def relations(self) -> tuple[Entryless, ...]:
        """The documents that are relations of databases, in the order of their ids."""
        return tuple(one for one in self.documents if one.relation)

    @cached_property
    def databases(self) -> tuple[Held, ...]:
        """The databases of the generation, by name: their relations as they were when they were indexed."""
        if not self.relations:
            return ()
        cards = [
            self._db.execute(
                "SELECT meta FROM nodes WHERE version = ? AND id = ?", (one.version, card_id(one.id))
            ).fetchone()
            for one in self.relations
        ]
        return held((json.loads(meta) for (meta,) in cards), self.folder)

    @cached_property
    def _versions(self) -> frozenset[str]:
        return frozenset(version for _, version in self.generation.documents)

    @cached_property
    def _aliases(self) -> Mapping[str, set[str]]:
        """What each version may be called: its documents' ids and its files' names, without extension."""
        aliases: dict[str, set[str]] = {}
        for name, version in self.generation.documents:
            aliases.setdefault(version, set()).add(without_extension(name))
        for one in self.files():
            aliases.setdefault(one.version, set()).add(without_extension(Path(one.path).name))
        return aliases

    def select(self, where: Where) -> tuple[Entryless, ...]:
        """The documents that `where` lets through: every field holds one of its values, case-folded.

        `document` matches the id or the file's name, each with or without its extension. A field that no document has
        raises CorpusError.
        """
        wanted = [(name, {without_extension(value) if name == "document" else value.casefold() for value in values})
                  for name, values in where]  # fmt: skip
        chosen = []
        for one in self.documents:
            held = {name: {value.casefold()} for name, value in one.meta.items()}
            held |= {"document": self._aliases[one.version], "title": {one.title.casefold()}}
            if all(held.get(name, set()) & values for name, values in wanted):
                chosen.append(one)
        if not chosen:
            fields = {"document", "title"}.union(*(one.meta for one in self.documents)) if self.documents else set()
            for name, _ in where:
                if name not in fields:
                    raise CorpusError(
                        f"no document has a field {name!r} to filter by; there are: {', '.join(sorted(fields))}. "
                        "Fields come from the columns of the file given to `pincite index --metadata`."
                    )
        return tuple(chosen)

    def nodes(self, ids: Sequence[str]) -> list[Node]:
        """The nodes with these ids, in this order; ids that are gone are left out."""
        found: dict[str, Any] = {}
        for start in range(0, len(ids), 500):
            some = list(ids[start : start + 500])
            marks = ",".join("?" * len(some))
            for row in self._db.execute(f"SELECT {_NODE}, version FROM nodes WHERE id IN ({marks})", some):
                if row[0] not in found or row[-1] in self._versions:  # the row of a relation keeps its id as it changes
                    found[row[0]] = row
        return [_node(found[one][:-1]) for one in ids if one in found]

    def places(self, ids: Sequence[str]) -> dict[str, tuple[str, int]]:
        """The (version, page) of each node that is there."""
        found: dict[str, tuple[str, int]] = {}
        for start in range(0, len(ids), 500):
            some = list(ids[start : start + 500])
            marks = ",".join("?" * len(some))
            rows = self._db.execute(f"SELECT id, version, page FROM nodes WHERE id IN ({marks})", some)
            for identity, version, page in rows:
                if identity not in found or version in self._versions:
                    found[identity] = version, page
        return found

    def page(self, version: str, page: int, without: tuple[Kind, ...] = ("sentence",)) -> list[Node]:
        """The nodes that begin on one page of a document, in reading order; none for 0, where what has no page stands."""
        if not page:
            return []
        rows = self._db.execute(
            f"SELECT {_NODE} FROM nodes WHERE version = ? AND page = ? ORDER BY place", (version, page)
        )
        return [_node(row) for row in rows if row[1] not in without]

    def children(self, version: str, parent: str) -> list[Node]:
        """The nodes right below one node, in reading order."""
        rows = self._db.execute(
            f"SELECT {_NODE} FROM nodes WHERE version = ? AND parent = ? ORDER BY place", (version, parent)
        )
        return [_node(row) for row in rows]

    def page_facts(self) -> list[tuple[str, int, dict[str, Any], int, int]]:
        """(version, page, what is told of it, its characters, its tables) of every page of a document that has pages."""
        tables = dict(
            ((version, page), count)
            for version, page, count in self._db.execute(
                "SELECT version, page, count(*) FROM nodes WHERE kind = 'table' GROUP BY version, page"
            )
        )
        rows = self._db.execute("SELECT version, page, meta, length(text) FROM nodes WHERE kind = 'page'")
        return [
            (version, page, json.loads(meta), length, tables.get((version, page), 0))
            for version, page, meta, length in rows
        ]

    def document(self, version: str) -> Document:
        """One document with all its nodes, under its id and metadata of this generation."""
        one = self.by_version[version]
        return replace(read_document(self._db, version), id=one.id, meta=one.meta)

    def files(self) -> list[FileStatus]:
        """The status of every file that indexing has met, by path."""
        return _files(self._db)

    def source(self, sha: str) -> Path:
        """The corpus's own copy of a source file; raises CorpusError when it is gone."""
        for path in (self.folder / "sources").glob(f"{sha}*"):
            return path
        raise CorpusError(
            f"the source {sha[:12]} is no longer in the corpus {self.folder}: it was removed or replaced. "
            "The citation still carries its quote; index the file again to see the page."
        )

    def close(self) -> None:
        """Close the database."""
        self._db.close()


class Writer:
    """A corpus opened for writing by the one process that holds its lock; made by `writing`."""

    def __init__(self, folder: Path, db: sqlite3.Connection) -> None:
        self.folder = folder
        self.db = db

    def files(self) -> dict[str, FileStatus]:
        """The status of every known file by path."""
        return {one.path: one for one in _files(self.db)}

    def versions(self) -> set[str]:
        """The document versions whose nodes are stored."""
        return {row[0] for row in self.db.execute("SELECT version FROM documents")}

    def put_document(self, document: Document, source: str) -> None:
        """Store a document version with all its nodes, in one transaction."""
        pages = max((node.anchor.page for node in document.nodes), default=0)
        tables = sum(node.kind == "table" for node in document.nodes)
        rows = (
            (
                document.version, node.id, node.kind, node.anchor.page, place, node.parent, node.text,
                dumps(anchor_to(node.anchor)), dumps(table_to(node.table)) if node.table else "", dumps(dict(node.meta)),
            )
            for place, node in enumerate(document.nodes)
        )  # fmt: skip
        with self.db:
            self.db.execute(
                "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    document.version, source, document.id, document.title, document.series, document.date,
                    document.language, dumps(dict(document.meta)), pages, tables,
                ),
            )  # fmt: skip
            self.db.execute("DELETE FROM nodes WHERE version = ?", (document.version,))
            self.db.executemany("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def put_file(self, one: FileStatus) -> None:
        """Store what became of one file."""
        with self.db:
            self.db.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (one.path, one.document, one.sha, one.size, one.changed, one.version, one.status, one.reason,
                 dumps(dict(one.meta))),
            )  # fmt: skip

    def forget_files(self, paths: Iterable[str]) -> None:
        """Forget files; their documents leave with the next generation."""
        with self.db:
            self.db.executemany("DELETE FROM files WHERE path = ?", [(path,) for path in paths])

    def known_vectors(self, hashes: Sequence[str], encoder: str) -> dict[str, bytes]:
        """The stored vectors of these texts."""
        found: dict[str, bytes] = {}
        for start in range(0, len(hashes), 500):
            some = list(hashes[start : start + 500])
            marks = ",".join("?" * len(some))
            found.update(
                self.db.execute(
                    f"SELECT text_hash, vector FROM vectors WHERE encoder = ? AND text_hash IN ({marks})",
                    [encoder, *some],
                )
            )
        return found

    def put_vectors(self, hashes: Sequence[str], encoder: str, vectors: NDArray[np.float32]) -> None:
        """Store vectors by the hash of their text and the encoder's name and revision."""
        rows = [(one, encoder, vector.astype("<f2").tobytes()) for one, vector in zip(hashes, vectors, strict=True)]
        with self.db:
            self.db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def publish(self, documents: Sequence[tuple[str, str]], shelves: Mapping[str, str]) -> Generation:
        """Publish a generation in one transaction; older ones than the last two are swept away."""
        number = _newest(self.db).number + 1
        published = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        content = {"documents": [list(pair) for pair in documents], "shelves": dict(shelves)}
        with self.db:
            self.db.execute("INSERT INTO generations VALUES (?, ?, ?)", (number, published, dumps(content)))
            self.db.execute("DELETE FROM generations WHERE number <= ?", (number - KEPT_GENERATIONS,))
        return _newest(self.db)

    def sweep(self) -> None:
        """Remove what no kept generation and no known file needs: index folders, document versions, source copies."""
        kept = [_generation(row) for row in self.db.execute("SELECT number, published, content FROM generations")]
        folders = {folder for one in kept for folder in one.shelves.values()}
        for folder in (self.folder / "shelves").iterdir():
            if folder.name not in folders:
                shutil.rmtree(folder, ignore_errors=True)
        versions = {version for one in kept for _, version in one.documents}
        versions |= {row[0] for row in self.db.execute("SELECT version FROM files")}
        gone = [(one,) for one in self.versions() - versions]
        with self.db:
            self.db.executemany("DELETE FROM documents WHERE version = ?", gone)
            self.db.executemany("DELETE FROM nodes WHERE version = ?", gone)
        shas = {row[0] for row in self.db.execute("SELECT source FROM documents")}
        for path in (self.folder / "sources").iterdir():
            if path.name.split(".")[0] not in shas:
                path.unlink(missing_ok=True)


def without_extension(name: str) -> str:
    """A document's name for comparison: case-folded, without the extension of a file format."""
    return re.sub(r"\.(pdf|txt|md|markdown)$", "", name.casefold())


def read_document(db: sqlite3.Connection, version: str) -> Document:
    """One stored document version with all its nodes, as it was parsed."""
    name, title, series, date, language, meta = db.execute(
        "SELECT name, title, series, date, language, meta FROM documents WHERE version = ?", (version,)
    ).fetchone()
    rows = db.execute(f"SELECT {_NODE} FROM nodes WHERE version = ? ORDER BY place", (version,))
    return Document(name, version, title, series, date, language, json.loads(meta), tuple(_node(row) for row in rows))


@contextmanager
def writing(folder: Path | str) -> Iterator[Writer]:
    """Open (or make) a corpus for writing; raises CorpusBusy while another process writes it."""
    from filelock import FileLock, Timeout

    folder = Path(folder)
    try:
        (folder / "shelves").mkdir(parents=True, exist_ok=True)
        (folder / "sources").mkdir(exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise CorpusBusy(
            f"another process is indexing the corpus {folder}; readers are not affected. Try again when it is done."
        ) from error
    except OSError as error:  # after Timeout, which is one
        raise _unwritable(folder, error) from error
    try:
        db = _connect(folder, create=True)
        try:
            yield Writer(folder, db)
        finally:
            db.close()
    finally:
        lock.release()


def _unwritable(folder: Path, error: OSError) -> CorpusError:
    return CorpusError(
        f"cannot write a corpus at {folder}: {error.strerror or error}. Give a folder you can write to; "
        "asking a corpus needs no right to write."
    )


def _connect(folder: Path, *, create: bool) -> sqlite3.Connection:
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
            db.executescript(_SCHEMA)
            with db:
                db.execute("INSERT OR IGNORE INTO facts VALUES ('format', ?)", (FORMAT,))
        else:
            db = connect_reader(path)
        found = db.execute("SELECT value FROM facts WHERE name = 'format'").fetchone()
    except sqlite3.DatabaseError as error:
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
    unwritten = not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()
    place = path.absolute().as_uri() + ("?immutable=1" if unwritten else "")
    return sqlite3.connect(place, timeout=30, check_same_thread=False, uri=True)


def _newest(db: sqlite3.Connection) -> Generation:
    row = db.execute("SELECT number, published, content FROM generations ORDER BY number DESC LIMIT 1").fetchone()
    return _generation(row) if row else Generation(0, "", (), {})


def _generation(row: Any) -> Generation:
    content = json.loads(row[2])
    return Generation(
        row[0], row[1], tuple((name, version) for name, version in content["documents"]), content["shelves"]
    )


def _files(db: sqlite3.Connection) -> list[FileStatus]:
    rows = db.execute(
        "SELECT path, document, sha, size, changed, version, status, reason, meta FROM files ORDER BY path"
    )
    return [
        FileStatus(path, document, sha, size, changed, version, status, reason, json.loads(meta))
        for path, document, sha, size, changed, version, status, reason, meta in rows
    ]


def _node(row: Any) -> Node:
    identity, kind, text, anchor, parent, place, grid, meta = row
    table = table_from(json.loads(grid)) if grid else None
    return Node(identity, kind, text, anchor_from(json.loads(anchor)), parent, place, table, json.loads(meta))
