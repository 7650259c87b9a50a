"""Uploaded files: their names, sizes and types checked, kept in a folder of their own beside the corpus."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import UnsupportedSource, UsageError
from pincite.serve.door.caller_limits import FILES
from pincite.untrusted import own, visible

if TYPE_CHECKING:
    from starlette.datastructures import UploadFile

FOLDER = "uploads"
LONGEST = 180  # bytes of a file's name
LOOKED_AT = 1000  # characters of a name that are looked at, from its end
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.I)
_STARTS = {
    ".docx": b"PK", ".docm": b"PK", ".pptx": b"PK", ".pptm": b"PK", ".xlsx": b"PK", ".xlsm": b"PK", ".xlsb": b"PK",
    ".ods": b"PK", ".epub": b"PK", ".zip": b"PK", ".xls": b"\xd0\xcf\x11\xe0", ".png": b"\x89PNG\r\n\x1a\n",
    ".jpg": b"\xff\xd8\xff", ".jpeg": b"\xff\xd8\xff", ".rtf": b"{\\rtf", ".webp": b"RIFF",
}  # fmt: skip
"""What a file of a suffix begins with; the others are text of some kind, PDF and TIFF."""
DATABASES = dict.fromkeys((".sqlite", ".sqlite3", ".db"), b"SQLite format 3\0") | {
    ".duckdb": b"DUCK"
}
"""Files of databases, and what they begin with or hold among their first bytes."""
_TEXT = {
    ".txt", ".md", ".markdown", ".csv", ".tsv", ".tab", ".html", ".htm", ".xhtml", ".eml", ".mht", ".mhtml",
}  # fmt: skip


def safe_name(given: str) -> str:
    """A file's name as it is kept: its last part, visible characters only, nothing that any system takes for more than a name.

    Raises UsageError when nothing is left of it.
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", given[-LOOKED_AT:]))[-1]
    name = re.sub(r'[<>:"|?*\s]+', " ", visible(last).replace("\n", " ")).strip(" .")
    stem, dot, suffix = name.rpartition(".")
    room = max(0, LONGEST - len((dot + suffix).encode()))
    stem = stem.encode()[:room].decode(errors="ignore").rstrip()
    name = stem + dot + suffix
    if not stem or len(name.encode()) > LONGEST or _RESERVED.fullmatch(name):
        raise UsageError(
            f"a file needs a name with an ending that says its type, as in report.pdf; this one is called {last[:80]!r}"
        )
    return name


@dataclass(frozen=True, slots=True)
class Sent:
    """A file that was sent: where it stands under another name as yet, where it belongs, and its sha256."""

    half: Path
    path: Path
    sha256: str


async def save(folder: Path, files: Sequence[UploadFile]) -> list[Sent]:
    """Keep uploaded files beside a corpus, all of them or none. Raises UsageError, UnsupportedSource with what is wrong."""
    names = await _checked(files)
    place = own(folder / FOLDER)
    place.mkdir(exist_ok=True)
    halves = [place / f".{secrets.token_hex(8)}.half" for _ in files]
    try:
        return [
            Sent(half, place / name, await _stored(file, half))
            for name, file, half in zip(names, files, halves, strict=True)
        ]
    except BaseException:
        for half in halves:  # on a full disk they would keep it full
            half.unlink(missing_ok=True)
        raise


async def _checked(files: Sequence[UploadFile]) -> list[str]:
    """The names that files are stored under. Raises UsageError or UnsupportedSource for what cannot be indexed."""
    if not files:
        raise UsageError("no file was sent: choose at least one")
    if len(files) > FILES:
        raise UsageError(f"{len(files)} files exceed the limit of {FILES} for one upload")
    names = [safe_name(file.filename or "") for file in files]
    if len(set(map(str.casefold, names))) < len(names):
        raise UsageError("two of the files have the same name: rename one")
    for name, file in zip(names, files, strict=True):
        start = await file.read(1024)
        await file.seek(0)
        _check(name, start)
    return names


async def _stored(file: UploadFile, path: Path) -> str:
    """Write an uploaded file to a path; its sha256."""
    digest = sha256()
    with path.open("wb") as out:
        while part := await file.read(2**20):
            out.write(part)
            digest.update(part)
    return digest.hexdigest()


def _check(name: str, start: bytes) -> None:
    """Raise UnsupportedSource for a type that is not read, or a file that does not begin as its type does."""
    from pincite.database.sources.database_address import TABLES
    from pincite.ingest.document_parser import SUFFIXES

    suffix = Path(name).suffix.lower()
    read = SUFFIXES.keys() | TABLES | DATABASES.keys()
    if suffix not in read:
        raise UnsupportedSource(
            f"{name}: files of this type are not read; those read are {', '.join(sorted(read))}"
        )
    if not start:
        raise UsageError(f"{name} is empty")
    if DATABASES.get(suffix, b"") not in start[:16]:
        raise UnsupportedSource(f"{name} is not a database that is read: give SQLite or DuckDB")
    wanted = _STARTS.get(suffix)
    if suffix == ".pdf" and b"%PDF-" not in start or wanted and not start.startswith(wanted):
        raise UnsupportedSource(
            f"{name} does not begin as a {suffix[1:].upper()} file does: it is damaged or of another type"
        )
    if suffix in _TEXT and b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnsupportedSource(f"{name} has the name of a text file but contains binary data")


def forget(folder: Path, paths: Sequence[Path]) -> None:
    """Delete those of these files that were uploaded."""
    place = (folder / FOLDER).resolve()
    for path in paths:
        if path.resolve().parent == place:
            path.unlink(missing_ok=True)
