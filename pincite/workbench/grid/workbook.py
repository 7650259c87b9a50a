"""A grid as a workbook: the table, the evidence of every cell, what changed since last time, and how to read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
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
from pincite.quantity import parse
from pincite.records.answer_record import clean
from pincite.text.wording import counted
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
    places = _fill_evidence(evidence, grid, link)
    _fill_table(sheet, grid, places)
    _add_changes(book, grid)
    _add_about(book, grid)
    book.save(path)


def _fill_table(sheet: Worksheet, grid: Grid, places: dict[tuple[str, str], int]) -> None:
    """The cells below the names of the columns, and their units and periods."""
    _put_row(sheet, 1, [grid.spec.entity.capitalize(), *(each.name for each in grid.spec.columns)])
    measures = [", ".join(filter(None, (each.unit, each.period))) for each in grid.spec.columns]
    _put_row(sheet, 2, ["unit, period", *measures])
    for at in range(1, len(measures) + 2):
        head, under, side = sheet.cell(1, at), sheet.cell(2, at), "left" if at == 1 else "center"
        _make_heading(head, Alignment(wrap_text=True, vertical="center", horizontal=side))
        under.font = Font(italic=True, color="666666", size=9)
        under.alignment = Alignment(horizontal=side)
    links = 0
    for number, (row, line) in enumerate(zip(grid.spec.rows, grid.cells, strict=True), 3):
        _put(sheet.cell(number, 1), row.name)
        sheet.cell(number, 1).font = Font(bold=True)
        for at, (column, filled) in enumerate(zip(grid.spec.columns, line, strict=True), 2):
            cell = sheet.cell(number, at)
            _put_value(cell, filled, column)
            _give_looks(cell, filled)
            target = places.get((filled.row, filled.column))
            if target and links < LINKS:
                links += 1
                to = f"Evidence!A{target}"
                cell.hyperlink = Hyperlink(ref=cell.coordinate, location=to, display=None)
    sheet.freeze_panes = "B3"
    longest = max(len(row.name) for row in grid.spec.rows)
    sheet.column_dimensions["A"].width = max(14, min(42, longest + 2))
    for at, column in enumerate(grid.spec.columns, 2):
        longest = max((_length(line[at - 2]) for line in grid.cells), default=0)
        width = max(12, min(34, longest + 3), min(24, len(column.name) + 2))
        sheet.column_dimensions[get_column_letter(at)].width = width
    sheet.row_dimensions[1].height = 32
    sheet.print_title_rows, sheet.print_title_cols = "1:2", "A:A"
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


_SIDE = Side(style="medium", color=MOVED)
_FRAME = Border(left=_SIDE, right=_SIDE, top=_SIDE, bottom=_SIDE)
_FILLS: dict[str, PatternFill] = {
    status: PatternFill("solid", start_color=colour) for status, colour in COLOURS.items()
}
_UNSURE = Font(italic=True, color="7A6A3A")


def _give_looks(cell: Cell, filled: Filled) -> None:
    """The looks of a cell, by its status, its confidence and whether it moved; and its comment."""
    cell.fill = _FILLS[filled.status]
    if filled.answer is not None and filled.value is not None and filled.confidence < UNSURE:
        cell.font = _UNSURE
    if filled.moved is not None:
        cell.border = _FRAME
    moved = filled.moved
    lines = [f"Moved: was {moved.text} on {moved.at[:10]} ({moved.why})"] if moved else []
    lines += [filled.note] if filled.note else []
    lines += [f"{comment.by}, {comment.at[:10]}: {comment.note}" for comment in filled.comments]
    if lines:
        text = _clean("\n".join(lines))[:2000]
        cell.comment = Comment(text, "pincite", width=340, height=120)


def _put_value(cell: Cell, filled: Filled, column: GridColumn) -> None:
    """What a cell shows: a number under a format that says its unit where the heading does not, or a text."""
    value = clean(filled.value)
    if isinstance(filled.value, Quantity) and is_number(value):
        cell.value = value
        unit = "" if filled.unit == column.unit and filled.unit != "%" else filled.unit
        cell.number_format = number_format(value, unit, places(filled.value))
        cell.alignment = Alignment(horizontal="right", vertical="top")
        return
    shown = most_likely(filled.possible) if filled.possible else filled.text or "N/A"
    shown = {"open": "", "failed": "failed"}.get(filled.status, shown)
    _put(cell, shown)
    side = "center" if filled.value is None else "left"
    cell.alignment = Alignment(horizontal=side, vertical="top", wrap_text=len(shown) > 30)


def number_format(value: int | float, unit: str, places: int) -> str:
    """The number format of a value: separated thousands, its decimals, its unit."""
    is_year = unit == "year" or not unit and isinstance(value, int) and 1900 <= value <= 2100
    shown = ("0" if is_year else "#,##0") + ("." + "0" * places if places else "")
    if unit in ("", "year"):
        return shown
    said = unit if unit == "%" else f" {_clean(unit)}"
    return f'{shown}"{said.replace(chr(34), "")}"'


def places(value: Quantity) -> int:
    """The decimals that a number has where it is printed, counted in the scale in which it is shown; at most six. A computed
    number, which is printed nowhere, has those of its wording.
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


