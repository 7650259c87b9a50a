"""Spreadsheets as pages: sheet N is page N, with its tables at their cell addresses, its titles, notes and comments.

Cells are as they are displayed, formulas by their last values. What is hidden (sheets, rows, columns) is left out.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.extra import needed
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.sheet import Area, Sheet, sheet_page
from pincite.ingest.raw_page import Page
from pincite.ingest.zip_limits import contents, unpacked

LARGEST = 24 << 20
"""Bytes of cells of a workbook, unpacked, beyond which it is no document: about half a million cells."""
MERGED = 5_000_000
"""The most cells of a sheet that merged cells may cover."""
_MERGED = re.compile(rb'<mergeCell ref="\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)"')
_FORMULA = re.compile(rb"<f(?:\s[^>]*)?(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


def xlsx_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xlsx or .xlsm workbook. Raises SourceError when it cannot be read or is too large for a document."""
    openpyxl = needed("openpyxl", path.name)
    with unpacked(path) as archive:
        sheets = [member for member in archive.infolist() if re.match(r"/?xl/worksheets/[^/]+\.xml$", member.filename)]
        size = sum(sheet.file_size for sheet in sheets)
        if size > LARGEST:
            raise SourceError(
                f"{path.name} holds {size >> 20} MiB of cells, which is too much to read as a document (at most "
                f"{LARGEST >> 20} MiB). Split it, or ask it as a table of a database."
            )
        unsaved = False
        for sheet in sheets:
            data = contents(archive, sheet)
            unsaved = unsaved or bool(_FORMULA.search(data))
            if sum(map(_covered, _MERGED.findall(data))) > MERGED:
                raise SourceError(
                    f"{path.name} merges more than {MERGED:,} cells of one sheet: it is made to explode, and refused."
                )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what openpyxl would not write again
            book = openpyxl.load_workbook(path, data_only=True)
            formulas = openpyxl.load_workbook(path) if unsaved else None
        held = [
            (number, one.title, partial(_sheet, one, formulas[one.title] if formulas else None))
            for number, one in enumerate(map(book.__getitem__, book.sheetnames), 1)
            if getattr(one, "sheet_state", "") == "visible" and hasattr(one, "merged_cells")
        ]
    except Exception as error:  # what a damaged workbook makes openpyxl raise has no common class
        raise _unreadable(path, error) from error
    for number, name, read in held:
        yield sheet_page(number, name, book.properties.title or path.stem, read)


def _unreadable(path: Path, error: Exception) -> SourceError:
    return SourceError(
        f"{path.name} cannot be read as a workbook ({type(error).__name__}: {error}): it is damaged or of another format. Open "
        "it in a spreadsheet program and save it again as .xlsx."
    )


def _sheet(sheet: Any, formulas: Any) -> Sheet:
    hidden_rows = {number - 1 for number, one in sheet.row_dimensions.items() if one.hidden}
    hidden_columns = set(_hidden_columns(sheet))
    cells: dict[tuple[int, int], str] = {}
    notes: dict[tuple[int, int], str] = {}
    bold: set[tuple[int, int]] = set()
    # iter_rows would make every cell up to the last one, which may stand at XFD1048576
    for (row, column), cell in sheet._cells.items():
        at = (row - 1, column - 1)
        if at[0] in hidden_rows or at[1] in hidden_columns:
            continue
        if getattr(cell, "comment", None) is not None:
            notes[at] = " ".join(cell.comment.text.split())
        value = cell.value
        if value is None and formulas is not None:
            value = formulas.cell(row, column).value  # never calculated: the formula itself
            value = getattr(value, "text", value)
        if value is None or cell.number_format == ";;;":
            continue
        if text := " ".join(shown(value, cell.number_format).split()):
            cells[at] = text
            if cell.font is not None and cell.font.b:
                bold.add(at)
    merged = tuple(
        (merged.min_row - 1, merged.min_col - 1, merged.max_row - 1, merged.max_col - 1)
        for merged in sheet.merged_cells.ranges
    )
    tables = tuple(_area(table.ref, table.headerRowCount) for table in sheet.tables.values())
    frozen = _corner(sheet.freeze_panes)
    hidden = frozenset(hidden_rows), frozenset(hidden_columns)
    return Sheet(sheet.title, cells, merged, notes, frozenset(bold), frozen, tables, hidden)


def _covered(ends: tuple[bytes, ...]) -> int:
    """How many cells a merged area covers."""
    numbers = needed("openpyxl.utils.cell", "a workbook").column_index_from_string
    left, top, right, bottom = (end.decode() for end in ends)
    return (numbers(right) - numbers(left) + 1) * (int(bottom) - int(top) + 1) if len(left + right) < 7 else MERGED + 1


def _hidden_columns(sheet: Any) -> Iterator[int]:
    for column in sheet.column_dimensions.values():
        if column.hidden:
            yield from range((column.min or column.index) - 1, column.max or column.index)


def _corner(address: str | None) -> tuple[int, int]:
    """How many rows and columns stay in view when the others are scrolled."""
    if not address:
        return 0, 0
    row, column = needed("openpyxl.utils.cell", "a workbook").coordinate_to_tuple(address)
    return row - 1, column - 1


def _area(reference: str, headers: int | None) -> tuple[Area, int]:
    left, top, right, bottom = needed("openpyxl.utils.cell", "a workbook").range_boundaries(reference)
    return (top - 1, left - 1, bottom - 1, right - 1), 1 if headers is None else headers
