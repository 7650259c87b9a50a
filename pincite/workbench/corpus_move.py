"""A corpus moved from PostgreSQL to a folder, and from a folder to PostgreSQL: the same ids, the same answers."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from pincite.corpus import Corpus, writing
from pincite.corpus.schema import SCHEMA
from pincite.database.holdings import FOLDER
from pincite.errors import UsageError
from pincite.records import answer_store
from pincite.records.review import review_log
from pincite.search.index import told_texts
from pincite.search.index.shelf import shelf_folder
from pincite.storage import address_of, is_kept, shown
from pincite.storage.common_sql import tables_of
from pincite.storage.copying import copy_in, copy_out
from pincite.storage.file_copies import fetch_files, keep_files
from pincite.storage.kept_tables import connect_copy
from pincite.storage.postgres import PostgresTables, make
from pincite.storage.sources import keep_source
from pincite.workbench.grid import grid_state

BESIDE: Mapping[str, str] = {
    told_texts.FILE: told_texts.SCHEMA, review_log.FILE: review_log.SCHEMA, grid_state.FILE: grid_state.SCHEMA,
    answer_store.FILE: answer_store.SCHEMA,
}  # fmt: skip
"""The files beside a corpus that go with it, and what they hold. Chats and costs stay where they were had."""
_CORPUS = "corpus.sqlite"
_OWN_FACTS = ("steps", "writer")
"""Facts that a schema in PostgreSQL alone has."""


def as_folder(cache: Path, out: Path) -> None:
    """Copy a corpus in PostgreSQL, all as it is at one moment, to the empty folder `out`."""
    Corpus(cache).close()  # says so when there is none
    address = address_of(cache)
    assert address is not None
    with closing(PostgresTables(address)) as made, made.snapshot() as tables:
        for name, schema in {_CORPUS: SCHEMA, **BESIDE}.items():
            if name == _CORPUS or all(is_kept(cache, name, table) for table in tables_of(schema)):
                with closing(sqlite3.connect(out / name)) as target:
                    copy_out(tables, target, schema)
    with closing(sqlite3.connect(out / _CORPUS)) as target, target:
        target.executemany("DELETE FROM facts WHERE name = ?", [(name,) for name in _OWN_FACTS])
    _copy_files(cache, out)


def _copy_files(cache: Path, out: Path) -> None:
    """Copy the indexes, sources and files of databases of the copied corpus `out` from where they are kept."""
    with closing(Corpus(out)) as corpus:
        (out / "sources").mkdir()
        for name in corpus.generation.shelves.values():
            shutil.copytree(shelf_folder(cache, name), out / "shelves" / name)
        with closing(Corpus(cache)) as kept:
            for document in corpus.documents:
                if not document.relation:
                    shutil.copy(kept.source(document.source), out / "sources")
        if corpus.relations:
            fetch_files(cache, FOLDER, changing=True)
            shutil.copytree(cache / FOLDER, out / FOLDER)


def into_postgres(folder: Path, cache: Path) -> None:
    """Copy a corpus in a folder into PostgreSQL, all in one transaction. UsageError when there is one already."""
    with writing(cache) as writer:
        if writer.versions() or writer.files():
            raise UsageError(
                f"there is a corpus at {shown(cache)} already: import into another, named by corpus=NAME in the address"
            )
        _keep_all_files(folder, cache)
        tables = writer.db
        assert isinstance(tables, PostgresTables)
        for schema in BESIDE.values():
            make(tables, schema)
        own = dict(tables.execute("SELECT name, value FROM facts"))
        with tables:
            for name, schema in {_CORPUS: SCHEMA, **BESIDE}.items():
                if (folder / name).is_file():
                    with closing(connect_copy(folder / name)) as source:
                        copy_in(source, tables, schema)
            facts = [(name, own[name]) for name in _OWN_FACTS]
            tables.executemany("INSERT INTO facts VALUES (?, ?)", facts)


def _keep_all_files(folder: Path, cache: Path) -> None:
    """Keep the indexes, sources and files of databases of a folder in PostgreSQL: nothing refers to them yet."""
    for path in sorted((folder / "sources").iterdir()):
        shutil.copy(path, cache / "sources")
        keep_source(cache, cache / "sources" / path.name)
    names = []
    for kind in ("shelves", FOLDER):
        for path in sorted((folder / kind).iterdir()) if (folder / kind).is_dir() else ():
            names.append(f"{kind}/{path.name}")
            to = cache / names[-1]
            to.parent.mkdir(exist_ok=True)
            if path.is_dir() and not to.exists():
                shutil.copytree(path, to)
            elif path.is_file():
                shutil.copy(path, to)
    keep_files(cache, [name for name in names if name.startswith("shelves/")] + [FOLDER])
