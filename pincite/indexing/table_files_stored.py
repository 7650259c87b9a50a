"""Files of tables below indexed folders to stored documents: one database a folder, read again when a file has changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from pincite.corpus import FileStatus, Writer, read_node
from pincite.database.holdings import FOLDER, RELATION, card_id
from pincite.database.sources.database_address import TABLES, parse
from pincite.errors import PinciteError
from pincite.indexing.changed_files import FoundFile
from pincite.indexing.database_sources import imported, opened
from pincite.indexing.progress import IndexingProgress
from pincite.indexing.stored_relations import sync
from pincite.indexing.wanted import Synced, Wanted, tables_alone


def sync_files(
    writer: Writer,
    sheets: Sequence[FoundFile],
    left: Sequence[str],
    paths: Sequence[Path | str],
    row_limit: int,
    progress: IndexingProgress,
) -> list[Synced]:
    """Store what changed of files of tables: those below a folder are one database. `left` are files that are gone.

    Of files that are no documents too, the status says which cannot be read. Where none can be, what was stored before stays.
    """
    made: list[Synced] = []
    known = writer.files()
    for address, files in _groups(sheets, paths).items():
        relations = [one for path, one in known.items() if path.startswith(f"{address}#")]
        if not files:
            writer.forget_files(relation.path for relation in relations)
            continue
        wanted = Wanted(address, _name(address, known.values()), only=tuple(file.path for file in files))
        problems: dict[Path, str] = {}
        try:
            file = imported(writer.folder / FOLDER, parse(address), wanted.only)
            if relations and _card(writer.db, relations[0])["database"]["file"] == f"{FOLDER}/{file.name}":
                parts = [(relation.document.split("/", 1), relation.size) for relation in relations]
                made += [Synced(name, relation, rows) for (name, relation), rows in parts]
                continue
            with opened(writer.folder, [wanted], row_limit) as (source,):
                made += sync(writer, source, row_limit, progress)
                said = source.database.meta.get("unreadable", "").splitlines()
                problems = {file.path: line for file in files for line in said if str(file.path) in line}
        except PinciteError as error:
            problems = {file.path: str(error) for file in files}
            if any(address in Path(path).parents and Path(path).suffix.casefold() in TABLES for path in left):
                writer.forget_files(relation.path for relation in relations)
        for found in filter(tables_alone, files):
            reason = problems.get(found.path, "")
            status, path = "unreadable" if reason else "ok", str(found.path)
            writer.put_file(
                FileStatus(path, found.document, "", found.size, found.changed, "", status, reason, found.meta)
            )
    return made


def _card(db: sqlite3.Connection, one: FileStatus) -> Any:
    """What the card of a stored relation holds."""
    return read_node(db, one.version, card_id(one.document)).meta


def _name(path: Path, known: Iterable[FileStatus]) -> str:
    """What to call the tables of a file or folder: its name, with its folder's where the corpus holds another of that name."""
    taken = any(
        file.version.startswith(RELATION)
        and file.document.startswith(f"{path.stem}/")
        and not file.path.startswith(f"{path}#")
        for file in known
    )
    return f"{path.parent.name} {path.stem}" if taken else path.stem


def _groups(sheets: Sequence[FoundFile], paths: Sequence[Path | str]) -> dict[Path, list[FoundFile]]:
    """The files of tables of each path that was given, each file once."""
    groups: dict[Path, list[FoundFile]] = {}
    left = list(sheets)
    for given in (Path(path).resolve() for path in paths):
        mine = [file for file in left if file.path == given or given in file.path.parents]
        left = [file for file in left if file not in mine]
        if mine or given.is_dir():
            groups[given] = mine
    return groups
