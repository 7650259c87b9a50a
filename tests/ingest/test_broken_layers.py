"""PDF files whose text layer does not say what they show, made here: parsed, they say it."""

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.document_parser import parse
from pincite.ingest.ocr.ocr_settings import OcrSettings, rapidocr_models
from pincite.ingest.pdf.pdf_pages import raw_pages

SAID = (
    "The board of directors reviewed the emissions of the",
    "group and decided that every site should publish its",
    "energy consumption of 12,345 megawatt hours yearly.",
)


@pytest.fixture
def exchanged(tmp_path):
    """A page that shows a text and has another, of exchanged letters, in its text layer."""
    picture = Image.new("RGB", (1000, 260), "white")
    for at, line in enumerate(SAID):
        ImageDraw.Draw(picture).text(
            (20, 20 + 70 * at), line, fill="black", font=ImageFont.load_default(36)
        )
    picture.save(tmp_path / "shown.png")
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(540, 170))
    canvas.drawImage(str(tmp_path / "shown.png"), 20, 20, 500, 130)
    hidden = canvas.beginText(20, 120)
    hidden.setTextRenderMode(3)
    letters = str.maketrans("abcdefghijklmnopqrstuvwxyz", "qxzjkvwbpfygmculhrndtoisea")
    for line in SAID:
        hidden.textLine(line.lower().translate(letters))
    canvas.drawText(hidden)
    canvas.save()
    return tmp_path / "a.pdf"


def page_of(document):
    return next(node for node in document.nodes if node.kind == "page")


@pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")
def test_what_a_page_shows_takes_the_place_of_what_its_fonts_say(exchanged):
    page = page_of(parse(exchanged, "a.pdf", "a" * 64))
    assert page.text.split() == " ".join(SAID).split()
    assert page.meta["suspicion"] == "letters exchanged for others" and page.meta["seen"] > 0.9


def test_without_ocr_the_page_says_why_it_is_not_to_be_trusted(exchanged):
    page = page_of(parse(exchanged, "a.pdf", "a" * 64, ocr_settings=OcrSettings("off")))
    assert page.meta["suspicion"].startswith(
        "letters exchanged for others, and it is not read: OCR is switched off"
    )


def test_words_without_spaces_between_them_are_parted_by_their_gaps(tmp_path):
    canvas, x = Canvas(str(tmp_path / "a.pdf")), 50.0
    words = SAID[0].split()
    for word in words:
        canvas.drawString(x, 700, word)
        x += stringWidth(word, "Helvetica", 12) + 0.16 * 12
    canvas.save()
    (page,) = raw_pages(tmp_path / "a.pdf")
    assert [word.text for word in page.words] == words
