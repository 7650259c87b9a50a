"""Which pages are looked at, by counting what is drawn and read; reading itself is in test_ocr."""

import pytest
from PIL import Image, ImageDraw

from pincite.errors import SourceError
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.ocr import ocr_decision
from pincite.ingest.ocr.ocr_decision import with_ocr
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.ingest.ocr.recognized_words import Seen
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tree import build, page_text

SENTENCE = "The group reduced its emissions of greenhouse gases in every region during the year under review."


def words(text, y=10.0):
    return tuple(
        Word(one, (10.0 + 30 * at, y, 35.0 + 30 * at, y + 10), 10.0)
        for at, one in enumerate(text.split())
    )


def chart():
    """A page's picture with bars in its middle, white around."""
    picture = Image.new("RGB", (600, 800), "white")
    draw = ImageDraw.Draw(picture)
    for at in range(5):
        draw.rectangle((120 + 60 * at, 500 - 40 * at, 150 + 60 * at, 500), fill="navy")
    return picture


@pytest.fixture
def reading(monkeypatch):
    """An engine that says "Forty-two percent" of everything, and how often it was asked for how large a picture."""
    asked = []

    def see(picture, scale, at=(0.0, 0.0), ocr_settings=None):
        asked.append(picture.size)
        x, y = at
        return Seen(
            (
                Word("Forty-two", (x + 5, y + 5, x + 60, y + 15), 8.0),
                Word("percent", (x + 64, y + 5, x + 99, y + 15), 8.0),
            ),
            0.9,
        )

    monkeypatch.setattr(ocr_decision, "see", see)
    monkeypatch.setattr(ocr_decision, "engine_name", lambda ocr_settings: "an engine")
    monkeypatch.setattr(ocr_decision, "why_no_ocr", lambda ocr_settings: "")
    return asked


def draw_of(picture):
    drawn = []

    def draw(scale):
        drawn.append(scale)
        return picture.resize((round(picture.width * scale), round(picture.height * scale)))

    return draw, drawn


def test_a_page_of_text_is_not_drawn(reading):
    page = RawPage(1, 600, 800, words(SENTENCE))
    draw, drawn = draw_of(chart())
    assert with_ocr(page, draw) is page and not drawn and not reading


def test_a_page_without_text_is_read_whole(reading):
    draw, _ = draw_of(chart())
    page = with_ocr(RawPage(1, 600, 800, (), pictures=((0.0, 0.0, 600.0, 800.0),)), draw)
    assert [word.text for word in page.words] == ["Forty-two", "percent"]
    assert (page.seen, page.suspicion, reading) == (0.9, "no text layer", [(1800, 2400)])


def test_a_blank_page_is_left_blank(reading):
    draw, _ = draw_of(Image.new("RGB", (600, 800), "white"))
    assert with_ocr(RawPage(1, 600, 800), draw) == RawPage(1, 600, 800) and not reading


def test_a_text_layer_that_is_noise_gives_way(reading):
    noise = " ".join(["Xqz wvkj bqpx zzkw qvvx jkqz"] * 6)
    draw, _ = draw_of(chart())
    page = with_ocr(RawPage(1, 600, 800, words(noise)), draw)
    assert [word.text for word in page.words] == [
        "Forty-two",
        "percent",
    ] and page.suspicion == "letters exchanged for others"


def test_a_scan_with_a_stamp_is_read_whole(reading):
    stamp, whole = words("RECEIVED/2019-03-05/77-1042"), ((0.0, 0.0, 600.0, 800.0),)
    page = with_ocr(RawPage(1, 600, 800, stamp, pictures=whole), draw_of(chart())[0])
    assert [word.text for word in page.words] == ["Forty-two", "percent"]
    assert page.suspicion == "its text layer is a stamp on a scan"


def test_a_few_words_on_a_photograph_are_kept_and_so_are_more_words_than_can_be_read(reading):
    whole = ((0.0, 0.0, 600.0, 800.0),)
    slide = RawPage(1, 600, 800, words("Our long journey to net zero emissions"), pictures=whole)
    photograph = Image.effect_noise((600, 800), 120).convert("RGB")
    assert with_ocr(slide, draw_of(photograph)[0]) is slide and not reading
    assert with_ocr(slide, draw_of(chart())[0]) is slide


