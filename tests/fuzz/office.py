"""Small office files of every format, several of each."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from typing import Any

from tests.formats import format_writers as writers
from tests.formats.ole import xls, xlsb


def docx_files() -> list[bytes]:
    """Word documents."""
    import docx
    from docx.enum.text import WD_BREAK
    from docx.shared import Inches

    made, held = docx.Document(), io.BytesIO()
    made.add_heading("Annual report", 0)
    line = made.add_paragraph("EBITDA rose to SEK 412 million in 2023.")
    line.add_run("1").font.superscript = True
    for text in ("First point", "Second point"):
        made.add_paragraph(text, style="List Bullet")
        made.add_paragraph(text, style="List Number")
    table = made.add_table(rows=3, cols=3)
    for at, text in enumerate(["", "2023", "", "Sales", "12", "9", "Loss", "(3)", "1"]):
        table.cell(at // 3, at % 3).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).add_table(2, 2).cell(0, 0).text = "inner"
    made.add_picture(io.BytesIO(png()), width=Inches(2))
    made.add_comment(line.runs, text="Sure?", author="Ann")
    made.add_paragraph().add_run().add_break(WD_BREAK.PAGE)
    made.save(held)
    return [_slim(held.getvalue()), _slim(writers.to_docx())]


def _slim(data: bytes) -> bytes:
    """An office file with next to nothing in the large parts of its template that no parser reads."""
    dull = (
        "theme",
        "thumbnail",
        "fontTable",
        "stylesWithEffects",
        "printerSettings",
        "viewProps",
        "presProps",
    )
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return packed({
            one: b"<a/>" if any(word in one for word in dull) else archive.read(one) for one in archive.namelist()
        })  # fmt: skip


def packed(members: dict[str, bytes]) -> bytes:
    """A ZIP container of these files."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, data in members.items():
            archive.writestr(
                zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED
            )
    return held.getvalue()


def pptx_files() -> list[bytes]:
    """Presentations."""
    from pptx import Presentation
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    made, held = Presentation(), io.BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Traffic"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for at, text in enumerate(["", "2023", "Import", "120"]):
        table.cell(at // 2, at % 2).text = text
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Ships", (31, 42.5))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data
    )
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(
        Inches(1), Inches(1), Inches(3), Inches(1)
    ).text_frame.text = "In a group"
    slide.notes_slide.notes_text_frame.text = "The budget is EUR 38 million."
    made.save(held)
    return [_slim(held.getvalue()), _slim(writers.to_pptx())]


def xlsx_files() -> list[bytes]:
    """Workbooks."""
    import openpyxl
    from openpyxl.comments import Comment
    from openpyxl.worksheet.table import Table

    made, held = openpyxl.Workbook(), io.BytesIO()
    sheet = made.active
    for line in (
        ["Plant", "Opened", "Capacity (MW)"],
        ["Alpha", date(2001, 5, 1), 12.5],
        ["Beta", date(2010, 1, 1), 30],
    ):
        sheet.append(line)
    sheet["C4"], sheet["A4"] = "=SUM(C2:C3)", "Total"
    sheet["C2"].number_format = '#,##0.00 "MW";[Red](#,##0)'
    sheet["B2"].comment = Comment("As told", "Ann")
    sheet.add_table(Table(displayName="Plants", ref="A1:C3"))
    sheet.freeze_panes = "B2"
    sheet.column_dimensions["E"].hidden = True
    more = made.create_sheet("More")
    more["B2"], more["B3"] = "Merged", True
    more.merge_cells("B2:D2")
    made.save(held)
    return [_slim(held.getvalue()), _slim(writers.to_xlsx())]


def xls_files() -> list[bytes]:
    """Old binary workbooks."""
    cells: dict[tuple[int, int], str | float] = {
        (0, 0): "Year",
        (0, 1): "Sales",
        (1, 0): "2023",
        (1, 1): 44927.5,
        (2, 1): -3.5,
    }
    formats = {(1, 1): "yyyy-mm-dd", (2, 1): "0.0%"}
    return [writers.to_xls(), xls("A", cells, formats, [(0, 0, 0, 1)])]


