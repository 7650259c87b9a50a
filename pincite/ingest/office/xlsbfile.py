"""Binary workbooks (.xlsb, MS-XLSB) as pages: sheet N is page N, its cells as they are displayed, formulas by their last values.

What is hidden (sheets, rows, columns) is left out and said to be; cells that are struck out are left out. Only the records that
say so are read; comments are not, and are said to be.
"""

from __future__ import annotations

import posixpath
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pincite.errors import SourceError
from pincite.ingest.lost_parts import readable
from pincite.ingest.office.numberformat import is_date, shown
from pincite.ingest.office.sheet import Sheet, sheet_pages
from pincite.ingest.office.xlsxfile import refuse_large
from pincite.ingest.optional_libraries import needed
from pincite.ingest.raw_page import Page
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import member, unpacked

_BUNDLE, _WORKBOOK, _STRING = 156, 153, 19
_FORMAT, _FONT, _STYLES, _STYLE, _STYLES_END = 44, 43, 617, 47, 618
_ROW, _COLUMN, _MERGED, _PANE, _COMMENT = 0, 60, 176, 151, 635
_CELLS = range(2, 12)
_STRUCK = 0x8
"""The bit of a font that strikes its text out (FontFlags)."""
_DAY_ZERO = {False: datetime(1899, 12, 30), True: datetime(1904, 1, 1)}


def xlsb_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xlsb workbook. Raises SourceError when it cannot be read or is too large for a document."""
    needed("openpyxl", path.name)
    with unpacked(path) as archive:
        held = archive.infolist()
        refuse_large([part for part in held if "xl/worksheets/" in part.filename], path.name)
        with readable(path, "a workbook", "a spreadsheet program", ".xlsx"):
            sheets = list(_sheets(archive, path.name))
    yield from sheet_pages(sheets, path.stem)


class _Book(NamedTuple):
    """What the sheets share: strings, (number format, bold, struck out) of each style, whether days count from 1904."""

    strings: list[str]
    styles: dict[int, tuple[str, bool, bool]]
    late: bool


def _sheets(
    archive: zipfile.ZipFile, name: str
) -> Iterator[tuple[int, str, bool, Callable[[], Sheet]]]:
    """The number and name of each sheet, whether it is hidden, and what reads it."""
    workbook = member(archive, "xl/workbook.bin")
    if not workbook:
        raise SourceError(
            f"{name} is not a binary workbook: it has no xl/workbook.bin. Save it again as .xlsx."
        )
    late = any(data[0] & 1 for data in _records_of(workbook, _WORKBOOK))
    shared = member(archive, "xl/sharedStrings.bin")
    strings = [_text(data, 1)[0] for data in _records_of(shared, _STRING)]
    book = _Book(strings, _styles(member(archive, "xl/styles.bin")), late)
    targets = _targets(archive, "xl/workbook.bin")
    for number, data in enumerate(_records_of(workbook, _BUNDLE), 1):
        reference, at = _text(data, 8)
        title, _ = _text(data, at)
        target = targets.get(reference, "xl")
        if part := member(archive, target):
            comments = (one for one in _targets(archive, target).values() if "/comments" in one)
            held = [member(archive, one) for one in comments]
            count = sum(1 for one in held for _ in _records_of(one, _COMMENT))
            hidden = bool(struct.unpack_from("<I", data)[0])
            yield number, title, hidden, partial(_sheet, title, part, book, count)


def _sheet(name: str, part: bytes, book: _Book, comments: int) -> Sheet:
    sheet = Sheet(name, left=Counter({"comment": comments}))
    row = 0
    for kind, data in _records(part):
        if kind == _ROW:
            row = struct.unpack_from("<I", data)[0]
            if data[11] & 0x10:
                sheet.hidden_rows.add(row)
        elif kind in _CELLS:
            column, style = struct.unpack_from("<II", data)
            code, bold, struck = book.styles.get(style & 0xFFFFFF, ("General", False, False))
            if not struck:
                sheet.put((row, column), shown(_value(kind, data, code, book), code), bold)
        elif kind == _COLUMN and data[16] & 1:
            first, last = struct.unpack_from("<II", data)
            sheet.hidden_columns.update(range(first, min(last, 16_383) + 1))
        elif kind == _MERGED:
            top, bottom, left, right = struct.unpack_from("<IIII", data)
            sheet.merged.append((top, left, bottom, right))
        elif kind == _PANE and data[28] & 1:
            columns, rows = struct.unpack_from("<dd", data)
            sheet.frozen = int(rows), int(columns)
    return sheet


def _value(kind: int, data: bytes, code: str, book: _Book) -> object:
    """The value of a cell of one of the eleven kinds (2.4.307 ff.); a date where its number format shows one."""
    if kind in (6, 8):
        return _text(data, 8)[0]
    if kind == 7:
        return book.strings[int.from_bytes(data[8:12], "little")]
    if kind in (4, 10):
        return bool(data[8])
    if kind in (3, 11):
        errors = needed("xlrd", "a workbook").error_text_from_code
        return errors.get(data[8], "#ERROR!")
    packed = int.from_bytes(data[8:12], "little")
    number = _rk(packed) if kind == 2 else float(struct.unpack_from("<d", data, 8)[0])
    if is_date(code):
        return _DAY_ZERO[book.late] + timedelta(days=number)
    return int(number) if number.is_integer() else number


def _rk(packed: int) -> float:
    """A number in 32 bits (2.5.122): an integer of 30 bits or the upper ones of a double, perhaps divided by a hundred."""
    if packed & 2:
        value = float((packed >> 2) - (1 << 30 if packed & 0x80000000 else 0))
    else:
        (value,) = struct.unpack("<d", struct.pack("<Q", (packed & 0xFFFFFFFC) << 32))
    return value / 100 if packed & 1 else value


def _styles(part: bytes) -> dict[int, tuple[str, bool, bool]]:
    """The number format of each cell style by its number, and whether its font is bold and struck out."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS

    codes: dict[int, str] = dict(BUILTIN_FORMATS)
    fonts: list[tuple[bool, bool]] = []
    styles: list[tuple[str, bool, bool]] = []
    inside = False
    for kind, data in _records(part):
        if kind == _FORMAT:
            codes[struct.unpack_from("<H", data)[0]] = _text(data, 2)[0]
        elif kind == _FONT:
            marks, weight = struct.unpack_from("<HH", data, 2)
            fonts.append((weight >= 600, bool(marks & _STRUCK)))
        elif kind in (_STYLES, _STYLES_END):
            inside = kind == _STYLES
        elif kind == _STYLE and inside:
            _, form, font = struct.unpack_from("<HHH", data)
            look = fonts[font] if font < len(fonts) else (False, False)
            styles.append((codes.get(form, "General"), *look))
    return dict(enumerate(styles))


def _targets(archive: zipfile.ZipFile, part: str) -> dict[str, str]:
    """The members of the workbook that the relations of a part lead to, by id."""
    folder, name = posixpath.split(part)
    data = member(archive, f"{folder}/_rels/{name}.rels")
    held = xml_root(data, "a workbook").iterfind("{*}*") if data else ()
    paths = ((one.get("Id"), one.get("Target", "")) for one in held)
    return {key: posixpath.normpath(posixpath.join("/", folder, at))[1:] for key, at in paths}


def _records_of(part: bytes, kind: int) -> Iterator[bytes]:
    """The data of the records of one kind."""
    return (data for found, data in _records(part) if found == kind)


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
