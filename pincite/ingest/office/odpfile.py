"""ODP files as pages: slide N is page N, with its title, text, tables, charts, pictures' descriptions and notes.

Hidden slides are left out, and so are headers, footers, dates and slide numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pincite.ingest.lost_parts import part_page
from pincite.ingest.office.odf import Opened, attribute, lines_of, name_of, opened, q
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
        style = attribute(slide, "draw:style-name")
        shown = document.styles.value(
            "drawing-page", style, "style:drawing-page-properties", "presentation:visibility"
        )
        if shown != "hidden":
            yield part_page(number, f"slide {number}", partial(_slide, document, slide, number))


def _slide(document: Opened, slide: Any, number: int) -> Iterator[Block]:
    shapes = sorted(filter(_is_shown, slide), key=_position)
    titles = [
        shape for shape in slide if _kind(shape) == "title" and lines_of(shape, document.styles)
    ]
    heading = lines_of(titles[0], document.styles) if titles else f"Slide {number}"
    yield text_block(heading, "heading", 1)
    yield from _blocks(document, (shape for shape in shapes if shape not in titles[:1]))
    frames = slide.iterfind(q("presentation:notes/draw:frame"))
    for block in _blocks(document, (frame for frame in frames if _kind(frame) == "notes")):
        yield replace(block, path=f"slide {number}, notes")


def _is_shown(shape: Any) -> bool:
    """Whether an element of a slide is a shape that says something of its own."""
    return name_of(shape) not in ("", "presentation:notes") and _kind(shape) not in _FURNITURE


def _blocks(document: Opened, shapes: Iterable[Any]) -> Iterator[Block]:
    reader = TextReader(document)
    for shape in shapes:
        reader.frame(shape)
    return (block for block in reader.flow.blocks if block is not None)


def _kind(shape: Any) -> str:
    return attribute(shape, "presentation:class")


def _position(shape: Any) -> tuple[int, float]:
    """What orders shapes from top to bottom, in bands as high as a line, and in those from left to right."""
    return int(_length(attribute(shape, "svg:y"))), _length(attribute(shape, "svg:x"))


def _length(text: str) -> float:
    """A length in centimetres."""
    found = _LENGTH.fullmatch(text)
    return float(found[1]) * _CM[found[2]] if found and found[1].strip("-.") else 0.0
