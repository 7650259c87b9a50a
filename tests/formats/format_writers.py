"""One small report written in every format that Pincite reads: headings, a note, a table with merged headers, units and signs."""

from __future__ import annotations

import html
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any

from tests.formats.ole import outlook, xls, xlsb

TITLE = "Results of the Norrland group"
HEADING = "Results by segment"
LEAD = "EUR million, except percentages"
NOTE = "Note: Forestry includes the sawmills since 2022."
TOP = [("", 2, 1), ("2023", 1, 2), ("2022", 1, 2)]
"""The first header row: text, rows covered, columns covered."""
SEGMENTS = ["Forestry", "Shipping", "Forestry", "Shipping"]
ROWS: list[tuple[str, list[str]]] = [
    ("Revenue", ["4,812.5", "1,306.0", "4,377.2", "1,198.4"]),
    ("Operating profit", ["611.0", "(87.4)", "590.3", "12.6"]),
    ("Currency effect", ["12.7%", "(6.7%)", "13.5%", "1.1%"]),
    ("Capital expenditure", ["245.1", "98.8", "301.9", "77.0"]),
]
FIRST = 3
"""The row of a spreadsheet, from 1, in which the table begins; two rows are over it, and its first column is B."""


@dataclass(frozen=True)
class Format:
    """How a report is written, and where a cell is cited: "{cell}" is its address, of the first value's row and label `first`."""

    write: Callable[[], bytes]
    place: str
    first: tuple[int, int] = (FIRST + 2, 2)


def grid() -> list[list[tuple[str, int, int]]]:
    """The rows of the table, each cell as text, rows covered, columns covered."""
    return [
        TOP,
        [(one, 1, 1) for one in SEGMENTS],
        *([(one, 1, 1) for one in (label, *held)] for label, held in ROWS),
    ]


def placed() -> dict[tuple[int, int], tuple[str, int, int]]:
    """The cells by row and column."""
    made = {(0, 0): TOP[0], (0, 1): TOP[1], (0, 3): TOP[2]}
    made |= {(1, at): (one, 1, 1) for at, one in enumerate(SEGMENTS, 1)}
    for row, (label, held) in enumerate(ROWS, 2):
        made |= {(row, at): (one, 1, 1) for at, one in enumerate((label, *held))}
    return made


def number_of(text: str) -> tuple[float | str, str]:
    """The value that a spreadsheet stores for a text, and the number format that displays it as that text."""
    plain = text.strip("()%").replace(",", "").replace("%)", "")
    if not plain.replace(".", "").isdecimal() or "." not in plain:
        return text, ""
    value = float(plain) * (-1 if text.startswith("(") else 1)
    return (round(value / 100, 6), "0.0%;(0.0%)") if "%" in text else (value, "#,##0.0;(#,##0.0)")


def to_html() -> bytes:
    spans = lambda one: f' rowspan="{one[1]}" colspan="{one[2]}"' if one[1:] != (1, 1) else ""  # noqa: E731
    rows = [
        "<tr>"
        + "".join(f"<{tag}{spans(one)}>{html.escape(one[0])}</{tag}>" for one in row)
        + "</tr>"
        for tag, row in (("th" if at < 2 else "td", row) for at, row in enumerate(grid()))
    ]
    return (
        f"<html><head><title>{TITLE}</title></head><body><h1>{TITLE}</h1><h2>{HEADING}</h2><p>{LEAD}</p>"
        f"<table>{''.join(rows)}</table><p>{NOTE}</p></body></html>"
    ).encode()


def to_docx() -> bytes:
    import docx

    made, held = docx.Document(), io.BytesIO()
    made.add_heading(TITLE, 0)
    made.add_heading(HEADING, 1)
    made.add_paragraph(LEAD)
    table = made.add_table(rows=len(ROWS) + 2, cols=5)
    _fill(table)
    made.add_paragraph(NOTE)
    made.save(held)
    return held.getvalue()


