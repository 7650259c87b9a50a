"""Old binary workbooks (.xls) as pages: sheet N is page N, its cells as they are displayed, by their number formats."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import SourceError, UnsupportedSource
from pincite.ingest.lost_parts import readable
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.sheet import Sheet, sheet_pages
from pincite.ingest.optional_libraries import needed
from pincite.ingest.raw_page import Page
from pincite.ingest.zip_limits import AS_TABLE, refuse_larger, refuse_ole
from pincite.text.struck_text import STRUCK

LARGEST = 64 << 20
"""Bytes of a file beyond which it is no document."""


def xls_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xls workbook. Raises SourceError when it cannot be read or is too large."""
    xlrd = needed("xlrd", path.name)
    with suppress(UnsupportedSource):  # of an old binary format is what it is to be
        refuse_ole(path, path.name)
    refuse_larger(path.stat().st_size, LARGEST, path.name, AS_TABLE)
    with readable(path, "a workbook", "a spreadsheet program", ".xlsx"):
        told = {"formatting_info": True, "ragged_rows": True, "logfile": io.StringIO()}
        book = xlrd.open_workbook(file_contents=_workbook(path), **told)
        sheets = list(enumerate(book.sheets(), 1))
    read = partial(_sheet, xlrd, book)
    found = ((at, one.name, bool(one.visibility), partial(read, one)) for at, one in sheets)
    yield from sheet_pages(found, path.stem)


def _workbook(path: Path) -> bytes:
    """The stream of records of a workbook, out of its compound file; a very old one is nothing else."""
    olefile = needed("olefile", path.name)
    if not olefile.isOleFile(path):
        return path.read_bytes()
    # it reads no more sectors than a file has, where xlrd goes round in circles
    with olefile.OleFileIO(path) as held:
        name = next((stream for stream in ("Workbook", "Book") if held.exists(stream)), "")
        if not name:
            raise SourceError(
                f"{path.name} is not a workbook: it holds another program's data. Save it again as .xlsx."
            )
        return bytes(held.openstream(name).read())


def _sheet(xlrd: Any, book: Any, sheet: Any) -> Sheet:
    made = Sheet(sheet.name)
    made.hidden_rows = {number for number, row in sheet.rowinfo_map.items() if row.hidden}
    made.hidden_columns = {number for number, one in sheet.colinfo_map.items() if one.hidden}
    places = ((row, column) for row in range(sheet.nrows) for column in range(sheet.row_len(row)))
    for place in places:
        cell = sheet.cell(*place)
        style = book.xf_list[cell.xf_index]
        text = shown(_value(xlrd, book, cell), book.format_map[style.format_key].format_str)
        runs = [(0, style.font_index), *sheet.rich_text_runlist_map.get(place, ())]
        ends = [*(start for start, _ in runs[1:]), len(text)]
        pieces = (
            STRUCK if book.font_list[font].struck_out else text[start:end]
            for (start, font), end in zip(runs, ends, strict=True)
        )
        made.put(place, "".join(pieces), bool(book.font_list[style.font_index].bold))
    ends = sheet.merged_cells
    made.merged = [(top, left, last - 1, right - 1) for top, last, left, right in ends]
    for place, note in sheet.cell_note_map.items():
        if not made.hides(place) and (text := " ".join(note.text.split())):
            made.notes[place] = text
    if sheet.panes_are_frozen:
        made.frozen = (sheet.horz_split_pos, sheet.vert_split_pos)
    return made


def _value(xlrd: Any, book: Any, cell: Any) -> object:
    """The value of a cell as Python has it; an error as its name."""
    if cell.ctype == xlrd.XL_CELL_DATE:
        return xlrd.xldate_as_datetime(cell.value, book.datemode)
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return int(cell.value) if cell.value.is_integer() else cell.value
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return bool(cell.value)
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return xlrd.error_text_from_code.get(cell.value, "")
    return cell.value
