"""ODS files as pages: sheet N is page N, its cells as they are displayed. Hidden sheets, rows and columns are said to be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.office.odf import MOST, Opened, count, note_text, opened
from pincite.ingest.office.sheet import Sheet, sheet_pages
from pincite.ingest.raw_page import Page
from pincite.ingest.web.markup import MOST as LAST
from pincite.ingest.zip_limits import AS_TABLE

_HIDDEN = ("collapse", "filter")
LARGEST = 500_000
"""Cells of a workbook with something in them, beyond which it is no document."""


def ods_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an OpenDocument workbook. Raises SourceError when it cannot be read or is too large for a document."""
    document, held = opened(path, "spreadsheet"), list[int]()
    sheets = []
    for number, table in enumerate(document.body.iterfind("table"), 1):
        name = table.get("name") or f"Sheet{number}"
        hidden = document.value("table", table.get("style-name", ""), "display") == "false"
        sheets.append((number, name, hidden, partial(_sheet, document, table, name, held)))
    yield from sheet_pages(sheets, document.title or path.stem)


def _sheet(document: Opened, table: Any, name: str, held: list[int]) -> Sheet:
    """A sheet; `held` has the numbers of cells of those before it, and gets its own."""
    sheet = Sheet(name)
    for at, times, column in _with_places(
        _parts(table, "table-column"), "number-columns-repeated"
    ):
        if column.get("visibility") in _HIDDEN:
            sheet.hidden_columns.update(range(at, at + min(times, 2 * MOST)))
    for at, times, row in _with_places(_parts(table, "table-row"), "number-rows-repeated"):
        rows = range(at, at + min(times, MOST))
        if row.get("visibility") in _HIDDEN:
            sheet.hidden_rows.update(rows)
        for column, times, cell in _with_places(row, "number-columns-repeated"):
            if cell.tag == "table-cell":
                columns = range(column, column + min(times, MOST))
                _put_cell(document, sheet, cell, rows, columns, LARGEST - sum(held))
    held.append(len(sheet.cells) + len(sheet.unseen))
    return sheet


def _put_cell(
    document: Opened, sheet: Sheet, cell: Any, rows: range, columns: range, left: int
) -> None:
    """Add a cell to a sheet wherever it comes again. Raises SourceError when there are too many."""
    hidden = sheet.hides((rows.start, columns.start))
    if not hidden and (note := cell.find("annotation")) is not None:
        if text := note_text(note).partition(": ")[2]:
            sheet.notes[rows.start, columns.start] = text
    text = " ".join("".join(line.itertext()) for line in cell.iterfind("p")) or _value(cell)
    if not text:
        return
    if len(sheet.cells) + len(sheet.unseen) + len(rows) * len(columns) > left:
        raise SourceError(
            f"{document.name} holds more than {LARGEST:,} cells, which is too much to read as a document. {AS_TABLE}"
        )
    bold = document.value("table-cell", cell.get("style-name", ""), "font-weight") == "bold"
    for place in product(rows, columns):
        sheet.put(place, text, bold)
    deep, wide = count(cell, "number-rows-spanned"), count(cell, "number-columns-spanned")
    if deep > 1 or wide > 1:
        top, left = rows.start, columns.start
        sheet.merged.append((top, left, top + deep - 1, left + wide - 1))


def _parts(table: Any, tag: str) -> Iterator[Any]:
    """The rows or columns of a table, without those of tables in it."""
    return (part for part in table.iter(tag) if next(part.iterancestors("table")) is table)


def _with_places(elements: Iterable[Any], repeated: str) -> Iterator[tuple[int, int, Any]]:
    """Rows, columns or cells, each with the place it begins in and how many it takes: by the attribute `repeated`."""
    at = 0
    for element in elements:
        times = min(count(element, repeated), LAST)
        yield at, times, element
        at += times


def _value(cell: Any) -> str:
    """The value of a cell for which the file does not say how it is displayed."""
    kind = cell.get("value-type", "")
    said = str(cell.get("value") or cell.get(f"{kind}-value") or "")
    if kind == "percentage":
        with suppress(ValueError):
            return f"{float(said) * 100:.10g}%"
    return " ".join((said.removesuffix("T00:00:00"), cell.get("currency", ""))).strip()
