"""Databases and files of tables to stored documents, one a relation: only changes are written.

Relations of up to `row_limit` rows have a node for every row; larger ones are reached by statement and through the value index,
and only their card is a node. What a stopped run has already written is not written again.
"""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import sqlalchemy as sa

from pincite.corpus import Corpus, FileStatus, Writer, read_node
from pincite.corpus.corpus_store import FILENAME, connect
from pincite.database.holdings import (
    FOLDER,
    RELATION,
    card_id,
    names_file,
    prints_file,
    values_file,
)
from pincite.database.relations.column_profile import CATEGORIES
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.relation_card import text
from pincite.database.relations.relation_rows import IndexedRow, document_of, rows_of
from pincite.database.relations.row_fingerprints import (
    Prints,
    RowChanges,
    difference,
    load,
    prints,
)
from pincite.database.relations.value_index import Values, counted, named, open_values
from pincite.database.sources.connection import OpenDatabase, unreadable
from pincite.database.sources.database_address import parse
from pincite.errors import UsageError
from pincite.formats.encoding import dumps
from pincite.indexing.opened_databases import DRIFTED, holds, opened
from pincite.indexing.wanted_databases import Synced, Wanted
from pincite.indexing.workforce import IndexingProgress
from pincite.storage import KeptTables, is_kept
from pincite.types import Document

_Tick = Callable[[float], None]
Shifts = Mapping[str, Mapping[int, int]]


def planned(corpus: Path, wanted: Sequence[Wanted], row_limit: int) -> list[Synced]:
    """What `sync` would do; nothing is written."""
    made = []
    exists = is_kept(corpus, FILENAME, "facts")
    files = {file.path: file for file in Corpus(corpus).files()} if exists else {}
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(corpus, wanted, row_limit, Path(folder)) as sources,
        closing(connect(corpus, create=False) if exists else sqlite3.connect(":memory:")) as db,
    ):
        for source in sources:
            check_name(files.values(), source.database)
            path = corpus / values_file(source.database.name)
            values = open_values(path) if path.is_file() else None
            for relation in source.database.relations:
                known = files.get(path_of(source.database, relation))
                old = _stored_rows(db, known.version) if known else {}
                with _driver_errors_explained(source):
                    made.append(state_of(source, relation, row_limit, old, values, corpus).synced)
    return made


def sync(
    writer: Writer, source: OpenDatabase, row_limit: int, progress: IndexingProgress
) -> list[Synced]:
    """Store what changed of a source; relations that it no longer has leave with the next generation.

    Raises DatabaseError when it stops answering: what was stored until then stays for the next run.
    """
    database = source.database
    check_name(writer.files().values(), database)
    (writer.folder / FOLDER).mkdir(exist_ok=True)
    total, done, made = sum(relation.rows for relation in database.relations), 0, []
    with (
        closing(_open_value_index(writer.folder / values_file(database.name))) as values,
        _driver_errors_explained(source),
    ):
        for relation in database.relations:

            def tick(share: float, relation: Relation = relation, done: int = done) -> None:
                progress("rows", done + share * relation.rows, total, relation.name)

            tick(0)
            known = writer.files().get(path_of(database, relation))
            old = _stored_rows(writer.db, known.version if known else "")
            now = state_of(source, relation, row_limit, old, values, writer.folder)
            tick(0.3)
            _Store(writer, source, values).put(relation, now, known, tick)
            made.append(now.synced)
            done += relation.rows
    progress("rows", total, total)
    here = {path_of(database, relation) for relation in database.relations}
    own = (path for path, file in writer.files().items() if _is_of(file, database))
    writer.forget_files(path for path in own if path not in here)
    return made


def _open_value_index(path: Path) -> Values:
    """The value index to write; one that is damaged is made anew."""
    try:
        return open_values(path, write=True)
    except sqlite3.DatabaseError:
        for leftover in path.parent.glob(f"{path.name}*"):
            leftover.unlink()
        return open_values(path, write=True)