def xlsb_files() -> list[bytes]:
    """Binary workbooks."""
    cells: dict[tuple[int, int], str | float] = {
        (0, 0): "Year",
        (0, 1): "Sales",
        (1, 0): "2023",
        (1, 1): 44927.5,
    }
    return [writers.to_xlsb(), packed(xlsb("A", cells, {(1, 1): "yyyy-mm-dd"}, [(0, 0, 1, 1)]))]


def _flat(kind: str, body: str, styles: str = "") -> bytes:
    spaces = f'{writers._XMLNS} xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    spaces += 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" '
    spaces += 'xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0" '
    return (
        f"<office:document {spaces}><office:settings>{_SETTINGS}</office:settings><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    ).encode()


_SETTINGS = (
    '<config:config-item-map-entry config:name="S"><config:config-item config:name="VerticalSplitMode">2</config:config-item>'
    '<config:config-item config:name="VerticalSplitPosition">1</config:config-item></config:config-item-map-entry>'
)
_ODT = (
    '<text:p text:style-name="Title">Annual report</text:p><text:h text:outline-level="1">Costs</text:h>'
    '<text:p>Wages<text:s text:c="2"/>rose<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
    "<text:note-body><text:p>Without bonuses.</text:p></text:note-body></text:note> to 9 km"
    '<text:span text:style-name="Up">2</text:span>.</text:p><text:list text:style-name="Num"><text:list-item '
    'text:start-value="3"><text:p>first</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list>'
    "</text:list-item></text:list><text:p><draw:frame><draw:text-box><text:p>In a box.</text:p></draw:text-box>"
    "<svg:desc>A bar chart of wages.</svg:desc></draw:frame></text:p><text:section><text:p>In a section.</text:p></text:section>"
)
_ODT_STYLES = (
    '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>'
    '<text:list-style style:name="Num"><text:list-level-style-number text:level="1" style:num-format="1"/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" text:display-levels="2" text:start-value="2"/>'
    "</text:list-style>"
)
_ODS = (
    '<table:table table:name="S"><table:table-column table:number-columns-repeated="3"/><table:table-row '
    'table:number-rows-repeated="2"><table:table-cell office:value-type="percentage" office:value="0.125"/><table:table-cell '
    'office:value-type="date" office:date-value="2023-01-31"/><table:table-cell table:number-columns-spanned="2" '
    'table:number-columns-repeated="2" office:value-type="currency" office:currency="EUR" office:value="12.5"/>'
    "<table:table-cell><office:annotation><text:p>Sure?</text:p></office:annotation></table:table-cell></table:table-row>"
    '<table:table-row table:visibility="collapse"><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>'
    "</table:table>"
)


def ods_files() -> list[bytes]:
    """OpenDocument workbooks."""
    manifest = (
        b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    )
    with zipfile.ZipFile(io.BytesIO(writers.to_ods())) as archive:
        whole = packed(
            {one: archive.read(one) for one in archive.namelist()}
            | {"META-INF/manifest.xml": manifest}
        )
    return [whole, _flat("spreadsheet", _ODS)]


def odt_files() -> list[bytes]:
    """OpenDocument texts."""
    return [writers.to_odt(), _flat("text", _ODT, _ODT_STYLES)]


def picture() -> Any:
    """A picture of a few words."""
    from PIL import Image, ImageDraw

    made = Image.new("RGB", (240, 60), "white")
    ImageDraw.Draw(made).text((10, 20), "Revenue 4,812 in 2023", fill="black", font_size=18)
    return made


def png() -> bytes:
    """That picture as PNG."""
    held = io.BytesIO()
    picture().convert("L").save(held, "PNG", dpi=(144, 144))
    return held.getvalue()
