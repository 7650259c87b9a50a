"""A corpus as one file: a zip of its database, its descriptions, its sources and its newest generation's indexes.

Of databases it brings their cards, rows and value indexes, of files of tables all that they hold.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from pathlib import Path

from pincite.corpus import Corpus
from pincite.database.holdings import FOLDER
from pincite.errors import CorpusError, SourceError, UsageError
from pincite.ingest.contained_files import clean_name
from pincite.storage import address_of
from pincite.storage.disk import whole, write
from pincite.storage.kept_tables import connect_copy
from pincite.types import Where

DATABASE = "corpus.sqlite"
TOLD = "told.sqlite"
SAID = ("reviews.sqlite", "grids.sqlite")
"""What people said of answers, and the grids that were filled."""


def pack(corpus: Path, out: Path) -> int:
    """Write the corpus to `out`, whole or not at all; returns its size in bytes. A writer at work is not disturbed."""
    if address_of(corpus):
        from pincite.workbench.corpus_move import as_folder

        with tempfile.TemporaryDirectory() as folder:
            as_folder(corpus, Path(folder))
            return pack(Path(folder), out)
    opened = Corpus(corpus)
    with (
        whole(out) as half,
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for name in (DATABASE, TOLD, *SAID):
            if (corpus / name).exists():
                archive.write(_snapshot(corpus / name, Path(folder) / name), name)
        if opened.databases:
            for path in sorted((corpus / FOLDER).glob("*.sqlite")):
                archive.write(_snapshot(path, Path(folder) / path.name), f"{FOLDER}/{path.name}")
        kept = [corpus / "shelves" / name for name in opened.generation.shelves.values()]
        for folder_kept in (*kept, corpus / "sources"):
            for path in sorted(folder_kept.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(corpus).as_posix())
        if (corpus / "answers.sqlite").exists():
            archive.write(corpus / "answers.sqlite", "answers.sqlite")
    return out.stat().st_size


def _snapshot(database: Path, out: Path) -> Path:
    """A copy of a database as it stands now, with what only its log holds yet."""
    with closing(connect_copy(database)) as source, closing(sqlite3.connect(out)) as copy:
        source.backup(copy)
    return out


def write_docling(corpus: Corpus, out: Path, where: Where = ()) -> list[tuple[str, Path]]:
    """Write the documents that `where` lets through as NAME.docling.json below the folder `out`; returns ids and files. Relations
    of databases are left out. Raises UsageError when nothing is left.
    """
    from pincite.ingest.docling.doclingout import to_docling
    from pincite.ingest.document_parser import sizes_of

    written = []
    for document in corpus.select(where) if where else corpus.documents:
        if document.relation:
            continue
        try:
            sizes = sizes_of(corpus.source(document.source))
        except (CorpusError, SourceError):
            # its boxes are from the top left, so that they hold without
            sizes = {}
        path = out / f"{clean_name(document.id)}.docling.json"
        made = to_docling(corpus.document(document.version), sizes)
        write(path, json.dumps(made, ensure_ascii=False))
        written.append((document.id, path))
    if not written:
        raise UsageError("no document to write: relations of databases have no DoclingDocument")
    return written
