"""Tables on pages drawn here: ruled, borderless, between rules, turned; and pages without any."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.document.table_headers import column_header
from pincite.document.table_text import body
from pincite.ingest.layout.boxes import is_within
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.pdf.pdf_pages import raw_pages
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables import find_tables
from pincite.types import Cell, Table

HEIGHT = 792


class Drawing:
    """A page on which text is placed by its baseline, measured from the top."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.canvas = Canvas(str(path), pagesize=(612, HEIGHT))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 10,
        bold: bool = False,
        right: bool = False,
    ) -> None:
        self.canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        (self.canvas.drawRightString if right else self.canvas.drawString)(x, HEIGHT - y, text)

    def rule(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.canvas.line(x0, HEIGHT - y0, x1, HEIGHT - y1)

    def shade(self, x0: float, top: float, x1: float, bottom: float) -> None:
        self.canvas.setFillColorRGB(0.8, 0.9, 1)
        self.canvas.rect(x0, HEIGHT - bottom, x1 - x0, bottom - top, stroke=0, fill=1)
        self.canvas.setFillColorRGB(0, 0, 0)

    def tables(self) -> list[Table]:
        self.canvas.save()
        (page,) = raw_pages(self.path)
        return find_tables(page)


@pytest.fixture
def drawing(tmp_path):
    return Drawing(tmp_path / "page.pdf")


def rows(table: Table) -> list[list[str]]:
    """The texts by row and column, spanning cells once."""
    width = max(cell.column + cell.column_span for cell in table.cells)
    found = [[""] * width for _ in range(max(cell.row + cell.row_span for cell in table.cells))]
    for cell in table.cells:
        found[cell.row][cell.column] = cell.text
    return found


def cell(table: Table, text: str) -> Cell:
    (found,) = (cell for cell in table.cells if cell.text == text)
    return found


def overlap(one, other) -> float:
    common = max(0, min(one[2], other[2]) - max(one[0], other[0])) * max(
        0, min(one[3], other[3]) - max(one[1], other[1])
    )
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return common / (areas - common)


def test_a_ruled_table_with_merged_cells_and_cells_of_several_lines(drawing):
    for y in (100, 140, 160, 190, 210):
        drawing.rule(100, y, 400, y)
    drawing.rule(200, 120, 400, 120)
    for x in (100, 200, 400):
        drawing.rule(x, 100, x, 210)
    drawing.rule(300, 120, 300, 210)
    drawing.text(110, 125, "Gas")
    drawing.text(270, 113, "Limit")
    drawing.text(230, 133, "to air")
    drawing.text(330, 133, "to water")
    for y, cells in ((153, ("Methane", "100", "-")), (203, ("Ozone", "n/a", "7"))):
        for x, text in zip((110, 230, 330), cells, strict=True):
            drawing.text(x, y, text)
    drawing.text(110, 172, "Nitrous oxide")
    drawing.text(110, 184, "(as N2O)")
    drawing.text(230, 178, "10")
    drawing.text(330, 178, "20")
    (table,) = drawing.tables()
    assert rows(table) == [
        ["Gas", "Limit", ""],
        ["", "to air", "to water"],
        ["Methane", "100", "-"],
        ["Nitrous oxide (as N2O)", "10", "20"],
        ["Ozone", "n/a", "7"],
    ]
    assert (table.header_rows, table.header_columns, table.page) == (2, 1, 1)
    assert (cell(table, "Gas").row_span, cell(table, "Limit").column_span) == (2, 2)
    assert overlap(table.box, (100, 100, 400, 210)) > 0.98
    assert overlap(cell(table, "Nitrous oxide (as N2O)").box, (110, 164, 172, 186)) > 0.8


def statement(drawing: Drawing) -> None:
    drawing.text(72, 90, "Example Corp. and Subsidiaries", bold=True)
    drawing.text(
        72, 102, "Consolidated Balance Sheets (in millions, except per share data)", bold=True
    )
    drawing.text(380, 130, "As of June 30,", bold=True)
    drawing.rule(340, 133, 490, 133)
    drawing.text(395, 145, "2024", right=True)
    drawing.text(490, 145, "2023", right=True)
    drawing.text(72, 165, "Assets")
    for y, x, label, values in (
        (180, 82, "Cash and cash equivalents", ("1,204", "(986)")),
        (195, 82, "Receivables", ("310", "—")),
        (225, 82, "affiliates, net of allowances", ("(5)", "12")),
        (240, 72, "Total assets", ("1,509", "(974)")),
        (255, 72, "Earnings per share", ("0.52", "0.48")),
    ):
        drawing.text(x, y, label)
        for right, value in zip((395, 490), values, strict=True):
            drawing.text(right, y, value, right=True)
    drawing.text(82, 212, "Loans to companies that are")
    for y in (180, 240, 255):
        drawing.text(340, y, "$")
        drawing.text(435, y, "$")


def test_a_borderless_statement_with_currency_signs_in_columns_of_their_own(drawing):
    statement(drawing)
    (table,) = drawing.tables()
    assert rows(table) == [
        ["", "As of June 30,", ""],
        ["", "2024", "2023"],
        ["Assets", "", ""],
        ["Cash and cash equivalents", "$ 1,204", "$ (986)"],
        ["Receivables", "310", "—"],
        ["Loans to companies that are affiliates, net of allowances", "(5)", "12"],
        ["Total assets", "$ 1,509", "$ (974)"],
        ["Earnings per share", "$ 0.52", "$ 0.48"],
    ]
    assert (cell(table, "As of June 30,").column, cell(table, "As of June 30,").column_span) == (
        1,
        2,
    )
    assert (table.header_rows, table.header_columns) == (2, 1)
    assert table.scale == Decimal(1_000_000)
    assert "per share" in table.unscaled
    assert "Consolidated Balance Sheets" in table.caption
    assert overlap(table.box, (72, 122, 490, 258)) > 0.9
    _, label, cells = body(table)[0]
    assert (label, [(header, cell.text) for header, cell in cells]) == (
        "Assets > Cash and cash equivalents", [("As of June 30, 2024", "$ 1,204"), ("As of June 30, 2023", "$ (986)")]
    )  # fmt: skip


def test_brackets_and_percent_signs_that_stand_apart_come_back_to_their_number(drawing):
    drawing.text(300, 100, "2024", right=True)
    drawing.text(400, 100, "2023", right=True)
    for y, label, values in (
        (115, "Sales growth", ("12.5", "9.1")),
        (130, "Margin", ("(3.0", "40.2")),
        (145, "Tax rate", ("21.0", "(1.5")),
    ):
        drawing.text(72, y, label)
        for right, value in zip((300, 400), values, strict=True):
            drawing.text(right, y, value, right=True)
            drawing.text(right + 9, y, ")%" if "(" in value else "%")
    (table,) = drawing.tables()
    assert rows(table)[1:] == [
        ["Sales growth", "12.5 %", "9.1 %"],
        ["Margin", "(3.0 )%", "40.2 %"],
        ["Tax rate", "21.0 %", "(1.5 )%"],
    ]


def test_dots_that_lead_to_a_value_are_dropped(drawing):
    drawing.text(400, 100, "Jobs", right=True)
    for y, label, value in (
        (115, "Mining", "1,234"),
        (130, "Farming", "88"),
        (145, "Trade", "5,120"),
    ):
        drawing.text(72, y, label + "." * 60)
        drawing.text(400, y, value, right=True)
    (table,) = drawing.tables()
    assert rows(table)[1:] == [["Mining", "1,234"], ["Farming", "88"], ["Trade", "5,120"]]


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("Five-year review, years ended 31 March, in R thousand unless stated otherwise", "ZAR"),
        ("Profit and loss 2023, in kEUR (losses carry a minus behind the amount)", "EUR"),
    ],
)
def test_one_long_line_over_a_table_is_its_caption(drawing, line, unit):
    drawing.text(72, 60, "Umvoti Sugar Limited", size=15, bold=True)
    drawing.text(72, 75, line)
    for y, cells in (
        (100, ("2024", "2023")),
        (116, ("10 204-", "9 871")),
        (132, ("1 312", "988-")),
    ):
        drawing.text(72, y, "" if y == 100 else f"Item {y}")
        for x, text in zip((380, 440), cells, strict=True):
            drawing.text(x, y, text, right=True)
    (table,) = drawing.tables()
    assert line in table.caption
    assert (table.scale, table.unit) == (Decimal(1000), unit)


