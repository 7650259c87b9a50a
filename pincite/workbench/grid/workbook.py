"""A grid as a workbook: the table, the evidence of every cell, what changed since last time, and how to read it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite import __version__
from pincite.document.address import place_of
from pincite.evidence.saying import short
from pincite.quantity import parse
from pincite.records.answer_record import clean
from pincite.types import Quantity
from pincite.workbench.grid.filled_cells import STATUSES, Filled, Grid, Status, citations_of, found, is_number
from pincite.workbench.grid.spec import GridColumn

if TYPE_CHECKING:
    from openpyxl.cell import Cell
    from openpyxl.workbook import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

COLOURS: dict[Status, str] = {
    "supported": "E3F1E6", "computed": "E2EDF8", "na": "EFEFEF", "contradicted": "F9DEDC", "corrected": "EADDF6",
    "given": "FFFFFF", "failed": "FCE8C8", "open": "FFFFFF",
}  # fmt: skip
MOVED = "D9822B"
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
    from openpyxl import Workbook

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
    from openpyxl.comments import Comment
    from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.hyperlink import Hyperlink

    side = Side(style="medium", color=MOVED)
    border = Border(left=side, right=side, top=side, bottom=side)
    fills = {status: PatternFill("solid", start_color=colour) for status, colour in COLOURS.items()}
    dark, pale = Font(bold=True, color="FFFFFF"), Font(italic=True, color="666666", size=9)
    top = PatternFill("solid", start_color="2F3B4C")
    _put(sheet.cell(1, 1), grid.spec.entity.capitalize())
    _put(sheet.cell(2, 1), "unit, period")
    for at, column in enumerate(grid.spec.columns, 2):
        _put(sheet.cell(1, at), column.name)
        _put(sheet.cell(2, at), ", ".join(part for part in (column.unit, column.period) if part))
    for at in range(1, len(grid.spec.columns) + 2):
        head, under = sheet.cell(1, at), sheet.cell(2, at)
        head.font, head.fill = dark, top
        head.alignment = Alignment(wrap_text=True, vertical="center", horizontal="left" if at == 1 else "center")
        under.font = pale
        under.alignment = Alignment(horizontal="left" if at == 1 else "center")
    links = 0
    bold, unsure = Font(bold=True), Font(italic=True, color="7A6A3A")
    for number, line in enumerate(grid.cells, 3):
        _put(sheet.cell(number, 1), grid.spec.rows[number - 3].name)
        sheet.cell(number, 1).font = bold
        for at, one in enumerate(line, 2):
            cell = sheet.cell(number, at)
            _value(cell, one, grid.spec.columns[at - 2])
            cell.fill = fills[one.status]
            if one.answer is not None and one.value is not None and one.confidence < UNSURE:
                cell.font = unsure
            if one.moved is not None:
                cell.border = border
            if told := _told(one):
                cell.comment = Comment(told, "pincite", width=340, height=120)
            target = places.get((one.row, one.column))
            if target and links < LINKS:
                links += 1
                cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"Evidence!A{target}", display=None)
    sheet.freeze_panes = "B3"
    sheet.column_dimensions["A"].width = max(14, min(42, max(len(row.name) for row in grid.spec.rows) + 2))
    for at, column in enumerate(grid.spec.columns, 2):
        longest = max((_length(line[at - 2]) for line in grid.cells), default=0)
        sheet.column_dimensions[get_column_letter(at)].width = max(
            12, min(34, longest + 3, 48), min(24, len(column.name) + 2)
        )
    sheet.row_dimensions[1].height = 32
    sheet.print_title_rows, sheet.print_title_cols = "1:2", "A:A"
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True


def _value(cell: Cell, one: Filled, column: GridColumn) -> None:
    """What a cell shows: a number under a format that says its unit where the heading does not, or a text."""
    from openpyxl.styles import Alignment

    value = clean(one.value)
    if isinstance(one.value, Quantity) and is_number(value):
        cell.value = value
        unit = "" if one.unit == column.unit and one.unit != "%" else one.unit
        cell.number_format = number_format(value, unit, places(one.value))
        cell.alignment = Alignment(horizontal="right", vertical="top")
        return
    shown = {"open": "", "failed": "failed"}.get(one.status, "N/A" if one.value is None else one.text)
    _put(cell, shown)
    centred = one.value is None
    cell.alignment = Alignment(horizontal="center" if centred else "left", vertical="top", wrap_text=len(shown) > 30)


def number_format(value: int | float, unit: str, places: int) -> str:
    """The number format of a value: separated thousands, its decimals, its unit."""
    plain = "0" if unit == "year" or not unit and isinstance(value, int) and 1900 <= value <= 2100 else "#,##0"
    shown = plain + ("." + "0" * places if places else "")
    said = "" if unit in ("", "year") else unit if unit == "%" else f" {_clean(unit)}"
    return shown + (f'"{said.replace(chr(34), "")}"' if said else "")


def places(value: Quantity) -> int:
    """The decimals that a number has where it is printed, counted in the scale in which it is shown; at most six.

    A computed number, which is printed nowhere, has those of its wording.
    """
    shown = short(value.value)
    written = parse(value.text)
    if written is not None and written.value and value.value:
        ratio = (value.value / written.value).copy_abs().normalize()
        if ratio.as_tuple().digits == (1,):  # the same digits
            shown = written.value.scaleb(ratio.adjusted())
    exponent = shown.scaleb(value.scale.adjusted()).as_tuple().exponent
    return min(6, max(0, -int(exponent)))


def _length(one: Filled) -> int:
    """How many characters a cell is wide."""
    value = clean(one.value)
    if isinstance(one.value, Quantity) and is_number(value):
        return len(f"{value:,.{places(one.value)}f}") + len(one.unit) + 1
    return len(one.text)


def _told(one: Filled) -> str:
    """What stands in a cell's comment: its note, what it was, what people said."""
    lines = [f"Moved: was {one.moved.text} on {one.moved.at[:10]} ({one.moved.why})"] if one.moved else []
    lines += [one.note] if one.note else []
    lines += [f"{comment.by}, {comment.at[:10]}: {comment.note}" for comment in one.comments]
    return _clean("\n".join(lines))[:2000]