def to_pptx() -> bytes:
    from pptx import Presentation
    from pptx.util import Inches

    made, held = Presentation(), io.BytesIO()
    first = made.slides.add_slide(made.slide_layouts[0])
    first.shapes.title.text = TITLE
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = HEADING
    slide.shapes.add_textbox(Inches(1), Inches(1.5), Inches(6), Inches(0.4)).text_frame.text = LEAD
    _fill(
        slide.shapes.add_table(len(ROWS) + 2, 5, Inches(1), Inches(2), Inches(8), Inches(3)).table
    )
    slide.notes_slide.notes_text_frame.text = NOTE
    made.save(held)
    return held.getvalue()


def _fill(table: Any) -> None:
    for (row, column), (text, deep, wide) in placed().items():
        cell = table.cell(row, column)
        if (deep, wide) != (1, 1):
            cell.merge(table.cell(row + deep - 1, column + wide - 1))
        cell.text = text


def to_xlsx() -> bytes:
    import openpyxl
    from openpyxl.comments import Comment

    made, held = openpyxl.Workbook(), io.BytesIO()
    sheet = made.active
    sheet.title = "Segments"
    sheet.cell(1, 2, HEADING)
    sheet.cell(2, 2, LEAD)
    for (row, column), (text, deep, wide) in placed().items():
        value, code = number_of(text)
        cell = sheet.cell(FIRST + row, 2 + column, value or None)
        cell.number_format = code or "General"
        if (deep, wide) != (1, 1):
            sheet.merge_cells(
                start_row=cell.row,
                start_column=cell.column,
                end_row=cell.row + deep - 1,
                end_column=cell.column + wide - 1,
            )
    sheet.cell(FIRST + 2, 3).comment = Comment(NOTE, "Ada")
    made.save(held)
    return held.getvalue()


def _typed() -> tuple[
    dict[tuple[int, int], str | float], dict[tuple[int, int], str], list[tuple[int, int, int, int]]
]:
    """The cells of a sheet with the lines over the table, their number formats, and the areas that are merged."""
    cells: dict[tuple[int, int], str | float] = {(0, 1): HEADING, (1, 1): LEAD}
    formats, merged = {}, []
    for (row, column), (text, deep, wide) in placed().items():
        at = (FIRST - 1 + row, 1 + column)
        if not text:
            continue
        cells[at], code = number_of(text)
        if code:
            formats[at] = code
        if (deep, wide) != (1, 1):
            merged.append((*at, at[0] + deep - 1, at[1] + wide - 1))
    return cells, formats, merged


def to_xls() -> bytes:
    return xls("Segments", *_typed())


def to_xlsb() -> bytes:
    return _zip(xlsb("Segments", *_typed()))


def to_csv() -> bytes:
    heads = [
        f"{segment} {year}"
        for segment, year in zip(SEGMENTS, ("2023", "2023", "2022", "2022"), strict=True)
    ]
    rows = [[HEADING], [LEAD], ["", *heads], *([label, *held] for label, held in ROWS)]
    return "\n".join(";".join(row) for row in rows).encode()


def to_markdown() -> bytes:
    heads = [
        f"{segment} {year}"
        for segment, year in zip(SEGMENTS, ("2023", "2023", "2022", "2022"), strict=True)
    ]
    lines = [["", *heads], ["---"] * 5, *([label, *held] for label, held in ROWS)]
    table = "\n".join("| " + " | ".join(one) + " |" for one in lines)
    return f"# {TITLE}\n\n## {HEADING}\n\nTable 1: {LEAD}\n\n{table}\n\n{NOTE}\n".encode()


def to_rtf() -> bytes:
    rows = []
    for at, row in enumerate(grid()):
        texts, edges = [], []
        column = 0
        if at == 1:  # under the cell that covers both header rows
            texts, edges, column = [""], [r"\clvmrg\cellx1000"], 1
        for text, deep, wide in row:
            column += wide
            edges.append((r"\clvmgf" if deep > 1 else "") + rf"\cellx{1000 * column}")
            texts.append(text)
        rows.append(
            r"\trowd"
            + "".join(edges)
            + r"\pard\intbl "
            + "".join(rf"{one}\cell " for one in texts)
            + r"\row"
        )
    styles = r"{\stylesheet{\s1 heading 1;}{\s2 heading 2;}}"
    head = rf"{{\rtf1\ansi{styles}\pard\s1 {TITLE}\par\pard\s2 {HEADING}\par\pard {LEAD}\par"
    return (head + "".join(rows) + rf"\pard {NOTE}\par}}").encode()


