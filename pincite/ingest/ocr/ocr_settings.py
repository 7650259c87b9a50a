"""What reads pictures: the engines that this machine has, the languages that they read, and which of them the settings want.

Both engines are optional: rapidocr comes with the extra `ocr` and brings its model, tesseract is a program with a file of
data for each language. Nothing is ever fetched.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from pincite.errors import UsageError
from pincite.text.lexicon import word_list, word_set
from pincite.types import Box

Mode = Literal["auto", "on", "off"]
Engine = Literal["auto", "rapidocr", "tesseract"]

LANGUAGES = dict(pair.split("=") for pair in word_list("ingest", "tesseract languages"))
"""ISO 639-1 codes of languages and tesseract's names of them."""
LETTERS = word_set("ingest", "latin languages")
"""The languages whose letters rapidocr's model has: those in Latin letters but Vietnamese, and Chinese and Japanese."""

alive: ContextVar[Callable[[], None]] = ContextVar("alive", default=lambda: None)
"""Called now and then while a picture is read: that takes longer than a parser that says nothing is waited for."""


@dataclass(frozen=True, slots=True)
class PictureWord:
    """A word off a picture: its box in pixels and how sure the engine is of it, from 0 to 1.

    `angle` is the direction that it is written in; a mark that is `raised` has its line's height all the same. `high` is the
    height of the line with the white around it, which tells the size of its font, where the box is only around its ink.
    """

    text: str
    box: Box
    sure: float
    angle: int = 0
    raised: bool = False
    high: float = 0.0


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """How pages are read that have no text layer to rely on.

    With the mode "auto" they are where an engine is there, with "on" one must be there, with "off" none is used. `engine` is
    the one to use, `languages` those (ISO 639-1) that it must read; by default rapidocr is used, else tesseract with all the
    languages that it has.
    """

    mode: Mode = "auto"
    engine: Engine = "auto"
    languages: tuple[str, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether the settings alone say what reads a page, and not what this machine happens to have."""
        return self.mode == "off" or self.engine != "auto" or bool(self.languages)


AUTO = OcrSettings()


def engine_name(ocr_settings: OcrSettings = AUTO) -> str:
    """The engine that these settings use on this machine, without loading it; empty when there is none."""
    return _choice(ocr_settings)[0]


def why_no_ocr(ocr_settings: OcrSettings = AUTO) -> str:
    """Why no engine is used, and what would change that; empty when one is."""
    return _choice(ocr_settings)[1]


def checked(ocr_settings: OcrSettings) -> None:
    """Raise UsageError when the settings ask for an engine or for languages that this machine does not have."""
    unknown = [language for language in ocr_settings.languages if language not in LANGUAGES]
    if unknown:
        raise UsageError(
            f"ocr_languages names {', '.join(unknown)}, which OCR does not know: use codes such as "
            f"{', '.join(sorted(LANGUAGES))}"
        )
    wanted = ocr_settings.mode == "on" or ocr_settings.mode == "auto" and ocr_settings.settled
    if wanted and not engine_name(ocr_settings):
        raise UsageError(
            f"the settings ask for OCR, but it is not available: {why_no_ocr(ocr_settings)}"
        )


def reads(ocr_settings: OcrSettings) -> str:
    """What a text that was read so depends on: the engine, and the data of the languages where it has several."""
    name = engine_name(ocr_settings)
    wanted = sorted(map(_data_name, ocr_settings.languages))
    return ".".join((name, *wanted)) if name == "tesseract" else name


def _data_name(language: str) -> str:
    """Tesseract's name of a language, which is the name of its data."""
    return LANGUAGES.get(language, language)


def rapidocr_models() -> tuple[Path, Path] | None:
    """The files of the models that detect and read lines in the package rapidocr; None where they are not."""
    found = find_spec("rapidocr")
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0]) / "models"
    detect, read = sorted(folder.glob("*_det_*.onnx")), sorted(folder.glob("*_rec_*.onnx"))
    return (detect[-1], read[-1]) if detect and read else None


@lru_cache(maxsize=1)
def tesseract_data() -> tuple[str, ...]:
    """The data that tesseract has, by its own names ("deu", "osd"); none where there is no tesseract."""
    if not shutil.which("tesseract"):
        return ()
    try:
        asked = ["tesseract", "--list-langs"]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(line.strip() for line in done.stdout.splitlines()[1:] if line.strip())


def here() -> list[str]:
    """A line for each engine: what is there and what it reads, or how to get it."""
    held = rapidocr_models()
    letters = " ".join(sorted(LETTERS))
    rapid = f"rapidocr with {held[1].stem}, which reads {letters}" if held else ""
    names = {data: code for code, data in LANGUAGES.items()}
    data = sorted(names.get(code, code) for code in tesseract_data() if code != "osd")
    tesseract = f"tesseract, which reads {' '.join(data)}" if data else ""
    missing = "no rapidocr (pip install 'pincite[ocr]')", f"no tesseract ({_apt(())})"
    return [rapid or missing[0], tesseract or missing[1]]


@lru_cache(maxsize=16)
def _choice(ocr_settings: OcrSettings) -> tuple[str, str]:
    if ocr_settings.mode == "off":
        return "", 'OCR is switched off (ocr = "off")'
    whys = []
    for name, why in (("rapidocr", _not_rapidocr), ("tesseract", _not_tesseract)):
        if ocr_settings.engine in ("auto", name):
            if not (missing := why(ocr_settings.languages)):
                return name, ""
            whys.append(missing)
    return "", "; ".join(whys)


def _not_rapidocr(languages: tuple[str, ...]) -> str:
    if rapidocr_models() is None:
        return "rapidocr is not installed: pip install 'pincite[ocr]'"
    unread = [language for language in languages if language not in LETTERS]
    return f"rapidocr's model lacks the letters of {', '.join(unread)}" if unread else ""


def _not_tesseract(languages: tuple[str, ...]) -> str:
    held = tesseract_data()
    missing = [name for name in map(_data_name, languages) if name not in held]
    if not held:
        return f"tesseract is not installed: {_apt(languages)}"
    return f"tesseract has no data for {', '.join(missing)}: {_apt(languages)}" if missing else ""


def _apt(languages: tuple[str, ...]) -> str:
    names = (_data_name(language) for language in languages if language != "en")
    data = (f"tesseract-ocr-{name.replace('_', '-')}" for name in names)
    return " ".join(("apt install tesseract-ocr", *data))
