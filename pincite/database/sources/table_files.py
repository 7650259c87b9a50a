"""Files of tables made one SQLite database that is never changed: typed columns, and what their headings declare."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from decimal import Decimal
from hashlib import blake2b
from pathlib import Path
from typing import Any

from pincite.database.database_errors import DatabaseError, need
from pincite.database.relations.description import relation_from, relation_to
from pincite.database.relations.guessed_headings import split_heading, words
from pincite.database.relations.model import NUMERIC, Column, Relation
from pincite.database.relations.shaped_values import written
from pincite.database.sources.database_address import TABLES, Address
from pincite.database.sources.duck import kind_of
from pincite.database.sources.file_reading import FileReader
from pincite.database.sources.sheet_files import SheetText, sheets
from pincite.database.sources.typed_columns import (
    Row,
    create,
    free_name,
    insert,
    quoted,
    relation_of,
    stored,
)
from pincite.errors import PinciteError

KEPT = "_pincite_relations"
"""The table in which such a database keeps the description of its relations."""
MOST_COLUMNS = 2_000
"""Columns of a table: as many as SQLite has."""
LOOSE = 5_000_000
"""Cells of a table beyond which a tenth at least must have been written."""
_VERSION = "4"

Table = tuple[Relation, Iterable[Row]]


def import_files(place: Address, folder: Path, only: Sequence[Path] = ()) -> Address:
    """Make the file or the files below a folder, or `only` these of them, one SQLite database in `folder`; its address.

    The database is named after what the files hold: files that have not changed are not read twice. Every sheet is a
    table. Files that cannot be read are left out, and said in `Database.meta["unreadable"]`; raises DatabaseError when none
    can be.
    """
    assert place.path is not None
    paths = list(only) or files_below(place.path)
    target = folder / f"{_slug(place)}-{_fingerprint(paths)}.sqlite"
    if not target.exists():
        handle, name = tempfile.mkstemp(suffix=".sqlite", dir=folder)
        os.close(handle)
        try:
            with FileReader() as reader:
                fill(Path(name), paths, place, reader)
            os.replace(name, target)
        finally:
            Path(name).unlink(missing_ok=True)
    return replace(place, kind="sqlite", path=target)


def files_below(path: Path) -> list[Path]:
    """The files of tables at a path, hidden and temporary ones left out; raises DatabaseError when there are none."""
    found = [path]
    if not path.is_file():
        found = sorted(p for p in path.rglob("*") if p.suffix.casefold() in TABLES and p.is_file())
    hidden = (".", "~$")
    kept = [p for p in found if not any(x.startswith(hidden) for x in p.relative_to(path).parts)]
    if not kept:
        known = f"known endings are {', '.join(sorted(TABLES))}"
        raise DatabaseError(f"there are no files of tables below {path}; {known}")
    return kept


def relations_kept(connection: sqlite3.Connection) -> tuple[list[Relation], str] | None:
    """The relations of a database that `import_files` made and what could not be read, None for any other database."""
    try:
        asked = f"SELECT relation, problem FROM {KEPT} ORDER BY rowid"
        rows = connection.execute(asked).fetchall()
    except sqlite3.DatabaseError:
        return None
    kept = [relation_from(json.loads(relation)) for relation, _ in rows if relation]
    return kept, "\n".join(problem for _, problem in rows if problem)


def files_of_relations(database: Path) -> dict[str, str]:
    """The path of the file that each relation was read from, by the relation's name, of a database that `import_files` made.

    Empty for one that an earlier version made.
    """
    try:
        with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True)) as held:
            rows = held.execute(f"SELECT relation, file FROM {KEPT} WHERE relation IS NOT NULL")
            return {relation_from(json.loads(relation)).name: file for relation, file in rows}
    except sqlite3.DatabaseError:
        return {}


def _slug(place: Address) -> str:
    return blake2b(str(place.path and place.path.resolve()).encode(), digest_size=8).hexdigest()


def _fingerprint(paths: list[Path]) -> str:
    made = blake2b(_VERSION.encode(), digest_size=10)
    for path in paths:
        made.update(path.name.encode() + b"\0")
        try:
            with path.open("rb") as file:
                while part := file.read(2**20):
                    made.update(part)
        except OSError as error:
            why = f"({error.strerror}); check its permissions"
            raise DatabaseError(f"{path} cannot be read {why}") from None
    return made.hexdigest()


def fill(target: Path, paths: list[Path], place: Address, reader: FileReader) -> None:
    """Write the tables of files into an empty SQLite database. Raises DatabaseError when there is none in any of them."""
    connection = sqlite3.connect(target)
    taken: set[str] = {KEPT}
    problems: list[str] = []
    try:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute(f"CREATE TABLE {KEPT} (relation TEXT, problem TEXT, file TEXT)")
        for path in paths:
            try:
                for relation, rows in _read_tables(path, reader):
                    own = replace(relation, name=_free_name(relation.name, path, taken))
                    _add_table(connection, own, rows, path)
            except PinciteError as error:
                problems.append(str(error))
            except Exception as error:  # no file may end the run of all: what else a reader raises is said of that file
                why = f"({type(error).__name__}: {str(error)[:200]})"
                problems.append(f"{path} cannot be read as a table {why}; save it again")
        said = [(problem,) for problem in problems]
        connection.executemany(f"INSERT INTO {KEPT} VALUES (NULL, ?, NULL)", said)
        held = connection.execute(f"SELECT count(relation) FROM {KEPT}").fetchone()[0]
        connection.commit()
    finally:
        connection.close()
    if not held:
        problems.append(f"there is no table in {place.path}: every sheet is empty")
        raise DatabaseError(problems[0])


def _add_table(
    connection: sqlite3.Connection, relation: Relation, rows: Iterable[Row], path: Path
) -> None:
    """Add a table and its description, or nothing of it."""
    width = len(stored(relation))
    if width > MOST_COLUMNS:
        raise DatabaseError(
            f"{path} has {width:,} columns, counting those for cells as they were written, and at most {MOST_COLUMNS:,} are "
            "read: leave some out, or transpose the table"
        )
    name = quoted(relation.name)
    try:
        create(connection, relation)
        insert(connection, relation, rows)
        count = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
        kept = json.dumps(relation_to(replace(relation, rows=count)), ensure_ascii=False)
        connection.execute(f"INSERT INTO {KEPT} VALUES (?, NULL, ?)", (kept, str(path)))
    except Exception:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        raise


def _free_name(name: str, path: Path, taken: set[str]) -> str:
    """A name that no table has and that SQLite does not keep for itself."""
    own = f"table {name}" if name.casefold().startswith("sqlite_") else name
    longer = f"{path.stem} {own}".casefold()
    use_longer = own.casefold() in taken and longer not in taken
    if use_longer and not longer.startswith("sqlite_"):
        own = f"{path.stem} {own}"
    return free_name(own, taken)


def _read_tables(path: Path, reader: FileReader) -> Iterator[Table]:
    if path.suffix.casefold() == ".parquet":
        yield from reader(parquet, path)
        return
    found = list(sheets(path, reader))
    for sheet in found:
        name = sheet.name if len(found) > 1 else path.stem
        _refuse_wide(path, sheet)
        relation, rows = relation_of(sheet.rows, name)
        yield replace(relation, described=sheet.title), rows


def _refuse_wide(path: Path, sheet: SheetText) -> None:
    """Raise DatabaseError for a sheet of more columns than a table has, or one that would be nearly all empty as a table."""
    where = f"sheet {sheet.name} of {path}" if sheet.name else str(path)
    width, held = max(map(len, sheet.rows)), sum(map(len, sheet.rows))
    if width > MOST_COLUMNS:
        most = f"at most {MOST_COLUMNS:,} are read as a table: split it"
        raise DatabaseError(f"{where} has {width:,} columns; {most}")
    if width * len(sheet.rows) > max(LOOSE, 10 * held):
        wide = f"{where} has rows of very different widths, up to {width:,} cells"
        raise DatabaseError(f"{wide}: it is not a table, or it uses another separator")


_KEPT_TYPES = frozenset(("integer", "number", "boolean", "date", "datetime"))
"""Types of columns of Parquet files that stay; all others become text."""


def parquet(path: Path) -> Iterator[Table]:
    """The table of a Parquet file. Raises DatabaseError; to be run by a `FileReader`."""
    need("duckdb", "duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        connection.execute("SET memory_limit = '1GB'")
        try:
            found = connection.read_parquet(_literal_path(path))
            names, types = found.columns, [str(kind) for kind in found.types]
            rows = found.fetchall()
        except duckdb.Error as error:
            said = str(error).splitlines()[0][:200]
            raise DatabaseError(
                f"{path} cannot be read as Parquet ({said}); write it again"
            ) from None
    columns = []
    for name, declared in zip(names, types, strict=True):
        label, unit, scale = split_heading(name)
        kind = kind_of(declared)
        column = Column(
            name, kind if kind in _KEPT_TYPES else "text", " ".join(words(label)) or name
        )
        columns.append(replace(column, unit=unit, scale=scale) if kind in NUMERIC else column)
    called = " ".join(words(path.stem))
    relation = Relation(path.stem, tuple(columns), readable=called, rowid="rowid")
    yield relation, [tuple(map(_sqlite_value, row)) for row in rows]


def _literal_path(path: Path) -> str:
    """A path as DuckDB reads it: not a pattern of others, whatever its letters."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path.absolute()))


def _sqlite_value(value: Any) -> Any:
    """A value as SQLite keeps it: dates as ISO text, lists and objects as JSON."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, Decimal) or isinstance(value, int) and abs(value) >= 2**63:
        return float(value)
    return (
        value if value is None or isinstance(value, int | float | str | bytes) else written(value)
    )
