"""Fonts whose text layer tells other digits than they draw: what the page shows is read."""

from unittest.mock import patch

import numpy as np
import pytest
from reportlab.pdfbase import pdfmetrics, ttfonts
from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.ocr.ocr_decision import with_ocr
from pincite.ingest.ocr.ocr_settings import OcrSettings, rapidocr_models
from pincite.ingest.pdf import drawn_digits
from pincite.ingest.pdf.pdf_pages import raw_pages, render

SHOWN = "Freight rose from 1,234.50 to 6,789 in 2024"
NEXT = dict(zip("0123456789", "1234567890", strict=True))
TRUE_MAP = ttfonts.makeToUnicodeCMap


def page_of(path, told=None, font="Vera"):
    """The page that shows SHOWN, with a font that tells other characters for some."""
    lies = {ord(shown): ord(said) for shown, said in (told or {}).items()}

    def lying(name, subset):
        return TRUE_MAP(name, [lies.get(code, code) for code in subset])

    pdfmetrics.registerFont(ttfonts.TTFont(font, f"{font}.ttf"))
    canvas = Canvas(str(path), pagesize=(500, 100))
    canvas.setFont(font, 12)
    canvas.drawString(40, 50, SHOWN)
    with patch.object(ttfonts, "makeToUnicodeCMap", lying):
        canvas.save()
    (page,) = raw_pages(path)
    return page


def text(page):
    return " ".join(word.text for word in page.words)


@pytest.mark.parametrize("font", ["Vera", "VeraIt", "VeraBI"])
@pytest.mark.parametrize("told", [{}, {"3": "8", "8": "3"}, NEXT])
def test_digits_are_those_that_are_drawn(tmp_path, font, told):
    page = page_of(tmp_path / "a.pdf", told, font)
    assert (text(page), page.suspicion) == (SHOWN, "")


def test_letters_in_the_place_of_digits_are_believed(tmp_path):
    # a font that draws a K where it tells 4 is one of symbols, or its page a puzzle: no digit is made up
    page = page_of(tmp_path / "a.pdf", {"F": "4"})
    assert text(page) == SHOWN.replace("F", "4") or page.suspicion


@pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")
def test_a_page_of_unclear_digits_is_read_by_ocr(tmp_path):
    page = page_of(tmp_path / "a.pdf", NEXT, "VeraBd")
    assert page.suspicion == drawn_digits.CONTRADICTION
    assert not any(digit in text(page) for digit in "0123456789")
    read = with_ocr(page, lambda scale: render(tmp_path / "a.pdf", 1, scale=scale), OcrSettings(engine="rapidocr"))  # fmt: skip
    assert "1,234.50" in text(read) and "6,789" in text(read)


def test_the_ink_of_an_outline_is_what_it_fills():
    # a frame: the outer ring runs one way, the hole in it the other
    outer = [[0, 0, 8, 0], [8, 0, 8, 16], [8, 16, 0, 16], [0, 16, 0, 0]]
    hole = [[2, 4, 2, 12], [2, 12, 6, 12], [6, 12, 6, 4], [6, 4, 2, 4]]
    ink, aspect = drawn_digits._ink(np.array(outer + hole, dtype=np.float64))
    expected = np.ones((8, 8))
    expected[2:6, 2:6] = 0
    assert aspect == 0.5 and np.array_equal(ink, expected)
