"""Binary workbooks (.xlsb, MS-XLSB) as pages: sheet N is page N, its cells as they are displayed, formulas by their last values.

What is hidden (sheets, rows, columns) is left out. Only the records that say so are read; comments are not.
"""

from __future__ import annotations

import posixpath
import struct
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from pincite.errors import SourceError
from pincite.ingest.extra import needed
from pincite.ingest.office.numberformat import is_date, shown
from pincite.ingest.office.sheet import Area, Place, Sheet, sheet_page
from pincite.ingest.office.xlsxfile import LARGEST
from pincite.ingest.raw_page import Page
from pincite.ingest.zip_limits import member, unpacked

_BUNDLE, _WORKBOOK, _STRING = 156, 153, 19
_FORMAT, _FONT, _STYLES, _STYLE, _STYLES_END = 44, 43, 617, 47, 618
_ROW, _COLUMN, _MERGED, _PANE = 0, 60, 176, 151
_ERRORS = {0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}
_DAY_ZERO = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}


def xlsb_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xlsb workbook. Raises SourceError when it cannot be read or is too large for a document."""
    needed("openpyxl", path.name)
    with unpacked(path) as archive:
        size = sum(member.file_size for member in archive.infolist() if member.filename.startswith("xl/worksheets/"))
        if size > LARGEST:
            raise SourceError(
                f"{path.name} holds {size >> 20} MiB of cells, which is too much to read as a document (at most "
                f"{LARGEST >> 20} MiB). Split it, or ask it as a table of a database."
            )
        try:
            held = list(_sheets(archive, path.name))
        except (
            struct.error,
            IndexError,
            ValueError,
            KeyError,
            OverflowError,
            SyntaxError,
        ) as error:  # the last is lxml's
            raise SourceError(
                f"{path.name} cannot be read as a workbook ({type(error).__name__}: {error}): it is damaged or of another "
                "format. Open it in a spreadsheet program and save it again as .xlsx."
            ) from error
    for number, name, read in held:
        yield sheet_page(number, name, path.stem, read)


@dataclass(frozen=True, slots=True)
class _Book:
    """What the sheets share: strings, (number format, bold) of each style, whether days count from 1904."""

    strings: list[str] = field(default_factory=list)
    styles: list[tuple[str, bool]] = field(default_factory=list)
    late: bool = False


def _sheets(archive: zipfile.ZipFile, name: str) -> Iterator[tuple[int, str, Callable[[], Sheet]]]:
    workbook = member(archive, "xl/workbook.bin")
    if not workbook:
        raise SourceError(f"{name} is no binary workbook: it has no xl/workbook.bin. Save it again as .xlsx.")
    records = list(_records(workbook))
    late = any(kind == _WORKBOOK and data[0] & 1 for kind, data in records)
    strings = [_text(data, 1)[0] for kind, data in _records(member(archive, "xl/sharedStrings.bin")) if kind == _STRING]
    book = _Book(strings, _styles(member(archive, "xl/styles.bin")), late)
    targets = _targets(member(archive, "xl/_rels/workbook.bin.rels"))
    for number, data in enumerate((data for kind, data in records if kind == _BUNDLE), 1):
        reference, at = _text(data, 8)
        title, _ = _text(data, at)
        part = member(archive, posixpath.normpath(posixpath.join("xl", targets.get(reference, ""))))
        if not struct.unpack_from("<I", data)[0] and part:
            yield number, title, partial(_sheet, title, part, book)


def _sheet(name: str, part: bytes, book: _Book) -> Sheet:
    cells: dict[Place, str] = {}
    bold: set[Place] = set()
    merged: list[Area] = []
    hidden_rows, hidden_columns = set[int](), set[int]()
    frozen = (0, 0)
    row = 0
    for kind, data in _records(part):
        if kind == _ROW:
            row = struct.unpack_from("<I", data)[0]
            if data[11] & 0x10:
                hidden_rows.add(row)
        elif 1 < kind < 12:
            column, style = struct.unpack_from("<II", data)
            code, heavy = book.styles[style & 0xFFFFFF] if style & 0xFFFFFF < len(book.styles) else ("General", False)
            if text := " ".join(_value(kind, data, code, book).split()):
                cells[row, column] = text
                if heavy:
                    bold.add((row, column))
        elif kind == _COLUMN:
            first, last = struct.unpack_from("<II", data)
            if data[16] & 1:
                hidden_columns.update(range(first, min(last, 16_383) + 1))
        elif kind == _MERGED:
            top, bottom, left, right = struct.unpack_from("<IIII", data)
            merged.append((top, left, bottom, right))
        elif kind == _PANE and data[28] & 1:
            columns, rows = struct.unpack_from("<dd", data)
            frozen = int(rows), int(columns)
    seen = {at: text for at, text in cells.items() if at[0] not in hidden_rows and at[1] not in hidden_columns}
    hidden = frozenset(hidden_rows), frozenset(hidden_columns)
    return Sheet(name, seen, merged, {}, frozenset(bold), frozen, hidden=hidden)


def _value(kind: int, data: bytes, code: str, book: _Book) -> str:
    """A cell of one of the eleven kinds (2.4.307 ff.) as its number format shows it."""
    if code == ";;;":
        return ""
    if kind in (6, 8):
        return _text(data, 8)[0]
    if kind == 7:
        return book.strings[int.from_bytes(data[8:12], "little")]
    if kind in (4, 10):
        return shown(bool(data[8]), None)
    if kind in (3, 11):
        return _ERRORS.get(data[8], "#ERROR!")
    number = _rk(int.from_bytes(data[8:12], "little")) if kind == 2 else float(struct.unpack_from("<d", data, 8)[0])
    if is_date(code):
        return shown(_DAY_ZERO[book.late] + timedelta(days=number), code)
    return shown(int(number) if number.is_integer() else number, code)


def _rk(packed: int) -> float:
    """A number in 32 bits (2.5.122): an integer of 30 bits or the upper ones of a double, perhaps divided by a hundred."""
    if packed & 2:
        value = float((packed >> 2) - (1 << 30 if packed & 0x80000000 else 0))
    else:
        (value,) = struct.unpack("<d", struct.pack("<Q", (packed & 0xFFFFFFFC) << 32))
    return value / 100 if packed & 1 else value


def _styles(part: bytes) -> list[tuple[str, bool]]:
    """The number format and boldness of each cell style, in order."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS

    codes: dict[int, str] = dict(BUILTIN_FORMATS)
    fonts: list[bool] = []
    styles: list[tuple[str, bool]] = []
    inside = False
    for kind, data in _records(part):
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", data)[0]] = _text(data, 2)[0]
        elif kind == _FONT:
            fonts.append(struct.unpack_from("<H", data, 4)[0] >= 600)
        elif kind in (_STYLES, _STYLES_END):
            inside = kind == _STYLES
        elif kind == _STYLE and inside:
            _, form, font = struct.unpack_from("<HHH", data)
            styles.append((codes.get(form, "General"), font < len(fonts) and fonts[font]))
    return styles


def _targets(part: bytes) -> dict[str, str]:
    etree = needed("lxml.etree", "a workbook")
    if not part:
        return {}
    root = etree.fromstring(part, etree.XMLParser(resolve_entities=False, no_network=True))
    return {
        relation.get("Id"): relation.get("Target", "").removeprefix("/xl/")
        for relation in root
        if isinstance(relation.tag, str)
    }


def _records(part: bytes) -> Iterator[tuple[int, bytes]]:
    """The records of a part: their kind and their data (2.1.4)."""
    at = 0
    while at < len(part):
        kind, at = part[at], at + 1
        if kind & 0x80:
            kind, at = kind & 0x7F | part[at] << 7, at + 1
        size = shift = 0
        while True:
            byte, at = part[at], at + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80 or shift > 21:
                break
        yield kind, part[at : at + size]
        at += size


def _text(data: bytes, at: int) -> tuple[str, int]:
    """A string of two bytes a character after its length, and where it ends."""
    end = at + 4 + 2 * struct.unpack_from("<I", data, at)[0]
    return data[at + 4 : end].decode("utf-16-le", "replace"), end
