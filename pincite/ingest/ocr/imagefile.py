"""Pictures as documents: a scan or a photograph of a page is a page, a TIFF file as many as it has frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import SourceError
from pincite.ingest.lost_parts import readable
from pincite.ingest.raw_page import RawPage

if TYPE_CHECKING:
    import PIL.Image

DPI = 144  # dots to the inch of a picture that does not say it
MOST_PIXELS = 100_000_000
"""A picture that unpacks to more is refused: a page at 600 dots to the inch has a third of that."""

ORIENTATION = 0x0112


def image_pages(path: Path) -> Iterator[RawPage]:
    """The pages of a picture file, without words: one each frame of a TIFF file, in points.

    Raises SourceError when it cannot be read or would take too much memory.
    """
    with _open_picture(path) as picture:
        # the frames of other files than TIFF are those of a film, of which the first counts
        frames = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
        for number in range(1, frames + 1):
            picture.seek(number - 1)
            _refuse_huge(path, picture)
            width, height = (72 * side / _dpi(picture) for side in _turned_size(picture))
            yield RawPage(number, width, height, pictures=((0.0, 0.0, width, height),))


def image_page(path: Path, page: int, *, scale: float = 2.0) -> PIL.Image.Image:
    """One page (1-based), turned as its camera says, `scale` pixels to the point. Raises SourceError as `image_pages`."""
    from PIL import ImageOps

    with _open_picture(path) as picture:
        picture.seek(page - 1)
        _refuse_huge(path, picture)
        factor = scale * 72 / _dpi(picture)
        wanted = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
        picture.draft("RGB", wanted)  # a JPEG file is unpacked as large as needed
        return ImageOps.exif_transpose(_on_white(picture).resize(wanted))


@contextmanager
def _open_picture(path: Path) -> Iterator[PIL.Image.Image]:
    from PIL import Image

    with readable(path, "a picture", "a picture program", ".png"):
        try:
            with Image.open(path) as picture:
                yield picture
        except Image.DecompressionBombError as error:
            raise SourceError(
                f"{path.name} would unpack to more than a page needs and is refused: {error}"
            ) from error


def _refuse_huge(path: Path, picture: PIL.Image.Image) -> None:
    if picture.width * picture.height > MOST_PIXELS:
        raise SourceError(
            f"{path.name} has {picture.width} x {picture.height} pixels, more than a page needs: scale it down."
        )


def _on_white(picture: PIL.Image.Image) -> PIL.Image.Image:
    """A picture in colours; what can be seen through is white, and sixteen bits become eight."""
    from PIL import Image

    if picture.mode.startswith("I"):
        return picture.point(lambda value: value / 256).convert("L").convert("RGB")
    if "A" not in picture.getbands() and "transparency" not in picture.info:
        return picture.convert("RGB")
    shown = picture.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", shown.size, "white"), shown).convert("RGB")


def _turned_size(picture: PIL.Image.Image) -> tuple[int, int]:
    """Width and height as displayed: cameras tell by a number from 5 on (EXIF 2.32, Orientation) that a side is up."""
    width, height = picture.size
    return (height, width) if picture.getexif().get(ORIENTATION, 1) >= 5 else (width, height)


def _dpi(picture: PIL.Image.Image) -> float:
    told = picture.info.get("dpi")
    dpi = float(told[0]) if told else DPI
    return dpi if 50 <= dpi <= 1200 else DPI
