"""A page of a PDF file or a picture, parsed: read by OCR where needed, its tables found, its text in reading order."""

from __future__ import annotations

from dataclasses import replace

from pincite.ingest.layout.page_layout import layout
from pincite.ingest.lost_parts import at_most, why
from pincite.ingest.ocr.ocr_decision import Draw, with_ocr
from pincite.ingest.ocr.ocr_settings import AUTO, OcrSettings, alive
from pincite.ingest.raw_page import Page, RawPage
from pincite.ingest.tables import find_tables


def understood(raw: RawPage, draw: Draw, ocr_settings: OcrSettings = AUTO) -> Page:
    """The page of a raw one. What fails or takes too long is left out, and the page says so: its tables first, then all of it."""
    if raw.lost:
        return Page(raw.number, raw.width, raw.height, (), lost=raw.lost)
    try:
        page = with_ocr(raw, draw, ocr_settings)
        try:
            with at_most():
                return layout(page, find_tables(page))
        except Exception as error:  # of a file's making, so of no common class
            lost = f"its tables were not read: {why(error)}"
        alive.get()()
        with at_most():
            return replace(layout(page), lost=lost)
    except Exception as error:
        return Page(raw.number, raw.width, raw.height, (), lost=f"it was not read: {why(error)}")