def test_the_last_wide_line_of_a_paragraph_is_no_caption(drawing):
    drawing.text(
        72, 63, "The mill was closed for a month, and what it lost is not counted in the amounts"
    )
    drawing.text(
        72,
        75,
        "of this year, since these are told in EUR million by all of the other mills as well",
    )
    for y, cells in ((100, ("2024", "2023")), (116, ("10 204", "9 871")), (132, ("1 312", "988"))):
        drawing.text(72, y, "" if y == 100 else f"Item {y}")
        for x, text in zip((380, 440), cells, strict=True):
            drawing.text(x, y, text, right=True)
    (table,) = drawing.tables()
    assert table.scale == 1


def test_stacked_headers_between_rules(drawing):
    for y in (100, 135, 190):
        drawing.rule(80, y, 480, y)
    drawing.rule(190, 114, 320, 114)
    drawing.rule(340, 114, 470, 114)
    drawing.text(240, 111, "Train")
    drawing.text(390, 111, "Test")
    for x, text in ((90, "Model"), (200, "Recall"), (280, "F1"), (350, "Recall"), (430, "F1")):
        drawing.text(x, 128, text)
    for y, cells in (
        (150, "base .51 .61 .50 .60"),
        (165, "large .71 .81 .70 .80"),
        (180, "ours .91 .93 .90 .92"),
    ):
        for x, text in zip((90, 200, 280, 350, 430), cells.split(), strict=True):
            drawing.text(x, y, text)
    drawing.text(80, 210, "Table 3: Results on the held-out pages.")
    (table,) = drawing.tables()
    assert table.header_rows == 2
    assert table.caption == "Table 3: Results on the held-out pages."
    _, label, cells = body(table)[2]
    assert (label, [(header, cell.text) for header, cell in cells]) == (
        "ours", [("Train Recall", ".91"), ("Train F1", ".93"), ("Test Recall", ".90"), ("Test F1", ".92")]
    )  # fmt: skip


