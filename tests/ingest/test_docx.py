import zipfile

import docx
import pytest
from docx.enum.text import WD_BREAK
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from pincite.errors import LockedSource, SourceError, UnsupportedSource
from tests.ingest.office import found, read, tables, texts, whole

OLE = bytes.fromhex("d0cf11e0a1b11ae1")


@pytest.fixture
def report(tmp_path):
    made = docx.Document()
    made.add_heading("Annual report", 0)
    made.add_heading("Results", 1)
    made.add_heading("EBITDA", 2)
    line = made.add_paragraph("EBITDA rose to SEK 412 million in 2023.")
    line.add_run(" secret words").font.hidden = True
    mark = line.add_run("1")
    mark.font.superscript = True
    for text in ("First point", "Second point"):
        made.add_paragraph(text, style="List Bullet")
    for text in ("Do this", "Then that"):
        made.add_paragraph(text, style="List Number")
    made.add_paragraph("Table 1. Income statement (SEK million)", style="Caption")
    rows = [
        ["", "Full year", "", "Change"],
        ["", "2023", "2022", "%"],
        ["Net sales", "3,210", "2,980", "7.7"],
        ["Profit", "412", "340", "21.2"],
    ]
    table = made.add_table(rows=4, cols=4)
    for at, row in enumerate(rows):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 3).merge(table.cell(1, 3))
    made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    made.add_heading("Outlook", 1)
    made.add_paragraph("Sales of SEK 3.4 billion are expected in 2024.")
    made.save(tmp_path / "a.docx")
    return tmp_path / "a.docx"


def test_headings_keep_their_levels_whatever_they_look_like(report):
    document = read(report)
    sections = [node.anchor.path for node in document.nodes if node.kind == "section"]
    assert document.title == "Annual report"
    assert sections == [
        "text > Annual report",
        "text > Annual report > Results",
        "text > Annual report > Results > EBITDA",
        "text > Annual report > Outlook",
    ]


def test_lists_come_with_their_marks_and_hidden_text_and_note_marks_do_not(report):
    document = read(report)
    assert texts(document, "list") == ["• First point\n• Second point\n1. Do this\n2. Then that"]
    assert "EBITDA rose to SEK 412 million in 2023." in texts(document, "paragraph")


def test_a_table_has_its_merged_headers_caption_and_scale(report):
    (table,) = tables(read(report))
    assert found(table, "Profit", "Full year 2022") == ("340", "Annual report > Results > EBITDA")
    assert found(table, "Net sales", "Change %")[0] == "7.7"
    assert (table.table.header_rows, table.table.unit, int(table.table.scale)) == (
        2,
        "SEK",
        1_000_000,
    )
    assert table.table.caption == "Table 1. Income statement (SEK million)"


def test_a_page_break_ends_a_page(report):
    assert whole(read(report)).split("\n")[-2:] == [
        "Outlook",
        "Sales of SEK 3.4 billion are expected in 2024.",
    ]
    assert [node.anchor.page for node in read(report).nodes if node.kind == "page"] == [1, 2]


def test_revisions_are_read_as_accepted_and_notes_follow_their_paragraph(tmp_path):
    made = docx.Document()
    line = made.add_paragraph("The price is ")
    line._p.append(
        parse_xml(f'<w:del {nsdecls("w")} w:id="1"><w:r><w:delText>90</w:delText></w:r></w:del>')
    )
    line._p.append(
        parse_xml(f'<w:ins {nsdecls("w")} w:id="2"><w:r><w:t>95 euro</w:t></w:r></w:ins>')
    )
    made.add_paragraph("Next.")
    made.add_comment(line.runs, "Is that so?", author="Ann")
    made.save(tmp_path / "a.docx")
    document = read(tmp_path / "a.docx")
    assert [
        (node.kind, node.text) for node in document.nodes if node.kind in ("paragraph", "footnote")
    ] == [
        ("paragraph", "The price is 95 euro"),
        ("footnote", "Comment by Ann: Is that so?"),
        ("paragraph", "Next."),
    ]


