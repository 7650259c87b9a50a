"""The files that a corpus in PostgreSQL needs beside its rows: kept in its schema in parts, copied to its cache where they are
used. Those of one name never change, but for the files of databases, which are copied again when another hash is kept for them.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex

from pincite.errors import CorpusError
from pincite.storage.corpus_address import CorpusAddress, address_of
from pincite.storage.kept_tables import KeptTables, connect_kept, is_kept
from pincite.untrusted import inside

_PART = 1 << 22
"""Bytes of a part: a statement holds no more in memory."""
_OWN = (".half", "-wal", "-shm", "-journal")
"""How files end that are only there while others are written."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS kept_files (name TEXT PRIMARY KEY, size INTEGER NOT NULL, sha TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kept_parts (
    name TEXT NOT NULL, part INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (name, part));
"""


def keep_files(folder: Path, names: Iterable[str]) -> None:
    """Keep files of the cache `folder`, or all files of folders there, in the database: those of one name whole or not at all.

    Nothing is done for the folder of a corpus, which holds them itself.
    """
    address = address_of(folder)
    if address is None:
        return
    db = connect_kept(folder, "", SCHEMA)
    for name in names:
        files = sorted(path for path in _files(folder / name) if not path.name.endswith(_OWN))
        for path in files:
            if path.suffix == ".sqlite":
                _settle(path)
        shas = {path: _sha(path) for path in files}
        known = dict(_known(db, name))
        given = {path.relative_to(folder).as_posix(): sha for path, sha in shas.items()}
        if known == given:
            continue
        with db:
            for old in known.keys() - {
                each for each, sha in given.items() if known.get(each) == sha
            }:
                _forget(db, old)
            for path, sha in shas.items():
                each = path.relative_to(folder).as_posix()
                if known.get(each) != sha:
                    _put(db, path, each, sha)


def fetch_files(folder: Path, name: str, *, changing: bool = False) -> None:
    """Copy a kept file, or all files of a kept folder, to the cache where they are not there; nothing for a folder of a corpus.

    `changing` files are compared by their hash. Raises CorpusError when what arrives is not what was kept.
    """
    address = address_of(folder)
    here = not changing and inside(folder, name).exists()
    if address is None or here or not is_kept(folder, "", "kept_files"):
        return
    db = connect_kept(folder, "", SCHEMA, write=False)
    kept = dict(_known(db, name))
    if set(kept) == {name}:
        _fetch_file(db, folder, name, kept[name], address)
    elif changing:
        for each, sha in kept.items():
            _fetch_file(db, folder, each, sha, address)
    elif kept:
        _fetch_folder(db, folder, name, kept, address)


def kept_names(folder: Path, prefix: str) -> list[str]:
    """The names of the kept files that begin with `prefix`, which ends a folder or not."""
    if not is_kept(folder, "", "kept_files"):
        return []
    db = connect_kept(folder, "", SCHEMA, write=False)
    rows = db.execute(
        "SELECT name FROM kept_files WHERE name >= ? AND name < ?", (prefix, prefix + "\uffff")
    )
    return [name for (name,) in rows]


def forget_files(folder: Path, prefix: str, keep: Iterable[str]) -> None:
    """Forget the kept files below the folder `prefix` but those in the folders, or of the names, that are to `keep`."""
    if address_of(folder) is None:
        return
    wanted, db = set(keep), connect_kept(folder, "", SCHEMA)
    gone = [name for name in kept_names(folder, f"{prefix}/")
            if name.removeprefix(f"{prefix}/").partition("/")[0] not in wanted]  # fmt: skip
    with db:
        for name in gone:
            _forget(db, name)


def _known(db: KeptTables, name: str) -> list[tuple[str, str]]:
    """The kept files of this name or below this folder, with their hashes."""
    return [
        (row[0], row[1])
        for row in db.execute(
            "SELECT name, sha FROM kept_files WHERE name = ? OR (name >= ? AND name < ?) ORDER BY name",
            (name, f"{name}/", f"{name}0"),  # 0 follows the slash
        )
    ]


def _forget(db: KeptTables, name: str) -> None:
    for table in ("kept_files", "kept_parts"):
        db.execute(f"DELETE FROM {table} WHERE name = ?", (name,))


def _put(db: KeptTables, path: Path, name: str, sha: str) -> None:
    with path.open("rb") as file:
        for part, content in enumerate(iter(lambda: file.read(_PART), b"")):
            db.execute("INSERT INTO kept_parts VALUES (?, ?, ?)", (name, part, content))
    db.execute("INSERT INTO kept_files VALUES (?, ?, ?)", (name, path.stat().st_size, sha))


def _fetch_folder(
    db: KeptTables, folder: Path, name: str, kept: dict[str, str], address: CorpusAddress
) -> None:
    half = folder / f"{name}.{token_hex(4)}.half"
    try:
        for each, sha in kept.items():
            _receive(db, each, inside(half, each.removeprefix(f"{name}/")), sha, address)
        if not (folder / name).exists():
            half.rename(folder / name)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _fetch_file(db: KeptTables, folder: Path, name: str, sha: str, address: CorpusAddress) -> None:
    path = inside(folder, name)
    if path.is_file() and _sha(path) == sha:
        return
    half = path.with_name(f"{path.name}.{token_hex(4)}.half")
    try:
        _receive(db, name, half, sha, address)
        half.rename(path)
        for log in _OWN[1:]:  # that of the file before
            path.with_name(path.name + log).unlink(missing_ok=True)
    finally:
        half.unlink(missing_ok=True)


def _receive(db: KeptTables, name: str, path: Path, sha: str, address: CorpusAddress) -> None:
    """Write a kept file to a path. Raises CorpusError when it is not what was kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with path.open("wb") as out:
        for content in _parts(db, name):
            digest.update(content)
            out.write(content)
    if digest.hexdigest() != sha:
        raise CorpusError(
            f"{name} in {address.text} is not as it was stored, or was removed meanwhile: run the same command again; if that "
            "says the same, run `pincite index` again, which makes indexes anew, or put back a backup of the database"
        )


def _parts(db: KeptTables, name: str) -> Iterator[bytes]:
    part = 0
    while row := db.execute(
        "SELECT content FROM kept_parts WHERE name = ? AND part = ?", (name, part)
    ).fetchone():
        yield bytes(row[0])
        part += 1


def _settle(path: Path) -> None:
    """Bring what a SQLite file holds in its log only into the file itself."""
    with closing(sqlite3.connect(path, timeout=30)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        yield from (each for each in path.rglob("*") if each.is_file())


def _sha(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
