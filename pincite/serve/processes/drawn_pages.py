"""Pages as pictures: drawn once, kept by what they show, in a process of their own that a damaged file may crash or hold up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import UnsupportedSource
from pincite.evidence.framed_page import COLOUR
from pincite.ingest.document_parser import format_of
from pincite.serve.processes.worker_pool import Workers
from pincite.types import Box

if TYPE_CHECKING:
    from PIL.Image import Image

SCALES = (1.0, 1.5, 2.0, 3.0, 4.0)  # pixels to the point that a picture may be asked for with
USUAL = 2.0  # the scale of pictures on pages
MOST_PIXELS = 30_000_000
KEPT = 96 * 2**20  # bytes of pictures kept
LONGEST_S = 30.0  # a page that takes longer is given up

Size = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Picture:
    """A page drawn, as PNG, and its size in points."""

    png: bytes
    size: Size


@dataclass(frozen=True, slots=True)
class Draw:
    """A page, 1-based, to be drawn `scale` pixels to the point, fewer where it would be too large, with frames around `boxes`."""

    path: Path
    page: int
    scale: float
    boxes: tuple[Box, ...] = ()

    def do(self, held: dict[Any, Any]) -> Picture:
        """Draw it. SourceError when it cannot be drawn, UnsupportedSource when its format has no pages."""
        from PIL import ImageDraw

        from pincite.ingest.ocr.imagefile import image_page
        from pincite.ingest.pdf.pdf_pages import page_size, render

        if not drawable(self.path):
            raise UnsupportedSource(
                f"{self.path.suffix[1:] or 'this'} files have no pages to draw: read them as text"
            )
        path, page = self.path, self.page
        if is_pdf := format_of(path) == "pdf":
            width, height = page_size(path, page)
        else:
            width, height = map(float, image_page(path, page, scale=1.0).size)
        scale = min(self.scale, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
        picture = (
            render(path, page, scale=scale) if is_pdf else image_page(path, page, scale=scale)
        )
        pen = ImageDraw.Draw(picture)
        for x0, top, x1, bottom in self.boxes:
            edges = scale * x0 - 4, scale * top - 4, scale * x1 + 4, scale * bottom + 4
            pen.rectangle((*map(round, edges),), outline=COLOUR, width=3)
        return Picture(png(picture), (width, height))


def png(picture: Image) -> bytes:
    """A picture as PNG, a grey one in grey."""
    import numpy as np

    pixels = np.asarray(picture.convert("RGB"))
    is_grey = bool((pixels == pixels[..., :1]).all())
    written = BytesIO()
    picture.convert("L" if is_grey else "RGB").save(written, "PNG", compress_level=1)
    return written.getvalue()


class Pictures:
    """Draws pages of sources, named by their hash. With `apart` a process does so, else a thread."""

    def __init__(self, apart: bool = True) -> None:
        self._worker = Workers(
            int(apart), LONGEST_S, "pincite.serve.processes.drawn_pages:prepare"
        )
        self._kept: OrderedDict[tuple[str, int, float, tuple[Box, ...]], Picture] = OrderedDict()
        self._bytes = 0

    async def draw(
        self, path: Path, sha: str, page: int, scale: float = USUAL, boxes: Sequence[Box] = ()
    ) -> Picture:
        """A page with frames around `boxes`. Raises what `Draw` raises, GivenUp when it takes too long."""
        key = sha, page, scale, tuple(boxes)
        if key not in self._kept:
            drawn: Picture = await self._worker.do("", Draw(path, page, scale, tuple(boxes)))
            if key not in self._kept:
                self._kept[key] = drawn
                self._bytes += len(drawn.png)
            while self._bytes > KEPT and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1].png)
            return drawn
        self._kept.move_to_end(key)
        return self._kept[key]

    async def close(self) -> None:
        """Draw nothing more."""
        await self._worker.close()


def prepare() -> None:
    """Load what drawing needs."""
    import pincite.ingest.ocr.imagefile
    import pincite.ingest.pdf.pdf_pages  # noqa: F401


def drawable(path: Path) -> bool:
    """Whether a source has pages that can be drawn."""
    return format_of(path) in ("pdf", "image")
