"""OpenDocument texts, workbooks and presentations, packed and as one XML file."""

import io
import zipfile

import pytest

from pincite.errors import LockedSource, SourceError
from pincite.ingest.document_parser import format_of
from tests.ingest.office import found, lost, read, tables, texts, whole

NAMES = {
    "office": "office", "text": "text", "table": "table", "style": "style", "presentation": "presentation", "chart": "chart",
    "config": "config", "draw": "drawing", "fo": "xsl-fo-compatible", "svg": "svg-compatible",
}  # fmt: skip
XMLNS = " ".join(
    f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for one, name in NAMES.items()
)
XMLNS += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def flat(kind, body, styles="", more=""):
    return (
        f"<office:document {XMLNS}>{more}<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


def packed(kind, body, styles="", **others):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("content.xml", flat(kind, body, styles))
        for name, data in others.items():
            archive.writestr(name.replace("__", "/"), data)
    return held.getvalue()


TEXT = """
<text:p text:style-name="Title">Annual report</text:p>
<text:table-of-content><text:index-body><text:p>Costs 4</text:p></text:index-body></text:table-of-content>
<text:h text:outline-level="1">Costs</text:h>
<text:p>Wages<text:s text:c="2"/>rose<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>
  <text:note-body><text:p>Without bonuses.</text:p></text:note-body></text:note> to 9 km<text:span
  text:style-name="Up">2</text:span>.
  <office:annotation><dc:creator>Ann</dc:creator><text:p>Sure?</text:p></office:annotation></text:p>
<text:tracked-changes><text:changed-region><text:deletion><text:p>Gone.</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:list text:style-name="Num"><text:list-item><text:p>first</text:p>
  <text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item>
  <text:list-item><text:p>second</text:p></text:list-item></text:list>
<text:list><text:list-item><text:p>point</text:p></text:list-item></text:list>
<text:p text:style-name="Break">Table 1: EUR million</text:p>
<table:table><table:table-column table:number-columns-repeated="3"/>
  <table:table-header-rows><table:table-row><table:table-cell/>
  <table:table-cell table:number-columns-spanned="2"><text:p>2023</text:p></table:table-cell>
  <table:covered-table-cell/></table:table-row>
  <table:table-row><table:table-cell/><table:table-cell><text:p>North</text:p></table:table-cell>
  <table:table-cell><text:p>South</text:p></table:table-cell></table:table-row></table:table-header-rows>
  <table:table-row><table:table-cell><text:p>Wages</text:p></table:table-cell>
  <table:table-cell table:number-columns-repeated="2"><text:p>(1,250)</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box></draw:frame>
  <draw:frame><draw:image/><svg:desc>A bar chart of wages.</svg:desc></draw:frame></text:p>
<text:section><text:p>In a section.</text:p></text:section>
"""
STYLES = """
<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="Break" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>
<style:style style:name="Title" style:family="paragraph"/>
<text:list-style style:name="Num">
<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>
"""


@pytest.mark.parametrize("name", ["a.odt", "a.fodt"])
def test_a_text_keeps_its_structure(name, tmp_path):
    data = (packed if name == "a.odt" else flat)("text", TEXT, STYLES)
    made = read(tmp_path / name, data)
    assert made.title == "Annual report"
    assert texts(made, "heading") == ["Annual report", "Costs"]
    assert texts(made, "paragraph") == ["Wages rose to 9 km\u00b2.", "In a box.", "In a section."]
    assert texts(made, "footnote") == ["Without bonuses.", "Comment by Ann: Sure?"]
    assert texts(made, "list") == ["1. first\na. inner\n2. second", "\u2022 point"]
    assert texts(made, "figure") == ["A bar chart of wages."]
    assert "Gone" not in whole(made) and "Costs 4" not in whole(made)
    (table,) = tables(made)
    assert (table.table.header_rows, table.table.unit, int(table.table.scale)) == (
        2,
        "EUR",
        1_000_000,
    )
    assert found(table, "Wages", "2023 South") == ("(1,250)", "Annual report > Costs")
    assert table.anchor.page == 2


def sheet_of(rows, name="Costs", more=""):
    return f'<table:table table:name="{name}" {more}>{"".join(rows)}</table:table>'


def row(*cells, more=""):
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def cell(text="", more=""):
    return (
        f"<table:table-cell {more}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"
    )


def test_a_workbook_is_read_as_it_is_displayed(tmp_path):
    note = "<office:annotation><dc:creator>Ann</dc:creator><text:p>audited</text:p></office:annotation>"
    rows = [
        row(cell("Costs in EUR million", 'table:style-name="B"')),
        row(cell("Item"), cell("2023"), cell("2022")),
        row(
            cell("Wages"),
            f"<table:table-cell><text:p>(1,250.0)</text:p>{note}</table:table-cell>",
            cell("7"),
        ),
        row(cell("Secret"), cell("1"), cell("2"), more='table:visibility="collapse"'),
        row(
            cell("Share"),
            cell("", 'office:value-type="percentage" office:value="0.125"'),
            cell("", 'office:value-type="float" office:value="3.5"'),
        ),
        row(
            cell("Due"),
            cell("", 'office:value-type="date" office:date-value="2023-05-01"'),
            cell("9", 'table:number-columns-repeated="1"'),
        ),
        row(
            cell("", 'table:number-columns-repeated="16384"'),
            more='table:number-rows-repeated="1048000"',
        ),
    ]
    body = sheet_of(rows) + sheet_of([row(cell("x"))], "Hidden", 'table:style-name="Off"')
    styles = '<style:style style:name="Off" style:family="table"><style:table-properties table:display="false"/></style:style>'
    made = read(tmp_path / "a.ods", packed("spreadsheet", body, styles))
    (table,) = tables(made)
    assert found(table, "Wages", "2023") == ("(1,250.0)", "Costs!B3")
    assert found(table, "Share", "2023") == ("12.5%", "Costs!B5")
    assert found(table, "Due", "2023") == ("2023-05-01", "Costs!B6")
    assert (table.table.unit, int(table.table.scale)) == ("EUR", 1_000_000)
    assert texts(made, "footnote") == ["B3: audited"]
    assert "Secret" not in whole(made)
    assert lost(made) == {
        "sheet Costs": "1 hidden row was not read",
        "sheet Hidden": "it is hidden and was not read",
    }


def test_slides_come_with_tables_charts_and_notes(tmp_path):
    def frame(y, inner, kind=""):
        return f'<draw:frame svg:x="2cm" svg:y="{y}cm" presentation:class="{kind}">{inner}</draw:frame>'

    def box(text):
        return f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"

    data = sheet_of([row(cell(), cell("Sales")), row(cell("2023"), cell("7.5"))], "local-table")
    chart = f"<office:document-content {XMLNS}><office:body><office:chart><chart:chart>"
    chart += f"<chart:title><text:p>Sales by year</text:p></chart:title>{data}"
    chart += "</chart:chart></office:chart></office:body></office:document-content>"
    body = (
        f"<draw:page>{frame(9, box('below'))}{frame(1, box('Costs'), 'title')}{frame(4, box('above'))}"
        f"{frame(20, box('7'), 'page-number')}"
        f"<draw:custom-shape svg:y='5cm'><text:p>in a shape</text:p></draw:custom-shape>"
        f"<presentation:notes>{frame(1, box('Say it slowly.'), 'notes')}</presentation:notes></draw:page>"
        f"<draw:page draw:style-name='Off'>{frame(1, box('Not shown'), 'title')}</draw:page>"
        f"<draw:page>{frame(2, '<draw:object xlink:href=' + chr(34) + './Object 1' + chr(34) + '/>')}</draw:page>"
    )
    styles = (
        '<style:style style:name="Off" style:family="drawing-page">'
        '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    made = read(
        tmp_path / "a.odp",
        packed("presentation", body, styles, **{"Object 1__content.xml": chart}),
    )
    places = {one.text: one.anchor.path for one in made.nodes if one.kind == "paragraph"}
    assert places == {
        "above": "slide 1 > Costs",
        "in a shape": "slide 1 > Costs",
        "below": "slide 1 > Costs",
        "Say it slowly.": "slide 1, notes",
    }
    assert list(places) == ["above", "in a shape", "below", "Say it slowly."]
    (table,) = tables(made)
    assert found(table, "2023", "Sales") == ("7.5", "slide 3")
    assert "Not shown" not in whole(made) and texts(made, "caption") == ["Sales by year"]


def test_one_without_a_name_is_known_by_what_it_says_it_is(tmp_path):
    for kind, name in (("text", "odt"), ("spreadsheet", "ods"), ("presentation", "odp")):
        (tmp_path / "file").write_bytes(packed(kind, ""))
        assert format_of(tmp_path / "file") == name


def test_what_cannot_be_read_is_refused(tmp_path):
    with pytest.raises(LockedSource, match="password"):
        read(
            tmp_path / "a.odt",
            packed("text", "", **{"META-INF__manifest.xml": "<x><encryption-data/></x>"}),
        )
    with pytest.raises(SourceError, match="is not an OpenDocument text"):
        read(tmp_path / "a.odt", packed("spreadsheet", ""))
    with pytest.raises(SourceError, match="is not XML"):
        read(tmp_path / "a.fodt", b"<office:document")
    with pytest.raises(SourceError, match="damaged"):
        read(tmp_path / "a.ods", packed("spreadsheet", "")[:-30])
    bomb = flat("text", "<text:p>&a;</text:p>").replace(
        b"<office:document", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><office:document', 1
    )
    assert "aaaa" not in whole(read(tmp_path / "a.fodt", bomb))
    many = row(
        cell("1", 'table:number-columns-repeated="1999"'), more='table:number-rows-repeated="1999"'
    )
    with pytest.raises(SourceError, match="too much to read"):
        read(tmp_path / "a.ods", packed("spreadsheet", sheet_of([many])))
