"""ODP files as pages: slide N is page N, with its title, text, tables, charts, pictures' descriptions and notes.

Hidden slides are said to be; headers, footers, dates and slide numbers are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pincite.ingest.lost_parts import hidden_page, part_page
from pincite.ingest.office.odf import Html, Opened, opened, said
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup

_FURNITURE = ("header", "footer", "date-time", "page-number", "page")
_LENGTH = re.compile(r"(-?\d{0,6}(?:\.\d*)?)(cm|mm|in|pt|pc)?")
_CM = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, None: 1.0}


def odp_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The slides of an OpenDocument presentation. Raises SourceError when it cannot be read."""
    document = opened(path, "presentation")
    for number, slide in enumerate(document.body.iterfind("page"), 1):
        if document.value("drawing-page", slide.get("style-name", ""), "visibility") == "hidden":
            yield hidden_page(number, f"slide {number}")
        else:
            yield part_page(number, f"slide {number}", partial(_slide, document, slide, number))


def _slide(document: Opened, slide: Any, number: int, left: Counter[str]) -> Iterator[Block]:
    own = (shape for shape in slide if shape.tag != "notes")
    shapes = sorted((one for one in own if one.get("class") not in _FURNITURE), key=_position)
    title = next((shape for shape in slide if shape.get("class") == "title" and said(shape)), None)
    heading = said(title) if title is not None else f"Slide {number}"
    yield text_block(heading, "heading", 1)
    yield from _blocks(document, (shape for shape in shapes if shape is not title), left)
    notes = (frame for frame in slide.iterfind("notes/frame") if frame.get("class") == "notes")
    for block in _blocks(document, notes, left):
        yield replace(block, path=f"slide {number}, notes")


def _blocks(document: Opened, shapes: Iterable[Any], left: Counter[str]) -> list[Block]:
    html = Html(document, left)
    made = "".join(f"<div>{html.of(shape)}</div>" for shape in shapes)
    found = blocks_of(markup(f"<div>{made}</div>".encode(), document.name))
    return [block for block in found if block is not None]


def _position(shape: Any) -> tuple[int, float]:
    """What orders shapes from top to bottom, in bands as high as a line, and in those from left to right."""
    return int(_length(shape.get("y", ""))), _length(shape.get("x", ""))


def _length(text: str) -> float:
    """A length in centimetres."""
    found = _LENGTH.fullmatch(text)
    return float(found[1]) * _CM[found[2]] if found and found[1].strip("-.") else 0.0
