"""Old binary workbooks (.xls) as pages: sheet N is page N, its cells as they are displayed, by their number formats."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError, UnsupportedSource
from pincite.ingest.extra import needed
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.sheet import Place, Sheet, sheet_page
from pincite.ingest.raw_page import Page
from pincite.ingest.zip_limits import refuse_ole

LARGEST = 64 << 20
"""Bytes of a file beyond which it is no document."""


def xls_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xls workbook that are not hidden. Raises SourceError when it cannot be read or is too large."""
    xlrd = needed("xlrd", path.name)
    with suppress(UnsupportedSource):  # of an old binary format is what it is to be
        refuse_ole(path, path.name)
    if path.stat().st_size > LARGEST:
        raise SourceError(f"{path.name} has more than {LARGEST >> 20} MiB, too much to read as a document. Split it.")
    try:
        book = xlrd.open_workbook(
            file_contents=_workbook(path), formatting_info=True, ragged_rows=True, logfile=io.StringIO()
        )
        held = [
            (number, sheet.name, partial(_sheet, xlrd, book, sheet))
            for number, sheet in enumerate(book.sheets(), 1)
            if not sheet.visibility
        ]
    except SourceError:
        raise
    except Exception as error:  # what a damaged workbook makes xlrd raise has no common class
        if "encrypted" in str(error):
            raise LockedSource(
                f"{path.name} is encrypted: take the password off in its program and save it."
            ) from error
        raise SourceError(
            f"{path.name} cannot be read as a workbook ({type(error).__name__}: {error}): it is damaged or of another format. "
            "Open it in a spreadsheet program and save it again as .xlsx."
        ) from error
    for number, name, read in held:
        yield sheet_page(number, name, path.stem, read)


def _workbook(path: Path) -> bytes:
    """The stream of records of a workbook, out of its compound file; a very old one is nothing else."""
    olefile = needed("olefile", path.name)
    if not olefile.isOleFile(path):
        return path.read_bytes()
    with olefile.OleFileIO(path) as held:  # it reads no more sectors than a file has, where xlrd goes round in circles
        name = next((stream for stream in ("Workbook", "Book") if held.exists(stream)), "")
        if not name:
            raise SourceError(f"{path.name} is no workbook: it holds another program's data. Save it again as .xlsx.")
        return bytes(held.openstream(name).read())


def _sheet(xlrd: Any, book: Any, sheet: Any) -> Sheet:
    hidden_rows = frozenset(row for row, one in sheet.rowinfo_map.items() if one.hidden)
    hidden_columns = frozenset(column for column, one in sheet.colinfo_map.items() if one.hidden)
    cells: dict[Place, str] = {}
    bold: set[Place] = set()
    for row in range(sheet.nrows):
        for column, cell in enumerate(sheet.row(row)):
            if row in hidden_rows or column in hidden_columns:
                continue
            style = book.xf_list[cell.xf_index]
            if text := " ".join(_shown(xlrd, book, cell, book.format_map[style.format_key].format_str).split()):
                cells[row, column] = text
                if book.font_list[style.font_index].bold:
                    bold.add((row, column))
    merged = [(top, left, last - 1, right - 1) for top, last, left, right in sheet.merged_cells]
    notes = {at: " ".join(note.text.split()) for at, note in sheet.cell_note_map.items() if note.text.strip()}
    frozen = (sheet.horz_split_pos, sheet.vert_split_pos) if sheet.panes_are_frozen else (0, 0)
    return Sheet(sheet.name, cells, merged, notes, frozenset(bold), frozen, hidden=(hidden_rows, hidden_columns))


def _shown(xlrd: Any, book: Any, cell: Any, code: str) -> str:
    """A cell as its number format shows it; hidden by it where that is ";;;"."""
    if code == ";;;":
        return ""
    if cell.ctype == xlrd.XL_CELL_DATE:
        return shown(xlrd.xldate_as_datetime(cell.value, book.datemode), code)
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        value = int(cell.value) if cell.value.is_integer() else cell.value
        return shown(value, code)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return shown(bool(cell.value), None)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, ""))
    return str(cell.value)
