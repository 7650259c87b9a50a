"""A grid as a workbook: the table, the evidence of every cell, what changed since last time, and how to read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import Cell
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from pincite import __version__
from pincite.document.address import place_of
from pincite.evidence.headline import most_likely
from pincite.evidence.value_in_words import short_number
from pincite.plural import counted
from pincite.quantity import parse
from pincite.records.answer_record import clean
from pincite.types import Citation, Quantity
from pincite.workbench.grid.filled_cells import (
    STATUSES,
    Filled,
    Grid,
    Status,
    citations_of,
    found,
    is_number,
)
from pincite.workbench.grid.spec import GridColumn

COLOURS: dict[Status, str] = {
    "supported": "E3F1E6", "computed": "E2EDF8", "na": "EFEFEF", "contradicted": "F9DEDC", "corrected": "EADDF6",
    "given": "FFFFFF", "failed": "FCE8C8", "open": "FFFFFF",
}  # fmt: skip
MOVED = "D9822B"
_DARK = "2F3B4C"
UNSURE = 0.5
"""The confidence below which a value stands in italics."""
LINKS = 65_000
"""Links of one sheet: a spreadsheet takes 65,530."""
_CLIP = 32_000
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What no XML may hold."""
_EVIDENCE = (
    ("Entity", 26), ("Column", 26), ("Value", 20), ("Status", 13), ("Confidence", 11), ("Document", 30), ("Place", 14),
    ("Quote", 60), ("How it was checked", 60), ("Framed page", 16), ("Note", 40), ("Answer", 12), ("SHA-256 of the source", 24),
)  # fmt: skip


def write_xlsx(grid: Grid, path: Path, link: Callable[[Filled], str]) -> None:
    """Write the workbook; `link` gives the address of a cell's framed page, "" for none."""
    book = Workbook()
    sheet, evidence = book.active, book.create_sheet("Evidence")
    assert sheet is not None
    sheet.title = "Grid"
    places = _evidence(evidence, grid, link)
    _table(sheet, grid, places)
    moved = [cell for line in grid.cells for cell in line if cell.moved is not None]
    if moved:
        _changes(book, moved)
    _about(book, grid)
    book.save(path)


def _table(sheet: Worksheet, grid: Grid, places: dict[tuple[str, str], int]) -> None:
    _top(sheet, grid)
    links = 0
    for number, (row, line) in enumerate(zip(grid.spec.rows, grid.cells, strict=True), 3):
        _put(sheet.cell(number, 1), row.name)
        sheet.cell(number, 1).font = Font(bold=True)
        for at, (column, filled) in enumerate(zip(grid.spec.columns, line, strict=True), 2):
            cell = sheet.cell(number, at)
            _value(cell, filled, column)
            _looks(cell, filled)
            target = places.get((filled.row, filled.column))
            if target and links < LINKS:
                links += 1
                cell.hyperlink = Hyperlink(
                    ref=cell.coordinate, location=f"Evidence!A{target}", display=None
                )
    sheet.freeze_panes = "B3"
    sheet.column_dimensions["A"].width = max(
        14, min(42, max(len(row.name) for row in grid.spec.rows) + 2)
    )
    for at, column in enumerate(grid.spec.columns, 2):
        longest = max((_length(line[at - 2]) for line in grid.cells), default=0)
        sheet.column_dimensions[get_column_letter(at)].width = max(
            12, min(34, longest + 3, 48), min(24, len(column.name) + 2)
        )
    sheet.row_dimensions[1].height = 32
    sheet.print_title_rows, sheet.print_title_cols = "1:2", "A:A"
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _top(sheet: Worksheet, grid: Grid) -> None:
    """The two rows above the cells: the names of the columns, and their units and periods."""
    heads = [(grid.spec.entity.capitalize(), "unit, period")]
    heads += [
        (column.name, ", ".join(filter(None, (column.unit, column.period))))
        for column in grid.spec.columns
    ]
    for at, (name, measure) in enumerate(heads, 1):
        head, under = sheet.cell(1, at), sheet.cell(2, at)
        side = "left" if at == 1 else "center"
        _put(head, name)
        _put(under, measure)
        head.font, head.fill = (
            Font(bold=True, color="FFFFFF"),
            PatternFill("solid", start_color=_DARK),
        )
        head.alignment = Alignment(wrap_text=True, vertical="center", horizontal=side)
        under.font, under.alignment = (
            Font(italic=True, color="666666", size=9),
            Alignment(horizontal=side),
        )


