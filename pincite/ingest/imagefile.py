"""Pictures as documents: a scan or a photograph of a page is a page, a TIFF file as many as it has frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import SourceError
from pincite.ingest.page import RawPage

if TYPE_CHECKING:
    import PIL.Image

DPI = 144
"""Dots to the inch of a picture that does not say it."""
MOST_PIXELS = 100_000_000
"""A picture that unpacks to more is refused: a page at 600 dots to the inch has a third of that."""


def image_pages(path: Path) -> Iterator[RawPage]:
    """The pages of a picture file, without words: one each frame, in points. Raises SourceError when it cannot be read."""
    with _opened(path) as picture:
        for number in range(1, getattr(picture, "n_frames", 1) + 1):
            picture.seek(number - 1)
            width, height = (72 * side / _dpi(picture) for side in picture.size)
            yield RawPage(number, width, height, pictures=((0.0, 0.0, width, height),))


def image_page(path: Path, page: int, *, scale: float = 2.0) -> PIL.Image.Image:
    """One page (1-based), turned as its camera says, `scale` pixels to the point. Raises SourceError as `image_pages`."""
    with _opened(path) as picture:
        picture.seek(page - 1)
        factor = scale * 72 / _dpi(picture)
        size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
        return picture.convert("RGB").resize(size)


@contextmanager
def _opened(path: Path) -> Iterator[PIL.Image.Image]:
    from PIL import Image

    try:
        with Image.open(path) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise SourceError(
                    f"{path.name} has {picture.width} x {picture.height} pixels, more than a page needs: scale it down."
                )
            yield picture
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise SourceError(f"{path.name} is no picture that can be read ({error}). Save it again as PNG.") from error


def _dpi(picture: PIL.Image.Image) -> float:
    told = picture.info.get("dpi")
    dpi = float(told[0]) if told else DPI
    return dpi if 50 <= dpi <= 1200 else DPI
