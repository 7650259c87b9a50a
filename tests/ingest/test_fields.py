"""Values of form fields and free texts are words of the page that shows them."""

import pytest
from reportlab.lib.colors import black, white
from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.layout.boxes import is_within
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.pdf.pdf_pages import raw_pages, render
from pincite.ingest.tables import find_tables

WIDGET = "/Type /Annot /Subtype /Widget"
TEXT = f"{WIDGET} /FT /Tx"
CHOICE = f"{WIDGET} /FT /Ch /Opt [[(n) (Norway)] [(s) (Sweden)] [(d) (Denmark)]]"
HIDDEN, NO_VIEW = 1 << 1, 1 << 5
MULTILINE, PASSWORD, COMBO, COMB = 1 << 12, 1 << 13, 1 << 17, 1 << 24
BOX = (20, 20, 180, 60)
OLD = 6
"""The number of the object that draws "1,284.00 EUR"."""


def form(path, *annotations, printed="", needed=""):
    """A page of 200 by 200 points with annotations as they are written in a file."""
    drawn = "BT /F 10 Tf 2 6 Td (1,284.00 EUR) Tj ET"
    fonts = "/Resources << /Font << /F 5 0 R >> >>"
    first = OLD + 1
    kids = " ".join(f"{first + at} 0 R" for at in range(len(annotations)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{kids}] /DA (/F 10 Tf) {needed}"
        " /DR << /Font << /F 5 0 R >> >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R {fonts} /Annots [{kids}] >>",
        f"<< /Length {len(printed)} >> stream\n{printed}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 160 40] {fonts} /Length {len(drawn)} >>"
        f" stream\n{drawn}\nendstream",
        *(f"<< {said} >>" for said in annotations),
    ]
    made = b"%PDF-1.7\n"
    for number, said in enumerate(objects, 1):
        made += f"{number} 0 obj {said} endobj\n".encode("latin-1")
    path.write_bytes(made + b"trailer << /Root 1 0 R >>\n%%EOF")
    (page,) = raw_pages(path)
    assert not page.lost
    return page


def at(said, box=BOX, flags=4):
    return f"{said} /F {flags} /Rect [{box[0]} {box[1]} {box[2]} {box[3]}]"


def texts(page):
    return [word.text for word in page.words]


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (f"{TEXT} /T (a) /V (Orvik Castings)", ["Orvik", "Castings"]),
        (f"{TEXT} /T (a) /V (read only) /Ff 1", ["read", "only"]),
        (f"{TEXT} /T (a) /V (two\\nlines) /Ff {MULTILINE}", ["two", "lines"]),
        (f"{TEXT} /T (a) /V (SE 12345) /MaxLen 8 /Ff {COMB}", ["SE", "12345"]),
        (f"{CHOICE} /T (a) /V (s) /Ff {COMBO}", ["Sweden"]),
        (f"{CHOICE} /T (a) /V [(n) (d)] /I [0 2] /Ff {1 << 21}", ["Norway", "Denmark"]),
        ("/Type /Annot /Subtype /FreeText /DA (/F 10 Tf) /Contents (seen here)", ["seen", "here"]),
        # another format of the same value is what the page shows; another value is an old one
        (f"{TEXT} /T (a) /V (1284) /AP << /N {OLD} 0 R >>", ["1,284.00", "EUR"]),
        (f"{TEXT} /T (a) /V (977) /AP << /N {OLD} 0 R >>", ["977"]),
        (f"{TEXT} /T (a) /V (secret) /Ff {PASSWORD}", []),
        (f"{TEXT} /T (a)", []),
        ("/Type /Annot /Subtype /Text /Contents (a note)", []),
    ],
)
def test_a_field_reads_what_it_shows(tmp_path, field, words):
    page = form(tmp_path / "form.pdf", at(field))
    assert texts(page) == words
    x0, y0, x1, y1 = BOX
    assert all(is_within(word.box, (x0, 200 - y1, x1, 200 - y0)) for word in page.words)


@pytest.mark.parametrize("flags", [HIDDEN, NO_VIEW])
def test_what_is_hidden_is_not_read(tmp_path, flags):
    assert texts(form(tmp_path / "form.pdf", at(f"{TEXT} /T (a) /V (hidden)", flags=flags))) == []


def test_old_appearances_are_drawn_again_where_the_form_says_so(tmp_path):
    field = at(f"{TEXT} /T (a) /V (977) /AP << /N {OLD} 0 R >>")
    (word,) = form(tmp_path / "form.pdf", field, needed="/NeedAppearances true").words
    assert word.box[2] - word.box[0] == pytest.approx(3 * 5.56, abs=0.1)  # digits of 10 points


def test_a_value_that_is_printed_as_well_is_read_once(tmp_path):
    printed = "BT /F 11 Tf 24 36 Td (Orvik Castings) Tj ET"
    field = at(f"{TEXT} /T (a) /V (Orvik Castings)")
    assert texts(form(tmp_path / "form.pdf", field, printed=printed)) == ["Orvik", "Castings"]


@pytest.mark.parametrize("chosen", ["Yes", "No"])
def test_buttons_without_captions_read_what_they_stand_for(tmp_path, chosen):
    names = ("Yes", "No")
    buttons = [
        at(f"{WIDGET} /Parent 9 0 R /AS /{name if name == chosen else 'Off'} /AP << /N << /{name} {OLD} 0 R >> >>", box)
        for name, box in zip(names, ((20, 20, 32, 32), (120, 20, 132, 32)), strict=True)
    ]  # fmt: skip
    group = f"/FT /Btn /Ff {1 << 15} /T (r) /V /{chosen} /Kids [7 0 R 8 0 R]"
    page = form(tmp_path / "form.pdf", *buttons, group)
    marks = ["☒" if name == chosen else "☐" for name in names]
    assert texts(page) == [marks[0], "Yes", marks[1], "No"]


def test_a_filled_form_has_labels_and_values_in_rows(tmp_path):
    path = tmp_path / "form.pdf"
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    rows = (
        ("Supplier", "Orvik Castings AS"),
        ("Employees at the end of 2023", "412"),
        ("Scope 1 (t CO2e)", "1,284"),
    )
    for row, (label, value) in enumerate(rows):
        y = 700 - 40 * row
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, y, label)
        canvas.acroForm.textfield(
            name=f"f{row}", x=340, y=y - 7, width=190, height=20, value=value, fontSize=10,
            fillColor=white, textColor=black,
        )  # fmt: skip
    canvas.drawString(60, 500, "Are they verified by a third party?")
    for column, (caption, ticked) in enumerate((("yes", True), ("no", False))):
        x = 340 + 70 * column
        canvas.acroForm.checkbox(name=caption, x=x, y=496, size=14, checked=ticked)
        canvas.drawString(x + 20, 500, caption)
    canvas.save()
    (page,) = raw_pages(path)
    read = "\n".join(block.text for block in layout(page, find_tables(page)).blocks)
    assert read.splitlines() == [
        "Supplier Orvik Castings AS",
        "Employees at the end of 2023 412",
        "Scope 1 (t CO2e) 1,284",
        "Are they verified by a third party? ☒ yes ☐ no",
    ]
    value = next(word.box for word in page.words if word.text == "1,284")
    picture = render(path, 1, scale=1.0).convert("L").crop(value)
    assert picture.getextrema()[0] < 128  # the cited page shows it
