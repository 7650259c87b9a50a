"""A corpus opened for writing by one process, in small transactions: the resume point of a run that is killed."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.corpus.checksums import node_sum, page_sums, row_sum, vector_sum
from pincite.corpus.corpus_store import (
    FileStatus,
    Generation,
    connect,
    files_of,
    generation_of,
    is_before,
    newest,
    node_of,
    stopped,
    texts_of,
)
from pincite.corpus.described import edits
from pincite.corpus.schema import NODE
from pincite.corpus.versions.series import Series, series_to
from pincite.database.holdings import FOLDER
from pincite.errors import CorpusBusy, CorpusError
from pincite.formats.encoding import NodeRow, dumps, node_rows
from pincite.storage import KeptTables, address_of, corpus_folder, shown
from pincite.storage.disk import is_of_disk
from pincite.storage.file_copies import fetch_files, forget_files, keep_files
from pincite.storage.sources import forget_sources
from pincite.types import Document, Node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT_GENERATIONS = 2  # a reader that opened just before a publication still finds its folders
_HALF = "begun "  # the facts that name document versions whose nodes are not all there


class Writer:
    """A corpus opened for writing by the one process that holds its lock; made by `writing`."""

    def __init__(self, folder: Path, db: KeptTables) -> None:
        self.folder = folder
        self.db = db
        # of documents that were begun: what `pages` will hold
        self._pages: dict[str, dict[int, list[tuple[str, int]]]] = {}

    def files(self) -> dict[str, FileStatus]:
        """The status of every known file by path."""
        return {file.path: file for file in files_of(self.db)}

    def versions(self) -> set[str]:
        """The document versions whose nodes are stored."""
        return {row[0] for row in self.db.execute("SELECT version FROM documents")}

    def put_document(self, document: Document, source: str) -> None:
        """Store a document version with all its nodes."""
        pages = max((node.anchor.page for node in document.nodes), default=0)
        tables = sum(node.kind == "table" for node in document.nodes)
        with self.db:
            self._forget_nodes(document.version)
            self._insert_nodes(document.version, node_rows(document.nodes))
            self._insert_document(document, source, pages, tables)

    def begin_document(self, version: str) -> None:
        """Make ready to store the nodes of a document version a run after another; until `end_document` it is not stored."""
        with self.db:
            self._forget_nodes(version)
            begun = "INSERT INTO facts VALUES (?, '') ON CONFLICT DO NOTHING"
            self.db.execute(begun, (_HALF + version,))

    def put_nodes(self, version: str, rows: Iterable[NodeRow]) -> None:
        """Store a run of the nodes of a document version that was begun."""
        with self.db:
            self._insert_nodes(version, rows)

    def end_document(
        self, document: Document, source: str, pages: int, tables: int, files: Iterable[FileStatus]
    ) -> None:
        """Store what a document version is beside its nodes, which are all there now, and of which files it is."""
        with self.db:
            self._insert_document(document, source, pages, tables)
            self.db.execute("DELETE FROM facts WHERE name = ?", (_HALF + document.version,))
            self._insert_files(files)

    def cover(self, version: str, pages: int) -> list[tuple[str, bool]]:
        """The texts of the first pages of a document version, and of each whether it was read off a picture."""
        first = self.page_nodes(version, " AND page <= ?", pages)
        return [(node.text, bool(node.meta.get("seen"))) for node in first]

    def page_nodes(self, version: str, which: str = "", *values: Any) -> Iterator[Node]:
        """The pages of a document version as nodes, of those that `which` lets through, in reading order."""
        query = (
            f"SELECT {NODE} FROM nodes WHERE version = ? AND kind = 'page'{which} ORDER BY place"
        )
        return map(node_of, self.db.execute(query, (version, *values)))

    def _forget_nodes(self, version: str) -> None:
        self._pages.pop(version, None)
        for table in ("nodes", "pages"):
            self.db.execute(f"DELETE FROM {table} WHERE version = ?", (version,))

    def lost(self, version: str) -> list[tuple[str, int, str]]:
        """(its path, its number, what of it was not read) of the pages of a document version that were not read as a whole."""
        pages = self.page_nodes(version, " AND meta LIKE '%\"lost\"%'")
        told = [(node.anchor.path, node.anchor.page, node.meta.get("lost", "")) for node in pages]
        return [(path, page, lost) for path, page, lost in told if lost]

    def _insert_nodes(self, version: str, rows: Iterable[NodeRow]) -> None:
        every = []
        pages = self._pages.setdefault(version, {})
        for row in rows:
            made = node_sum(version, *row)
            every.append((version, *row[:5], made, *row[5:]))
            pages.setdefault(row[2], []).append((row[1], made))
        self.db.executemany("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", every)

    def _insert_document(self, document: Document, source: str, pages: int, tables: int) -> None:
        row = (
            document.version, source, document.id, document.title, document.series, document.date,
            document.language, dumps(dict(document.meta)), pages, tables,
        )  # fmt: skip
        self.db.execute("DELETE FROM documents WHERE version = ?", (document.version,))
        self._insert_row("documents", row)
        held = self._pages.pop(document.version, {})
        self.db.executemany(
            "INSERT INTO pages VALUES (?, ?, ?, ?, ?)",
            [(document.version, page, *page_sums(nodes)) for page, nodes in held.items()],
        )

    def _insert_row(self, table: str, row: tuple[Any, ...]) -> None:
        """Store a row with its checksum."""
        marks = ", ".join("?" * (len(row) + 1))
        self.db.execute(f"INSERT INTO {table} VALUES ({marks})", (*row, row_sum(*row)))

    def clear(self) -> None:
        """Remove the nodes of documents that were begun and not ended."""
        begun = "SELECT name FROM facts WHERE name LIKE ?"
        for (name,) in self.db.execute(begun, (f"{_HALF}%",)).fetchall():
            with self.db:
                self._forget_nodes(name.removeprefix(_HALF))
                self.db.execute("DELETE FROM facts WHERE name = ?", (name,))

    def put_file(self, file: FileStatus) -> None:
        """Store what became of one file."""
        with self.db:
            self._insert_files((file,))

    def _insert_files(self, files: Iterable[FileStatus]) -> None:
        for file in files:
            stored = "SELECT meta FROM files WHERE path = ?"
            before = self.db.execute(stored, (file.path,)).fetchone()
            # what somebody edited stays whatever becomes of a file
            meta = {**(edits(texts_of(before[0])) if before else {}), **file.meta}
            row = (
                file.path, file.document, file.sha, file.size, file.changed, file.version, file.status, file.reason,
                dumps(meta),
            )  # fmt: skip
            self._drop_file(file.path)
            self._insert_row("files", row)
            self._count_files(1, row_sum(*row))

    def forget_files(self, paths: Iterable[str]) -> None:
        """Forget files; their documents leave with the next generation."""
        with self.db:
            for path in paths:
                self._drop_file(path)

    def _drop_file(self, path: str) -> None:
        dropped = "DELETE FROM files WHERE path = ? RETURNING sum"
        for (given,) in self.db.execute(dropped, (path,)).fetchall():
            self._count_files(-1, -given)

    def _count_files(self, more: int, given: int) -> None:
        (said,) = self.db.execute("SELECT value FROM facts WHERE name = 'files'").fetchone()
        count, total = map(int, said.split())
        now = f"{count + more} {total + given}"
        self.db.execute("UPDATE facts SET value = ? WHERE name = 'files'", (now,))

    def known_vectors(self, hashes: Sequence[str], encoder: str) -> dict[str, bytes]:
        """The stored vectors of these texts; one that is not as it was stored counts as none."""
        found: dict[str, bytes] = {}
        for start in range(0, len(hashes), 500):
            some = list(hashes[start : start + 500])
            marks = ",".join("?" * len(some))
            query = f"SELECT text_hash, vector, sum FROM vectors WHERE encoder = ? AND text_hash IN ({marks})"
            for text, vector, given in self.db.execute(query, [encoder, *some]):
                if vector_sum(text, encoder, vector) == given:
                    found[text] = vector
        return found

    def put_vectors(
        self, hashes: Sequence[str], encoder: str, vectors: NDArray[np.float32]
    ) -> None:
        """Store vectors by the hash of their text and the encoder's name and revision."""
        rows = []
        for text, vector in zip(hashes, vectors, strict=True):
            stored = vector.astype("<f2").tobytes()
            rows.append((text, encoder, stored, vector_sum(text, encoder, stored)))
        with self.db:
            self.db.executemany(
                "INSERT INTO vectors VALUES (?, ?, ?, ?) ON CONFLICT (text_hash, encoder) "
                "DO UPDATE SET vector = excluded.vector, sum = excluded.sum",
                rows,
            )

    def publish(
        self,
        documents: Sequence[tuple[str, str]],
        shelves: Mapping[str, str],
        series: Sequence[Series] = (),
    ) -> Generation:
        """Publish a generation in one transaction; older ones than the last two are swept away."""
        keep_files(self.folder, [FOLDER, *(f"shelves/{name}" for name in shelves.values())])
        number = newest(self.db).number + 1
        published = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        content = {
            "documents": list(map(list, documents)),
            "shelves": dict(shelves),
            "series": list(map(series_to, series)),
        }
        with self.db:
            self._insert_row("generations", (number, published, dumps(content)))
            self.db.execute("UPDATE facts SET value = ? WHERE name = 'generation'", (str(number),))
            old = number - KEPT_GENERATIONS
            self.db.execute("DELETE FROM generations WHERE number <= ?", (old,))
        return newest(self.db)

    def sweep(self) -> None:
        """Remove what no kept generation and no known file needs: index folders, document versions, source copies."""
        kept = [generation_of(row) for row in self.db.execute("SELECT * FROM generations")]
        folders = {folder for generation in kept for folder in generation.shelves.values()}
        for folder in (self.folder / "shelves").iterdir():
            if folder.name not in folders:
                _remove_folder(folder)
        forget_files(self.folder, "shelves", folders)
        needed = {version for generation in kept for _, version in generation.documents}
        needed |= {row[0] for row in self.db.execute("SELECT version FROM files")}
        gone = [(version,) for version in self.versions() - needed]
        with self.db:
            for table in ("documents", "nodes", "pages", "covers"):
                self.db.executemany(f"DELETE FROM {table} WHERE version = ?", gone)
        shas = {row[0] for row in self.db.execute("SELECT source FROM documents")}
        for path in (self.folder / "sources").iterdir():
            if path.name.split(".")[0] not in shas:
                path.unlink(missing_ok=True)
        forget_sources(self.folder, shas)


