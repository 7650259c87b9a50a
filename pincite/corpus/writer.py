"""A corpus opened for writing by one process, in small transactions: the resume point of a run that is killed."""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.stored import FileStatus, Generation, connect, files_of, generation_of, is_of_disk, newest, stopped
from pincite.encoding import NodeRow, dumps, node_rows
from pincite.errors import CorpusBusy, CorpusError
from pincite.types import Document
from pincite.versions.series import Series, series_to

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT_GENERATIONS = 2  # a reader that opened just before a publication still finds its folders
_HALF = "begun "  # the facts that name document versions whose nodes are not all there


class Writer:
    """A corpus opened for writing by the one process that holds its lock; made by `writing`."""

    def __init__(self, folder: Path, db: sqlite3.Connection) -> None:
        self.folder = folder
        self.db = db

    def files(self) -> dict[str, FileStatus]:
        """The status of every known file by path."""
        return {one.path: one for one in files_of(self.db)}

    def versions(self) -> set[str]:
        """The document versions whose nodes are stored."""
        return {row[0] for row in self.db.execute("SELECT version FROM documents")}

    def put_document(self, document: Document, source: str) -> None:
        """Store a document version with all its nodes."""
        pages = max((node.anchor.page for node in document.nodes), default=0)
        tables = sum(node.kind == "table" for node in document.nodes)
        with self.db:
            self.db.execute("DELETE FROM nodes WHERE version = ?", (document.version,))
            self._nodes(document.version, node_rows(document.nodes))
            self._document(document, source, pages, tables)

    def begin_document(self, version: str) -> None:
        """Make ready to store the nodes of a document version a run after another; until `end_document` it is not stored."""
        with self.db:
            self.db.execute("DELETE FROM nodes WHERE version = ?", (version,))
            self.db.execute("INSERT OR REPLACE INTO facts VALUES (?, '')", (_HALF + version,))

    def put_nodes(self, version: str, rows: Iterable[NodeRow]) -> None:
        """Store a run of the nodes of a document version that was begun."""
        with self.db:
            self._nodes(version, rows)

    def end_document(
        self, document: Document, source: str, pages: int, tables: int, files: Iterable[FileStatus]
    ) -> None:
        """Store what a document version is beside its nodes, which are all there now, and of which files it is."""
        with self.db:
            self._document(document, source, pages, tables)
            self.db.execute("DELETE FROM facts WHERE name = ?", (_HALF + document.version,))
            self._files(files)

    def cover(self, version: str, pages: int) -> list[tuple[str, bool]]:
        """The texts of the first pages of a document version, and of each whether it was read off a picture."""
        rows = self.db.execute(
            "SELECT text, meta FROM nodes WHERE version = ? AND page <= ? AND kind = 'page' ORDER BY place",
            (version, pages),
        )
        return [(text, bool(json.loads(meta).get("seen"))) for text, meta in rows]

    def lost(self, version: str) -> list[tuple[str, int, str]]:
        """(its path, its number, what of it was not read) of the pages of a document version that were not read as a whole."""
        rows = self.db.execute(
            "SELECT anchor, page, meta FROM nodes WHERE version = ? AND kind = 'page' AND meta LIKE '%\"lost\"%' ORDER BY place",
            (version,),
        )
        held = [(json.loads(anchor).get("path", ""), page, json.loads(meta).get("lost")) for anchor, page, meta in rows]
        return [(path, page, lost) for path, page, lost in held if lost]

    def _nodes(self, version: str, rows: Iterable[NodeRow]) -> None:
        every = ((version, *row) for row in rows)
        self.db.executemany("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", every)

    def _document(self, document: Document, source: str, pages: int, tables: int) -> None:
        self.db.execute(
            "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                document.version, source, document.id, document.title, document.series, document.date,
                document.language, dumps(dict(document.meta)), pages, tables,
            ),
        )  # fmt: skip

    def clear(self) -> None:
        """Remove the nodes of documents that were begun and not ended."""
        for (name,) in self.db.execute("SELECT name FROM facts WHERE name LIKE ?", (f"{_HALF}%",)).fetchall():
            with self.db:
                self.db.execute("DELETE FROM nodes WHERE version = ?", (name.removeprefix(_HALF),))
                self.db.execute("DELETE FROM facts WHERE name = ?", (name,))

    def put_file(self, one: FileStatus) -> None:
        """Store what became of one file."""
        with self.db:
            self._files((one,))

    def _files(self, files: Iterable[FileStatus]) -> None:
        rows = (
            (one.path, one.document, one.sha, one.size, one.changed, one.version, one.status, one.reason,
             dumps(dict(one.meta)))
            for one in files
        )  # fmt: skip
        self.db.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)

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

    def publish(
        self, documents: Sequence[tuple[str, str]], shelves: Mapping[str, str], series: Sequence[Series] = ()
    ) -> Generation:
        """Publish a generation in one transaction; older ones than the last two are swept away."""
        number = newest(self.db).number + 1
        published = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        held = [list(pair) for pair in documents]
        content = {"documents": held, "shelves": dict(shelves), "series": [series_to(one) for one in series]}
        with self.db:
            self.db.execute("INSERT INTO generations VALUES (?, ?, ?)", (number, published, dumps(content)))
            self.db.execute("DELETE FROM generations WHERE number <= ?", (number - KEPT_GENERATIONS,))
        return newest(self.db)

    def sweep(self) -> None:
        """Remove what no kept generation and no known file needs: index folders, document versions, source copies."""
        kept = [generation_of(row) for row in self.db.execute("SELECT number, published, content FROM generations")]
        folders = {folder for one in kept for folder in one.shelves.values()}
        for folder in (self.folder / "shelves").iterdir():
            if folder.name not in folders:
                _remove(folder)
        versions = {version for one in kept for _, version in one.documents}
        versions |= {row[0] for row in self.db.execute("SELECT version FROM files")}
        gone = [(one,) for one in self.versions() - versions]
        with self.db:
            self.db.executemany("DELETE FROM documents WHERE version = ?", gone)
            self.db.executemany("DELETE FROM nodes WHERE version = ?", gone)
            self.db.executemany("DELETE FROM covers WHERE version = ?", gone)
        shas = {row[0] for row in self.db.execute("SELECT source FROM documents")}
        for path in (self.folder / "sources").iterdir():
            if path.name.split(".")[0] not in shas:
                path.unlink(missing_ok=True)


def _remove(folder: Path) -> None:
    """Remove a folder, under another name first: what a kill leaves of it must not be taken for an index that is there."""
    half = folder.with_suffix(".half")
    if folder != half:
        shutil.rmtree(half, ignore_errors=True)
        with suppress(OSError):
            folder.rename(half)
    shutil.rmtree(half, ignore_errors=True)


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
        db = connect(folder, create=True)
        try:
            writer = Writer(folder, db)
            writer.clear()
            yield writer
        except (OSError, sqlite3.OperationalError) as error:
            if is_of_disk(error):
                raise stopped(folder, error) from error
            raise
        finally:
            db.close()
    finally:
        lock.release()


def _unwritable(folder: Path, error: OSError) -> CorpusError:
    return CorpusError(
        f"cannot write a corpus at {folder}: {error.strerror or error}. Give a folder you can write to; "
        "asking a corpus needs no right to write."
    )
