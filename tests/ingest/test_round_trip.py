"""Tables written in every format: each of their values is found by its headers and cited at its own place."""

import html
import io
import random
import zipfile
from email.message import EmailMessage

import docx
import openpyxl
import pytest
from pptx import Presentation
from pptx.util import Inches

from pincite.document.address import cell_name
from pincite.errors import UnsupportedSource
from pincite.ingest.document_parser import format_of
from tests.formats import format_writers as written
from tests.ingest.office import found, read, tables

CHANCE = random.Random(7)
LABELS = [
    "Net sales",
    "Cost of goods",
    "Research & development",
    "Staff (full-time)",
    "Interest paid",
]
YEARS = ["2023", "2022", "2021"]
ROWS = [
    ["EUR million", *YEARS],
    *([label, *(f"{CHANCE.randrange(10**6):,}" for _ in YEARS)] for label in LABELS),
]


def to_docx():
    made, held = docx.Document(), io.BytesIO()
    made.add_heading("Figures", 1)
    table = made.add_table(rows=len(ROWS), cols=4)
    for at, row in enumerate(ROWS):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    made.save(held)
    return held.getvalue()


def to_pptx():
    made, held = Presentation(), io.BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Figures"
    table = slide.shapes.add_table(len(ROWS), 4, Inches(1), Inches(2), Inches(6), Inches(3)).table
    for at, row in enumerate(ROWS):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    made.save(held)
    return held.getvalue()


def to_xlsx():
    made, held = openpyxl.Workbook(), io.BytesIO()
    made.active.title = "Figures"
    for at, row in enumerate(ROWS, 3):
        for column, text in enumerate(row, 2):
            plain = text.replace(",", "")
            cell = made.active.cell(at, column, int(plain) if plain.isdecimal() else text)
            cell.number_format = "#,##0" if at > 3 else "0"
    made.save(held)
    return held.getvalue()


def to_html(heading="<h1>Figures</h1>"):
    rows = "".join(
        f"<tr>{''.join(f'<td>{html.escape(text)}</td>' for text in row)}</tr>" for row in ROWS
    )
    return f"<html><body>{heading}<table>{rows}</table></body></html>".encode()


def to_csv():
    return "\n".join(";".join(row) for row in ROWS).encode()


def to_rtf():
    start = r"{\rtf1\ansi{\stylesheet{\s1 heading 1;}}\pard\s1 Figures\par"
    rows = (
        r"\trowd\cellx1\cellx2\cellx3\cellx4\pard\intbl "
        + "".join(rf"{text}\cell " for text in row)
        + r"\row"
        for row in ROWS
    )
    return (start + "".join(rows) + "}").encode()


def to_epub():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(
            "META-INF/container.xml",
            '<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>',
        )
        archive.writestr(
            "p.opf",
            '<package><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>',
        )
        archive.writestr("a.xhtml", to_html())
    return held.getvalue()


def to_eml():
    made = EmailMessage()
    made["Subject"], made["From"] = "Figures", "a@example.com"
    made.set_content("See the table.")
    made.add_alternative(to_html("").decode(), subtype="html")
    return bytes(made)


def to_zip():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("in/f.xlsx", to_xlsx())
    return held.getvalue()


FORMATS = {
    "a.docx": (to_docx, "Figures"),
    "a.pptx": (to_pptx, "slide 1 > Figures"),
    "a.xlsx": (to_xlsx, "Figures!{sheet}"),
    "a.html": (to_html, "Figures"),
    "a.csv": (to_csv, "cells {file}"),
    "a.rtf": (to_rtf, "Figures"),
    "a.epub": (to_epub, "chapter 1 > Figures"),
    "a.eml": (to_eml, "message > Figures"),
    "a.zip": (to_zip, "member in/f.xlsx, Figures!{sheet}"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_value_is_found_and_cited_at_its_place(name, tmp_path):
    write, place = FORMATS[name]
    (table,) = tables(read(tmp_path / name, write()))
    assert (table.table.unit, int(table.table.scale)) == ("EUR", 1_000_000)
    for at, (label, *values) in enumerate(ROWS[1:], 2):
        for column, (year, value) in enumerate(zip(YEARS, values, strict=True)):
            where = place.format(file=f"{'BCD'[column]}{at}", sheet=f"{'CDE'[column]}{at + 2}")
            assert found(table, label, year) == (value, where)


@pytest.mark.parametrize("name", [one for one in written.FORMATS if not one.endswith(".png")])
def test_a_table_with_merged_headers_signs_and_units_is_the_same_in_every_format(name, tmp_path):
    pytest.importorskip("docling_core")
    form = written.FORMATS[name]
    (table,) = tables(read(tmp_path / name, form.write()))
    assert (table.table.unit, int(table.table.scale), table.table.header_columns) == (
        "EUR",
        1_000_000,
        1,
    )
    heads = list(zip(written.SEGMENTS, ("2023", "2023", "2022", "2022"), strict=True))
    for row, (label, values) in enumerate(written.ROWS):
        for column, ((segment, year), value) in enumerate(zip(heads, values, strict=True)):
            address = cell_name(form.first[0] - 1 + row, form.first[1] + column)
            head = f"{segment} {year}" if name.endswith((".md", ".csv")) else f"{year} {segment}"
            assert found(table, label, head) == (value, form.place.format(cell=address))


def test_formats_that_are_not_read_are_refused_with_what_to_do(tmp_path):
    for name, told in {
        "a.doc": r"\.docx, or run `soffice --headless --convert-to docx 'a\.doc'`", "a.pst": r"save it from its program as \.eml",
        "a.rar": r"unpack it, or pack it again as \.zip", "a.xyz": "formats read are",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(b"whatever")
        with pytest.raises(UnsupportedSource, match=told):
            format_of(tmp_path / name)
