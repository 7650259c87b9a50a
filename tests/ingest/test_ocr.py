"""OCR by the engine that is installed, on pictures drawn here; nothing is asserted of text that no engine saw."""

import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.ingest import ocr
from pincite.ingest.layout import layout
from pincite.ingest.ocr import _shared, _words, read_tsv, see
from pincite.ingest.page import RawPage

LINES = (
    "Scope 1 emissions fell to 12,345 tonnes",
    "while revenue rose to EUR 678.9 million",
    "in the year that ended in June 2021.",
)

needs_rapidocr = pytest.mark.skipif(ocr.engine_name() != "rapidocr", reason="rapidocr is not installed")


@pytest.fixture(scope="module")
def page():
    picture = Image.new("RGB", (900, 300), "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(32)
    for at, text in enumerate(LINES):
        draw.text((40, 40 + 70 * at), text, fill="black", font=font)
    return picture


def text_of(seen, width, height):
    return " ".join(block.text for block in layout(RawPage(1, width, height, seen.words)).blocks)


@needs_rapidocr
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_what_stands_on_a_picture_is_read_however_it_is_turned(page, turn):
    turned = page.rotate(turn, expand=True)
    seen = see(turned, 2.0)
    assert seen.confidence > 0.9
    assert text_of(seen, turned.width / 2, turned.height / 2).split() == " ".join(LINES).split()


@needs_rapidocr
def test_boxes_are_in_points_of_the_page_and_stand_where_the_words_do(page):
    first = see(page, 2.0, (100.0, 50.0)).words[0]
    x0, top, x1, bottom = first.box
    assert first.text == "Scope"
    assert 115 < x0 < 125 and 160 < x1 < 180 and 65 < top < 80 and 85 < bottom < 100


@needs_rapidocr
def test_an_empty_picture_gives_nothing():
    assert see(Image.new("RGB", (400, 300), "white"), 2.0).words == ()


def test_without_an_engine_nothing_is_read(monkeypatch, page):
    monkeypatch.setattr(ocr, "engine", lambda: None)
    assert see(page, 2.0) == ocr.Seen()


def test_pieces_of_a_word_are_joined_and_a_line_that_does_not_match_is_shared_out():
    def corners(x0, x1):
        return [[x0, 0], [x1, 0], [x1, 10], [x0, 10]]

    pieces = [("12", 0.9, corners(0, 20)), (",345", 0.9, corners(20, 60)), ("tonnes", 0.9, corners(70, 130))]
    line = (0.0, 0.0, 130.0, 10.0)
    assert _words("12,345 tonnes", line, pieces) == [("12,345", (0, 0, 60, 10)), ("tonnes", (70, 0, 130, 10))]
    assert _words("ab cd", (0.0, 0.0, 50.0, 10.0), [("x", 0.9, corners(0, 5))]) == [
        ("ab", (0.0, 0.0, 20.0, 10.0)), ("cd", (30.0, 0.0, 50.0, 10.0)),
    ]  # fmt: skip
    assert _shared([], line) == []


def test_the_table_of_tesseract():
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
    rows = [
        "4\t1\t1\t1\t1\t0\t10\t10\t90\t20\t-1\t",
        "5\t1\t1\t1\t1\t1\t10\t12\t40\t10\t96.5\tRevenue",
        '5\t1\t1\t1\t1\t2\t60\t10\t40\t20\t91\t"4,521',
    ]
    assert read_tsv("\n".join((head, *rows))) == [
        ("Revenue", (10.0, 10.0, 50.0, 30.0), 0.965), ('"4,521', (60.0, 10.0, 100.0, 30.0), 0.91),
    ]  # fmt: skip
