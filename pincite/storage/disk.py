"""Files that are written completely or not at all, and the messages for a disk that fails."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pincite.errors import DiskError, DiskFull, PinciteError

_OF_NETWORKS = (ConnectionError, TimeoutError)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_ADVICE = {
    **dict.fromkeys(FULL, "make room there or name a place on another disk"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), "name a place that you may write to and files that you may read"),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "check whether it was moved or removed"),
    errno.ENAMETOOLONG: "name a shorter path",
    errno.EISDIR: "name a file",
}  # fmt: skip
_BUSY = "another process holds it: wait until that is done"
_DAMAGED = "it is damaged: restore it from a copy, or index the files again into a new folder"
_SQLITE = {
    sqlite3.SQLITE_FULL: "make room on its disk",
    sqlite3.SQLITE_IOERR: "check whether its disk is full or failing",
    sqlite3.SQLITE_READONLY: "copy the corpus to a folder that you may write to",
    sqlite3.SQLITE_CANTOPEN: "check whether its folder exists and you may write to it",
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED), _BUSY),
    **dict.fromkeys((sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB), _DAMAGED),
}  # fmt: skip


@contextmanager
def whole(path: Path | str) -> Iterator[Path]:
    """A file beside `path` to write to, with the same ending, that takes its place when the block ends without an error.

    Missing folders are made. What stood there keeps its rights, and stays as it was when the block fails; then nothing is left
    of the other. A link is followed, and what is no file (a pipe, a terminal) is written to as it is. Raises OSError that
    names `path`.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    half = path.with_name(f".{path.stem[:50]}.half{path.suffix[-20:]}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.unlink(missing_ok=True)
        half.touch(0o600 if path.exists() else 0o666, exist_ok=False)
        if path.exists():
            shutil.copymode(path, half)
        yield half
        with half.open("rb") as file:
            os.fsync(file.fileno())  # some disks say only now that they are full
        os.replace(half, path)
    except OSError as error:
        if error.filename is None or str(error.filename) == str(half):
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        with suppress(OSError):
            half.unlink()


def write(path: Path | str, content: str | bytes) -> None:
    """Write a file whole or not at all; text as UTF-8, its line ends as they are. Raises OSError."""
    with whole(path) as half:
        half.write_bytes(content.encode() if isinstance(content, str) else content)


def disk_error(error: BaseException, corpus: Path | str = "") -> DiskError | None:
    """The failure of a disk or a file that `error` is or comes from, as a message with what to do.

    None for anything else, what has a message of its own included. SQLite does not say which file it is about: `corpus` names
    where that lies.
    """
    if isinstance(error, PinciteError):
        return error if isinstance(error, DiskError) else None
    cause: BaseException | None = error
    while cause is not None:
        plain = type(cause).__module__ == "builtins" and not isinstance(cause, _OF_NETWORKS)
        if isinstance(cause, OSError) and plain:
            return _of_file(cause)
        code = getattr(cause, "sqlite_errorcode", 1) & 0xFF
        if isinstance(cause, sqlite3.DatabaseError) and code in _SQLITE:
            return _of_database(cause, str(corpus))
        cause = cause.__cause__
    return None


def is_of_disk(error: OSError | sqlite3.OperationalError) -> bool:
    """Whether a failure is the disk's: full, over a quota, failing."""
    if isinstance(error, OSError):
        return error.errno in FULL
    code = getattr(error, "sqlite_errorcode", 0)  # there is none where the module itself raises
    return code & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


def _of_file(error: OSError) -> DiskError:
    advice = _ADVICE.get(error.errno or 0, "check whether it exists and its disk works")
    kind = DiskFull if error.errno in FULL else DiskError
    return kind(
        f"{error.filename or 'a file'} cannot be read or written: {error.strerror or error}. Nothing that was fully written is "
        f"lost: {advice}, then run the same command again"
    )


def _of_database(error: sqlite3.DatabaseError, corpus: str) -> DiskError:
    code = error.sqlite_errorcode & 0xFF
    where = f"a database of the corpus {corpus}" if corpus else "a database"
    kind = DiskFull if code == sqlite3.SQLITE_FULL else DiskError
    return kind(
        f"{where} cannot be read or written: {error}. What it stored so far is kept: {_SQLITE[code]}, then run the same "
        "command again"
    )