def test_a_second_header_begins_a_second_table(drawing):
    for top, years in ((100, ("2024", "2023")), (180, ("2022", "2021"))):
        for right, year in zip((300, 400), years, strict=True):
            drawing.text(right, top, year, right=True, bold=True)
        for y, label in ((15, "Europe"), (30, "Asia"), (45, "Africa")):
            drawing.text(72, top + y, label)
            drawing.text(300, top + y, str(top + y), right=True)
            drawing.text(400, top + y, str(2 * top + y), right=True)
    first, second = drawing.tables()
    assert rows(first)[:2] == [["", "2024", "2023"], ["Europe", "115", "215"]]
    assert rows(second)[:2] == [["", "2022", "2021"], ["Europe", "195", "375"]]


def test_shading_behind_two_lines_makes_them_one_row(drawing):
    drawing.shade(70, 107, 400, 133)
    drawing.text(300, 100, "2024", right=True)
    drawing.text(400, 100, "2023", right=True)
    drawing.text(72, 117, "Provision for Income Taxes and")
    drawing.text(72, 129, "Other Levies")
    drawing.text(300, 129, "7", right=True)
    drawing.text(400, 129, "9", right=True)
    for y, label in ((145, "Net income"), (160, "Dividends")):
        drawing.text(72, y, label)
        drawing.text(300, y, "11", right=True)
        drawing.text(400, y, "12", right=True)
    (table,) = drawing.tables()
    assert rows(table)[1] == ["Provision for Income Taxes and Other Levies", "7", "9"]


