"""Text out of pictures: words with their boxes, in points of the page, and how sure the engine is of them.

Everything after (lines, columns, tables, the tree) is as for a text layer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, PictureWord, engine_name
from pincite.ingest.raw_page import Word

if TYPE_CHECKING:
    import PIL.Image

LEAST = 0.6  # what an engine reads with less confidence is left out (HERO takes the same)
HEIGHT_TO_SIZE = 0.75  # a line's box is so much higher than its font is large
RAISED_SIZE = 0.65  # of the line's: a mark that stands raised is so large

Engine = Callable[["PIL.Image.Image"], list[PictureWord]]


@dataclass(frozen=True, slots=True)
class Seen:
    """Words read off a picture, and how sure the engine is of them, weighted by their length."""

    words: tuple[Word, ...] = ()
    confidence: float = 0.0


@lru_cache(maxsize=1)
def engine(ocr_settings: OcrSettings = AUTO) -> Engine | None:
    """The engine that these settings use, loaded once; None when this machine has none."""
    name = engine_name(ocr_settings)
    if name == "rapidocr":
        from pincite.ingest.ocr.rapid import Rapid

        return Rapid()
    if name == "tesseract":
        from pincite.ingest.ocr.tesseract import Tesseract

        return Tesseract(ocr_settings.languages)
    return None


def see(
    picture: PIL.Image.Image,
    scale: float,
    at: tuple[float, float] = (0.0, 0.0),
    ocr_settings: OcrSettings = AUTO,
) -> Seen:
    """Read a picture of (a part of) a page, `scale` pixels to the point, whose top left corner is `at` on the page.

    An empty picture gives no words, and so does any where there is no engine.
    """
    reading = engine(ocr_settings)
    words, weight, sure = [], 0, 0.0
    for piece in reading(picture) if reading else ():
        if piece.sure < LEAST or not piece.text.strip():
            continue
        x0, top, x1, bottom = piece.box
        box = (at[0] + x0 / scale, at[1] + top / scale, at[0] + x1 / scale, at[1] + bottom / scale)
        level = piece.angle in (0, 180)
        across = piece.high / scale or (box[3] - box[1] if level else box[2] - box[0])
        size = HEIGHT_TO_SIZE * across * (RAISED_SIZE if piece.raised else 1)
        words.append(Word(piece.text, box, size=size, angle=piece.angle, superscript=piece.raised))
        weight, sure = weight + len(piece.text), sure + len(piece.text) * piece.sure
    return Seen(tuple(words), sure / weight if weight else 0.0)
