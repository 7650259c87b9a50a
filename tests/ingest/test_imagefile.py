import struct
import zlib

import pytest
from PIL import Image, ImageDraw, ImageFont

from pincite.errors import SourceError
from pincite.ingest.document_parser import format_of, outdated, parse, parser_now
from pincite.ingest.ocr import imagefile
from pincite.ingest.ocr.imagefile import image_page, image_pages
from pincite.ingest.ocr.ocr_settings import OcrSettings, rapidocr_models


def scan(path, dpi=None, size=(600, 400)):
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text(
        (40, 40), "Revenue was EUR 4,521 million", fill="black", font=ImageFont.load_default(30)
    )
    picture.save(path, **({"dpi": (dpi, dpi)} if dpi else {}))
    return path


def test_a_page_is_as_large_as_its_dots_to_the_inch_say(tmp_path):
    assert [(one.width, one.height) for one in image_pages(scan(tmp_path / "a.png"))] == [
        (300, 200)
    ]
    (page,) = image_pages(scan(tmp_path / "b.png", 300))
    assert (page.width, page.height) == (pytest.approx(144, abs=0.1), pytest.approx(96, abs=0.1))
    assert image_page(tmp_path / "b.png", 1, scale=2.0).size == (288, 192)


def test_every_frame_of_a_tiff_is_a_page(tmp_path):
    frames = [Image.new("RGB", (100, 50), "white") for _ in range(3)]
    frames[0].save(tmp_path / "a.tiff", save_all=True, append_images=frames[1:])
    assert [one.number for one in image_pages(tmp_path / "a.tiff")] == [1, 2, 3]


def test_what_is_no_picture_is_named(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    with pytest.raises(SourceError, match=r"a\.png cannot be read as a picture"):
        list(image_pages(tmp_path / "a.png"))


def test_of_a_film_the_first_picture_counts(tmp_path):
    frames = [Image.new("RGB", (100, 50), colour) for colour in ("white", "black", "red")]
    frames[0].save(tmp_path / "a.webp", save_all=True, append_images=frames[1:])
    assert [one.number for one in image_pages(tmp_path / "a.webp")] == [1]


def test_a_photograph_stands_as_its_camera_says(tmp_path):
    picture = Image.new("RGB", (80, 40), "white")
    picture.paste(
        "red", (0, 0, 10, 40)
    )  # the left edge, which is the upper one when turned by a quarter clockwise
    exif = Image.Exif()
    exif[imagefile.ORIENTATION] = 6
    picture.save(tmp_path / "a.png", exif=exif, dpi=(72, 72))
    (page,) = image_pages(tmp_path / "a.png")
    shown = image_page(tmp_path / "a.png", 1, scale=1.0)
    assert (round(page.width), round(page.height), shown.size) == (40, 80, (40, 80))
    assert shown.getpixel((20, 4)) == (255, 0, 0) and shown.getpixel((20, 60)) == (255, 255, 255)


def test_what_can_be_seen_through_is_white_and_sixteen_bits_are_read(tmp_path):
    Image.new("RGBA", (20, 20), (0, 0, 0, 0)).save(tmp_path / "a.png")
    assert image_page(tmp_path / "a.png", 1).getpixel((5, 5)) == (255, 255, 255)
    Image.new("I;16", (20, 20), 0x8000).save(tmp_path / "b.tiff")
    assert image_page(tmp_path / "b.tiff", 1).getpixel((5, 5)) == (128, 128, 128)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path):
    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", 60_000, 50_000, 8, 0, 0, 0, 0)
    (tmp_path / "a.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )
    with pytest.raises(SourceError, match="more than a page needs and is refused"):
        list(image_pages(tmp_path / "a.png"))


def test_a_picture_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(imagefile, "MOST_PIXELS", 1000)
    with pytest.raises(SourceError, match="more than a page needs"):
        list(image_pages(scan(tmp_path / "a.png")))


@pytest.mark.skipif(rapidocr_models() is None, reason="rapidocr is not installed")
def test_a_scan_is_a_document(tmp_path):
    path = scan(tmp_path / "invoice.png")
    assert format_of(path) == "image"
    made = parse(path, "invoice.png", "a" * 64)
    page = next(node for node in made.nodes if node.kind == "page")
    assert page.text == "Revenue was EUR 4,521 million" and page.meta["seen"] > 0.9


def test_documents_are_parsed_again_when_there_are_eyes_now_and_were_none(monkeypatch):
    monkeypatch.setattr("pincite.ingest.document_parser.reads", lambda ocr_settings: "rapidocr")
    now = parser_now()
    assert (
        not outdated(now)
        and not outdated(now.replace("rapidocr", "tesseract"))
        and outdated(now.partition("+")[0])
    )
    monkeypatch.setattr("pincite.ingest.document_parser.reads", lambda ocr_settings: "")
    assert not outdated(now) and not outdated(parser_now()) and outdated("0")


def test_settings_that_say_what_reads_have_documents_parsed_so(monkeypatch):
    monkeypatch.setattr(
        "pincite.ingest.document_parser.reads",
        lambda ocr_settings: "" if ocr_settings.mode == "off" else "tesseract.deu",
    )
    german = OcrSettings("auto", "auto", ("de",))
    now = parser_now("pdf", ocr_settings=german)
    assert now.endswith("+tesseract.deu") and not outdated(now, "pdf", ocr_settings=german)
    assert outdated(now.replace("deu", "swe"), "pdf", ocr_settings=german)
    assert outdated(now, "pdf", ocr_settings=OcrSettings("off"))
    assert not outdated(now.partition("+")[0], "pdf", ocr_settings=OcrSettings("off"))