def test_a_drawn_picture_is_read_and_belongs_to_its_figure(reading):
    box = (100.0, 300.0, 450.0, 520.0)
    draw, _ = draw_of(chart())
    page = with_ocr(RawPage(1, 600, 800, words(SENTENCE), pictures=(box,)), draw)
    assert page.words == words(SENTENCE) and reading == [(1050, 660)]
    understood = layout(page)
    figure = next(block for block in understood.blocks if block.kind == "figure")
    assert [(one.kind, one.text) for one in figure.inner] == [("ocr", "Forty-two percent")]
    assert "Forty-two percent" in page_text(understood)
    nodes = build("0" * 64, "a.pdf", "pdf/1", [understood]).nodes
    seen = next(node for node in nodes if node.kind == "ocr")
    assert next(node for node in nodes if node.id == seen.parent).kind == "figure"
    assert seen.anchor.page == 1 and seen.anchor.spots[0][1][0] == pytest.approx(105)


def test_a_photograph_is_not_read(reading):
    noise = Image.effect_noise((600, 800), 120).convert("RGB")
    page = RawPage(1, 600, 800, words(SENTENCE), pictures=((100.0, 300.0, 450.0, 520.0),))
    draw, drawn = draw_of(noise)
    assert with_ocr(page, draw) is page and drawn == [0.5] and not reading


def test_without_ocr_noise_is_named_and_kept():
    page = RawPage(1, 600, 800, words("\ufffd" * 20 + " Revenue"))
    seen = with_ocr(
        page, lambda scale: pytest.fail("nothing is to read what is drawn"), OcrSettings("off")
    )
    assert seen.words == page.words
    assert seen.suspicion == (
        'characters that the font does not name, and it is not read: OCR is switched off (ocr = "off")'
    )


def test_without_ocr_a_page_that_is_a_picture_says_why_it_has_no_text_and_a_blank_one_does_not():
    page = RawPage(1, 600, 800, (), pictures=((0.0, 0.0, 600.0, 800.0),))
    draw, drawn = draw_of(chart())
    assert with_ocr(page, draw, OcrSettings("off")).suspicion.startswith(
        "no text layer, and it is not read: OCR is switched off"
    )
    assert drawn == [ocr_decision.SMALL]
    assert (
        with_ocr(page, draw_of(Image.new("RGB", (600, 800), "white"))[0], OcrSettings("off"))
        is page
    )


def test_a_large_sheet_is_read_at_a_smaller_scale(reading):
    draw, _ = draw_of(chart())
    with_ocr(RawPage(1, 6000, 8000), draw)  # which draws a tenth of it
    assert (
        0.9 * ocr_decision.MOST_PIXELS / 100
        < reading[0][0] * reading[0][1]
        <= 1.1 * ocr_decision.MOST_PIXELS / 100
    )


def test_how_a_pages_text_was_won_is_said_of_the_page_and_not_of_the_document(reading):
    draw, _ = draw_of(chart())
    page = layout(with_ocr(RawPage(1, 600, 800), draw))
    made = build("0" * 64, "a.pdf", "pdf/1", [page], meta={"year": "2020"})
    assert made.meta == {"year": "2020"}
    assert [node.meta for node in made.nodes if node.kind == "page"] == [
        {"seen": 0.9, "suspicion": "no text layer"}
    ]


@pytest.mark.parametrize(
    "error", [ValueError("crop exceeds page"), MemoryError(), SourceError("page 1 is damaged")]
)
def test_a_page_that_cannot_be_drawn_keeps_what_it_has(reading, error):
    def draw(scale):
        raise error

    page = RawPage(1, 600, 800, words("7"), pictures=((0.0, 0.0, 600.0, 800.0),))
    seen = with_ocr(page, draw)
    assert seen.words == page.words and "cannot be drawn" in seen.suspicion and not reading