SENTENCES = (
    "The committee met on 12 March and agreed that the measures taken in 2023 were sound, although "
    "the cost of 1,200 per unit had risen by 4% since the last report and the members asked for a review. "
) * 6


def prose(drawing: Drawing, x: float, width: float, top: float, count: int) -> None:
    words = SENTENCES.split()
    y, line = top, ""
    drawing.canvas.setFont("Helvetica", 10)
    for word in words * 3:
        longer = f"{line} {word}".strip()
        if drawing.canvas.stringWidth(longer, "Helvetica", 10) > width:
            drawing.text(x, y, line)
            y, line, count = y + 12, word, count - 1
            if not count:
                return
        else:
            line = longer


def test_running_text_in_two_columns_is_no_table(drawing):
    prose(drawing, 60, 235, 80, 40)
    prose(drawing, 315, 235, 80, 40)
    assert drawing.tables() == []


def test_a_table_in_one_column_beside_running_text_in_the_other(drawing):
    prose(drawing, 315, 235, 80, 30)
    for y in (200, 218, 268):
        drawing.rule(60, y, 290, y)
    for y, cells in (
        (212, "Set Pages Hits"),
        (232, "dev 27 19"),
        (247, "test 40 31"),
        (262, "all 67 50"),
    ):
        for x, text in zip((65, 160, 240), cells.split(), strict=True):
            drawing.text(x, y, text)
    (table,) = drawing.tables()
    assert rows(table) == [
        ["Set", "Pages", "Hits"],
        ["dev", "27", "19"],
        ["test", "40", "31"],
        ["all", "67", "50"],
    ]
    assert table.box[2] < 300


def test_contents_references_lists_and_equations_are_no_tables(drawing):
    for y, title, page in (
        (80, "Introduction", "1"),
        (95, "Methods", "4"),
        (110, "Results", "9"),
        (125, "Outlook", "15"),
    ):
        drawing.text(72, y, title + " " + ". " * 80)
        drawing.text(540, y, page, right=True)
    for y, number, text in (
        (180, "[1]", "A. Author. A title. 2019."),
        (195, "[2]", "B. Writer. Another. 2021."),
    ):
        drawing.text(72, y, number)
        drawing.text(100, y, text)
    for y, text in (
        (240, "costs rose by 3 in 2020"),
        (255, "sales fell by 7 in 2021"),
        (270, "margins held at 12%"),
    ):
        drawing.text(80, y, "•")
        drawing.text(95, y, text)
    for y, formula, number in (
        (320, "a = b + c", "(1)"),
        (340, "d = e - f", "(2)"),
        (360, "g = h", "(3)"),
    ):
        drawing.text(200, y, formula)
        drawing.text(520, y, number)
    assert drawing.tables() == []


def test_the_axis_of_a_chart_is_no_table(drawing):
    drawing.text(72, 90, "Sales by year")
    for at, tick in enumerate((400, 300, 200, 100, 0)):
        drawing.text(90, 110 + 20 * at, str(tick), right=True)
        drawing.text(330, 110 + 20 * at, f"{tick // 10}%", right=True)
    assert drawing.tables() == []


def test_a_frame_around_text_is_no_table(drawing):
    for y in (90, 250):
        drawing.rule(60, y, 560, y)
    for x in (60, 560):
        drawing.rule(x, 90, x, 250)
    prose(drawing, 70, 470, 105, 11)
    assert drawing.tables() == []


@pytest.mark.parametrize("turn", [90, 270])
def test_a_table_written_sideways(tmp_path, turn):
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=(612, 792))
    canvas.translate(612, 0) if turn == 90 else canvas.translate(0, 792)
    canvas.rotate(turn if turn == 90 else -90)
    canvas.setFont("Helvetica", 10)
    for y, cells in (
        (400, ("Site", "Water", "Power")),
        (385, ("North", "12", "7")),
        (370, ("South", "15", "9")),
        (355, ("East", "4", "1")),
    ):
        for x, text in zip((100, 250, 350), cells, strict=True):
            canvas.drawString(x, y, text)
    canvas.save()
    (page,) = raw_pages(tmp_path / "page.pdf")
    (table,) = find_tables(page)
    assert rows(table) == [
        ["Site", "Water", "Power"],
        ["North", "12", "7"],
        ["South", "15", "9"],
        ["East", "4", "1"],
    ]
    north = cell(table, "North").box
    (word,) = (word for word in page.words if word.text == "North")
    assert word.angle == turn
    assert overlap(north, word.box) > 0.99


