"""A scan indexed with OCR off and then on: listed with the reason, then read."""

import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.indexing import index
from pincite.ingest.ocr.ocr_settings import OcrSettings, rapidocr_models
from pincite.workbench.page_quality import quality


@pytest.fixture
def scans(tmp_path):
    (tmp_path / "files").mkdir()
    picture = Image.new("RGB", (560, 90), "white")
    ImageDraw.Draw(picture).text(
        (20, 25), "Revenue was EUR 4,521 million", fill="black", font=ImageFont.load_default(30)
    )
    picture.save(tmp_path / "files" / "scan.png")
    Image.new("RGB", (560, 90), "white").save(tmp_path / "files" / "white.png")
    return tmp_path


def run(folder, ocr_settings):
    summary = index([folder / "files"], folder / "corpus", (), ocr_settings=ocr_settings)
    pages = {one.document: one for one in quality(Corpus(folder / "corpus"))}
    return summary, pages


@pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")
def test_what_was_not_read_while_ocr_was_off_says_so_and_is_read_when_it_is_on(scans):
    summary, pages = run(scans, OcrSettings("off"))
    assert {one.document: one.status for one in summary.files} == {
        "scan.png": "no-text",
        "white.png": "no-text",
    }
    assert all("OCR is switched off" in one.reason for one in summary.files)
    assert (
        pages["scan.png"].suspicion
        == 'no text layer, and it is not read: OCR is switched off (ocr = "off")'
    )
    assert pages["white.png"].suspicion == "there is nothing to read on it"
    assert run(scans, OcrSettings("off"))[0].parsed == 0
    summary, pages = run(scans, OcrSettings())
    assert summary.parsed == 2 and pages["scan.png"].how == "ocr" and pages["scan.png"].sure > 0.9
    assert {one.document: one.status for one in summary.files} == {
        "scan.png": "ocr",
        "white.png": "empty",
    }
    assert run(scans, OcrSettings())[0].parsed == 0


def test_settings_that_nothing_here_can_serve_stop_the_run_before_it_begins(scans):
    with pytest.raises(UsageError, match="xx, which OCR does not know"):
        run(scans, OcrSettings("auto", "auto", ("xx",)))
    assert not (scans / "corpus").exists()
