"""ZIP archives: every member that can be read is a part of the document."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path

from pincite.errors import LockedSource, SourceError
from pincite.ingest.contained_files import (
    ContainedFile,
    Room,
    clean_name,
    part_pages,
    refusal,
    told_left_out,
)
from pincite.ingest.raw_page import Page
from pincite.ingest.zip_limits import DAMAGE, opened, refuse_bomb

_UTF8 = 0x800
_ENCRYPTED = 0x1
_SYSTEM = frozenset(("__macosx", "thumbs.db", "desktop.ini"))


def zip_pages(path: Path, password: str | None, room: Room) -> Iterator[Page]:
    """The pages of the members by name, each place beginning with "member" and its name; nothing is written outside.

    A member that cannot be read, or would explode, is left out and told. Raises SourceError when the archive is damaged or
    holds nothing that can be read.
    """
    with opened(path) as archive:
        parts = [
            ContainedFile(name, member.file_size, partial(_read, archive, member, password))
            for member in archive.infolist()
            if not member.filename.endswith("/") and not _is_system(name := _name(member))
        ]
        left_out: list[SourceError] = []
        last = 0
        parts.sort(key=attrgetter("name"))
        for page in part_pages(parts, "member", 1, room, password, left_out):
            yield page if last else replace(page, title=path.stem)
            last = page.number
        if not last:
            raise refusal(path.name, left_out)
        yield from told_left_out(left_out, last + 1, "member list")


def _name(packed: zipfile.ZipInfo) -> str:
    """The name of a member; those that old programs wrote in UTF-8 without saying so are read so."""
    name = packed.filename
    if not packed.flag_bits & _UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            pass
    return clean_name(name)


def _is_system(name: str) -> bool:
    return any(step.startswith(".") or step.casefold() in _SYSTEM for step in name.split("/"))


def _read(archive: zipfile.ZipFile, packed: zipfile.ZipInfo, password: str | None) -> bytes:
    if packed.flag_bits & _ENCRYPTED and not password:
        raise LockedSource(
            "it is encrypted and needs a password. Give the archive's password with --password."
        )
    refuse_bomb(packed, "it")
    try:
        return archive.read(packed, password.encode() if password else None)
    except DAMAGE as error:
        if type(error) is RuntimeError:  # how zipfile says that a password is wrong
            raise LockedSource(f"the password given does not open it ({error})") from error
        raise SourceError(f"it cannot be unpacked ({error})") from error