def to_epub() -> bytes:
    return _zip({
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": b'<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
        "p.opf": b'<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
        "a.xhtml": to_html(),
    })  # fmt: skip


def to_eml() -> bytes:
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = TITLE, "ada@example.com", "bo@example.com"
    made.set_content("See the table.")
    made.add_alternative(to_html().decode(), subtype="html")
    return bytes(made)


def to_msg() -> bytes:
    return outlook(TITLE, "See the table.", to_html().decode())


def to_zip() -> bytes:
    return _zip({"reports/segments.docx": to_docx()})


def to_pdf() -> bytes:
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

    held, style = io.BytesIO(), getSampleStyleSheet()
    lines = [[""] * 5 for _ in range(len(ROWS) + 2)]
    spans = []
    for (row, column), (text, deep, wide) in placed().items():
        lines[row][column] = text
        spans.append(("SPAN", (column, row), (column + wide - 1, row + deep - 1)))
    table = Table(lines, colWidths=[130, 85, 85, 85, 85])
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.black), *spans])
    story = [
        Paragraph(TITLE, style["Title"]),
        Paragraph(HEADING, style["Heading2"]),
        Paragraph(LEAD, style["Normal"]),
    ]
    SimpleDocTemplate(held, pagesize=A4, invariant=1).build(
        [*story, Spacer(1, 8), table, Paragraph(NOTE, style["Normal"])]
    )
    return held.getvalue()


def to_png() -> bytes:
    import pypdfium2

    page = pypdfium2.PdfDocument(to_pdf())[0]
    held = io.BytesIO()
    page.render(scale=200 / 72).to_pil().save(held, "PNG", dpi=(200, 200))
    return held.getvalue()


def to_docling() -> bytes:
    from docling_core.types import doc

    made = doc.DoclingDocument(
        name="segments",
        origin=doc.DocumentOrigin(
            mimetype="application/pdf", binary_hash=1, filename="segments.pdf"
        ),
    )

    def prov(top: float, bottom: float) -> doc.ProvenanceItem:
        return doc.ProvenanceItem(
            page_no=1, bbox=doc.BoundingBox(l=50, r=500, t=top, b=bottom), charspan=(0, 0)
        )

    made.add_page(page_no=1, size=doc.Size(width=595, height=842))
    made.add_title(TITLE, prov=prov(40, 60))
    made.add_heading(HEADING, level=1, prov=prov(70, 85))
    caption = made.add_text(label=doc.DocItemLabel.CAPTION, text=LEAD, prov=prov(90, 100))
    cells = [
        doc.TableCell(
            text=text, row_span=deep, col_span=wide, start_row_offset_idx=row, end_row_offset_idx=row + deep,
            start_col_offset_idx=column, end_col_offset_idx=column + wide, column_header=row < 2,
            row_header=row > 1 and not column,
        )
        for (row, column), (text, deep, wide) in placed().items()
    ]  # fmt: skip
    data = doc.TableData(num_rows=len(ROWS) + 2, num_cols=5, table_cells=cells)
    made.add_table(data, caption=caption, prov=prov(110, 300))
    made.add_text(label=doc.DocItemLabel.TEXT, text=NOTE, prov=prov(310, 320))
    return json.dumps(made.export_to_dict()).encode()


_XMLNS = " ".join(
    f'xmlns:{one}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for one, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("svg", "svg-compatible"),
        ("presentation", "presentation"),
    )
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip


