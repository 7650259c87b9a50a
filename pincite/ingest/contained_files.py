"""Files inside a file: the members of a ZIP archive and the attachments of a message, each a part of the document."""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from pathlib import Path

from pincite.document.address import TEXT
from pincite.errors import LockedSource, SourceError, UnsupportedSource
from pincite.ingest.lost_parts import why
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Page
from pincite.ingest.tree import leveled
from pincite.ingest.zip_limits import DAMAGE, MEMBERS, TOTAL, opened, refuse_bomb

DEEPEST = 3  # how deep files inside files are opened
_TOLD = 20  # how many parts that could not be read are named

_UTF8 = 0x800
_ENCRYPTED = 0x1
_SYSTEM = frozenset(("__macosx", "thumbs.db", "desktop.ini"))


@dataclass(slots=True)
class Room:
    """What may still be unpacked, over all that is inside one file; `depth` is how deep it has come.

    `pages` reads a part; `tick` is called with its number when a page of it is done; `ocr_settings` say how pictures are read.
    """

    pages: Callable[[Path, str | None, Room], Iterable[Page]]
    left: int = TOTAL
    files: int = MEMBERS
    depth: int = 0
    tick: Callable[[int], None] = lambda page: None
    ocr_settings: OcrSettings = AUTO

    def take(self, size: int) -> None:
        """Use up room for a file of so many bytes. Raises SourceError when there is none."""
        self.left, self.files = self.left - size, self.files - 1
        if self.left < 0 or self.files < 0:
            raise SourceError(
                f"more than {MEMBERS} files or {TOTAL >> 20} MiB would come out of it: that looks like a "
                "decompression bomb, and the rest is refused"
            )

    @contextmanager
    def within(self) -> Iterator[None]:
        """One level deeper. Raises SourceError when that is too deep."""
        if self.depth >= DEEPEST:
            raise SourceError(f"files are nested more than {DEEPEST} deep: unpack them first")
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


@dataclass(frozen=True, slots=True)
class ContainedFile:
    """A file inside a file: its name there, its size and how to get its bytes."""

    name: str
    size: int
    read: Callable[[], bytes]


def clean_name(name: str) -> str:
    """The name of a part without what would lead out of its folder: a path is told, never followed."""
    steps = map(str.strip, name.replace("\\", "/").replace("\0", "").split("/"))
    kept = [step for step in steps if step not in ("", ".", "..") and step[-1] != ":"]
    return "/".join(kept) or "unnamed"


def _file_name(name: str) -> str:
    """A name for a part on disk by which its format is told and which every file system takes."""
    stem = Path(name).stem[:80].encode("utf-8", "replace")[:160].decode("utf-8", "ignore")
    return (stem or "part") + Path(name).suffix[:20].encode("utf-8", "replace").decode("utf-8")


def part_pages(
    parts: Iterable[ContainedFile],
    word: str,
    first: int,
    room: Room,
    password: str | None,
    left_out: list[SourceError],
) -> Iterator[Page]:
    """The pages of parts, numbered from `first`, each called `word` and its name; why one cannot be read goes to `left_out`."""
    number = first
    with tempfile.TemporaryDirectory(prefix="pincite-") as folder:
        for part in parts:
            last = part.name.rpartition("/")[2]
            path = Path(folder) / _file_name(last)
            try:
                room.take(part.size)
                path.write_bytes(part.read())
                with room.within():
                    pages = leveled(tuple(room.pages(path, password, room)))
            except SourceError as error:
                said = str(error).partition(": formats read are")[0].replace(path.name, part.name)
                left_out.append(type(error)(said if part.name in said else f"{part.name}: {said}"))
                continue
            except Exception as error:  # of a file's making, so of no common class
                left_out.append(SourceError(f"{part.name}: {why(error)}"))
                continue
            finally:
                path.unlink(missing_ok=True)
            for at, page in enumerate(pages):
                yield _page_of_part(
                    page, f"{word} {part.name}", part.name if not at else "", number
                )
                number += 1


def told_left_out(left_out: list[SourceError], number: int, place: str) -> Iterator[Page]:
    """A page without text that says which parts could not be read; none when all could.

    Parts of formats that no parser reads are no loss: a message has its logo.
    """
    if left_out:
        ordered = sorted(left_out, key=lambda error: isinstance(error, UnsupportedSource))
        more = f"; and {len(left_out) - _TOLD} more" if len(left_out) > _TOLD else ""
        said = "; ".join(map(str, ordered[:_TOLD])) + more
        lost = "" if isinstance(ordered[0], UnsupportedSource) else said
        yield Page(number, suspicion="" if lost else said, place=place, lost=lost)


def refusal(name: str, left_out: list[SourceError]) -> SourceError:
    """The error of a file of which no part can be read: of the kind that all of its parts have in common."""
    kinds = {type(error) for error in left_out}
    kind = kinds.pop() if len(kinds) == 1 else SourceError
    kind = kind if kind in (LockedSource, UnsupportedSource) else SourceError
    why = "; ".join(map(str, left_out[:3])) or "it is empty"
    return kind(f"{name} holds nothing that can be read: {why}")


def _page_of_part(page: Page, part: str, heading: str, number: int) -> Page:
    """A page of a part as one of the whole."""
    own = "" if page.place == TEXT else page.place or f"page {page.number}"
    blocks = []
    for block in page.blocks:
        level = block.level + (block.kind == "heading")
        path = f"{part}, {block.path}" if block.path else ""
        blocks.append(replace(block, level=level, path=path))
    head = (text_block(heading, "heading", 1),) if heading else ()
    place = ", ".join(filter(None, (part, own)))
    return replace(page, number=number, blocks=(*head, *blocks), place=place, title="")


def zip_pages(path: Path, password: str | None, room: Room) -> Iterator[Page]:
    """The pages of the members by name, each place beginning with "member" and its name; nothing is written outside.

    A member that cannot be read, or would explode, is left out and told. Raises SourceError when the archive is damaged or
    holds nothing that can be read.
    """
    with opened(path) as archive:
        parts = [
            ContainedFile(name, member.file_size, partial(_read_member, archive, member, password))
            for member in archive.infolist()
            if not member.filename.endswith("/") and not _is_system(name := _member_name(member))
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


def _member_name(packed: zipfile.ZipInfo) -> str:
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


def _read_member(archive: zipfile.ZipFile, packed: zipfile.ZipInfo, password: str | None) -> bytes:
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
