"""Pages drawn from the sources that a corpus keeps, for encoders that see them."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.corpus.corpus_store import source_file
from pincite.errors import SourceError
from pincite.ingest.document_parser import draw, format_of
from pincite.search.index.page_pictures import PIXELS, PictureEncoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DRAWN = ("pdf", "image")
"""Formats whose pages can be drawn."""


def drawable(folder: Path, names: Iterable[str]) -> list[bool]:
    """Whether there is a picture of each of these pages, named as SOURCE#PAGE; other formats have pages only in name."""
    sources = {name.partition("#")[0] for name in names}
    paths = {source: source_file(folder, source) for source in sources}
    can = {source: path is not None and format_of(path) in DRAWN for source, path in paths.items()}
    return [can[name.partition("#")[0]] for name in names]


def encoded_pages(
    folder: Path, encoder: PictureEncoder, names: Sequence[str]
) -> NDArray[np.float32]:
    """The vectors of these pages; of one that cannot be drawn a row of zeros, which is never found."""
    import numpy as np

    pictures = [_draw_page(folder, name) for name in names]
    drawn = [row for row, picture in enumerate(pictures) if picture]
    made = np.zeros((len(names), encoder.dims), np.float32)
    if drawn:
        made[drawn] = encoder.encode_pictures([picture for picture in pictures if picture])
    return made


def _draw_page(folder: Path, name: str) -> bytes:
    """The PNG of a page, empty where it cannot be drawn."""
    source, _, page = name.partition("#")
    path = source_file(folder, source)
    if path is None or format_of(path) not in DRAWN:
        return b""
    try:
        image = draw(path, int(page), scale=2.0)
    except SourceError:
        return b""
    smaller = math.sqrt(PIXELS / (image.width * image.height))
    if smaller < 1:
        width, height = (max(int(side * smaller), 1) for side in (image.width, image.height))
        image = image.resize((width, height))
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()