def _fill_evidence(
    sheet: Worksheet, grid: Grid, link: Callable[[Filled], str]
) -> dict[tuple[str, str], int]:
    """Write a line for each citation, and one for each cell without any; returns the first line of each cell."""
    _put_heads(sheet, _EVIDENCE)
    wrap = Alignment(wrap_text=True, vertical="top")
    places: dict[tuple[str, str], int] = {}
    at, links = 2, 0
    for filled in chain.from_iterable(grid.cells):
        if filled.status in ("given", "open"):
            continue
        places[filled.row, filled.column] = at
        address = link(filled)
        for place in citations_of(filled) or (None,):
            _put_row(sheet, at, _evidence_of(filled, place, address), wrap)
            if address and links < LINKS:
                links += 1
                sheet.cell(at, 10).hyperlink = address
                sheet.cell(at, 10).font = Font(color="0563C1", underline="single")
            sheet.cell(at, 5).number_format = "0.00"
            at, address = at + 1, ""  # the first line of a cell has its page
    sheet.auto_filter.ref = f"A1:M{max(at - 1, 1)}"
    sheet.freeze_panes = "C2"
    return places


def _evidence_of(filled: Filled, place: Citation | None, address: str) -> Sequence[Any]:
    """A line of the sheet of evidence: a cell, one of the places that it rests on, and how that was checked."""
    shown = "N/A" if filled.value is None and filled.status != "failed" else filled.text
    head = (filled.row, filled.column, shown, filled.status, round(filled.confidence, 2))
    page, how = "open" if address else "", ""
    if filled.status == "corrected" and filled.review:
        how = filled.review.how
    elif place is not None and filled.answer:
        checks = (check for check in filled.answer.checks if check.citation == place.label)
        how = "; ".join(check.how for check in checks)
    where, source = ("", "", ""), ""
    if place is not None:
        where = (place.document, place_of(place.anchor), place.quote)
        source = place.anchor.source
    return (*head, *where, how, page, filled.note, filled.answer_id, source)


def _add_changes(book: Workbook, grid: Grid) -> None:
    moved = [(cell, cell.moved) for cell in chain.from_iterable(grid.cells) if cell.moved]
    if not moved:
        return
    sheet = book.create_sheet("Changes")
    _put_heads(sheet, (("Entity", 26), ("Column", 26), ("Was", 24), ("Is", 24), ("Was status", 13), ("Is status", 13),
                       ("Answered before on", 20), ("What changed", 60)))  # fmt: skip
    for at, (cell, was) in enumerate(moved, 2):
        statuses = was.status, cell.status
        told = (cell.row, cell.column, was.text, found(cell), *statuses, was.at, was.why)
        _put_row(sheet, at, told)
    sheet.freeze_panes = "A2"


def _add_about(book: Workbook, grid: Grid) -> None:
    sheet = book.create_sheet("About")
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 18, 90
    counts = grid.counts
    unfinished = ", which was not finished: cells may be of an earlier state of the corpus"
    filled = f"{grid.at}, run {grid.run}{'' if grid.finished else unfinished}"
    lines: list[tuple[str, str]] = [
        ("Grid", grid.spec.title), ("Filled", filled),
        ("By", f"pincite {__version__}"), ("", ""),
        *((status, f"{counted(counts.get(status, 0), 'cell')}: {meaning}") for status, meaning in STATUSES.items()),
        ("orange border", "moved since the last run: its comment and the sheet Changes say from what"),
        ("italics", f"confidence below {UNSURE:g}: more likely wrong than right"), ("", ""),
        ("Values", "The sheet Evidence lists each with its quote and place; click a value to go there."),
        ("", "Confidence is a calibrated likelihood; a corrected cell shows the reviewer's value, and its note what was found."),
    ]  # fmt: skip
    for at, line in enumerate(lines, 1):
        _put_row(sheet, at, line)
        sheet.cell(at, 1).font = Font(bold=True)
        if line[0] in _FILLS:
            sheet.cell(at, 1).fill = _FILLS[line[0]]


def _put_heads(sheet: Worksheet, heads: Sequence[tuple[str, int]]) -> None:
    _put_row(sheet, 1, [name for name, _ in heads])
    for at, (_, width) in enumerate(heads, 1):
        _make_heading(sheet.cell(1, at), Alignment(vertical="center"))
        sheet.column_dimensions[get_column_letter(at)].width = width


def _make_heading(cell: Cell, alignment: Alignment) -> None:
    cell.font, cell.alignment = Font(bold=True, color="FFFFFF"), alignment
    cell.fill = PatternFill("solid", start_color=_DARK)


def _put_row(
    sheet: Worksheet, row: int, values: Sequence[Any], alignment: Alignment | None = None
) -> None:
    for column, value in enumerate(values, 1):
        cell = sheet.cell(row, column)
        _put(cell, value)
        if alignment is not None:
            cell.alignment = alignment


def _put(cell: Cell, value: Any) -> None:
    """A value as it is; a text never as a formula."""
    if isinstance(value, str):
        cell.value = _clean(value)[:_CLIP]
        cell.data_type = "s"
    else:
        cell.value = value


def _clean(text: str) -> str:
    return _CONTROL.sub(" ", text)