_SIDE = Side(style="medium", color=MOVED)
_FRAME = Border(left=_SIDE, right=_SIDE, top=_SIDE, bottom=_SIDE)
_FILLS = {status: PatternFill("solid", start_color=colour) for status, colour in COLOURS.items()}
_UNSURE = Font(italic=True, color="7A6A3A")


def _looks(cell: Cell, filled: Filled) -> None:
    """Give a cell its looks, by its status, its confidence and whether it moved, and its comment."""
    cell.fill = _FILLS[filled.status]
    if filled.answer is not None and filled.value is not None and filled.confidence < UNSURE:
        cell.font = _UNSURE
    if filled.moved is not None:
        cell.border = _FRAME
    if told := _told(filled):
        cell.comment = Comment(told, "pincite", width=340, height=120)


def _value(cell: Cell, filled: Filled, column: GridColumn) -> None:
    """What a cell shows: a number under a format that says its unit where the heading does not, or a text."""
    value = clean(filled.value)
    if isinstance(filled.value, Quantity) and is_number(value):
        cell.value = value
        unit = "" if filled.unit == column.unit and filled.unit != "%" else filled.unit
        cell.number_format = number_format(value, unit, places(filled.value))
        cell.alignment = Alignment(horizontal="right", vertical="top")
        return
    shown = {"open": "", "failed": "failed"}.get(
        filled.status, most_likely(filled.possible) if filled.possible else filled.text or "N/A"
    )
    _put(cell, shown)
    centred = filled.value is None
    cell.alignment = Alignment(
        horizontal="center" if centred else "left", vertical="top", wrap_text=len(shown) > 30
    )


def number_format(value: int | float, unit: str, places: int) -> str:
    """The number format of a value: separated thousands, its decimals, its unit."""
    plain = (
        "0"
        if unit == "year" or not unit and isinstance(value, int) and 1900 <= value <= 2100
        else "#,##0"
    )
    shown = plain + ("." + "0" * places if places else "")
    said = "" if unit in ("", "year") else unit if unit == "%" else f" {_clean(unit)}"
    return shown + (f'"{said.replace(chr(34), "")}"' if said else "")


def places(value: Quantity) -> int:
    """The decimals that a number has where it is printed, counted in the scale in which it is shown; at most six.

    A computed number, which is printed nowhere, has those of its wording.
    """
    shown = short_number(value, value.value)
    written = parse(value.text)
    if written is not None and written.value and value.value:
        ratio = (value.value / written.value).copy_abs().normalize()
        if ratio.as_tuple().digits == (1,):  # the same digits
            shown = written.value.scaleb(ratio.adjusted())
    exponent = shown.scaleb(value.scale.adjusted()).as_tuple().exponent
    return min(6, max(0, -int(exponent)))


def _length(filled: Filled) -> int:
    """How many characters a cell is wide."""
    value = clean(filled.value)
    if isinstance(filled.value, Quantity) and is_number(value):
        return len(f"{value:,.{places(filled.value)}f}") + len(filled.unit) + 1
    return len(filled.text)


def _told(filled: Filled) -> str:
    """What stands in a cell's comment: what it was, its note, what people said."""
    moved = filled.moved
    lines = [f"Moved: was {moved.text} on {moved.at[:10]} ({moved.why})"] if moved else []
    lines += [filled.note] if filled.note else []
    lines += [f"{comment.by}, {comment.at[:10]}: {comment.note}" for comment in filled.comments]
    return _clean("\n".join(lines))[:2000]


def _evidence(
    sheet: Worksheet, grid: Grid, link: Callable[[Filled], str]
) -> dict[tuple[str, str], int]:
    """Write a line for each citation, and one for each cell without any; returns the first line of each cell."""
    _heads(sheet, _EVIDENCE)
    blue = Font(color="0563C1", underline="single")
    wrap = Alignment(wrap_text=True, vertical="top")
    places: dict[tuple[str, str], int] = {}
    at, links = 2, 0
    shown = [
        filled for line in grid.cells for filled in line if filled.status not in ("given", "open")
    ]
    for filled in shown:
        places[filled.row, filled.column] = at
        address = link(filled)
        for place in citations_of(filled) or (None,):
            for column, value in enumerate(_evidence_of(filled, place, address), 1):
                cell = sheet.cell(at, column)
                _put(cell, value)
                cell.alignment = wrap
            if address and links < LINKS:
                links += 1
                sheet.cell(at, 10).hyperlink = address
                sheet.cell(at, 10).font = blue
            sheet.cell(at, 5).number_format = "0.00"
            at, address = at + 1, ""  # the first line of a cell has its page
    sheet.auto_filter.ref = f"A1:M{max(at - 1, 1)}"
    sheet.freeze_panes = "C2"
    return places


