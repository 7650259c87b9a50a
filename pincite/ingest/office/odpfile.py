"""ODP files as pages: slide N is page N, with its title, text, tables, charts, pictures' descriptions and notes.

Hidden slides are left out, and so are headers, footers, dates and slide numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pincite.ingest.lost import part_page
from pincite.ingest.office.odf import Opened, lines_of, opened, q
from pincite.ingest.office.odtfile import TextReader
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page

_FURNITURE = ("header", "footer", "date-time", "page-number", "page")
_LENGTH = re.compile(r"(-?\d{0,6}(?:\.\d*)?)(cm|mm|in|pt|pc)?")
_CM = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, None: 1.0}


def odp_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The slides of an OpenDocument presentation. Raises SourceError when it cannot be read."""
    document = opened(path, "presentation")
    for number, slide in enumerate(document.body.iterfind(q("draw:page")), 1):
        style = slide.get(q("draw:style-name"))
        visible = document.styles.value(
            "drawing-page", style, "style:drawing-page-properties", "presentation:visibility"
        )
        if visible != "hidden":
            yield part_page(number, f"slide {number}", partial(_slide, document, slide, number))


def _slide(document: Opened, slide: Any, number: int) -> Iterator[Block]:
    shapes = [shape for shape in slide if isinstance(shape.tag, str) and shape.tag != q("presentation:notes")]
    titles = ((shape, lines_of(shape, document.styles)) for shape in shapes if _kind(shape) == "title")
    title, said = next(((one, text) for one, text in titles if text), (None, f"Slide {number}"))
    yield text_block(said, "heading", 1)
    reader = TextReader(document)
    for shape in sorted(shapes, key=_position):  # from top to bottom, in bands as high as a line, from left to right
        if shape is not title and _kind(shape) not in _FURNITURE:
            reader.frame(shape)
    yield from (block for block in reader.blocks if block is not None)
    notes = slide.find(q("presentation:notes"))
    reader = TextReader(document)
    for frame in notes.iterfind(q("draw:frame")) if notes is not None else ():
        if _kind(frame) == "notes":
            reader.frame(frame)
    yield from (replace(block, path=f"slide {number}, notes") for block in reader.blocks if block is not None)


def _kind(shape: Any) -> str:
    return shape.get(q("presentation:class")) or ""


def _position(shape: Any) -> tuple[int, float]:
    return int(_length(shape.get(q("svg:y")))), _length(shape.get(q("svg:x")))


def _length(text: str | None) -> float:
    """A length in centimetres."""
    found = _LENGTH.fullmatch(text or "")
    return float(found[1]) * _CM[found[2]] if found and found[1].strip("-.") else 0.0
