"""OCR by the engine that is installed, on pictures drawn here; nothing is asserted of text that no engine saw."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.ingest.layout.page_layout import layout
from pincite.ingest.ocr import recognized_words as ocr
from pincite.ingest.ocr.ocr_settings import OcrSettings, PictureWord, rapidocr_models
from pincite.ingest.ocr.recognized_words import see
from pincite.ingest.raw_page import RawPage
from pincite.ingest.tables import find_tables

LINES = (
    "Scope 1 emissions fell to 12,345 tonnes",
    "while revenue rose to EUR 678.9 million",
    "in the year that ended in June 2021.",
)

needs_rapidocr = pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")


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
@pytest.mark.parametrize("turn", [0, 90, 180, 270, 3])
def test_what_stands_on_a_picture_is_read_however_it_is_turned(page, turn):
    turned = page.rotate(turn, expand=True, fillcolor="white")
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
@pytest.mark.parametrize("askew", [0, 2])
def test_a_table_on_a_picture_has_its_cells(askew):
    picture = Image.new("RGB", (900, 260), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(30)
    for at, row in enumerate(
        (("Segment", "2021", "2020"), ("Harbours", "4,521", "4,387"), ("Ferries", "(1,118)", "7"))
    ):
        for x, text in zip((30, 330, 480), row, strict=True):
            draw.text((x, 30 + 70 * at), text, fill="black", font=font)
    seen = see(picture.rotate(askew, expand=True, fillcolor="white"), 2.0)
    page = RawPage(1, 450, 150, seen.words)
    (table,) = find_tables(page)
    assert [cell.text for cell in table.cells] == [
        "Segment", "2021", "2020", "Harbours", "4,521", "4,387", "Ferries", "(1,118)", "7",
    ]  # fmt: skip


@needs_rapidocr
def test_words_in_the_margin_are_read_in_their_own_direction(page):
    picture = Image.new("RGB", (960, 300), "white")
    picture.paste(page, (60, 0))
    aside = Image.new("RGB", (300, 40), "white")
    ImageDraw.Draw(aside).text(
        (20, 4), "Preliminary version", fill="black", font=ImageFont.load_default(24)
    )
    picture.paste(aside.rotate(90, expand=True), (5, 0))
    seen = see(picture, 2.0)
    assert {word.angle for word in seen.words} == {0, 90}
    assert [word.text for word in seen.words if word.angle] == ["Preliminary", "version"]


@needs_rapidocr
def test_an_empty_picture_gives_nothing():
    assert see(Image.new("RGB", (400, 300), "white"), 2.0).words == ()


@needs_rapidocr
def test_a_very_long_line_is_read_in_parts():
    text = "every harbour of the group reports what it burns, what it buys and what it saves in a year or two"
    font = ImageFont.load_default(20)
    picture = Image.new("RGB", (round(font.getlength(f"{text} {text}")) + 40, 36), "white")
    ImageDraw.Draw(picture).text((20, 6), f"{text} {text}", fill="black", font=font)
    assert " ".join(word.text for word in see(picture, 2.0).words) == f"{text} {text}"


def test_without_an_engine_nothing_is_read(page):
    assert see(page, 2.0, ocr_settings=OcrSettings("off")) == ocr.Seen()


def test_what_the_engine_is_not_sure_of_is_left_out(monkeypatch, page):
    found = [
        PictureWord("Revenue", (0, 0, 60, 20), 0.9),
        PictureWord("Il|", (70, 0, 90, 20), 0.5),
        PictureWord(" ", (90, 0, 99, 20), 0.9),
    ]
    monkeypatch.setattr(ocr, "engine", lambda ocr_settings: lambda picture: found)
    seen = see(page, 2.0, (10.0, 0.0))
    assert [(word.text, word.box) for word in seen.words] == [("Revenue", (10.0, 0.0, 40.0, 10.0))]
    assert (seen.confidence, seen.words[0].size) == (pytest.approx(0.9), 7.5)


def columns(*runs, raised=()):
    """The ink of a line of text: so many columns with ink, so many without, and so on; some end above the others."""
    inked = np.zeros((48, sum(runs)), dtype=bool)
    for at in range(0, len(runs), 2):
        start = sum(runs[:at])
        inked[10 : 22 if at in raised else 38, start : start + runs[at]] = True
    return inked


def read(letters, inked):
    from pincite.ingest.ocr.rapid_words import _words

    wide = inked.shape[1]
    return [
        (word.text, round(word.start * wide), round(word.end * wide), word.raised)
        for word in _words(letters, inked)
    ]


def test_a_wide_gap_parts_words_and_a_narrow_one_does_not():
    letters = [("a", 5.0), ("b", 16.0), ("c", 41.0)]
    assert read(letters, columns(10, 2, 10, 14, 10)) == [
        ("ab", 0, 22, False),
        ("c", 36, 46, False),
    ]


def test_a_gap_belongs_to_the_space_that_was_read_near_it():
    # the second letter is said late, when its gap has begun: the space behind it has the gap
    letters = [("l", 5.0), ("l", 26.0), (" ", 30.0), ("a", 39.0)]
    assert read(letters, columns(8, 2, 8, 14, 10)) == [("ll", 0, 18, False), ("a", 32, 42, False)]


def test_letters_set_apart_stay_together():
    letters = [(letter, 5.0 + 22 * at) for at, letter in enumerate("TOTAL")]
    assert read(letters, columns(10, 12, 10, 12, 10, 12, 10, 12, 10)) == [("TOTAL", 0, 98, False)]


def test_a_line_is_as_high_as_its_ink_without_the_rules_around_it():
    from pincite.ingest.ocr.rapid_words import rows_of

    line = np.full((48, 60, 3), 255)
    line[12:32, 10:40] = 0
    assert rows_of(line) == pytest.approx((11.2 / 48, 32.8 / 48))
    line[42:44] = line[:, 57] = 0  # a rule below and one at the side
    assert rows_of(line) == pytest.approx((11.2 / 48, 32.8 / 48))
    assert rows_of(np.full((48, 60, 3), 255)) == (0, 1)


def test_a_raised_mark_stands_apart_from_its_number():
    letters = [(letter, 5.0 + 12 * at) for at, letter in enumerate("4212")]
    inked = columns(10, 2, 10, 2, 10, 2, 8, raised=(6,))
    assert read(letters, inked) == [("421", 0, 36, False), ("2", 36, 44, True)]
    assert read(letters, columns(10, 2, 10, 2, 10, 2, 8)) == [("4212", 0, 44, False)]


def test_a_line_whose_ink_is_too_faint_has_its_words_all_the_same():
    letters = [("a", 4.0), (" ", 12.0), ("b", 20.0)]
    assert [word[:1] for word in read(letters, np.zeros((48, 24), dtype=bool))] == [("a",), ("b",)]


@needs_rapidocr
def test_a_raised_mark_on_a_picture():
    picture = Image.new("RGB", (700, 100), "white")
    draw = ImageDraw.Draw(picture)
    draw.text((30, 30), "Net revenue 4,521", fill="black", font=ImageFont.load_default(36))
    draw.text((333, 33), "2", fill="black", font=ImageFont.load_default(20))
    draw.text((440, 30), "4,387", fill="black", font=ImageFont.load_default(36))
    assert [(word.text, word.superscript) for word in see(picture, 3.0).words] == [
        ("Net", False), ("revenue", False), ("4,521", False), ("2", True), ("4,387", False),
    ]  # fmt: skip


def test_wide_forms_and_dashes_are_plain_where_the_line_is_not_chinese():
    from pincite.ingest.ocr.rapid_words import _plain

    assert _plain([("（", 1.0), ("一", 2.0), ("）", 3.0)]) == [("(", 1.0), ("—", 2.0), (")", 3.0)]
    assert _plain([("一", 1.0), ("月", 2.0)]) == [("一", 1.0), ("月", 2.0)]