def _evidence_of(filled: Filled, place: Citation | None, address: str) -> Sequence[Any]:
    """A line of the sheet of evidence: a cell, one of the places that it rests on, and how that was checked."""
    shown = "N/A" if filled.value is None and filled.status != "failed" else filled.text
    head = (filled.row, filled.column, shown, filled.status, round(filled.confidence, 2))
    page = "open" if address else ""
    if place is None:
        how = filled.review.how if filled.status == "corrected" and filled.review else ""
        return (*head, "", "", "", how, page, filled.note, filled.answer_id, "")
    return (
        *head, place.document, place_of(place.anchor), place.quote, _how(filled, place), page, filled.note,
        filled.answer_id, place.anchor.source,
    )  # fmt: skip


def _how(filled: Filled, place: Citation) -> str:
    """How a place was checked, in words."""
    if filled.status == "corrected" and filled.review:
        return filled.review.how
    checks = filled.answer.checks if filled.answer else ()
    return "; ".join(check.how for check in checks if check.citation == place.label)


def _changes(book: Workbook, moved: Sequence[Filled]) -> None:
    sheet = book.create_sheet("Changes")
    _heads(sheet, (("Entity", 26), ("Column", 26), ("Was", 24), ("Is", 24), ("Was status", 13), ("Is status", 13),
                   ("Answered before on", 20), ("What changed", 60)))  # fmt: skip
    for at, cell in enumerate(moved, 2):
        was = cell.moved
        assert was is not None
        statuses = was.status, cell.status
        told = (cell.row, cell.column, was.text, found(cell), *statuses, was.at, was.why)
        for column, value in enumerate(told, 1):
            _put(sheet.cell(at, column), value)
    sheet.freeze_panes = "A2"


def _about(book: Workbook, grid: Grid) -> None:
    sheet = book.create_sheet("About")
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 18, 90
    counts = grid.counts
    lines: list[tuple[str, str]] = [
        ("Grid", grid.spec.title), ("Filled", f"{grid.at}, run {grid.run}{_unfinished(grid)}"),
        ("By", f"pincite {__version__}"), ("", ""),
        *((status, f"{counted(counts.get(status, 0), 'cell')}: {meaning}") for status, meaning in STATUSES.items()),
        ("orange border", "moved since the last run: its comment and the sheet Changes say from what"),
        ("italics", f"confidence below {UNSURE:g}: more likely wrong than right"), ("", ""),
        ("Values", "The sheet Evidence lists each with its quote and place; click a value to go there."),
        ("", "Confidence is a calibrated likelihood; a corrected cell shows the reviewer's value, and its note what was found."),
    ]  # fmt: skip
    for at, (name, text) in enumerate(lines, 1):
        _put(sheet.cell(at, 1), name)
        _put(sheet.cell(at, 2), text)
        sheet.cell(at, 1).font = Font(bold=True)
        if name in COLOURS:
            sheet.cell(at, 1).fill = PatternFill("solid", start_color=COLOURS[name])


def _unfinished(grid: Grid) -> str:
    return (
        ""
        if grid.finished
        else ", which was not finished: cells may be of an earlier state of the corpus"
    )


def _heads(sheet: Worksheet, heads: Sequence[tuple[str, int]]) -> None:
    for at, (name, width) in enumerate(heads, 1):
        cell = sheet.cell(1, at)
        cell.value, cell.font = name, Font(bold=True, color="FFFFFF")
        cell.fill, cell.alignment = (
            PatternFill("solid", start_color=_DARK),
            Alignment(vertical="center"),
        )
        sheet.column_dimensions[get_column_letter(at)].width = width


def _put(cell: Cell, value: Any) -> None:
    """A value as it is; a text never as a formula."""
    if isinstance(value, str):
        cell.value = _clean(value)[:_CLIP]
        cell.data_type = "s"
    else:
        cell.value = value


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text)