HEADINGS = (("Tensile strength", "(MPa)"), ("Hardness", "(HB)"), ("Density", "(g/cm3)"))
GRADES = (("TA 715", "538", "158", "2.79"), ("TA 722", "612", "171", "2.81"), ("TA 731", "655", "186", "2.83"))  # fmt: skip


def upright(canvas, x, y, turn, text):
    canvas.saveState()
    canvas.translate(x, y)
    canvas.rotate(turn)
    canvas.drawString(0, 0, text)
    canvas.restoreState()


def draw_grades(canvas, turn, ruled, above, width):
    """A table whose headings, of two lines each, are turned, between y 600 and 510 of its page."""
    middles = [160 + width * (column + 0.5) for column in range(3)]
    canvas.setFont("Helvetica", 9)
    canvas.drawString(72, 515, "Grade")
    for x, lines in zip(middles, HEADINGS, strict=True):
        for off, line in zip((-3, 9), lines, strict=True):
            upright(
                canvas, x + (off if turn == 90 else -off), 515 if turn == 90 else 595, turn, line
            )
    for x, heading in zip((160 + width, middles[2]), above, strict=False):
        canvas.drawCentredString(x, 606, heading)
    for row, (label, *values) in enumerate(GRADES):
        canvas.drawString(72, 496 - 20 * row, label)
        for x, value in zip(middles, values, strict=True):
            canvas.drawCentredString(x, 496 - 20 * row, value)
    if ruled:
        canvas.grid(
            [67, *(160 + width * column for column in range(4))], [600, 510, 490, 470, 450]
        )


@pytest.mark.parametrize("turn", [90, 270])
@pytest.mark.parametrize("ruled", [True, False])
@pytest.mark.parametrize("above", [(), ("Mechanical", "Other")])
@pytest.mark.parametrize("width", [28, 60])
def test_headings_that_are_turned(tmp_path, turn, ruled, above, width):
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=(612, 792))
    draw_grades(canvas, turn, ruled, above, width)
    canvas.save()
    (page,) = raw_pages(tmp_path / "page.pdf")
    (table,) = find_tables(page)
    named = [" ".join(lines) for lines in HEADINGS]
    read = rows(table)
    assert read[-4:] == [["Grade", *named], *map(list, GRADES)]
    assert table.header_rows == len(read) - 3
    if above and not ruled:
        assert cell(table, "Mechanical").column_span == 2
    (word,) = (word for word in page.words if word.text == "Tensile")
    assert is_within(word.box, cell(table, named[0]).box)
    texts = [block.text for block in layout(page, [table]).blocks]
    assert sum("Tensile" in text for text in texts) == 1


@pytest.mark.parametrize("numbers", ["beside", "above"])
def test_labels_of_axes_are_no_headings(tmp_path, numbers):
    canvas = Canvas(str(tmp_path / "page.pdf"), pagesize=(612, 792))
    for x in (100, 300):
        upright(canvas, x, 600, 90, "Rate")
        for at, tick in enumerate(("1.00", "2.00", "3.00")):
            canvas.drawString(x + 14 if numbers == "beside" else x - 12, 580 + 55 * at, tick)
        canvas.drawString(x + 40, 560, "2021")
    canvas.save()
    (page,) = raw_pages(tmp_path / "page.pdf")
    assert not any("Rate" in one.text for table in find_tables(page) for one in table.cells)


def test_a_page_without_words_or_with_unreadable_ones_has_no_tables(drawing):
    drawing.rule(100, 100, 300, 100)
    assert drawing.tables() == []


