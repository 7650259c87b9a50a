"""Which engine is used: by the settings and by what a machine has, which is told here."""

import pytest

from pincite.errors import UsageError
from pincite.ingest.ocr import ocr_settings
from pincite.ingest.ocr.ocr_settings import (
    OcrSettings,
    checked,
    engine_name,
    here,
    reads,
    why_no_ocr,
)
from pincite.settings import load


@pytest.fixture
def machine(monkeypatch):
    """Make this machine one with or without rapidocr's models and with these data of tesseract."""

    def set_up(rapid=False, tesseract=()):
        models = ("det.onnx", "rec.onnx") if rapid else None
        monkeypatch.setattr(ocr_settings, "rapidocr_models", lambda: models)
        monkeypatch.setattr(ocr_settings, "tesseract_data", lambda: tuple(tesseract))
        ocr_settings._choice.cache_clear()

    yield set_up
    ocr_settings._choice.cache_clear()


@pytest.mark.parametrize(
    ("rapid", "tesseract", "ocr_settings", "expected"),
    [
        (True, ("eng",), OcrSettings(), "rapidocr"),
        (False, ("eng",), OcrSettings(), "tesseract"),
        (False, (), OcrSettings(), ""),
        (True, ("eng",), OcrSettings("off"), ""),
        (True, ("eng",), OcrSettings("on", "tesseract"), "tesseract"),
        (True, (), OcrSettings("auto", "auto", ("de", "sv", "zh")), "rapidocr"),
        (True, ("eng", "rus"), OcrSettings("auto", "auto", ("en", "ru")), "tesseract"),
        (True, ("eng",), OcrSettings("auto", "auto", ("ru",)), ""),
    ],
)
def test_the_first_engine_that_reads_the_languages_is_used(
    machine, rapid, tesseract, ocr_settings, expected
):
    machine(rapid, tesseract)
    assert engine_name(ocr_settings) == expected and bool(why_no_ocr(ocr_settings)) == (
        not expected
    )


def test_what_is_missing_is_said_with_how_to_get_it(machine):
    machine(rapid=True, tesseract=("eng",))
    assert why_no_ocr(OcrSettings("auto", "auto", ("ru", "zh"))) == (
        "rapidocr's model lacks the letters of ru; tesseract has no data for rus, chi_sim: "
        "apt install tesseract-ocr tesseract-ocr-rus tesseract-ocr-chi-sim"
    )
    machine()
    assert (
        "pip install 'pincite[ocr]'" in why_no_ocr()
        and "apt install tesseract-ocr" in why_no_ocr()
    )


@pytest.mark.parametrize(
    "ocr_settings",
    [OcrSettings("on"), OcrSettings("auto", "tesseract"), OcrSettings("auto", "auto", ("de",))],
)
def test_what_is_asked_for_must_be_there(machine, ocr_settings):
    machine()
    with pytest.raises(UsageError, match="pip install|apt install"):
        checked(ocr_settings)
    checked(OcrSettings())
    checked(OcrSettings("off", "tesseract"))


def test_an_unknown_language_is_named(machine):
    machine(rapid=True)
    with pytest.raises(UsageError, match="names xx, which OCR does not know"):
        checked(OcrSettings("auto", "auto", ("en", "xx")))


def test_what_a_text_depends_on(machine):
    machine(rapid=True, tesseract=("eng", "deu", "swe"))
    assert reads(OcrSettings()) == reads(OcrSettings("on", "auto", ("de",))) == "rapidocr"
    assert reads(OcrSettings("auto", "tesseract", ("sv", "de"))) == "tesseract.deu.swe"
    assert reads(OcrSettings("off")) == ""


def test_the_doctor_tells_of_every_engine(machine):
    machine(tesseract=("eng", "osd", "swe", "frk"))
    assert here() == [
        "no rapidocr (pip install 'pincite[ocr]')",
        "tesseract, which reads en frk sv",
    ]
    machine()
    assert here()[1] == "no tesseract (apt install tesseract-ocr)"


def test_the_settings_say_how_pictures_are_read(tmp_path):
    (tmp_path / "pincite.toml").write_text(
        '[pincite]\nocr_engine = "tesseract"\nocr_languages = "DE, sv"\n'
    )
    assert load(tmp_path, {"PINCITE_OCR": "on"}).ocr_settings == OcrSettings(
        "on", "tesseract", ("de", "sv")
    )
    assert load(tmp_path / "elsewhere", {}).ocr_settings == OcrSettings()
    with pytest.raises(UsageError, match="'ocr' must be one of auto, on, off"):
        load(tmp_path, {"PINCITE_OCR": "maybe"})
