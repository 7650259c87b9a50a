"""A grid as a workbook, CSV, Parquet and JSON, opened again by the libraries that people open them with."""

import csv
import json
from dataclasses import replace
from decimal import Decimal

import openpyxl
import pyarrow.parquet
import pytest

from pincite.errors import UsageError
from pincite.records.review import Review
from pincite.types import Anchor, Answer, Check, Citation, Quantity, Query
from pincite.workbench.grid import Filled, Grid, GridColumn, GridRow, Moved, Spec, write_grid
from pincite.workbench.grid.workbook import COLOURS, number_format, places

SPEC = Spec(
    "Piers",
    "company",
    (GridRow("Contoso"), GridRow("=HYPERLINK(evil)")),
    (
        GridColumn("Revenue", "What?", "number", "EUR", "2023"),
        GridColumn("Margin", "What?", "number"),
        GridColumn("Chair", "Who?", "name"),
    ),
)


def cell(row, column, status, **more):
    return Filled(row, column, f"{row} {column}", Query("What?"), status, **more)


def answered(column, value, text, quote, **more):
    place = Citation(
        "1", "n1", Anchor("ab" * 32, ((3, (1.0, 2.0, 3.0, 4.0)),)), quote, "contoso.pdf"
    )
    answer = Answer(
        Query("What?"), text, value, (place,), (Check(text, "supported", "1", f"{quote} stands there"),), 0.8,
    )  # fmt: skip
    common = {
        "value": value, "text": text, "confidence": 0.8, "answer_id": f"id{column}", "answer": answer,
    }  # fmt: skip
    return cell("Contoso", column, "supported", **common, **more)


@pytest.fixture
def grid():
    """Two rows by three columns: one of most kinds of cells."""
    thousands = Quantity(Decimal("5410.5"), "EUR", Decimal(1000))
    moved = Moved("4,000 EUR", "supported", "2026-01-02T03:04:05Z", "changed: contoso.pdf")
    revenue = answered(
        "Revenue", thousands, "5,410.5 thousand EUR", "5,410.5", unit="EUR", period="2023", moved=moved,
    )  # fmt: skip
    margin = answered("Margin", Quantity(Decimal("12.25"), "%"), "12.25%", "12.25", unit="%")
    chair = answered("Chair", "=1+1\x07", "=1+1\uffff", "=cmd|' /C calc'!A0")
    word = Review(
        "r1", "t", "a", "correct", "Ada", "2026-03-04T05:06:07Z", Query("What?"), True, "yes", how="her word",
    )  # fmt: skip
    said = (replace(word, action="comment", note="hm"),)
    second = "=HYPERLINK(evil)"
    below = (
        cell(second, "Revenue", "na", reason="not found", note="not found"),
        cell(second, "Margin", "corrected", value=True, text="yes", review=word, comments=said),
        cell(second, "Chair", "given", value="Bo", text="Bo"),
    )
    return Grid("piers", SPEC, ((revenue, margin, chair), below), "2026-05-06T07:08:09Z", 2)


def test_the_workbook(grid, tmp_path):
    write_grid(
        grid,
        tmp_path / "grid.xlsx",
        lambda one: f"grid_pages/{one.answer_id}.png" if one.answer_id else "",
    )
    book = openpyxl.load_workbook(tmp_path / "grid.xlsx")
    assert book.sheetnames == ["Grid", "Evidence", "Changes", "About"]
    sheet, evidence = book["Grid"], book["Evidence"]
    assert sheet.freeze_panes == "B3" and evidence.freeze_panes == "C2"
    assert [sheet.cell(1, at).value for at in range(1, 5)] == [
        "Company", "Revenue", "Margin", "Chair",
    ]  # fmt: skip
    assert sheet["B2"].value == "EUR, 2023"
    assert (sheet["B3"].value, sheet["B3"].number_format) == (5410500, "#,##0")
    assert (sheet["C3"].value, sheet["C3"].number_format) == (12.25, '#,##0.00"%"')
    assert sheet["B3"].fill.start_color.rgb.endswith(COLOURS["supported"])
    assert sheet["B4"].fill.start_color.rgb.endswith(COLOURS["na"])
    assert not sheet["B4"].font.italic, "what is not there is not unsure"
    assert sheet["B4"].value == "N/A" and "not found" in sheet["B4"].comment.text
    assert "was 4,000 EUR on 2026-01-02 (changed: contoso.pdf)" in sheet["B3"].comment.text
    assert sheet["C4"].value == "yes" and "hm" in sheet["C4"].comment.text
    assert sheet["B3"].hyperlink.location == "Evidence!A2"
    assert [evidence.cell(2, at).value for at in (1, 2, 6, 7, 8)] == [
        "Contoso", "Revenue", "contoso.pdf", "page 3", "5,410.5",
    ]  # fmt: skip
    assert evidence["J2"].hyperlink.target == "grid_pages/idRevenue.png"
    assert evidence["M2"].value == "ab" * 32
    assert evidence.max_row == 6  # the given cell has no evidence
    assert [book["Changes"].cell(2, at).value for at in (3, 4, 8)] == [
        "4,000 EUR", "5,410.5 thousand EUR", "changed: contoso.pdf",
    ]  # fmt: skip