def _remove_folder(folder: Path) -> None:
    """Remove a folder, under another name first: what a kill leaves of it must not be taken for an index that is there."""
    half = folder.with_suffix(".half")
    if folder != half:
        shutil.rmtree(half, ignore_errors=True)
        with suppress(OSError):
            folder.rename(half)
    shutil.rmtree(half, ignore_errors=True)


@contextmanager
def writing(folder: Path | str, wait: float = 0.0) -> Iterator[Writer]:
    """Open (or make) a corpus for writing; raises CorpusBusy while another process writes it, after `wait` seconds."""
    from filelock import FileLock, Timeout

    folder = corpus_folder(folder)
    try:
        (folder / "shelves").mkdir(parents=True, exist_ok=True)
        (folder / "sources").mkdir(exist_ok=True)
    except OSError as error:
        raise _why_unwritable(folder, error) from error
    lock = FileLock(folder / "lock")
    try:
        lock.acquire(timeout=wait)
    except Timeout as error:
        raise CorpusBusy(
            f"another process is indexing the corpus {shown(folder)}; readers are not affected. Try again when it is done."
        ) from error
    except OSError as error:  # after Timeout, which is one
        raise _why_unwritable(folder, error) from error
    try:
        if address := address_of(folder):
            from pincite.corpus.served_schema import only_writer

            db: KeptTables = only_writer(address, wait)
        else:
            db = connect(folder, create=True)
        try:
            writer = Writer(folder, db)
            writer.clear()
            fetch_files(folder, FOLDER, changing=True)
            yield writer
        except (OSError, sqlite3.OperationalError) as error:
            if is_of_disk(error):
                raise stopped(folder, error) from error
            raise
        finally:
            db.close()
    finally:
        lock.release()


def renew(folder: Path) -> None:
    """Bring a corpus of the format before this one, in a folder, up to this; any other stays as it is."""
    if is_before(folder):
        with writing(folder):
            pass


def _why_unwritable(folder: Path, error: OSError) -> CorpusError:
    return CorpusError(
        f"cannot write a corpus at {folder}: {error.strerror or error}. Give a folder you can write to; "
        "asking a corpus needs no write permission."
    )
