"""Pictures of pages: what is written is what was drawn."""

import io

import pytest
from PIL import Image, ImageDraw

from pincite.serve.processes.drawn_pages import png


@pytest.mark.parametrize(
    ("ink", "mode"), [((10, 10, 10), "L"), ((200, 30, 30), "RGB"), ((30, 200, 200), "RGB")]
)
def test_a_picture_is_written_as_it_is_a_grey_one_in_grey(ink, mode):
    picture = Image.new("RGB", (37, 21), "white")
    ImageDraw.Draw(picture).line((3, 2, 30, 17), fill=ink, width=3)
    read = Image.open(io.BytesIO(png(picture)))
    assert read.mode == mode and read.convert("RGB").tobytes() == picture.tobytes()