@pytest.mark.parametrize(
    ("title", "scale"),
    [
        ("Statements of Cash Flows (in thousands)", 1000),
        ("Statements of Cash Flows", 1),
        ("Notes to the Accounts (in thousands)\nCash flows of the year", 1000),
        ("We measure what we sell to others (in millions of units).", 1),
    ],
)
def test_a_title_far_above_declares_the_scale(drawing, title, scale):
    for y, line in zip((60, 110), title.split("\n"), strict=False):
        drawing.text(72, y, line, bold=True)
    drawing.text(300, 130, "2024", right=True)
    drawing.text(400, 130, "2023", right=True)
    for y, label, values in (
        (145, "Net loss", ("(8,470)", "(9,351)")),
        (160, "Depreciation", ("13,489", "11,072")),
    ):
        drawing.text(72, y, label)
        for right, value in zip((300, 400), values, strict=True):
            drawing.text(right, y, value, right=True)
    (table,) = drawing.tables()
    assert table.scale == scale


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_table_on_an_upright_page(tmp_path, turn):
    path = tmp_path / "page.pdf"
    canvas = Canvas(str(path), pagesize=(612, 792))
    for at in range(6):
        canvas.drawString(
            72,
            740 - 14 * at,
            "The upright text of this page tells of the sites below and of nothing else.",
        )
    canvas.translate(300, 400)
    canvas.rotate(turn)
    for at, (label, *values) in enumerate(
        (("Site", "Water", "Power"), ("North", "12", "7"), ("South", "15", "9"))
    ):
        canvas.drawString(-100, 40 - 16 * at, label)
        for right, value in zip((0, 80), values, strict=True):
            canvas.drawRightString(right, 40 - 16 * at, value)
    canvas.save()
    (page,) = raw_pages(path)
    (table,) = find_tables(page)
    assert rows(table) == [["Site", "Water", "Power"], ["North", "12", "7"], ["South", "15", "9"]]
    (word,) = (word for word in page.words if word.text == "South")
    assert overlap(cell(table, "South").box, word.box) > 0.99
    texts = [block.text for block in layout(page, [table]).blocks]
    assert (
        len(texts) == 2
        and texts[0].startswith("The upright")
        and texts[1].endswith("South | 15 | 9")
    )


PROSE = (
    "the wells that were drilled in", "the north of the country gave", "more than was thought at first",
    "and the plant was made larger", "in the spring of that year so", "that all of it could be used",
    "by the towns along the coast", "which had asked for it early",
)  # fmt: skip


def test_a_table_in_a_column_is_not_read_with_the_text_beside_it(drawing):
    for at, text in enumerate(PROSE * 3):
        drawing.text(330, 100 + 13 * at, text)
    for at, text in enumerate(PROSE):
        drawing.text(60, 100 + 13 * at, text)
        drawing.text(60, 308 + 13 * at, text)
    for at, (label, *values) in enumerate(
        (("Site", "2023", "2022"), ("North", "12", "7"), ("South", "15", "9"))
    ):
        drawing.text(60, 230 + 13 * at, label)
        for right, value in zip((200, 260), values, strict=True):
            drawing.text(right, 230 + 13 * at, value, right=True)
    (table,) = drawing.tables()
    assert rows(table) == [["Site", "2023", "2022"], ["North", "12", "7"], ["South", "15", "9"]]


def test_a_table_across_two_columns_of_text_stays_one(drawing):
    for at, text in enumerate(PROSE):
        for x in (60, 330):
            drawing.text(x, 100 + 13 * at, text)
            drawing.text(x, 300 + 13 * at, text)
    for at, (label, *values) in enumerate(
        (("", "2023", "2022"), ("North", "12", "7"), ("South", "15", "9"))
    ):
        drawing.text(60, 230 + 13 * at, label)
        for right, value in zip((250, 500), values, strict=True):
            drawing.text(right, 230 + 13 * at, value, right=True)
    (table,) = drawing.tables()
    assert [cell.text for cell in table.cells if cell.row == 1] == ["North", "12", "7"]


