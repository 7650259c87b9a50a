"""What a file holds beside its text is read, or said not to have been."""

import io
import zipfile

import docx
import openpyxl
import pptx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from lxml import etree
from openpyxl.comments import Comment
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml as parse_slide_xml
from pptx.util import Inches

from pincite.indexing import index
from pincite.ingest.lost_parts import not_read
from tests.formats.format_writers import _zip
from tests.formats.ole import _binary, xlsb
from tests.ingest.office import found, lost, read, tables, texts
from tests.ingest.test_odf import flat

W = nsdecls("w")
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"


def chart_of(slide, kind=XL_CHART_TYPE.COLUMN_CLUSTERED):
    data = CategoryChartData()
    data.categories = ["2022", "2023"]
    data.add_series("Revenue", (410, 455))
    return slide.shapes.add_chart(kind, 0, 0, Inches(4), Inches(3), data)


def slide_of(deck):
    return deck.slides.add_slide(deck.slide_layouts[6])


def box(slide, text):
    made = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1))
    made.text_frame.text = text
    return made


def with_members(path, members):
    """The bytes of a packed file with other members beside its own, or in their place."""
    held = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(held, "w") as new:
        for name in {*old.namelist(), *members}:
            new.writestr(name, members[name] if name in members else old.read(name))
    return held.getvalue()


def test_a_plain_sentence_says_what_was_not_read():
    assert not_read({"comment": 0}) == ""
    assert not_read({"hidden row": 1, "comment": 0}) == "1 hidden row was not read"
    assert not_read({"hidden row": 2}) == "2 hidden rows were not read"
    told = not_read({"hidden row": 2, "chart": 1, "embedded object": 1})
    assert told == "2 hidden rows, 1 chart and 1 embedded object were not read"


def test_word_reads_charts_and_says_what_is_hidden_or_embedded(tmp_path):
    chart = chart_of(slide_of(pptx.Presentation())).chart.part
    made = docx.Document()
    made.add_paragraph("Shown").add_run(" hidden").font.hidden = True
    made.styles.add_style("Secret", 1).font.hidden = True
    made.add_paragraph("Hidden too.", style="Secret")
    kept = made.add_paragraph("But not this.", style="Secret")
    kept.runs[0].font.hidden = False
    part = docx.opc.part.Part(
        docx.opc.packuri.PackURI("/word/charts/chart1.xml"), chart.content_type, chart.blob,
        made.part.package,
    )  # fmt: skip
    drawn = (
        f'<w:r {W}><w:drawing><c:chart xmlns:c="{C}" xmlns:r="{R}" r:id="{{}}"/></w:drawing></w:r>'
    )
    line = made.add_paragraph("In the chart:")
    line._p.append(parse_xml(drawn.format(made.part.relate_to(part, f"{R}/chart"))))
    ole = '<o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" Type="Embed"/>'
    line._p.append(parse_xml(f"<w:r {W}><w:object>{ole}</w:object></w:r>"))
    made.save(tmp_path / "a.docx")
    document = read(tmp_path / "a.docx")
    assert texts(document, "paragraph") == ["Shown", "But not this.", "In the chart:"]
    assert found(tables(document)[0], "2023", "Revenue") == ("455", "the text")
    assert lost(document) == {"text": "1 embedded object and 2 hidden passages were not read"}


def test_slides_read_comments_and_what_new_programs_show(tmp_path):
    deck = pptx.Presentation()
    slide = slide_of(deck)
    shape = box(slide, "Shown by new programs")._element
    tree = shape.getparent()
    choice = etree.SubElement(etree.SubElement(tree, f"{MC}AlternateContent"), f"{MC}Choice")
    choice.append(shape)
    old = etree.SubElement(choice.getparent(), f"{MC}Fallback")
    old.append(box(slide, "Shown by old ones")._element)
    box(slide, "Not shown")._element.nvSpPr.cNvPr.set("hidden", "1")
    (tmp_path / "b.bin").write_bytes(b"x")
    slide.shapes.add_ole_object(str(tmp_path / "b.bin"), "Package", 0, 0)
    chart = chart_of(slide)._element.graphic.graphicData
    newer = "http://schemas.microsoft.com/office/drawing/2014/chartex"
    chart[0].getparent().replace(chart[0], parse_slide_xml(f'<cx:chart xmlns:cx="{newer}"/>'))
    said = b'<p:cmLst xmlns:p="urn:p"><p:cm><p:pos x="1"/><p:text>Is that so?</p:text></p:cm></p:cmLst>'
    comments = Part(
        PackURI("/ppt/comments/comment1.xml"), "application/xml", deck.part.package, said
    )
    slide.part.relate_to(comments, f"{R}/comments")
    deck.save(tmp_path / "a.pptx")
    document = read(tmp_path / "a.pptx")
    assert texts(document, "paragraph") == ["Shown by new programs"]
    assert texts(document, "footnote") == ["Comment by a reader: Is that so?"]
    told = "1 embedded object, 1 chart and 1 hidden shape were not read"
    assert lost(document) == {"slide 1": told}


