"""The files that a corpus in PostgreSQL needs beside its rows: kept in its schema in parts, copied to its cache where they are
used. Those of one name never change, but for the files of databases, which are copied again when another hash is kept for them.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from secrets import token_hex

from pincite.errors import CorpusError
from pincite.storage.corpus_address import CorpusAddress, address_of
from pincite.storage.kept_tables import KeptTables, connect_kept, is_kept
from pincite.untrusted import digest_file, inside

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
    if address_of(folder) is None:
        return
    db = connect_kept(folder, "", SCHEMA)
    for name in names:
        files = [folder / name, *sorted((folder / name).rglob("*"))]
        files = [path for path in files if path.is_file() and not path.name.endswith(_OWN)]
        for path in files:
            if path.suffix == ".sqlite":  # what is only in its log comes into the file itself
                with closing(sqlite3.connect(path, timeout=30)) as log:
                    log.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        known = dict(_kept_hashes(db, name))
        given = {path.relative_to(folder).as_posix(): digest_file(path) for path in files}
        if known == given:
            continue
        with db:
            for old, sha in known.items():
                if given.get(old) != sha:
                    _forget_file(db, old)
            for each, sha in given.items():
                if known.get(each) != sha:
                    _store_file(db, folder / each, each, sha)


def fetch_files(folder: Path, name: str, *, changing: bool = False) -> None:
    """Copy a kept file, or all files of a kept folder, to the cache where they are not there; nothing for a folder of a corpus.

    `changing` files are compared by their hash. Raises CorpusError when what arrives is not what was kept.
    """
    address = address_of(folder)
    here = not changing and inside(folder, name).exists()
    if address is None or here or not is_kept(folder, "", "kept_files"):
        return
    db = connect_kept(folder, "", SCHEMA, write=False)
    kept = dict(_kept_hashes(db, name))
    if changing or set(kept) == {name}:
        for each, sha in kept.items():
            _fetch_file(db, folder, each, sha, address)
    elif kept:
        _fetch_folder(db, folder, name, kept, address)


def kept_names(folder: Path, prefix: str) -> list[str]:
    """The names of the kept files that begin with `prefix`, which ends a folder or not."""
    if not is_kept(folder, "", "kept_files"):
        return []
    db = connect_kept(folder, "", SCHEMA, write=False)
    query = "SELECT name FROM kept_files WHERE name >= ? AND name < ?"
    return [name for (name,) in db.execute(query, (prefix, prefix + "\uffff"))]


def forget_files(folder: Path, prefix: str, keep: Iterable[str]) -> None:
    """Forget the kept files below the folder `prefix` but those in the folders, or of the names, that are to `keep`."""
    if address_of(folder) is None:
        return
    wanted, db = set(keep), connect_kept(folder, "", SCHEMA)
    with db:
        for name in kept_names(folder, f"{prefix}/"):
            if name.removeprefix(f"{prefix}/").partition("/")[0] not in wanted:
                _forget_file(db, name)


def _kept_hashes(db: KeptTables, name: str) -> list[tuple[str, str]]:
    """The kept files of this name or below this folder, with their hashes."""
    query = (
        "SELECT name, sha FROM kept_files WHERE name = ? OR (name >= ? AND name < ?) ORDER BY name"
    )
    return db.execute(query, (name, f"{name}/", f"{name}0")).fetchall()  # 0 follows the slash


def _forget_file(db: KeptTables, name: str) -> None:
    for table in ("kept_files", "kept_parts"):
        db.execute(f"DELETE FROM {table} WHERE name = ?", (name,))


def _store_file(db: KeptTables, path: Path, name: str, sha: str) -> None:
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
            _receive_file(db, each, inside(half, each.removeprefix(f"{name}/")), sha, address)
        if not (folder / name).exists():
            half.rename(folder / name)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _fetch_file(db: KeptTables, folder: Path, name: str, sha: str, address: CorpusAddress) -> None:
    path = inside(folder, name)
    if path.is_file() and digest_file(path) == sha:
        return
    half = path.with_name(f"{path.name}.{token_hex(4)}.half")
    try:
        _receive_file(db, name, half, sha, address)
        half.rename(path)
        for log in _OWN[1:]:  # that of the file before
            path.with_name(path.name + log).unlink(missing_ok=True)
    finally:
        half.unlink(missing_ok=True)


def _receive_file(db: KeptTables, name: str, path: Path, sha: str, address: CorpusAddress) -> None:
    """Write a kept file to a path. Raises CorpusError when it is not what was kept."""
    path.parent.mkdir(parents=True, exist_ok=True)
    query = "SELECT content FROM kept_parts WHERE name = ? AND part = ?"
    digest, part = hashlib.sha256(), 0
    with path.open("wb") as out:
        while row := db.execute(query, (name, part)).fetchone():
            digest.update(bytes(row[0]))
            out.write(bytes(row[0]))
            part += 1
    if digest.hexdigest() != sha:
        raise CorpusError(
            f"{name} in {address.text} is not as it was stored, or was removed meanwhile: run the same command again; if that "
            "says the same, run `pincite index` again, which makes indexes anew, or put back a backup of the database"
        )
