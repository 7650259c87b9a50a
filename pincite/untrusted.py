"""What came from somebody else: names that become paths, SQLite files, and what is stored in them; texts as seen..

A folder that was received is read like one's own, so all of a corpus is read as if a stranger had written it. Processes import
nothing from the working directory, and what reaches further has been agreed to by this user on this machine.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path, PurePosixPath
from tokenize import TokenError
from typing import IO

from pincite.errors import CorpusError

TRUST = "PINCITE_TRUST"
"""The environment variable that may hold the hash of what was agreed to, where no terminal can be asked on."""
LONGEST = 1 << 28
"""Bytes of the longest text or blob that is read from a SQLite file."""
_STILL = ("CREATE TABLE ", "CREATE INDEX ", "CREATE UNIQUE INDEX ")
"""How what makes a thing of SQLite begins that only holds something."""
DAMAGE = (
    sqlite3.Error, zlib.error, ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError,
    RecursionError, MemoryError, EOFError, OSError, zipfile.BadZipFile, SyntaxError, TokenError,
)  # fmt: skip
"""What reading raises where the bytes are not those that were written; the last two are how numpy reads the head of an array."""


def visible(text: str) -> str:
    """A text without control and format characters: what a reader of the page would see of it."""
    hidden = ("Cc", "Cf", "Co", "Cn")
    return "".join(
        sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in hidden
    )


def is_name(name: str) -> bool:
    """Whether a name, with folders before it or not, leads to one place below a folder and to nowhere else, on any system."""
    odd = set('\\:*?"<>|')
    return all(
        part.strip(" .") and part.isprintable() and not set(part) & odd for part in name.split("/")
    )


def is_sha(name: str) -> bool:
    """Whether a name is a sha256 as we write it."""
    return len(name) == 64 and set(name) <= set("0123456789abcdef")


def inside(folder: Path, name: str) -> Path:
    """The place that `name` has in a folder, links followed; CorpusError for a name that leads out of it."""
    path = folder / PurePosixPath(name)
    if not is_name(name) or not path.resolve().is_relative_to(folder.resolve()):
        raise CorpusError(
            f"{folder} names a place outside itself ({name[:200]!r}) and is not read there. It is damaged, or was forged: "
            "index your own files into a new folder."
        )
    return path


def own(path: Path) -> Path:
    """The place of what a corpus keeps of its own, a file or a folder, there or not. CorpusError for a link that leads out of the
    folder it stands in, and for what is neither: a pipe would be waited for, and what a link leads to would be written.
    """
    inside(path.parent, path.name)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise CorpusError(f"{path} is a pipe or a device, which Pincite never makes: remove it")
    return path.absolute()  # "file:x" is a name here and no URI


def guarded(db: sqlite3.Connection, schema: str) -> sqlite3.Connection:
    """A connection to a file that anybody may have written: nothing in it runs. Raises CorpusError when something would.

    Views, triggers and virtual tables are let through where `schema` has them.
    """
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    known = statements(schema)
    for name, said in made_of(db):
        if not said.startswith(_STILL) and said not in known:
            raise CorpusError(
                f"a file of the corpus holds {name[:100]!r}, which would run when it is read and which Pincite did not make "
                f"({said[:60]!r}): it is not opened. Index your own files into a new folder"
            )
    return db


def made_of(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """The name of each thing in a SQLite file and what makes it, which decides what it is, by `spelled`.

    Raises sqlite3.DatabaseError when that cannot be read.
    """
    try:
        rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        return [(str(name), spelled(sql)) for name, sql in rows]
    except (ValueError, TypeError, AttributeError) as error:
        raise sqlite3.DatabaseError(f"its schema cannot be read: {error}") from error


@lru_cache(maxsize=16)
def statements(schema: str) -> frozenset[str]:
    """The statements of a schema as SQLite keeps them, by `spelled`."""
    return frozenset(map(spelled, each_statement(schema)))


def each_statement(schema: str) -> Iterator[str]:
    """The statements of a schema, each without its semicolon."""
    begun = ""
    for part in schema.split(";"):
        begun += part + ";"
        if sqlite3.complete_statement(begun):  # a trigger holds statements
            if statement := begun.strip().rstrip(";"):
                yield statement
            begun = ""


def spelled(sql: str) -> str:
    """A statement that makes something, whatever its white space, and whether it minds that this is there already."""
    return " ".join(sql.replace("IF NOT EXISTS ", "").split()).rstrip(" ;")


@contextmanager
def readable(path: Path, remedy: str) -> Iterator[None]:
    """Turn what reading damaged bytes raises into a CorpusError that names the file and what to do."""
    try:
        yield
    except DAMAGE as error:
        said = str(error) or type(error).__name__
        raise CorpusError(
            f"{path} cannot be read or is damaged ({said[:300]}): {remedy}"
        ) from error


def members_length(archive: IO[bytes]) -> int:
    """How many bytes the list of the members of a ZIP archive takes, as its last record says, which is what is read of it.

    Raises ValueError when it has no such record.
    """
    size = archive.seek(0, os.SEEK_END)
    archive.seek(max(0, size - (1 << 16) - 128))
    tail = archive.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0:
        raise ValueError("it is not a ZIP archive")
    # where the record for large archives is
    if tail[max(0, at - 20) : max(0, at - 16)] == b"PK\x06\x07":
        archive.seek(min(size, int.from_bytes(tail[at - 12 : at - 4], "little")))
        last = archive.read(56)
        if last.startswith(b"PK\x06\x06"):
            return int.from_bytes(last[40:48], "little")
    return int.from_bytes(tail[at + 12 : at + 16], "little")


_hashed: dict[tuple[Path, int, int, int, int], str] = {}


def digest_of(path: Path) -> str:
    """The sha256 of a file, worked out once for as long as neither its size nor a time of its last change is another. Who edits
    it can put back the one that files are known by, and not that of its inode.
    """
    stat = path.stat()
    key = path, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
    if key not in _hashed:
        _hashed[key] = digest_file(path)
    return _hashed[key]


def digest_file(path: Path) -> str:
    """The sha256 of a file, worked out now."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def agreement_of(*what: str) -> str:
    """The hash by which an agreement to just this is remembered."""
    return hashlib.sha256("\0".join(what).encode()).hexdigest()[:32]


def agree(digest: str) -> None:
    """Remember an agreement; where nothing can be written it is asked for again next time."""
    path = _agreements()
    if path is None or is_agreed(digest):
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        opened = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with open(opened, "a", encoding="utf-8") as file:
            file.write(digest + "\n")


def is_agreed(digest: str) -> bool:
    """Whether the user has agreed to what has this hash."""
    path = _agreements()
    try:
        return path is not None and digest in path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError):
        return False


def _agreements() -> Path | None:
    """The file of what was agreed to; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    usual = {
        "darwin": home / "Library" / "Application Support",
        "win32": home / "AppData" / "Local",
    }
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    folder = given if given.is_absolute() else usual.get(sys.platform, home / ".local" / "state")
    return folder / "pincite" / "agreed"