@contextmanager
def _driver_errors_explained(source: OpenDatabase) -> Iterator[None]:
    """Turn what a driver raises into an error that says what to do, without a password."""
    try:
        yield
    except Exception as error:
        if isinstance(error, sa.exc.DBAPIError):
            said = error
        elif type(error).__module__.startswith("psycopg"):  # the driver is spoken to directly
            said = sa.exc.DBAPIError("", None, error)
        else:
            raise
        raise unreadable(said, parse(source.database.address, source.database.name)) from None


@dataclass(frozen=True, slots=True)
class RelationState:
    """What has become of a relation: its rows where each is a node, for a large one its fingerprints and those before."""

    synced: Synced
    rows: tuple[IndexedRow, ...] = ()
    prints: Prints | None = None
    change: RowChanges | None = None


def state_of(
    source: OpenDatabase,
    relation: Relation,
    row_limit: int,
    old: Mapping[str, str],
    values: Values | None,
    corpus: Path,
) -> RelationState:
    """What has become of a relation; nothing is written. `old` are the stored meta of its rows by id."""
    name, guessed = source.database.name, sum(column.guessed for column in relation.columns)
    if relation.rows <= row_limit:
        rows = tuple(rows_of(source, relation))
        now = {row.id: dumps({"values": list(row.values)}) for row in rows}
        new = len(now.keys() - old.keys())
        changed = sum(old[row] != held for row, held in now.items() if row in old)
        deleted = len(old.keys() - now.keys())
        synced = Synced(name, relation.name, len(rows), new, changed, deleted, True, guessed)
        return RelationState(synced, rows)
    token = values.noted(relation.name) if values is not None else ""
    path = corpus / prints_file(name, relation.name, token)
    made = prints(source.engine, relation)
    change = difference(load(path) if token and path.is_file() else None, made)
    counts = relation.rows, change.new, change.changed, change.deleted
    synced = Synced(name, relation.name, *counts, nodes=False, guessed=guessed)
    return RelationState(synced, prints=made, change=change)


@dataclass(frozen=True, slots=True)
class _Store:
    """Where the relations of a source are stored: the corpus and the value index."""

    writer: Writer
    source: OpenDatabase
    values: Values

    def put(
        self, relation: Relation, now: RelationState, known: FileStatus | None, tick: _Tick
    ) -> None:
        """Store one relation. The file's status is written last: without it the next run does all of this again."""
        values, named_columns = self.values, named(relation)
        complete = {(relation.name, column.name) for column in named_columns} <= values.places()
        kept = holds(values, relation)
        if known is not None and complete and now.synced.unchanged:
            if known.version == self._document_with_values(relation, now, kept).version:
                return
        shifts = now.change.names if complete and now.change is not None else {}
        with values.changing():
            for at, column in enumerate(named_columns):
                tick(0.3 + 0.7 * at / len(named_columns))
                self._count_values(relation, column, shifts)
            self._note_drift(relation, now, kept)
            values.settle()
        document = self._document_with_values(relation, now, kept)
        if document.version not in self.writer.versions():
            self.writer.put_document(document, document.nodes[0].anchor.source)
        path = path_of(self.source.database, relation)
        facts = document.id, "", relation.rows, 0, document.version
        self.writer.put_file(FileStatus(path, *facts))

    def _count_values(self, relation: Relation, column: Column, shifts: Shifts) -> None:
        """Bring the value index up to date: where fingerprints tell what has changed, with no more than that."""
        place, engine = (relation.name, column.name), self.source.engine
        if column.name not in shifts:
            self.values.hold(*place, counted(engine, relation, column))
        elif unknown := self.values.shift(*place, shifts[column.name]):
            self.values.add(*place, counted(engine, relation, column, set(unknown)))

    def _note_drift(self, relation: Relation, now: RelationState, kept: bool) -> None:
        """Keep the fingerprints of a large relation, and how many rows have changed since the profile that is `kept`."""
        token, drift = "", ""
        if now.prints is not None:
            token = os.urandom(8).hex()
            place = prints_file(now.synced.database, relation.name, token)
            now.prints.save(self.writer.folder / place)
            moved = now.synced.new + now.synced.changed + now.synced.deleted
            drift = str(moved + int(self.values.noted(DRIFTED + relation.name)) if kept else 0)
        self.values.note(relation.name, token)
        self.values.note(DRIFTED + relation.name, drift)

    def _document_with_values(
        self, relation: Relation, now: RelationState, kept: bool
    ) -> Document:
        """A relation as a document; the values of one whose profile was `kept` are those of the value index."""
        if kept:
            columns = []
            for column in relation.columns:
                if column.type == "text":
                    distinct, few = self.values.summary(relation.name, column.name, CATEGORIES)
                    column = replace(column, distinct=distinct, values=few)
                columns.append(column)
            relation = replace(relation, columns=tuple(columns))
        return document_of(self.source.database, relation, text(relation), now.rows)