def _odf_table(name: str, lead: str = "", typed: bool = False) -> str:
    rows = []
    for at, row in enumerate(grid()):
        cells = "<table:covered-table-cell/>" if at == 1 else ""
        for text, deep, wide in row:
            value, code = number_of(text) if typed else (text, "")
            kind = (
                f' office:value-type="{"percentage" if "%" in code else "float"}" office:value="{value}"'
                if code
                else ""
            )
            span = (
                f' table:number-rows-spanned="{deep}" table:number-columns-spanned="{wide}"'
                if (deep, wide) != (1, 1)
                else ""
            )
            cells += f"<table:table-cell{kind}{span}><text:p>{html.escape(text)}</text:p></table:table-cell>"
            cells += "<table:covered-table-cell/>" * (wide - 1)
        shift = "<table:table-cell/>" if typed else ""
        rows.append(f"<table:table-row>{shift}{cells}</table:table-row>")
    columns = '<table:table-column table:number-columns-repeated="6"/>'
    return f'<table:table table:name="{name}">{columns}{lead}{"".join(rows)}</table:table>'


def _odf(kind: str, body: str) -> bytes:
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    content = (
        f"<office:document-content {_XMLNS}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>"
    )
    return _zip({"mimetype": mimetype.encode(), "content.xml": content.encode()})


def to_odt() -> bytes:
    return _odf(
        "text",
        f'<text:h text:outline-level="1">{TITLE}</text:h><text:h text:outline-level="2">{HEADING}</text:h><text:p>{LEAD}</text:p>'
        f"{_odf_table('T')}<text:p>{NOTE}</text:p>",
    )


def to_ods() -> bytes:
    lead = "".join(
        f"<table:table-row><table:table-cell/><table:table-cell><text:p>{one}</text:p></table:table-cell></table:table-row>"
        for one in (HEADING, LEAD)
    )
    return _odf("spreadsheet", _odf_table("Segments", lead, typed=True))


def to_odp() -> bytes:
    def frame(y: str, inner: str, kind: str = "") -> str:
        shown = f' presentation:class="{kind}"' if kind else ""
        return f'<draw:frame svg:x="1cm" svg:y="{y}"{shown}>{inner}</draw:frame>'

    def box(text: str) -> str:
        return f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"

    notes = f"<presentation:notes>{frame('1cm', box(NOTE), 'notes')}</presentation:notes>"
    return _odf(
        "presentation",
        f"<draw:page draw:name='a'>{frame('1cm', box(TITLE), 'title')}</draw:page>"
        f"<draw:page draw:name='b'>{frame('1cm', box(HEADING), 'title')}{frame('3cm', box(LEAD))}"
        f"{frame('5cm', _odf_table('T'))}{notes}</draw:page>",
    )


def _zip(members: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data)
    return held.getvalue()


UNDER = f"{TITLE} > {HEADING}"
FORMATS = {
    "segments.pdf": Format(to_pdf, "page 1"),
    "segments.png": Format(to_png, "page 1"),
    "segments.docling.json": Format(to_docling, "page 1"),
    "segments.docx": Format(to_docx, UNDER),
    "segments.odt": Format(to_odt, UNDER),
    "segments.rtf": Format(to_rtf, UNDER),
    "segments.html": Format(to_html, UNDER),
    "segments.epub": Format(to_epub, f"chapter 1 > {UNDER}"),
    "segments.md": Format(to_markdown, "page 1"),
    "segments.eml": Format(to_eml, f"message > {TITLE} > {UNDER}"),
    "segments.msg": Format(to_msg, f"message > {TITLE} > {UNDER}"),
    "segments.zip": Format(to_zip, f"member reports/segments.docx > {UNDER}"),
    "segments.pptx": Format(to_pptx, f"slide 2 > {HEADING}"),
    "segments.odp": Format(to_odp, f"slide 2 > {HEADING}"),
    "segments.xlsx": Format(to_xlsx, "Segments!{cell}"),
    "segments.xls": Format(to_xls, "Segments!{cell}"),
    "segments.xlsb": Format(to_xlsb, "Segments!{cell}"),
    "segments.ods": Format(to_ods, "Segments!{cell}"),
    "segments.csv": Format(to_csv, "cells {cell}", (FIRST + 1, 1)),
}
"""Every format by the name of its file."""
