import zipfile
from datetime import date

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.table import Table

from pincite.errors import LockedSource, SourceError
from pincite.ingest.office.record_sheets import is_relation
from pincite.ingest.office.sheet import Sheet, sheet_blocks
from tests.ingest.office import found, lost, read, tables, texts, whole

LINES = [
    ["Brightwater plc"],
    ["Income statement"],
    ["(in thousands of euro)"],
    [],
    ["", "Year ended 31 December", ""],
    ["", "2023", "2022"],
    ["Revenue", 1234567.4, 1100000],
    ["Costs", -900000, -850000],
    ["Margin", 0.271, 0.227],
    [],
    ["Total", 334567, 250000],
    ["Note: figures are unaudited and have been restated for the sale of a unit."],
]


@pytest.fixture
def book(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Income"
    for line in LINES:
        sheet.append(line)
    sheet.merge_cells("B5:C5")
    for name in "BC":
        for row in (7, 8, 11):
            sheet[f"{name}{row}"].number_format = "#,##0;(#,##0)"
        sheet[f"{name}9"].number_format = "0.0%"
    sheet["B8"].comment = Comment("Includes a one-off of 12,000", "Ann")
    plants = made.create_sheet("Plants")
    plants.append(["Plant", "Country", "Opened", "Capacity (MW)", None, "Region", "Staff"])
    plants.append(["Alpha", "Norway", date(2001, 5, 1), 12.5, None, "North", 31])
    plants.append(["Beta", "Chile", date(2010, 1, 1), 30, None, "South", 17])
    plants.column_dimensions["B"].hidden = True
    plants.append(["Gone", "Peru", date(2011, 1, 1), 99])
    plants.row_dimensions[4].hidden = True
    made.create_sheet("Secret")["A1"] = "hidden words"
    made["Secret"].sheet_state = "hidden"
    made.save(tmp_path / "a.xlsx")
    return tmp_path / "a.xlsx"


def test_a_sheet_is_a_page_and_its_tables_have_addresses(book):
    document = read(book)
    assert [
        (node.anchor.page, node.anchor.path) for node in document.nodes if node.kind == "page"
    ] == [
        (1, "sheet Income"),
        (2, "sheet Plants"),
        (3, "sheet Secret"),
    ]
    assert [node.anchor.path for node in tables(document)] == [
        "Income!A5:C11",
        "Plants!A1:D3",
        "Plants!F1:G3",
    ]
    assert "hidden words" not in whole(document)


def test_values_are_shown_as_displayed_and_cited_at_their_cells(book):
    income, plants, staff = tables(read(book))
    assert found(income, "Revenue", "Year ended 31 December 2023") == ("1,234,567", "Income!B7")
    assert found(income, "Costs", "Year ended 31 December 2022") == ("(850,000)", "Income!C8")
    assert found(income, "Margin", "Year ended 31 December 2023") == ("27.1%", "Income!B9")
    assert found(income, "Total", "Year ended 31 December 2022") == ("250,000", "Income!C11")
    assert found(plants, "Beta", "Opened") == ("2010-01-01", "Plants!C3")
    assert found(staff, "South", "Staff") == ("17", "Plants!G3")


def test_titles_are_the_caption_and_say_what_the_numbers_are_in(book):
    income = tables(read(book))[0].table
    assert income.caption == "Brightwater plc Income statement (in thousands of euro)"
    assert (income.scale, income.unit, income.header_rows) == (1000, "EUR", 2)


def test_notes_and_comments_stand_beside_the_table(book):
    notes = [(node.text, node.anchor.path) for node in read(book).nodes if node.kind == "footnote"]
    assert notes == [
        (LINES[-1][0], "Income!A12:A12"),
        ("B8: Includes a one-off of 12,000", "Income!B8:B8"),
    ]


def test_hidden_rows_and_columns_are_left_out_part_nothing_and_are_said_to_be(book):
    text = whole(read(book))
    assert "Norway" not in text
    assert "Gone" not in text
    assert lost(read(book)) == {
        "sheet Plants": "1 hidden row and 1 hidden column were not read",
        "sheet Secret": "it is hidden and was not read",
    }


def test_a_named_table_and_frozen_panes_say_what_is_a_header(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    for line in (["Code", "Level"], ["a", "x"], ["b", "y"], ["c", "z"]):
        sheet.append(line)
    sheet.add_table(Table(displayName="T", ref="A1:B4"))
    frozen = made.create_sheet("Frozen")
    for line in (["Group", "North", "South"], ["Kind", "old", "new"], ["Ann", "a", "b"]):
        frozen.append(line)
    frozen.freeze_panes = "B3"
    made.save(tmp_path / "a.xlsx")
    first, second = tables(read(tmp_path / "a.xlsx"))
    assert (first.anchor.path, first.table.header_rows) == ("Sheet!A1:B4", 1)
    assert (second.table.header_rows, second.table.header_columns) == (2, 1)


def test_bold_lines_apart_from_tables_are_headings(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    sheet["A1"] = "Read me"
    sheet["A1"].font = Font(bold=True)
    sheet["A9"] = "These are the figures of the year."
    made.save(tmp_path / "a.xlsx")
    document = read(tmp_path / "a.xlsx")
    assert texts(document, "heading") == ["Sheet", "Read me"]
    assert [
        (node.text, node.anchor.path) for node in document.nodes if node.kind == "paragraph"
    ] == [("These are the figures of the year.", "Sheet!A9:A9")]


def test_a_formula_that_was_never_calculated_is_shown_as_it_is(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    for line in (["Item", "Cost"], ["a", 1], ["b", 2], ["Sum", "=SUM(B2:B3)"]):
        sheet.append(line)
    made.save(tmp_path / "a.xlsx")
    (table,) = tables(read(tmp_path / "a.xlsx"))
    assert found(table, "Sum", "Cost") == ("=SUM(B2:B3)", "Sheet!B4")


def test_a_long_table_comes_in_pieces_under_its_header():
    cells = {(0, 0): "Name", (0, 1): "Size"}
    cells |= {(row, 0): f"n{row}" for row in range(1, 1201)} | {
        (row, 1): str(row) for row in range(1, 1201)
    }
    pieces = [block for block in sheet_blocks(Sheet("S", cells)) if block.table]
    assert [block.path for block in pieces] == [
        "S!A1:B1,A2:B501",
        "S!A1:B1,A502:B1001",
        "S!A1:B1,A1002:B1201",
    ]
    assert {cell.text for cell in pieces[2].table.cells if cell.row < 2} == {
        "Name",
        "Size",
        "n1001",
        "1001",
    }


def test_a_long_text_right_under_a_line_and_beside_it_is_no_note_of_a_table_that_is_not_there():
    said = (
        "Costs are those of the group without the sawmills that were sold at the end of the year."
    )
    assert [block.text for block in sheet_blocks(Sheet("S", {(0, 0): "Costs", (1, 1): said}))] == [
        "S",
        "Costs",
        said,
    ]


def test_a_cell_in_the_far_corner_costs_nothing_and_too_many_merged_cells_are_refused(tmp_path):
    made = openpyxl.Workbook()
    made.active["A1"] = "First words"
    made.active["XFD1048576"] = "Last words"
    made.save(tmp_path / "a.xlsx")
    assert texts(read(tmp_path / "a.xlsx"), "paragraph") == ["First words", "Last words"]
    made.active.merged_cells.add("A1:XFD1048576")
    made.active._cells.clear()
    made.save(tmp_path / "b.xlsx")
    with pytest.raises(SourceError, match="decompression bomb"):
        read(tmp_path / "b.xlsx")


def test_a_damaged_workbook_is_reported(book, tmp_path):
    with pytest.raises(SourceError, match="damaged"):
        read(tmp_path / "b.xlsx", book.read_bytes()[:-900])
    with pytest.raises(SourceError, match="old.xls cannot be read as a workbook"):
        read(tmp_path / "old.xls", bytes.fromhex("d0cf11e0a1b11ae1") + bytes(900))
    with pytest.raises(LockedSource, match="encrypted"):
        read(
            tmp_path / "new.xls",
            bytes.fromhex("d0cf11e0a1b11ae1")
            + bytes(600)
            + "EncryptedPackage".encode("utf-16-le"),
        )


def test_open_document_sheets_are_read_too(tmp_path):
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    rows = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell {cell}</table:table-cell>' for cell in row)}</table:table-row>"
        for row in (
            [f'office:value-type="string"><text:p>{text}</text:p>' for text in ("Item", "2023")],
            [
                'office:value-type="string"><text:p>Gloves</text:p>',
                'office:value-type="float" office:value="14.5"><text:p>14.5</text:p>',
            ],
        )
    )
    content = f"<office:document-content{spaces}><office:body><office:spreadsheet>"
    content += f'<table:table table:name="Prices">{rows}</table:table>'
    with zipfile.ZipFile(tmp_path / "a.ods", "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"{content}</office:spreadsheet></office:body></office:document-content>",
        )
    (table,) = tables(read(tmp_path / "a.ods"))
    assert found(table, "Gloves", "2023") == ("14.5", "Prices!B2")


def test_a_report_is_no_relation(book, tmp_path):
    made = openpyxl.Workbook()
    for line in (["Item", "Cost"], ["a", 1], ["b", 2]):
        made.active.append(line)
    made.active["B2"].comment = Comment("sure?", "Ann")
    made.save(tmp_path / "b.xlsx")
    assert is_relation(tmp_path / "b.xlsx")
    assert not is_relation(book)


def test_a_comma_in_the_name_of_a_sheet_makes_no_report_of_a_table(tmp_path):
    made = openpyxl.Workbook()
    made.active.title = "Costs, 2023"
    for line in (["Item", "Cost"], ["a", 1], ["b", 2]):
        made.active.append(line)
    made.save(tmp_path / "a.xlsx")
    assert is_relation(tmp_path / "a.xlsx")
