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
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from typing import Any

from pincite.database.database_errors import DatabaseError, need
from pincite.database.relations.description import relation_from, relation_to
from pincite.database.relations.model import Column, Relation, Type
from pincite.database.sources.database_address import TABLES, Address
from pincite.database.sources.file_reading import FileReader
from pincite.database.sources.sheet_files import SheetText, sheets
from pincite.database.sources.typed_columns import Row, create, insert, quoted, relation_of, stored
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
    found = (
        [path]
        if path.is_file()
        else sorted(p for p in path.rglob("*") if p.suffix.casefold() in TABLES and p.is_file())
    )
    kept = [p for p in found if not _hidden(p.relative_to(path))]
    if not kept:
        raise DatabaseError(
            f"there are no files of tables below {path}; known endings are {', '.join(sorted(TABLES))}"
        )
    return kept


def _hidden(path: Path) -> bool:
    return any(part.startswith((".", "~$")) for part in path.parts)


def relations_kept(connection: sqlite3.Connection) -> tuple[list[Relation], str] | None:
    """The relations of a database that `import_files` made and what could not be read, None for any other database."""
    try:
        rows = connection.execute(
            f"SELECT relation, problem FROM {KEPT} ORDER BY rowid"
        ).fetchall()
    except sqlite3.DatabaseError:
        return None
    return [relation_from(json.loads(row[0])) for row in rows if row[0]], "\n".join(
        row[1] for row in rows if row[1]
    )


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
            raise DatabaseError(
                f"{path} cannot be read ({error.strerror}); check its permissions"
            ) from None
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
                for relation, rows in _tables(path, reader):
                    _add(
                        connection,
                        replace(relation, name=_free(relation.name, path, taken)),
                        rows,
                        path,
                    )
            except PinciteError as error:
                problems.append(str(error))
            except Exception as error:  # no file may end the run of all: what else a reader raises is said of that file
                problems.append(
                    f"{path} cannot be read as a table ({type(error).__name__}: {str(error)[:200]}); save it again"
                )
        connection.executemany(
            f"INSERT INTO {KEPT} VALUES (NULL, ?, NULL)", [(problem,) for problem in problems]
        )
        held = connection.execute(f"SELECT count(relation) FROM {KEPT}").fetchone()[0]
        connection.commit()
    finally:
        connection.close()
    if not held:
        raise DatabaseError(
            problems[0] if problems else f"there is no table in {place.path}: every sheet is empty"
        )


def _add(
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


def _free(name: str, path: Path, taken: set[str]) -> str:
    """A name that no table has and that SQLite does not keep for itself."""
    own = f"table {name}" if name.casefold().startswith("sqlite_") else name
    numbered = (f"{own} {n}" for n in count(2))
    chosen = next(
        free
        for free in chain((own, f"{path.stem} {own}"), numbered)
        if free.casefold() not in taken and not free.casefold().startswith("sqlite_")
    )
    taken.add(chosen.casefold())
    return chosen


def _tables(path: Path, reader: FileReader) -> Iterator[Table]:
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
        raise DatabaseError(
            f"{where} has {width:,} columns; at most {MOST_COLUMNS:,} are read as a table: split it"
        )
    if width * len(sheet.rows) > max(LOOSE, 10 * held):
        raise DatabaseError(
            f"{where} has rows of very different widths, up to {width:,} cells: it is not a table, or it uses another separator"
        )


_KINDS: dict[str, Type] = {
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "date": "date",
    "datetime": "datetime",
}


def parquet(path: Path) -> Iterator[Table]:
    """The table of a Parquet file. Raises DatabaseError; to be run by a `FileReader`."""
    from pincite.database.relations.guessed_headings import split_heading, words
    from pincite.database.sources.duck import kind_of

    need("duckdb", "duckdb")
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        connection.execute("SET memory_limit = '1GB'")
        try:
            found = connection.read_parquet(_literal(path))
            names, types = found.columns, [str(kind) for kind in found.types]
            rows = found.fetchall()
        except duckdb.Error as error:
            said = str(error).splitlines()[0][:200]
            raise DatabaseError(
                f"{path} cannot be read as Parquet ({said}); write it again"
            ) from None
    columns = []
    for name, kind in zip(names, types, strict=True):
        label, unit, scale = split_heading(name)
        known = _KINDS.get(kind_of(kind), "text")
        number = known in ("integer", "number")
        readable = " ".join(words(label)) or name
        columns.append(
            Column(
                name,
                known,
                readable,
                unit=unit if number else "",
                scale=scale if number else Column("").scale,
            )
        )
    relation = Relation(
        path.stem, tuple(columns), readable=" ".join(words(path.stem)), rowid="rowid"
    )
    yield relation, [tuple(map(_plain, row)) for row in rows]


def _literal(path: Path) -> str:
    """A path as DuckDB reads it: not a pattern of others, whatever its letters."""
    return re.sub(r"[*?\[]", r"[\g<0>]", str(path.absolute()))


def _plain(value: Any) -> Any:
    """A value as SQLite keeps it: dates as ISO text, lists and objects as JSON."""
    from datetime import date, datetime
    from decimal import Decimal

    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return value if abs(value) < 2**63 else float(value)
    if isinstance(value, Decimal):
        return float(value)
    if value is None or isinstance(value, float | str | bytes):
        return value
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    return (
        json.dumps(value, ensure_ascii=False, default=str)
        if isinstance(value, list | tuple | dict)
        else str(value)
    )