def _stored_rows(db: KeptTables, version: str) -> dict[str, str]:
    query = "SELECT id, meta FROM nodes WHERE version = ? AND kind = 'row'"
    return dict(db.execute(query, (version,)))


def check_name(files: Iterable[FileStatus], database: Database) -> None:
    """UsageError when the corpus holds another database under this name."""
    for file in files:
        called = file.document.startswith(f"{database.name}/")
        if called and file.version.startswith(RELATION) and not _is_of(file, database):
            raise UsageError(
                f"the corpus already holds a database {database.name}, at {file.path.rpartition('#')[0]}: give this one another "
                "--name, or remove that one first with `pincite remove`"
            )


def path_of(database: Database, relation: Relation) -> str:
    """What a relation is called among the files of a corpus."""
    return f"{database.address}#{relation.name}"


def _is_of(file: FileStatus, database: Database) -> bool:
    return file.version.startswith(RELATION) and file.path.startswith(f"{database.address}#")


def sweep(writer: Writer) -> None:
    """Remove what was derived from databases and files of tables that no kept document is of."""
    kept: set[str] = set()
    stored = writer.files().values()
    given = {file.document for file in stored if file.version.startswith(RELATION)}
    for name, (cards, relations) in _stored_databases(writer).items():
        files = [card["file"] for card in cards if "file" in card]
        files += values_file(name), names_file(name)
        with closing(open_values(writer.folder / values_file(name), write=True)) as values:
            _forget_values(values, given, name)
            files += [prints_file(name, each, values.noted(each)) for each in relations]
        kept.update(Path(file).name for file in files)
    for path in (writer.folder / FOLDER).iterdir():
        if re.sub(r"-(?:wal|shm|journal)$", "", path.name) not in kept:
            path.unlink(missing_ok=True)


def _forget_values(values: Values, given: Collection[str], name: str) -> None:
    """Remove the values of relations of a database that are not among the documents `given`."""
    with values.changing():
        for relation, column in values.places():
            if f"{name}/{relation}" not in given:
                values.forget(relation, column)
        values.settle()


def _stored_databases(writer: Writer) -> dict[str, tuple[list[Mapping[str, str]], set[str]]]:
    """By name: what the cards of all stored versions say of the database, and its relations."""
    found: dict[str, tuple[list[Mapping[str, str]], set[str]]] = {}
    query = "SELECT version, name FROM documents WHERE version LIKE ?"
    for version, document in writer.db.execute(query, (f"{RELATION}%",)).fetchall():
        card = read_node(writer.db, version, card_id(document)).meta
        cards, relations = found.setdefault(card["database"]["name"], ([], set()))
        cards.append(card["database"])
        relations.add(card["relation"]["name"])
    return found
