import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.errors import SourceError
from pincite.ingest import imagefile, ocr
from pincite.ingest.imagefile import image_page, image_pages
from pincite.ingest.parse import format_of, outdated, parse, parser_now


def scan(path, dpi=None, size=(600, 400)):
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text(
        (40, 40), "Revenue was EUR 4,521 million", fill="black", font=ImageFont.load_default(30)
    )
    picture.save(path, **({"dpi": (dpi, dpi)} if dpi else {}))
    return path


def test_a_page_is_as_large_as_its_dots_to_the_inch_say(tmp_path):
    assert [(one.width, one.height) for one in image_pages(scan(tmp_path / "a.png"))] == [(300, 200)]
    (page,) = image_pages(scan(tmp_path / "b.png", 300))
    assert (page.width, page.height) == (pytest.approx(144, abs=0.1), pytest.approx(96, abs=0.1))
    assert image_page(tmp_path / "b.png", 1, scale=2.0).size == (288, 192)


def test_every_frame_of_a_tiff_is_a_page(tmp_path):
    frames = [Image.new("RGB", (100, 50), "white") for _ in range(3)]
    frames[0].save(tmp_path / "a.tiff", save_all=True, append_images=frames[1:])
    assert [one.number for one in image_pages(tmp_path / "a.tiff")] == [1, 2, 3]


def test_what_is_no_picture_is_named(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    with pytest.raises(SourceError, match=r"a\.png is no picture that can be read"):
        list(image_pages(tmp_path / "a.png"))


def test_a_picture_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(imagefile, "MOST_PIXELS", 1000)
    with pytest.raises(SourceError, match="more than a page needs"):
        list(image_pages(scan(tmp_path / "a.png")))


@pytest.mark.skipif(ocr.engine_name() != "rapidocr", reason="rapidocr is not installed")
def test_a_scan_is_a_document(tmp_path):
    path = scan(tmp_path / "invoice.png")
    assert format_of(path) == "image"
    made = parse(path, "invoice.png", "a" * 64)
    page = next(node for node in made.nodes if node.kind == "page")
    assert page.text == "Revenue was EUR 4,521 million" and page.meta["seen"] > 0.9


def test_documents_are_parsed_again_when_there_are_eyes_now_and_were_none(monkeypatch):
    monkeypatch.setattr("pincite.ingest.parse.engine_name", lambda: "rapidocr")
    now = parser_now()
    assert not outdated(now) and not outdated(now.replace("rapidocr", "tesseract")) and outdated(now.partition("+")[0])
    monkeypatch.setattr("pincite.ingest.parse.engine_name", lambda: "")
    assert not outdated(now) and not outdated(parser_now()) and outdated("0")
