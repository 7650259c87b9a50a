"""ZIP archives opened with limits: what would unpack to too much is refused before it is unpacked."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pincite.errors import LockedSource, SourceError, UnsupportedSource

MEMBERS = 5000  # the most files in an archive
TOTAL = 1 << 30  # the most bytes that all of them may unpack to
AS_TABLE = "Split it, or ask it as a table of a database."
TEXTS = 100 << 20  # the most bytes of XML in an office document
RATIO = 300  # how many times its packed size a file may unpack to, once it is larger than `SMALL`
SMALL = 4 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError)
DAMAGE = (*_BROKEN, OSError, RuntimeError, ValueError)
"""What zipfile raises for archives that are damaged, encrypted or packed in a way that it does not know."""
_OLE = bytes.fromhex("d0cf11e0a1b11ae1")
_LOCKED = "EncryptedPackage".encode("utf-16-le")


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive, whatever its members would unpack to.

    Raises SourceError for one that is damaged, LockedSource and UnsupportedSource for an office file that is encrypted or of
    the old binary kind.
    """
    name = path.name
    refuse_ole(path, name)
    try:
        archive = zipfile.ZipFile(path)
    except DAMAGE as error:
        raise SourceError(
            f"{name} is damaged: it is not a complete ZIP container ({error}). Get the file again, or open and save it again."
        ) from error
    with archive:
        try:
            yield archive
        except (*_BROKEN, NotImplementedError) as error:
            raise SourceError(
                f"{name} is damaged: a part of it cannot be unpacked ({error}). Get the file again."
            ) from error


@contextmanager
def unpacked(path: Path) -> Iterator[zipfile.ZipFile]:
    """An archive whose members together are within the limits. Raises as `opened`, and SourceError for one that would explode."""
    with opened(path) as archive:
        held, name = archive.infolist(), path.name
        if len(held) > MEMBERS:
            raise SourceError(
                f"{name} holds {len(held)} files; more than {MEMBERS} are not unpacked. Unpack it yourself."
            )
        if any(member.filename == "[Content_Types].xml" for member in held):
            texts = sum(member.file_size for member in held if member.filename.endswith(".xml"))
            refuse_larger(texts, TEXTS, name)
        for member in held:
            refuse_bomb(member, name)
        total = sum(member.file_size for member in held)
        if total > TOTAL:
            raise SourceError(
                f"{name} would unpack to {total >> 20} MiB: that looks like a decompression bomb, and is refused."
            )
        yield archive


def refuse_larger(size: int, most: int, name: str, advice: str = "Split it.") -> None:
    """Raise SourceError for a file of more than so many bytes that are read; `advice` is what else can be done with it."""
    if size > most:
        raise SourceError(
            f"{name} holds {size >> 20} MiB of data, which is too much to read as a document (at most {most >> 20} MiB). {advice}"
        )


def refuse_bomb(packed: zipfile.ZipInfo, name: str) -> None:
    """Raise SourceError for a member that would unpack to far more than it takes packed."""
    if packed.file_size > max(SMALL, RATIO * packed.compress_size):
        raise SourceError(
            f"{name} would unpack to {packed.file_size >> 20} MiB of {packed.compress_size >> 10} KiB: that looks like a "
            "decompression bomb, and is refused."
        )


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The bytes of a file in an archive; empty when there is none of that name. Raises SourceError when they are damaged."""
    try:
        packed = archive.getinfo(str(PurePosixPath(name)).lstrip("/"))
    except KeyError:
        return b""
    return contents(archive, packed)


def contents(archive: zipfile.ZipFile, packed: zipfile.ZipInfo) -> bytes:
    """The bytes of a file that an archive lists. Raises SourceError when they are damaged."""
    try:
        return archive.read(packed)
    except DAMAGE as error:
        name = Path(archive.filename or "The archive").name
        raise SourceError(
            f"{name} is damaged: a part of it ({packed.filename}) cannot be unpacked ({error}). Get the file again."
        ) from error


def refuse_ole(path: Path, name: str) -> None:
    """Raise LockedSource or UnsupportedSource when a file is an OLE container: encrypted, or of an old binary format."""
    with path.open("rb") as file:
        if file.read(8) != _OLE:
            return
        rest = file.read(64 << 20)
    if _LOCKED in rest:
        raise LockedSource(
            f"{name} is encrypted: Pincite does not open protected office files. Open it in its program, remove the password "
            "(File > Info > Protect) and save it."
        )
    raise UnsupportedSource(
        f"{name} is in an old binary office format: save it as .docx, .xlsx or .pptx."
    )