def test_labels_that_look_like_running_text_stay_with_their_values(drawing):
    drawing.text(300, 100, "Due")
    drawing.text(420, 100, "2023", right=True)
    for at, year in enumerate(("2025", "2026", "2027", "2028", "2029", "2030")):
        drawing.text(60, 115 + 13 * at, "Notes in euros, of 500 million in all")
        drawing.text(300, 115 + 13 * at, f"May {year}")
        drawing.text(420, 115 + 13 * at, f"{500 + at}", right=True)
    (table,) = drawing.tables()
    assert rows(table)[1] == ["Notes in euros, of 500 million in all", "May 2025", "500"]


def test_a_currency_and_scale_behind_a_year_stay_with_it(drawing):
    drawing.text(60, 100, "Results")
    for top in (100, 168):
        for x, year in ((330, "2022"), (440, "2023")):
            drawing.text(x, top, f"{year} $ million", right=True)
        for row, (label, *values) in enumerate(
            (("Net sales", "814", "1,694"), ("Costs", "605", "1,048"), ("Rest", "9", "8"))
        ):
            drawing.text(60, top + 20 + 14 * row, label)
            for x, value in zip((338, 448), values, strict=True):
                drawing.text(x, top + 20 + 14 * row, value, right=True)
    drawing.text(60, 168, "Adjusted")
    first, second = drawing.tables()
    assert rows(first)[0] == ["Results", "2022 $ million", "2023 $ million"]
    assert rows(second)[0] == ["Adjusted", "2022 $ million", "2023 $ million"]


def test_a_scale_in_the_middle_of_all_columns_is_that_of_each(drawing):
    drawing.text(300, 100, "June 30, 2023", right=True)
    drawing.text(420, 100, "June 30, 2022", right=True)
    drawing.text(374, 113, "(In thousands)", size=8, right=True)
    for at, (label, *values) in enumerate(
        (("Goodwill", "5,029", "5,030"), ("Trademarks", "757", "754"))
    ):
        drawing.text(60, 128 + 13 * at, label)
        for right, value in zip((300, 420), values, strict=True):
            drawing.text(right, 128 + 13 * at, value, right=True)
    (table,) = drawing.tables()
    assert [column_header(table, at) for at in (1, 2)] == [
        "June 30, 2023 (In thousands)",
        "June 30, 2022 (In thousands)",
    ]
    assert table.scale == 1000


def test_a_narrow_word_at_the_right_edge_of_a_merged_cell_stays_in_it():
    level = tuple((100.0, y, 400.0, y) for y in (100.0, 130.0, 160.0, 190.0))
    upright = (
        *((x, 100.0, x, 190.0) for x in (100.0, 200.0, 400.0)),
        (300.0, 130.0, 300.0, 190.0),
    )
    texts = [
        ("Region", 110, 105),
        ("Sales", 210, 105),
        ("|", 398.5, 105),
        ("North", 110, 135),
        ("5", 210, 135),
    ]
    texts += [("6", 310, 135), ("South", 110, 165), ("7", 210, 165), ("8", 310, 165)]
    words = [
        Word(text, (x, y, x + (2 if text == "|" else 30), y + 10), 10.0) for text, x, y in texts
    ]
    (table,) = find_tables(RawPage(1, 600.0, 800.0, tuple(words), (*level, *upright)))
    assert rows(table)[0] == ["Region", "Sales", "|"] and rows(table)[2] == ["South", "7", "8"]


def test_a_raised_digit_where_a_page_number_stands_is_read():
    texts = [
        ("One", 100, 0),
        ("4", 300, 0),
        ("\u00b2", 400, 0),
        ("Two", 100, 1),
        ("5", 300, 1),
        ("\u00b3", 400, 1),
    ]
    texts += [("Three", 100, 2), ("6", 300, 2), ("\u00b9", 400, 2)]
    words = [
        Word(text, (x, 100.0 + 14 * row, x + 20, 110.0 + 14 * row), 10.0) for text, x, row in texts
    ]
    (table,) = find_tables(RawPage(1, 600.0, 800.0, tuple(words)))
    assert [row[0] for row in rows(table)] == ["One", "Two", "Three"]
