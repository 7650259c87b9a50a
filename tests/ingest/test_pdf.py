"""PDF pages: words, rules, fills and pictures where they are displayed; files that do not open."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pincite.errors import LockedSource, SourceError
from pincite.ingest.pdf.pdf_pages import page_sizes, raw_pages, render

Box = tuple[float, float, float, float]


def canvas(path: Path, size: tuple[float, float] = (400, 300), **options: object) -> Canvas:
    return Canvas(str(path), pagesize=size, pageCompression=0, **options)


def overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    common = max(0, min(one[2], other[2]) - max(one[0], other[0])) * max(
        0, min(one[3], other[3]) - max(one[1], other[1])
    )
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return common / (areas - common)


def only_page(path: Path):
    (page,) = raw_pages(path)
    return page


def test_words_have_text_style_and_tight_boxes(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    made.setFont("Helvetica", 20)
    made.drawString(50, 200, "Emissions fell")
    made.setFont("Times-BoldItalic", 10)
    made.drawString(50, 150, "sharply")
    made.save()
    page = only_page(tmp_path / "a.pdf")
    assert (page.number, page.width, page.height) == (1, 400, 300)
    assert [word.text for word in page.words] == ["Emissions", "fell", "sharply"]
    first, _, last = page.words
    width = made.stringWidth("Emissions", "Helvetica", 20)
    assert overlap(first.box, (50, 300 - 200 - 14.4, 50 + width, 300 - 200 + 4)) > 0.9
    assert (first.size, first.bold, first.italic, first.angle) == (20, False, False, 0)
    assert (last.size, last.bold, last.italic) == (10, True, True)


def test_a_raised_small_mark_is_a_word_of_its_own_and_a_lowered_one_is_not(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    line = made.beginText(50, 200)
    line.setFont("Helvetica", 12)
    line.textOut("Revenue")
    line.setFont("Helvetica", 7)
    line.setRise(5)
    line.textOut("1")
    line.setRise(0)
    line.setFont("Helvetica", 12)
    line.textOut(" CO")
    line.setFont("Helvetica", 8)
    line.setRise(-2)
    line.textOut("2")
    made.drawText(line)
    made.save()
    words = only_page(tmp_path / "a.pdf").words
    assert [(word.text, word.superscript) for word in words] == [
        ("Revenue", False),
        ("1", True),
        ("CO2", False),
    ]


def test_rules_fills_and_pictures(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    made.setLineWidth(1)
    made.line(50, 250, 350, 250)  # a stroked line
    made.rect(50, 100, 200, 0.8, stroke=0, fill=1)  # a thin filled rectangle
    made.rect(60, 40, 100, 30, stroke=1, fill=0)  # a frame: four edges
    made.setFillColorRGB(0.8, 0.9, 1)
    made.rect(200, 40, 100, 30, stroke=0, fill=1)  # shading
    made.setFillColorRGB(1, 1, 1)
    made.rect(310, 40, 60, 30, stroke=0, fill=1)  # white: nothing to see
    picture = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(picture, "PNG")
    picture.seek(0)
    made.drawImage(ImageReader(picture), 300, 150, 50, 40)
    made.save()
    page = only_page(tmp_path / "a.pdf")
    levels = [(x0, (top + bottom) / 2, x1) for x0, top, x1, bottom in page.rules if x1 - x0 > 40]
    wanted = [(50, 50, 350), (50, 199.6, 250), (60, 230, 160), (60, 260, 160)]
    assert sorted(levels) == [pytest.approx(level, abs=1) for level in wanted]
    assert sum(bottom - top > 20 for _, top, _, bottom in page.rules) == 2
    assert [tuple(map(round, box)) for box in page.fills] == [(200, 230, 300, 260)]
    assert [tuple(map(round, box)) for box in page.pictures] == [(300, 110, 350, 150)]


@pytest.mark.parametrize(
    ("rotation", "box"),
    [
        (0, (50, 85, 98, 105)),
        (
            90,
            (195, 50, 215, 98),
        ),  # reportlab turns the media box, so that the page is 400 wide again as displayed
        (180, (302, 195, 350, 215)),
        (270, (185, 202, 205, 250)),
    ],
)
def test_boxes_are_those_of_the_displayed_page(tmp_path, rotation, box):
    made = canvas(tmp_path / "a.pdf")
    made.setPageRotation(rotation)
    made.setFont("Courier", 20)
    made.drawString(50, 200, "ABCD")
    made.line(100, 20, 300, 20)
    made.save()
    page = only_page(tmp_path / "a.pdf")
    assert (page.width, page.height) == (400, 300)
    assert overlap(page.words[0].box, box) > 0.85
    assert page.words[0].angle == -rotation % 360
    x0, top, x1, bottom = page.rules[0]
    assert (x1 - x0 > 150) == (rotation % 180 == 0)
    picture = render(tmp_path / "a.pdf", 1, scale=1.0)
    assert picture.size == (400, 300)
    x0, top, x1, bottom = page.words[0].box
    assert (
        min(picture.convert("L").crop((int(x0), int(top), int(x1), int(bottom))).tobytes()) < 100
    )


def test_a_crop_box_moves_the_origin_and_hides_what_is_outside(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    made.setCropBox((40, 50, 300, 250))
    made.setFont("Courier", 10)
    made.drawString(60, 200, "inside")
    made.drawString(330, 200, "outside")
    made.save()
    page = only_page(tmp_path / "a.pdf")
    assert (page.width, page.height) == (260, 200)
    (word,) = page.words
    assert overlap(word.box, (20, 42.5, 56, 52.1)) > 0.9


def test_words_that_no_space_parts_are_parted_by_their_gap(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    made.setFont("Helvetica", 10)
    made.drawString(50, 200, "1,234")
    made.drawString(50 + made.stringWidth("1,234", "Helvetica", 10) + 4, 200, "567")
    made.save()
    assert [word.text for word in only_page(tmp_path / "a.pdf").words] == ["1,234", "567"]


def test_pages_by_number_and_their_count(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    for text in ("one", "two", "three"):
        made.drawString(50, 200, text)
        made.showPage()
    made.save()
    assert list(page_sizes(tmp_path / "a.pdf")) == [1, 2, 3]
    assert [
        (p.number, p.words[0].text) for p in raw_pages(tmp_path / "a.pdf", pages=range(2, 4))
    ] == [
        (2, "two"),
        (3, "three"),
    ]
    with pytest.raises(SourceError, match="no page 4"):
        list(raw_pages(tmp_path / "a.pdf", pages=range(4, 5)))
    with pytest.raises(SourceError, match="no page 9"):
        render(tmp_path / "a.pdf", 9)


def test_an_encrypted_file_needs_its_password(tmp_path):
    made = canvas(tmp_path / "a.pdf", encrypt=StandardEncryption("sesame", "owner", strength=128))
    made.drawString(50, 200, "secret")
    made.save()
    with pytest.raises(LockedSource, match="needs a password"):
        list(raw_pages(tmp_path / "a.pdf"))
    with pytest.raises(LockedSource, match="password given does not open"):
        list(raw_pages(tmp_path / "a.pdf", "wrong"))
    (page,) = raw_pages(tmp_path / "a.pdf", "sesame")
    assert [word.text for word in page.words] == ["secret"]
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4\nnothing more")
    with pytest.raises(SourceError) as raised:  # right after a locked one: still told apart
        page_sizes(tmp_path / "b.pdf")
    assert not isinstance(raised.value, LockedSource)


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"%PDF-1.7\n1 0 obj\n<<", b"\x89PNG\r\n\x1a\n" + b"\0" * 50]
)
def test_a_file_that_is_no_pdf(tmp_path, content):
    (tmp_path / "a.pdf").write_bytes(content)
    with pytest.raises(SourceError, match="cannot be opened as a PDF"):
        list(raw_pages(tmp_path / "a.pdf"))


def test_a_missing_file(tmp_path):
    with pytest.raises(SourceError, match="no file"):
        page_sizes(tmp_path / "none.pdf")


def test_a_damaged_page_comes_empty_and_the_others_survive(tmp_path):
    made = canvas(tmp_path / "a.pdf")
    for text in ("one", "two"):
        made.drawString(50, 200, text)
        made.showPage()
    made.save()
    content = (tmp_path / "a.pdf").read_bytes()
    broken = (
        content.replace(b"/Type /Page\n", b"/Type /Pagx\n", 1)
        if b"/Type /Page\n" in content
        else content
    )
    (tmp_path / "a.pdf").write_bytes(broken.replace(b"(one) Tj", b"(one~ Tj", 1))
    pages = list(raw_pages(tmp_path / "a.pdf"))
    assert [page.number for page in pages] == [1, 2]
    assert [word.text for word in pages[1].words] == ["two"]
