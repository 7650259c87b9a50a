"""Spreadsheets as pages: sheet N is page N, with its tables at their cell addresses, its titles, notes and comments.

Cells are as they are displayed, formulas by their last values. What is hidden (sheets, rows, columns) or struck out is left out,
what is hidden said to be.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.lost_parts import readable
from pincite.ingest.office.drawings import paragraphs
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.sheet import Area, Place, Sheet, sheet_pages
from pincite.ingest.optional_libraries import needed
from pincite.ingest.raw_page import Page
from pincite.ingest.web.markup import whole, xml_root
from pincite.ingest.zip_limits import AS_TABLE, contents, refuse_larger, unpacked
from pincite.text.struck_text import STRUCK, with_struck

LARGEST = 24 << 20
"""Bytes of cells of a workbook, unpacked, beyond which it is no document: about half a million cells."""
MERGED = 5_000_000
"""The most cells of a sheet that merged cells may cover."""
_SHEET, _DRAWING = re.compile(r"/?xl/worksheets/[^/]*\.xml"), re.compile(r"xl/drawings/[^/]*")
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
        members = [member for member in archive.infolist() if _SHEET.fullmatch(member.filename)]
        refuse_large(members, path.name)
        parts = [contents(archive, member) for member in members]
        drawn = (one for one in archive.infolist() if _DRAWING.fullmatch(one.filename))
        drawings = {member.filename: contents(archive, member) for member in drawn}
    if any(sum(map(_covered, _MERGED.findall(part))) > MERGED for part in parts):
        raise SourceError(
            f"{path.name} merges more than {MERGED:,} cells of one sheet: that looks like a decompression bomb, and is refused."
        )
    uncalculated = any(map(_FORMULA.search, parts))
    with readable(path, "a workbook", "a spreadsheet program", ".xlsx"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what openpyxl would not write again
        book = openpyxl.load_workbook(path, data_only=True, rich_text=True)
        formulas = openpyxl.load_workbook(path) if uncalculated else None
        numbered = enumerate(map(book.__getitem__, book.sheetnames), 1)
        sheets = [(number, sheet) for number, sheet in numbered if hasattr(sheet, "merged_cells")]
    read = partial(_sheet, formulas, drawings)
    found = (
        (at, one.title, one.sheet_state != "visible", partial(read, one)) for at, one in sheets
    )
    yield from sheet_pages(found, book.properties.title or path.stem)


def refuse_large(sheets: Sequence[zipfile.ZipInfo], name: str) -> None:
    """Raise SourceError when the sheets of a workbook together have more bytes than a document."""
    refuse_larger(sum(sheet.file_size for sheet in sheets), LARGEST, name, AS_TABLE)


def _boxes(drawing: bytes) -> Iterator[tuple[Place, str]]:
    """The texts of boxes in a drawing, each with the cell where it begins."""
    for box in xml_root(drawing, "a workbook").iter("{*}sp"):
        if text := "\n".join(paragraphs(box)):
            anchor = next(box.iterancestors("{*}oneCellAnchor", "{*}twoCellAnchor"), box)
            row, column = (anchor.findtext(f"{{*}}from/{{*}}{way}") for way in ("row", "col"))
            yield (whole(row), whole(column)), text


def _sheet(formulas: Any, drawings: Mapping[str, bytes], sheet: Any) -> Sheet:
    utils = needed("openpyxl.utils.cell", "a workbook")
    row, column = utils.coordinate_to_tuple(sheet.freeze_panes or "A1")
    made = Sheet(sheet.title, frozen=(row - 1, column - 1))
    made.hidden_rows = {number - 1 for number, row in sheet.row_dimensions.items() if row.hidden}
    for one in (one for one in sheet.column_dimensions.values() if one.hidden):
        made.hidden_columns.update(range((one.min or one.index) - 1, one.max or one.index))
    own = formulas and formulas[sheet.title]
    # iter_rows would make every cell up to the last one, which may stand at XFD1048576
    for (row, column), cell in sheet._cells.items():
        place = (row - 1, column - 1)
        if getattr(cell, "comment", None) is not None and not made.hides(place):
            made.notes[place] = " ".join(_THREAD.sub("", cell.comment.text).split())
        made.put(place, _text(cell, own), cell.font is not None and bool(cell.font.b))
    made.merged = [_area(merged.bounds) for merged in sheet.merged_cells.ranges]
    tables = ((table.ref, table.headerRowCount) for table in sheet.tables.values())
    made.tables = [
        (_area(utils.range_boundaries(ref)), 1 if heads is None else heads)
        for ref, heads in tables
    ]
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


def _area(bounds: tuple[int, int, int, int]) -> Area:
    left, top, right, bottom = bounds
    return top - 1, left - 1, bottom - 1, right - 1
