"""Text that is struck out or deleted is not in force: no format reads it, and what stands beside it closes up."""

import struct

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font
from pptx.util import Inches

from pincite.ingest.page_cuts import tidied
from tests.formats.format_writers import _zip
from tests.formats.ole import _binary, _record, xls, xlsb
from tests.ingest.office import read, texts, whole
from tests.ingest.test_odf import cell, flat, row, sheet_of

W = nsdecls("w")
STRUCK = '<style:text-properties style:text-line-through-style="solid"/>'
KEPT = '<style:text-properties style:text-line-through-style="none"/>'
STYLES = "".join(
    f'<style:style style:name="{name}" style:family="{family}">{properties}</style:style>'
    for name, family, properties in [
        ("Off", "text", STRUCK), ("On", "text", KEPT), ("OffP", "paragraph", STRUCK), ("OffC", "table-cell", STRUCK),
    ]
)  # fmt: skip
AMENDED = (
    '<text:p>The limit is <text:span text:style-name="Off">250 kg</text:span> 180 kg.</text:p>'
    '<text:p text:style-name="OffP">Old. <text:span text:style-name="On">New.</text:span></text:p>'
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("is \u1680 180 kg", "is 180 kg"),
        ("is\u1680 180 kg", "is 180 kg"),
        ("180 kg \u1680.", "180 kg."),
        ("180 kg \u1680 \u1680, if", "180 kg, if"),
        ("is \u1680 .5 kg", "is .5 kg"),
        ("25\u16805 kg", "255 kg"),
        ("\u1680\nNew.", "New."),
    ],
)
def test_no_blank_is_left_of_it_that_nothing_needs(text, left):
    assert tidied(text) == left


def test_word_by_run_style_revision_and_row(tmp_path):
    made = docx.Document()
    for name, kind in (("Gone", 2), ("Old rule", 1)):
        made.styles.add_style(name, kind).font.strike = True
    line = made.add_paragraph("The limit is ")
    line.add_run("250 kg").font.strike = True
    line.add_run(" 180 kg")
    line.add_run(" as a mean").font.double_strike = True
    line.add_run(".")
    made.add_paragraph("Samples are taken once a month.", style="Old rule")
    line = made.add_paragraph("Kept ", style="Old rule")
    line.runs[0].font.strike = False
    line.add_run("lost", style="Gone")
    moved = made.add_paragraph("Due ")
    for tag, text in (("moveFrom", "31 March"), ("moveTo", "15 February")):
        moved._p.append(parse_xml(f"<w:{tag} {W}><w:r><w:t>{text}</w:t></w:r></w:{tag}>"))
    table = made.add_table(3, 2)
    for at, (label, value) in enumerate((("Site", "t"), ("North", "5"), ("South", "7"))):
        table.cell(at, 0).text, table.cell(at, 1).text = label, value
    table.cell(2, 1).paragraphs[0].runs[0].font.strike = True
    table.cell(2, 1).paragraphs[0].add_run("8")
    table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {W}/>"))
    made.save(tmp_path / "a.docx")
    document = read(tmp_path / "a.docx")
    assert texts(document, "paragraph") == ["The limit is 180 kg.", "Kept", "Due 15 February"]
    assert texts(document, "table") == ["Site | t\nSouth | 8"]


def test_html_by_element_style_class_and_name(tmp_path):
    text = """<style>.old, td.gone { text-decoration: line-through red } em { text-decoration-line: line-through }
      u { text-decoration: underline }</style>
      <p>The limit is <del>250 kg</del><ins>180 kg</ins> <s>daily</s>, <span class="x old">or 3</span> <u>as a mean</u>
      <em>of a week</em>.</p><p style="text-decoration: underline line-through">Old.</p>
      <table><tr><th>Site</th><th>t</th></tr><tr><td>North</td><td class=gone>5</td></tr>
      <tr><td>South</td><td><strike>7</strike> 8</td></tr></table>"""
    document = read(tmp_path / "a.html", text.encode())
    assert texts(document, "paragraph") == ["The limit is 180 kg, as a mean."]
    assert texts(document, "table") == ["Site | t\nNorth\nSouth | 8"]
    mail = "From: a@b.se\nSubject: Limit\nContent-Type: text/html\n\n<p><s>250 kg</s> 180 kg</p>"
    assert whole(read(tmp_path / "a.eml", mail.encode())).endswith("\n180 kg")