def test_footnotes_follow_the_paragraph_that_they_belong_to(tmp_path):
    made = docx.Document()
    line = made.add_paragraph("Sales were 4,521")
    line._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    made.add_paragraph("Next.")
    notes = f'<w:footnotes {nsdecls("w")}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p>'
    notes += "<w:r><w:t>Restated</w:t></w:r><w:r><w:t> in 2023.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), kind, notes.encode(), made.part.package)
    made.part.relate_to(part, RT.FOOTNOTES)
    made.save(tmp_path / "a.docx")
    document = read(tmp_path / "a.docx")
    assert [node.text for node in document.nodes if node.kind in ("paragraph", "footnote")] == [
        "Sales were 4,521",
        "Restated in 2023.",
        "Next.",
    ]


def test_bold_lines_are_headings_where_no_style_says_so(tmp_path):
    made = docx.Document()
    made.add_paragraph().add_run("Scope of work").bold = True
    made.add_paragraph(
        "The work takes 12 weeks and begins in May, as soon as the permits are there."
    )
    made.save(tmp_path / "a.docx")
    assert texts(read(tmp_path / "a.docx"), "heading") == ["Scope of work"]


def test_a_table_of_contents_is_left_out(tmp_path):
    made = docx.Document()
    made.styles.add_style("toc 1", docx.enum.style.WD_STYLE_TYPE.PARAGRAPH)
    made.add_paragraph("Results 4", style="toc 1")
    made.add_paragraph("The results are good.")
    made.save(tmp_path / "a.docx")
    assert whole(read(tmp_path / "a.docx")) == "The results are good."


def test_headings_are_numbered_as_word_numbers_them(tmp_path):
    made = docx.Document()
    made.add_heading("First", 1)
    numbering = made.part.numbering_part.element
    numbering.insert(
        0,
        parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77"><w:lvl w:ilvl="0"><w:start w:val="3"/>'
            '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>'
            '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerRoman"/>'
            '<w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>'
        ),
    )
    numbering.append(
        parse_xml(f'<w:num {nsdecls("w")} w:numId="88"><w:abstractNumId w:val="77"/></w:num>')
    )
    for style, text, level in (
        ("Heading 1", "Results", 0),
        ("Heading 2", "Sales", 1),
        ("Heading 2", "Costs", 1),
    ):
        line = made.add_paragraph(text, style=style)
        line._p.get_or_add_pPr().append(
            parse_xml(
                f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="88"/></w:numPr>'
            )
        )
    made.save(tmp_path / "a.docx")
    assert texts(read(tmp_path / "a.docx"), "heading") == [
        "First",
        "3 Results",
        "3.i Sales",
        "3.ii Costs",
    ]


@pytest.mark.parametrize(
    ("data", "error", "said"),
    [
        (b"", SourceError, "empty"),
        (b"no archive at all", SourceError, "not a complete ZIP"),
        (OLE + bytes(600) + "EncryptedPackage".encode("utf-16-le"), LockedSource, "encrypted"),
        (OLE + bytes(600), UnsupportedSource, "save it as .docx"),
    ],
)
def test_what_is_no_document_is_told_apart(tmp_path, data, error, said):
    with pytest.raises(error, match=said):
        read(tmp_path / "a.docx", data)


def test_a_truncated_file_and_one_without_its_text_are_damaged(report, tmp_path):
    with pytest.raises(SourceError, match="a.docx is damaged"):
        read(tmp_path / "a.docx", report.read_bytes()[:-2000])
    with zipfile.ZipFile(tmp_path / "b.docx", "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    with pytest.raises(SourceError, match="b.docx cannot be read as a Word document"):
        read(tmp_path / "b.docx")


def test_entities_are_not_expanded(report, tmp_path):
    bomb = '<!DOCTYPE w:document [<!ENTITY a "ha ha "><!ENTITY x SYSTEM "file:///etc/hostname">'
    bomb += (
        "".join(f'<!ENTITY a{n} "{f"&a{n - 1 if n else str()};" * 40}">' for n in range(6)) + "]>"
    )
    with zipfile.ZipFile(report) as old, zipfile.ZipFile(tmp_path / "b.docx", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "word/document.xml":
                start, rest = data.split(b"?>", 1)
                data = (
                    start
                    + b"?>"
                    + bomb.encode()
                    + rest.replace(b"are expected", b"&a5;&x; are expected")
                )
            new.writestr(name, data)
    try:
        assert "ha ha" not in whole(read(tmp_path / "b.docx"))
    except SourceError as error:
        assert "cannot be read" in str(error)


def test_a_missing_library_gives_the_install_line(report, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "docx", None)
    with pytest.raises(SourceError, match=r"pip install 'pincite\[office\]'"):
        read(report)
