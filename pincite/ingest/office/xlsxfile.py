"""Spreadsheets as pages: sheet N is page N, with its tables at their cell addresses, its titles, notes and comments.

Cells are as they are displayed, formulas by their last values. What is hidden (sheets, rows, columns) or struck out is left out,
what is hidden said to be.
"""

from __future__ import annotations

import posixpath
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.lost_parts import hidden_page, readable
from pincite.ingest.office.drawings import paragraphs
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.sheet import Area, Place, Sheet, sheet_page
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import STRUCK, with_struck
from pincite.ingest.raw_page import Page
from pincite.ingest.web.attributes import whole
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import AS_TABLE, contents, refuse_larger, unpacked

LARGEST = 24 << 20
"""Bytes of cells of a workbook, unpacked, beyond which it is no document: about half a million cells."""
MERGED = 5_000_000
"""The most cells of a sheet that merged cells may cover."""
_MERGED = re.compile(rb'<mergeCell ref="\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)"')
_EMBEDDED = ("/oleObject", "/package")
"""How the kinds of relations end that lead to what is embedded."""
_THREAD = re.compile(r"\[Threaded comment\].*?Comment:", re.DOTALL)
"""What Excel writes before a comment for programs that do not know threads."""
_FORMULA = re.compile(rb"<f(?:\s[^>]*)?(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")


def xlsx_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an .xlsx or .xlsm workbook. Raises SourceError when it cannot be read or is too large for a document."""
    openpyxl = needed("openpyxl", path.name)
    with unpacked(path) as archive:
        members = [member for member in archive.infolist() if _is_sheet(member.filename)]
        refuse_large(members, path.name)
        parts = [contents(archive, member) for member in members]
        drawings = {
            member.filename: contents(archive, member)
            for member in archive.infolist()
            if posixpath.dirname(member.filename) == "xl/drawings"
        }
    for part in parts:
        _refuse_merged(part, path.name)
    uncalculated = any(map(_FORMULA.search, parts))
    with readable(path, "a workbook", "a spreadsheet program", ".xlsx"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl would not write again
        book = openpyxl.load_workbook(path, data_only=True, rich_text=True)
        formulas = openpyxl.load_workbook(path) if uncalculated else None
        numbered = enumerate(map(book.__getitem__, book.sheetnames), 1)
        sheets = [(number, sheet) for number, sheet in numbered if hasattr(sheet, "merged_cells")]
    for number, sheet in sheets:  # those of cells, not those of charts
        if sheet.sheet_state != "visible":
            yield hidden_page(number, f"sheet {sheet.title}")
            continue
        read = partial(_sheet, sheet, formulas[sheet.title] if formulas else None, drawings)
        yield sheet_page(number, sheet.title, book.properties.title or path.stem, read)


def refuse_large(sheets: Sequence[zipfile.ZipInfo], name: str) -> None:
    """Raise SourceError when the sheets of a workbook together have more bytes than a document."""
    refuse_larger(sum(sheet.file_size for sheet in sheets), LARGEST, name, AS_TABLE)


def _refuse_merged(part: bytes, name: str) -> None:
    """Raise SourceError when merged cells of a sheet cover more than any sheet needs."""
    if sum(map(_covered, _MERGED.findall(part))) > MERGED:
        raise SourceError(
            f"{name} merges more than {MERGED:,} cells of one sheet: that looks like a decompression bomb, and is refused."
        )


def _is_sheet(name: str) -> bool:
    return posixpath.dirname(name).removeprefix("/") == "xl/worksheets" and name.endswith(".xml")


def _boxes(drawing: bytes) -> Iterator[tuple[Place, str]]:
    """The texts of boxes in a drawing, each with the cell where it begins."""
    for box in xml_root(drawing, "a workbook").iter("{*}sp"):
        if text := "\n".join(paragraphs(box)):
            anchor = next(box.iterancestors("{*}oneCellAnchor", "{*}twoCellAnchor"), box)
            row, column = (anchor.findtext(f"{{*}}from/{{*}}{way}") for way in ("row", "col"))
            yield (whole(row), whole(column)), text


def _sheet(sheet: Any, formulas: Any, drawings: Mapping[str, bytes]) -> Sheet:
    made = Sheet(sheet.title, frozen=_corner(sheet.freeze_panes))
    made.hidden_columns = set(_hidden_columns(sheet))
    made.hidden_rows = {number - 1 for number, row in sheet.row_dimensions.items() if row.hidden}
    # iter_rows would make every cell up to the last one, which may stand at XFD1048576
    for (row, column), cell in sheet._cells.items():
        place = (row - 1, column - 1)
        if getattr(cell, "comment", None) is not None and not made.hides(place):
            made.notes[place] = " ".join(_THREAD.sub("", cell.comment.text).split())
        made.put(place, _text(cell, formulas), cell.font is not None and bool(cell.font.b))
    made.merged = [_area(merged.coord) for merged in sheet.merged_cells.ranges]
    tables = ((table.ref, table.headerRowCount) for table in sheet.tables.values())
    made.tables = [(_area(ref), 1 if heads is None else heads) for ref, heads in tables]
    for relation in sheet._rels:
        if drawing := drawings.get(relation.target.removeprefix("/")):
            made.boxes += _boxes(drawing)
        made.left["embedded object"] += relation.Type.endswith(_EMBEDDED)
    return made


def _text(cell: Any, formulas: Any) -> str:
    """A cell as it is displayed; a formula that was never calculated as itself."""
    value = cell.value
    if value is None and formulas is not None:
        value = formulas.cell(cell.row, cell.column).value
        value = getattr(value, "text", value)
    struck = bool(cell.font and cell.font.strike)
    if isinstance(value, list):  # runs of characters of one look, where the cell has several
        return with_struck(value, struck)
    return STRUCK if struck else shown(value, cell.number_format)


def _covered(ends: tuple[bytes, ...]) -> int:
    """How many cells a merged area covers."""
    numbers = needed("openpyxl.utils.cell", "a workbook").column_index_from_string
    left, top, right, bottom = (end.decode() for end in ends)
    if len(left + right) > 6:
        return MERGED + 1
    return (int(numbers(right)) - int(numbers(left)) + 1) * (int(bottom) - int(top) + 1)


def _hidden_columns(sheet: Any) -> Iterator[int]:
    for column in sheet.column_dimensions.values():
        if column.hidden:
            yield from range((column.min or column.index) - 1, column.max or column.index)


def _corner(address: str | None) -> Place:
    """How many rows and columns stay in view when the others are scrolled."""
    if not address:
        return 0, 0
    row, column = needed("openpyxl.utils.cell", "a workbook").coordinate_to_tuple(address)
    return row - 1, column - 1


def _area(reference: str) -> Area:
    utils = needed("openpyxl.utils.cell", "a workbook")
    left, top, right, bottom = utils.range_boundaries(reference)
    return top - 1, left - 1, bottom - 1, right - 1
