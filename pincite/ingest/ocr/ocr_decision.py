"""Which pages and pictures are read by OCR: those whose text layer does not say what they show, and no others.

These are a page without text that is not blank, a scan that carries a stamp, a page whose text is noise (`legibility.py`), and
the pictures in a page that are drawn and not photographed, which may hold the words and numbers of a chart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

from pincite.errors import PinciteError
from pincite.ingest.layout.boxes import is_within
from pincite.ingest.ocr.legibility import illegible
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, engine_name, why_no_ocr
from pincite.ingest.ocr.recognized_words import Seen, see
from pincite.ingest.raw_page import RawPage
from pincite.types import Box

if TYPE_CHECKING:
    import PIL.Image

LITTLE = 20  # a page with fewer characters has no text layer worth the name: a page number
STAMP = 200  # characters of the longest stamp on a scan: who received it and when, its number
SCALE = 3.0  # pixels to the point when a page is read: 216 to the inch
SMALL = 0.5  # pixels to the point when a page is only looked over
MOST_PIXELS = 16_000_000  # of a page when it is read: a large sheet is read at a smaller scale
SHARES = (0.03, 0.9)
"""How much of its page a picture covers that may be a figure; smaller ones are marks, larger ones backgrounds."""
FLAT = 0.5  # share of neighbouring points alike, above which a picture is drawn and no photograph

Draw = Callable[[float], "PIL.Image.Image"]  # the page as a picture, so many pixels to the point


def with_ocr(page: RawPage, draw: Draw, ocr_settings: OcrSettings = AUTO) -> RawPage:
    """The page with what is read off it where its text layer fails; as it is where that serves.

    A page that fails and cannot be read keeps what its text layer has, and says why it is not read.
    """
    try:
        return _with_ocr(page, draw, ocr_settings)
    except (PinciteError, OSError, ValueError, MemoryError) as error:
        said = error or type(error).__name__
        return replace(page, suspicion=f"it cannot be drawn ({said}), so no text was read from it")


def _with_ocr(page: RawPage, draw: Draw, ocr_settings: OcrSettings) -> RawPage:
    letters = sum(len(word.text) for word in page.words)
    if letters < LITTLE:
        # a page shows nothing else than its few words, or nothing at all
        shows = page.pictures or page.rules or page.fills
        serves = not shows and bool(page.words) or _is_blank(draw(_scale(page, SMALL)))
        return page if serves else _read_page(page, draw, "no text layer", ocr_settings)
    covered = letters < STAMP and any(_share(page, box) >= SHARES[1] for box in page.pictures)
    if covered and _is_drawn(draw(_scale(page, SMALL))):
        whole = _read_page(page, draw, "its text layer is a stamp on a scan", ocr_settings)
        return whole if len(whole.words) > len(page.words) or not whole.seen else page
    if noise := page.suspicion or illegible(" ".join(word.text for word in page.words)):
        return _read_page(page, draw, noise, ocr_settings)
    return _read_figures(page, draw, ocr_settings) if engine_name(ocr_settings) else page


def _read_page(page: RawPage, draw: Draw, why: str, ocr_settings: OcrSettings) -> RawPage:
    if blind := why_no_ocr(ocr_settings):
        return replace(page, suspicion=f"{why}, and it is not read: {blind}")
    scale = _scale(page, SCALE)
    seen = see(draw(scale), scale, ocr_settings=ocr_settings)
    if not seen.words:
        return replace(page, suspicion=f"{why}, and no text could be read from it")
    return replace(page, words=seen.words, seen=seen.confidence, suspicion=why)


def _scale(page: RawPage, wanted: float) -> float:
    """Pixels to the point: fewer than wanted where the page is so large that it would have too many."""
    return min(wanted, sqrt(MOST_PIXELS / max(page.width * page.height, 1.0)))


def _read_figures(page: RawPage, draw: Draw, ocr_settings: OcrSettings) -> RawPage:
    """The page with the words of its drawn pictures that its text layer does not have."""
    wanted = [at for at, box in enumerate(page.pictures) if _may_tell(page, box)]
    if not wanted:
        return page
    scale = _scale(page, SMALL)
    small = draw(scale)
    wanted = [at for at in wanted if _is_drawn(_crop(small, page.pictures[at], scale))]
    if not wanted:
        return page
    scale = _scale(page, SCALE)
    picture = draw(scale)
    found: list[Seen] = [Seen()] * len(page.pictures)
    for at in wanted:
        x0, top, _, _ = page.pictures[at]
        part, corner = _crop(picture, page.pictures[at], scale), (max(x0, 0.0), max(top, 0.0))
        found[at] = see(part, scale, corner, ocr_settings)
    return replace(page, figures=tuple(seen.words for seen in found))


def _may_tell(page: RawPage, box: Box) -> bool:
    inside = sum(is_within(word.box, box) for word in page.words)
    return SHARES[0] <= _share(page, box) <= SHARES[1] and inside < 4


def _share(page: RawPage, box: Box) -> float:
    """How much of its page a picture covers."""
    area = page.width * page.height
    return (box[2] - box[0]) * (box[3] - box[1]) / area if area else 0.0


def _crop(picture: PIL.Image.Image, box: Box, scale: float) -> PIL.Image.Image:
    x0, top, x1, bottom = (round(scale * edge) for edge in box)
    corner = min(x1, picture.width), min(bottom, picture.height)
    return picture.crop((max(x0, 0), max(top, 0), *corner))


def _is_blank(picture: PIL.Image.Image) -> bool:
    low, high = picture.convert("L").getextrema()
    return float(high) - float(low) < 16  # type: ignore[arg-type]


def _is_drawn(picture: PIL.Image.Image) -> bool:
    """Whether most neighbouring points are of one colour, as in charts and screens."""
    import numpy as np

    grey = np.asarray(picture.convert("L"), dtype=np.int16)
    if min(grey.shape) < 8:
        return False
    steps = np.abs(np.diff(grey, axis=1))
    return bool((steps <= 2).mean() > FLAT and (steps > 24).mean() > 0.004)
