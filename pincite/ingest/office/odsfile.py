"""ODS files as pages: sheet N is page N, its cells as they are displayed. Hidden sheets, rows and columns are left out."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import partial
from pathlib import Path
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.office.numberformat import shown
from pincite.ingest.office.odf import MOST, Opened, Styles, count, lines_of, note_text, opened, q
from pincite.ingest.office.sheet import Area, Place, Sheet, sheet_page
from pincite.ingest.raw_page import Page
from pincite.ingest.web.attributes import whole

LARGEST = 500_000
"""Cells of a workbook with something in them, beyond which it is no document."""


def ods_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The sheets of an OpenDocument workbook. Raises SourceError when it cannot be read or is too large for a document."""
    document = opened(path, "spreadsheet")
    frozen = _frozen(document)
    left = LARGEST

    def read(table: Any, name: str) -> Sheet:
        nonlocal left
        sheet = _sheet(table, document.styles, name, frozen.get(name, (0, 0)), left)
        if sheet is None:
            raise SourceError(
                f"{path.name} holds more than {LARGEST:,} cells, which is too much to read as a document. Split it, or ask it "
                "as a table of a database."
            )
        left -= len(sheet.cells)
        return sheet

    for number, table in enumerate(document.body.iterfind(q("table:table")), 1):
        style = table.get(q("table:style-name"))
        if document.styles.value("table", style, "style:table-properties", "table:display") == "false":
            continue
        name = table.get(q("table:name")) or f"Sheet{number}"
        yield sheet_page(number, name, document.title or path.stem, partial(read, table, name))


def _sheet(table: Any, styles: Styles, name: str, frozen: Place, most: int) -> Sheet | None:
    """A sheet of at most so many cells with something in them; None for a larger one."""
    cells: dict[Place, str] = {}
    merged: list[Area] = []
    notes: dict[Place, str] = {}
    bold: set[Place] = set()
    hidden_columns, hidden_rows = _hidden_columns(table), set[int]()
    row = 0
    for line in _rows(table):
        again = count(line, "table:number-rows-repeated")
        if line.get(q("table:visibility")) in ("collapse", "filter"):
            hidden_rows.update(range(row, row + min(again, MOST)))
            row += again
            continue
        column = 0
        for cell in line:
            wide = count(cell, "table:number-columns-repeated")
            if cell.tag == q("table:table-cell") and (text := _shown(cell, styles)):
                if len(cells) + min(again, MOST) * min(wide, MOST) > most:
                    return None
                places = [
                    (row + down, column + right)
                    for down in range(min(again, MOST))
                    for right in range(min(wide, MOST))
                    if column + right not in hidden_columns
                ]
                cells |= dict.fromkeys(places, text)
                if _is_bold(cell, styles):
                    bold.update(places)
                deep, broad = count(cell, "table:number-rows-spanned"), count(cell, "table:number-columns-spanned")
                if deep > 1 or broad > 1:
                    merged.append((row, column, row + deep - 1, column + broad - 1))
            note = cell.find(q("office:annotation")) if cell.tag == q("table:table-cell") else None
            if note is not None and (said := note_text(note, styles).partition(": ")[2]):
                notes[row, column] = said
            column += wide
        row += again
    hidden = frozenset(hidden_rows), frozenset(hidden_columns)
    return Sheet(name, cells, merged, notes, frozenset(bold), frozen, hidden=hidden)


def _rows(element: Any) -> Iterator[Any]:
    for child in element:
        if child.tag == q("table:table-row"):
            yield child
        elif child.tag in (q("table:table-row-group"), q("table:table-header-rows"), q("table:table-rows")):
            yield from _rows(child)


def _hidden_columns(table: Any) -> set[int]:
    hidden: set[int] = set()
    column = 0
    groups = (q("table:table-column-group"), q("table:table-header-columns"), q("table:table-columns"))
    found = [
        column
        for column in table.iter(q("table:table-column"))
        if column.getparent() is table or column.getparent().tag in groups
    ]
    for one in found:
        again = count(one, "table:number-columns-repeated")
        if one.get(q("table:visibility")) in ("collapse", "filter"):
            hidden.update(range(column, column + min(again, 2 * MOST)))
        column += again
    return hidden


def _shown(cell: Any, styles: Styles) -> str:
    """A cell as it is displayed; where the file does not tell, its value."""
    if text := lines_of(cell, styles):
        return text
    kind, value = cell.get(q("office:value-type")), cell.get(q("office:value")) or ""
    if kind == "date":
        return (cell.get(q("office:date-value")) or "").removesuffix("T00:00:00")
    if kind == "boolean":
        return (cell.get(q("office:boolean-value")) or "").upper()
    if kind == "string":
        return " ".join((cell.get(q("office:string-value")) or "").split())
    try:
        number = Decimal(value)
    except InvalidOperation:
        return ""
    if kind == "percentage":
        return shown(number, "0.##########%").replace(".%", "%")
    unit = cell.get(q("office:currency")) or ""
    return f"{shown(number, None)} {unit}".strip()


def _is_bold(cell: Any, styles: Styles) -> bool:
    style = cell.get(q("table:style-name"))
    return styles.value("table-cell", style, "style:text-properties", "fo:font-weight") == "bold"


def _frozen(document: Opened) -> dict[str, Place]:
    """How many rows and columns of each sheet stay in view when the others are scrolled (split mode 2)."""
    found: dict[str, Place] = {}
    entries = document.settings.iter(q("config:config-item-map-entry")) if document.settings is not None else ()
    for entry in entries:
        told = {item.get(q("config:name")): item.text or "" for item in entry.iterfind(q("config:config-item"))}
        rows, columns = (
            whole(told.get(f"{way}SplitPosition")) if told.get(f"{way}SplitMode") == "2" else 0
            for way in ("Vertical", "Horizontal")
        )
        if rows or columns:
            found[entry.get(q("config:name")) or ""] = (rows, columns)
    return found