def test_text_of_a_document_is_never_a_formula(grid, tmp_path):
    write_grid(grid, tmp_path / "grid.xlsx")
    book = openpyxl.load_workbook(tmp_path / "grid.xlsx")
    for sheet in book:
        assert all(cell.data_type != "f" for row in sheet for cell in row)
    assert book["Grid"]["D3"].value == "=1+1 " and book["Grid"]["A4"].value == "=HYPERLINK(evil)"
    write_grid(grid, tmp_path / "grid.csv")
    rows = list(csv.DictReader((tmp_path / "grid.csv").open(encoding="utf-8", newline="")))
    assert rows[2]["quote"] == "'=cmd|' /C calc'!A0" and rows[3]["entity"] == "'=HYPERLINK(evil)"


def test_a_line_for_each_cell(grid, tmp_path):
    write_grid(grid, tmp_path / "grid.csv")
    write_grid(grid, tmp_path / "grid.parquet", lambda one: "x.png")
    lines = list(csv.DictReader((tmp_path / "grid.csv").open(encoding="utf-8", newline="")))
    table = pyarrow.parquet.read_table(tmp_path / "grid.parquet").to_pylist()
    assert len(lines) == len(table) == 6
    assert (lines[0]["value"], lines[0]["unit"], lines[0]["page"]) == ("5410500", "EUR", "3")
    assert lines[0]["moved_from"] == "4,000 EUR"
    assert (table[0]["value"], table[0]["number"], table[0]["page"]) == ("5410500", 5410500.0, 3)
    assert table[0]["link"] == "x.png"
    assert (table[4]["value"], table[4]["number"]) == ("true", None)
    assert table[4]["reviewed_by"] == "Ada"
    assert table[3]["status"] == "na" and table[3]["value"] is None
    write_grid(grid, tmp_path / "grid.json")
    told = json.loads((tmp_path / "grid.json").read_text())
    assert told["counts"] == {"supported": 3, "na": 1, "corrected": 1, "given": 1}
    assert told["cells"][0][0]["citations"][0]["quote"] == "5,410.5"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(("value", "unit", "places", "shown"), [
    (5, "", 0, "#,##0"), (2023, "", 0, "0"), (12.5, "%", 2, '#,##0.00"%"'),
    (0.125, "t CO2e", 3, '#,##0.000" t CO2e"'), (7, 'a"b\uffff', 0, '#,##0" ab "'),
])  # fmt: skip
def test_number_formats(value, unit, places, shown):
    assert number_format(value, unit, places) == shown


@pytest.mark.parametrize(("value", "scale", "text", "decimals"), [
    ("10.10", 1, "$ 10.10", 2), ("259.5", 1, "259.50", 2), ("398.1", 1, "398,100", 3),
    ("-11706", 1000, "(11,706)", 0), ("1.250", 1000, "1.250 thousand", 0), ("1.25", 100, "1.25", 0),
    ("0.00", 1, "0.00", 2), ("3.640405410496966956783843864", 1, "", 5), ("5", 1, "five", 0),
])  # fmt: skip
def test_a_number_keeps_the_decimals_that_it_is_printed_with(value, scale, text, decimals):
    assert places(Quantity(Decimal(value), "", Decimal(scale), text=text)) == decimals


@pytest.mark.parametrize("suffix", ["xlsx", "csv", "parquet", "json"])
def test_a_number_beyond_all_measure_is_written_all_the_same(grid, tmp_path, suffix):
    vast = answered("Revenue", Quantity(Decimal("5e400"), "EUR"), "vast", "5 × 10^400")
    path = tmp_path / f"grid.{suffix}"
    write_grid(replace(grid, cells=((vast, *grid.cells[0][1:]), grid.cells[1])), path)
    assert path.stat().st_size


def test_a_name_that_says_no_form(grid, tmp_path):
    with pytest.raises(UsageError, match="has none of these endings"):
        write_grid(grid, tmp_path / "grid.ods")
