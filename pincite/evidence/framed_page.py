"""A page image with what is cited framed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.errors import UnsupportedSource
from pincite.types import Citation

if TYPE_CHECKING:
    from PIL.Image import Image

SCALE = 2.0
COLOURS = 32
"""Colours of a page that is kept: it is a third of the size, and a text page has no more."""
COLOUR = (214, 40, 40)


def frame(corpus: Corpus, citation: Citation, password: str | None = None) -> Image:
    """The first cited page, 144 dots per inch, with a frame around every cited line or cell.

    Raises CorpusError when the source is gone and UnsupportedSource when it has no pages to draw.
    """
    return framed(corpus.source(citation.anchor.source), citation, password)


def framed(path: Path, citation: Citation, password: str | None = None) -> Image:
    """The same from the source at a path."""
    from PIL import ImageDraw

    from pincite.document.address import place_of
    from pincite.ingest.document_parser import format_of
    from pincite.ingest.ocr.imagefile import image_page
    from pincite.ingest.pdf.pdf_pages import render

    kind = format_of(path)
    if kind == "image":
        image = image_page(path, citation.anchor.page, scale=SCALE)
    elif kind == "pdf":
        image = render(path, citation.anchor.page, scale=SCALE, password=password).convert("RGB")
    else:
        raise UnsupportedSource(
            f"{citation.document} has no pages to draw. The citation's quote stands at {place_of(citation.anchor)}: "
            f"“{citation.quote}”"
        )
    pen = ImageDraw.Draw(image)
    for page, box in citation.anchor.spots:
        if box and page == citation.anchor.page:
            x0, top, x1, bottom = (SCALE * edge for edge in box)
            pen.rectangle((x0 - 4, top - 4, x1 + 4, bottom + 4), outline=COLOUR, width=3)
    return image


def packed(page: Image) -> bytes:
    """A framed page as PNG, small enough to keep many."""
    import io

    from PIL.Image import Dither, Quantize

    made = io.BytesIO()
    few = page.quantize(COLOURS, Quantize.FASTOCTREE, dither=Dither.NONE)
    few.save(made, "PNG", compress_level=3)
    return made.getvalue()