def test_open_document_by_the_styles_of_spans_paragraphs_and_cells(tmp_path):
    document = read(tmp_path / "a.fodt", flat("text", AMENDED, STYLES))
    assert texts(document, "paragraph") == ["The limit is 180 kg.", "New."]
    rows = row(cell("Site"), cell("t")) + row(
        cell("North"), cell("250", 'table:style-name="OffC"')
    )
    workbook = read(
        tmp_path / "a.fods",
        flat("spreadsheet", sheet_of(rows + row(cell("X"), cell("1"))), STYLES),
    )
    assert texts(workbook, "table") == ["Site | t\nNorth\nX | 1"]


def test_a_presentation(tmp_path):
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    words = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.paragraphs[0]
    for text, strike in (("is ", "noStrike"), ("250 kg", "sngStrike"), (" 180 kg", "")):
        run = words.add_run()
        run.text = text
        if strike:
            run.font._element.set("strike", strike)
    deck.save(tmp_path / "a.pptx")
    assert texts(read(tmp_path / "a.pptx"), "paragraph") == ["is 180 kg"]


def test_a_workbook_by_cell_and_by_run(tmp_path):
    made = openpyxl.Workbook()
    for line in (("Site", "t"), ("North", 250), ("South", 180)):
        made.active.append(line)
    made.active["B2"].font = Font(strike=True)
    amended = CellRichText("over ", TextBlock(InlineFont(strike=True), "5 t"), " 7 t")
    made.active.append((amended, 4))
    made.save(tmp_path / "a.xlsx")
    assert texts(read(tmp_path / "a.xlsx"), "table") == [
        "Site | t\nNorth\nSouth | 180\nover 7 t | 4"
    ]


def test_binary_workbooks(tmp_path):
    cells = {(0, 0): "Site", (0, 1): "t", (1, 0): "North", (1, 1): 250.0, (2, 0): "South", (2, 1): 180.0}  # fmt: skip
    formats = {(1, 1): "0.0"}
    font = struct.pack("<HHHHHBBBx", 200, 0, 0x7FFF, 400, 0, 0, 0, 0) + bytes((5, 0)) + b"Arial"
    struck = font[:2] + b"\x08" + font[3:]
    style, off = (_record(0xE0, struct.pack("<HHH", at, 164, 1) + bytes(14)) for at in (0, 1))
    data = xls("Costs", cells, formats, [])
    data = data.replace(_record(0x31, font) * 2, _record(0x31, font) + _record(0x31, struck), 1)
    expected = ["Site | t\nNorth\nSouth | 180"]
    assert texts(read(tmp_path / "a.xls", data.replace(style, off)), "table") == expected
    parts = xlsb("Costs", cells, formats, [])
    style, off = (_binary(47, struct.pack("<HHH", 0, 164, at) + bytes(10)) for at in (0, 1))
    wide = bytes(15) + struct.pack("<I", 5) + "Arial".encode("utf-16-le")
    plain, struck = (_binary(43, struct.pack("<HHH", 200, at, 400) + wide) for at in (0, 8))
    styles = parts["xl/styles.bin"].replace(plain, plain + struck).replace(style, off)
    packed = _zip({**parts, "xl/styles.bin": styles})
    assert texts(read(tmp_path / "a.xlsb", packed), "table") == expected


def test_rtf_and_markdown(tmp_path):
    rtf = r"{\rtf1\ansi The limit is {\strike 250 kg} 180 kg{\striked1  as a mean}\deleted  or more\deleted0 .\par}"
    assert texts(read(tmp_path / "a.rtf", rtf.encode()), "paragraph") == ["The limit is 180 kg."]
    text = "The limit is ~~250 kg~~ 180 kg ~~daily~~.\n\n- ~~old~~ new\n\n| Site | t |\n|-|-|\n| N | ~~5~~ 6 |\n"
    document = read(tmp_path / "a.md", text.encode())
    assert texts(document, "paragraph") == ["The limit is 180 kg."]
    assert texts(document, "list") == ["- new"]
    assert texts(document, "table") == ["Site | t\nN | 6"]