def _evidence(sheet: Worksheet, grid: Grid, link: Callable[[Filled], str]) -> dict[tuple[str, str], int]:
    """Write a line for each citation, and one for each cell without any; returns the first line of each cell."""
    from openpyxl.styles import Alignment, Font

    _heads(sheet, _EVIDENCE)
    blue = Font(color="0563C1", underline="single")
    wrap = Alignment(wrap_text=True, vertical="top")
    places: dict[tuple[str, str], int] = {}
    at, links = 2, 0
    for line in grid.cells:
        for cell in line:
            if cell.status in ("given", "open"):
                continue
            places[cell.row, cell.column] = at
            address = link(cell)
            for number, place in enumerate(citations_of(cell) or (None,)):
                hows = (
                    [check.how for check in cell.answer.checks if place and check.citation == place.label]
                    if cell.answer
                    else []
                )
                shown = "N/A" if cell.value is None and cell.status != "failed" else cell.text
                told: Sequence[Any] = (
                    cell.row, cell.column, shown, cell.status, round(cell.confidence, 2), place.document if place else "",
                    place_of(place.anchor) if place else "", place.quote if place else "",
                    cell.review.how if cell.status == "corrected" and cell.review else "; ".join(hows),
                    "open" if address and not number else "", cell.note, cell.answer_id, place.anchor.source if place else "",
                )  # fmt: skip
                for column, value in enumerate(told, 1):
                    cell = sheet.cell(at, column)
                    _put(cell, value)
                    cell.alignment = wrap
                if address and not number and links < LINKS:
                    links += 1
                    sheet.cell(at, 10).hyperlink = address
                    sheet.cell(at, 10).font = blue
                sheet.cell(at, 5).number_format = "0.00"
                at += 1
    sheet.auto_filter.ref = f"A1:M{max(at - 1, 1)}"
    sheet.freeze_panes = "C2"
    return places


def _changes(book: Workbook, moved: Sequence[Filled]) -> None:
    sheet = book.create_sheet("Changes")
    _heads(sheet, (("Entity", 26), ("Column", 26), ("Was", 24), ("Is", 24), ("Was status", 13), ("Is status", 13),
                   ("Answered before on", 20), ("What changed", 60)))  # fmt: skip
    for at, one in enumerate(moved, 2):
        was = one.moved
        assert was is not None
        for column, value in enumerate(
            (one.row, one.column, was.text, found(one), was.status, one.status, was.at, was.why), 1
        ):
            _put(sheet.cell(at, column), value)
    sheet.freeze_panes = "A2"


def _about(book: Workbook, grid: Grid) -> None:
    from openpyxl.styles import Font, PatternFill

    sheet = book.create_sheet("About")
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 18, 90
    counts = grid.counts
    lines: list[tuple[str, str]] = [
        ("Grid", grid.spec.title), ("Filled", f"{grid.at}, run {grid.run}{_unfinished(grid)}"),
        ("By", f"pincite {__version__}"), ("", ""),
        *((status, f"{counts.get(status, 0)} cells: {meaning}") for status, meaning in STATUSES.items()),
        ("orange border", "moved since the last run: its comment and the sheet Changes say from what"),
        ("italics", f"confidence below {UNSURE:g}: more likely wrong than right"), ("", ""),
        ("Values", "Each stands in the sheet Evidence with its quote and place; a click leads there."),
        ("", "Confidence is a calibrated likelihood; a corrected cell shows the reviewer's value and says what was found."),
    ]  # fmt: skip
    for at, (name, text) in enumerate(lines, 1):
        _put(sheet.cell(at, 1), name)
        _put(sheet.cell(at, 2), text)
        sheet.cell(at, 1).font = Font(bold=True)
        if name in COLOURS:
            sheet.cell(at, 1).fill = PatternFill("solid", start_color=COLOURS[name])


def _unfinished(grid: Grid) -> str:
    return "" if grid.finished else ", which was not finished: cells may be of an earlier state of the corpus"


def _heads(sheet: Worksheet, heads: Sequence[tuple[str, int]]) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter

    for at, (name, width) in enumerate(heads, 1):
        cell = sheet.cell(1, at)
        cell.value, cell.font = name, Font(bold=True, color="FFFFFF")
        cell.fill, cell.alignment = PatternFill("solid", start_color="2F3B4C"), Alignment(vertical="center")
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
