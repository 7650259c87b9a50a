"""Files of tables below indexed folders to stored documents: one database a folder, read again when a file has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.corpus import FileStatus, Writer, read_node
from pincite.database.holdings import FOLDER, RELATION, card_id
from pincite.database.sources.database_address import TABLES, parse
from pincite.database.sources.table_files import files_of_relations
from pincite.errors import PinciteError
from pincite.indexing.changed_files import status_of
from pincite.indexing.found_file import FoundFile, is_tables_alone
from pincite.indexing.opened_databases import imported, opened
from pincite.indexing.stored_relations import sync
from pincite.indexing.wanted_databases import Synced, Wanted
from pincite.indexing.workforce import IndexingProgress
from pincite.storage import KeptTables


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
    for address, files in _files_by_path(sheets, paths).items():
        relations = [file for path, file in known.items() if path.startswith(f"{address}#")]
        gone = not files
        if files:
            only = tuple(file.path for file in files)
            wanted = Wanted(address, _database_name(address, known.values()), only=only)
            try:
                made += _sync_group(writer, wanted, files, relations, row_limit, progress)
            except PinciteError as error:
                _report_files(writer, files, dict.fromkeys(only, str(error)))
                tables = (path for path in map(Path, left) if path.suffix.casefold() in TABLES)
                gone = any(address in path.parents for path in tables)
        if gone:
            writer.forget_files(relation.path for relation in relations)
    return made


def _sync_group(
    writer: Writer,
    wanted: Wanted,
    files: Sequence[FoundFile],
    relations: Sequence[FileStatus],
    row_limit: int,
    progress: IndexingProgress,
) -> list[Synced]:
    """Store what changed of the files of one database; `relations` are those stored before."""
    file = imported(writer.folder / FOLDER, parse(wanted.address), wanted.only)
    if (
        relations
        and _stored_card(writer.db, relations[0])["database"]["file"] == f"{FOLDER}/{file.name}"
    ):
        named = ((known.document.partition("/"), known.size) for known in relations)
        return [Synced(database, table, rows) for (database, _, table), rows in named]
    with opened(writer.folder, [wanted], row_limit) as (source,):
        made = sync(writer, source, row_limit, progress)
        said = source.database.meta.get("unreadable", "").splitlines()
    problems = {path: line for path in wanted.only for line in said if str(path) in line}
    _report_files(writer, files, problems)
    return made


def describe_tables(writer: Writer) -> None:
    """Give the relations of files of tables the metadata of the files that they were read from."""
    known = writer.files()
    read_from: dict[str, Mapping[str, str]] = {}
    for relation in known.values():
        if not relation.version.startswith(RELATION):
            continue
        file = _stored_card(writer.db, relation)["database"].get("file", "")
        if file and file not in read_from:
            read_from[file] = files_of_relations(writer.folder / file)
        name = relation.document.partition("/")[2]
        source = known.get(read_from.get(file, {}).get(name, ""))
        meta = dict(source.meta) if source is not None else {}
        if dict(relation.meta) != meta:
            writer.put_file(replace(relation, meta=meta))


def _report_files(
    writer: Writer, files: Sequence[FoundFile], problems: Mapping[Path, str]
) -> None:
    """Store what became of the files that are no documents too."""
    for file in filter(is_tables_alone, files):
        problem = problems.get(file.path, "")
        status = "unreadable" if problem else "ok"
        writer.put_file(status_of(file, status=status, reason=problem))


def _stored_card(db: KeptTables, relation: FileStatus) -> Any:
    """What the card of a stored relation holds."""
    return read_node(db, relation.version, card_id(relation.document)).meta


def _database_name(path: Path, known: Iterable[FileStatus]) -> str:
    """What to call the tables of a file or folder: its name, with its folder's where the corpus holds another of that name."""
    others = (file for file in known if not file.path.startswith(f"{path}#"))
    taken = any(
        file.version.startswith(RELATION) and file.document.startswith(f"{path.stem}/")
        for file in others
    )
    return f"{path.parent.name} {path.stem}" if taken else path.stem


def _files_by_path(
    sheets: Sequence[FoundFile], paths: Sequence[Path | str]
) -> dict[Path, list[FoundFile]]:
    """The files of tables of each path that was given, each file once."""
    groups: dict[Path, list[FoundFile]] = {}
    left = list(sheets)
    for given in (Path(path).resolve() for path in paths):
        mine = [file for file in left if file.path == given or given in file.path.parents]
        left = [file for file in left if file not in mine]
        if mine or given.is_dir():
            groups[given] = mine
    return groups
