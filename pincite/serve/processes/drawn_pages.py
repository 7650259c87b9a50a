"""Pages as pictures: drawn once, kept by what they show, in a process of their own that a damaged file may crash or hold up."""

from __future__ import annotations

import struct
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import UnsupportedSource
from pincite.evidence.framed_page import COLOUR
from pincite.serve.processes.worker_pool import Workers
from pincite.types import Box

if TYPE_CHECKING:
    from PIL.Image import Image

SCALES = (1.0, 1.5, 2.0, 3.0, 4.0)
"""Pixels to the point that a picture may be asked for with."""
USUAL = 2.0
"""The scale of pictures on pages."""
MOST_PIXELS = 30_000_000
KEPT = 96 * 2**20
"""Bytes of pictures kept."""
LONGEST_S = 30.0
"""A page that takes longer is given up."""

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

        width, height = _size(self.path, self.page)
        scale = min(self.scale, (MOST_PIXELS / max(width * height, 1)) ** 0.5)
        picture = _drawn(self.path, self.page, scale)
        pen = ImageDraw.Draw(picture)
        for x0, top, x1, bottom in self.boxes:
            edges = scale * x0 - 4, scale * top - 4, scale * x1 + 4, scale * bottom + 4
            pen.rectangle((*map(round, edges),), outline=COLOUR, width=3)
        return Picture(png(picture), (width, height))


def png(picture: Image) -> bytes:
    """A picture as PNG, a grey one in grey. Rows are not filtered: that takes longest and gains nothing on text."""
    import numpy as np

    pixels = np.asarray(picture.convert("RGB"))
    if (pixels[..., 0] == pixels[..., 1]).all() and (pixels[..., 1] == pixels[..., 2]).all():
        pixels = pixels[..., :1]
    height, width, depth = pixels.shape
    # each opens with its filter, 0 for none
    rows = np.zeros((height, 1 + width * depth), np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if depth == 3 else 0, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows.data, 1)), (b"IEND", b"")
    chunks = (
        struct.pack(">I", len(held)) + name + held + _checked(name + held) for name, held in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _checked(chunk: bytes) -> bytes:
    return struct.pack(">I", zlib.crc32(chunk))


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
    from pincite.ingest.document_parser import format_of

    return format_of(path) in ("pdf", "image")


def _size(path: Path, page: int) -> Size:
    from pincite.ingest.document_parser import format_of
    from pincite.ingest.ocr.imagefile import image_page
    from pincite.ingest.pdf.pdf_pages import page_size

    if format_of(path) == "pdf":
        return page_size(path, page)
    width, height = image_page(path, page, scale=1.0).size
    return float(width), float(height)


def _drawn(path: Path, page: int, scale: float) -> Image:
    from pincite.ingest.document_parser import format_of
    from pincite.ingest.ocr.imagefile import image_page
    from pincite.ingest.pdf.pdf_pages import render

    kind = format_of(path)
    if kind == "image":
        return image_page(path, page, scale=scale)
    if kind != "pdf":
        raise UnsupportedSource(
            f"{path.suffix[1:] or 'this'} files have no pages to draw: read them as text"
        )
    return render(path, page, scale=scale)