def test_a_workbook_reads_text_boxes_and_comments_and_the_status_says_the_rest(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    for line in (("Costs of the year",), ("Site", "t"), ("North", 250), ("South", 180)):
        sheet.append(line)
    thread = (
        "[Threaded comment]\n\nYour version of Excel allows you to read it.\n\nComment:\n    Sure?"
    )
    sheet["B3"].comment = Comment(thread, "Ann")
    sheet["D1"] = "secret"
    for column in ("D", "E"):  # nothing stands in the second
        sheet.column_dimensions[column].hidden = True
    made.create_sheet("Lists")["A1"] = "x"
    made["Lists"].sheet_state = "veryHidden"
    made.save(tmp_path / "a.xlsx")
    rels = "xl/worksheets/_rels/sheet1.xml.rels"
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        relations = archive.read(rels).decode()
    more = (
        f'<Relationship Id="x1" Type="{R}/drawing" Target="/xl/drawings/drawing1.xml"/>'
        f'<Relationship Id="x2" Type="{R}/package" Target="/xl/embeddings/a.docx"/></Relationships>'
    )
    drawing = (
        f'<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="{A}">'
        "<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>6</xdr:row></xdr:from><xdr:sp><xdr:txBody><a:p><a:r>"
        "<a:t>Unaudited figures</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:twoCellAnchor></xdr:wsDr>"
    )
    members = {
        rels: relations.replace("</Relationships>", more),
        "xl/drawings/drawing1.xml": drawing,
    }
    (tmp_path / "files").mkdir()
    data = with_members(tmp_path / "a.xlsx", members)
    document = read(tmp_path / "files" / "a.xlsx", data)
    assert texts(document, "footnote") == ["B3: Sure?"]
    places = {one.text: one.anchor.path for one in document.nodes if one.kind == "paragraph"}
    assert places == {"Unaudited figures": "Sheet!B7:B7"}
    assert "secret" not in "".join(texts(document, "page"))
    (file,) = index([tmp_path / "files"], tmp_path / "corpus", ()).problems
    assert (file.status, file.reason) == (
        "partial",
        "sheet Sheet: 1 hidden column and 1 embedded object were not read; sheet Lists: it is hidden and was not read",
    )


def test_comments_of_a_binary_workbook_are_said(tmp_path):
    parts = xlsb("Costs", {(0, 0): "Site", (0, 1): "t", (1, 0): "North", (1, 1): 5.0}, {}, [])
    rel = f'<Relationship Id="rId1" Type="{R}/comments" Target="../comments1.bin"/>'
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    more = {
        "xl/worksheets/_rels/sheet1.bin.rels": f'<Relationships xmlns="{package}">{rel}</Relationships>'.encode(),
        "xl/comments1.bin": _binary(633, b"") + _binary(635, bytes(36)) * 2 + _binary(634, b""),
    }  # fmt: skip
    document = read(tmp_path / "a.xlsb", _zip({**parts, **more}))
    assert lost(document) == {"sheet Costs": "2 comments were not read"}


def test_what_open_document_and_rtf_hide_is_said(tmp_path):
    styles = '<style:style style:name="Off" style:family="text"><style:text-properties text:display="none"/></style:style>'
    body = (
        '<text:p>Shown<text:span text:style-name="Off"> hidden</text:span>.</text:p>'
        '<text:section text:display="none"><text:p>Hidden too.</text:p></text:section>'
        "<text:p><draw:frame><draw:object-ole/></draw:frame></text:p>"
    )
    document = read(tmp_path / "a.fodt", flat("text", body, styles))
    assert texts(document, "paragraph") == ["Shown."]
    assert lost(document) == {"text": "2 hidden passages and 1 embedded object were not read"}
    rtf = r"{\rtf1\ansi Shown{\v  hidden}.{\*\atnauthor Ann}{\*\annotation Sure?}\par}"
    document = read(tmp_path / "a.rtf", rtf.encode())
    assert texts(document, "paragraph") == ["Shown."]
    assert lost(document) == {"text": "1 comment and 1 hidden passage were not read"}
