"""ODS files as pages: sheet N is page N, its cells as they are displayed. Hidden sheets, rows and columns are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.odf import (
    COLUMNS_REPEATED,
    MOST,
    ROWS_REPEATED,
    Opened,
    attribute,
    count,
    lines_of,
    name_of,
    note_text,
    opened,
    placed,
    q,
    rows_of,
)
from pincite.ingest.office.sheet import Place, Sheet, sheet_page
from pincite.ingest.raw_page import Page
from pincite.ingest.web.attributes import whole

LARGEST = 500_000
"""Cells of a workbook with something in them, beyond which it is no document."""


def ods_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an OpenDocument workbook. Raises SourceError when it cannot be read or is too large for a document."""
    document = opened(path, "spreadsheet")
    reader = _Reader(document, _frozen(document))
    for number, table in enumerate(document.body.iterfind(q("table:table")), 1):
        style = attribute(table, "table:style-name")
        if (
            document.styles.value("table", style, "style:table-properties", "table:display")
            == "false"
        ):
            continue
        name = attribute(table, "table:name") or f"Sheet{number}"
        yield sheet_page(
            number, name, document.title or path.stem, partial(reader.sheet, table, name)
        )


@dataclass(slots=True)
class _Reader:
    """Reads the sheets of a workbook, of which `left` more cells may hold something."""

    document: Opened
    frozen: dict[str, Place]
    left: int = LARGEST

    def sheet(self, table: Any, name: str) -> Sheet:
        """The cells of a sheet. Raises SourceError when the workbook has too many."""
        sheet = Sheet(
            name, frozen=self.frozen.get(name, (0, 0)), hidden_columns=_hidden_columns(table)
        )
        for at, times, row in placed(rows_of(table), ROWS_REPEATED):
            rows = range(at, at + min(times, MOST))
            if _is_hidden(row):
                sheet.hidden_rows.update(rows)
            else:
                self.row(sheet, rows, row)
        self.left -= len(sheet.cells)
        return sheet

    def row(self, sheet: Sheet, rows: range, row: Any) -> None:
        """Add the cells of a row to a sheet, in all the rows that are like it."""
        for column, times, cell in placed(row, COLUMNS_REPEATED):
            if name_of(cell) != "table:table-cell":
                continue
            if text := lines_of(cell, self.document.styles) or _value(cell):
                self.cell(sheet, rows, range(column, column + min(times, MOST)), cell, text)
            note = cell.find(q("office:annotation"))
            if note is not None and (
                said := note_text(note, self.document.styles).partition(": ")[2]
            ):
                sheet.notes[rows.start, column] = said

    def cell(self, sheet: Sheet, rows: range, columns: range, cell: Any, text: str) -> None:
        """Add a cell to a sheet wherever it comes again."""
        if len(sheet.cells) + len(rows) * len(columns) > self.left:
            raise SourceError(
                f"{self.document.name} holds more than {LARGEST:,} cells, which is too much to read as a document. Split it, "
                "or ask it as a table of a database."
            )
        style = attribute(cell, "table:style-name")
        weight = self.document.styles.value(
            "table-cell", style, "style:text-properties", "fo:font-weight"
        )
        for place in product(rows, columns):
            if not sheet.hides(place):
                sheet.put(place, text, weight == "bold")
        deep, wide = (
            count(cell, "table:number-rows-spanned"),
            count(cell, "table:number-columns-spanned"),
        )
        if deep > 1 or wide > 1:
            sheet.merged.append(
                (rows.start, columns.start, rows.start + deep - 1, columns.start + wide - 1)
            )


def _is_hidden(element: Any) -> bool:
    """Whether a row or column is not shown."""
    return attribute(element, "table:visibility") in ("collapse", "filter")


def _hidden_columns(table: Any) -> set[int]:
    groups = ("table:table-column-group", "table:table-header-columns", "table:table-columns")
    found = table.iter(q("table:table-column"))
    columns = (
        column
        for column in found
        if column.getparent() is table or name_of(column.getparent()) in groups
    )
    hidden: set[int] = set()
    for at, times, column in placed(columns, COLUMNS_REPEATED):
        if _is_hidden(column):
            hidden.update(range(at, at + min(times, 2 * MOST)))
    return hidden


def _value(cell: Any) -> str:
    """The value of a cell for which the file does not say how it is displayed."""
    kind = attribute(cell, "office:value-type")
    if kind == "date":
        return attribute(cell, "office:date-value").removesuffix("T00:00:00")
    if kind == "boolean":
        return attribute(cell, "office:boolean-value").upper()
    if kind == "string":
        return attribute(cell, "office:string-value")
    try:
        number = Decimal(attribute(cell, "office:value"))
    except InvalidOperation:
        return ""
    if kind == "percentage":
        return shown(number, "0.##########%").replace(".%", "%")
    return f"{shown(number, None)} {attribute(cell, 'office:currency')}"


def _frozen(document: Opened) -> dict[str, Place]:
    """How many rows and columns of each sheet stay in view when the others are scrolled (split mode 2)."""
    frozen: dict[str, Place] = {}
    for entry in document.settings.iter(q("config:config-item-map-entry")):
        items = entry.iterfind(q("config:config-item"))
        told = {attribute(item, "config:name"): item.text or "" for item in items}
        place = _split(told, "Vertical"), _split(told, "Horizontal")
        if any(place):
            frozen[attribute(entry, "config:name")] = place
    return frozen


def _split(told: dict[str, str], way: str) -> int:
    return whole(told.get(f"{way}SplitPosition")) if told.get(f"{way}SplitMode") == "2" else 0
