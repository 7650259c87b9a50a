"""Files that fuzzing found to crash, hang or swell a parser: each is read, or refused with an error that says why."""

import io
import json
import signal
import struct
import zipfile

import numpy as np
import pytest
from PIL import Image

from tests.formats.format_writers import FORMATS, to_docling
from tests.formats.ole import xls
from tests.fuzz.files import file_target, table_target
from tests.fuzz.office import (
    docx_files,
    odt_files,
    packed,
    pptx_files,
    xls_files,
    xlsb_files,
    xlsx_files,
)
from tests.fuzz.seeds import seeds_of

LIMIT_S = 10


@pytest.fixture(autouse=True)
def _soon():
    """A parser that takes more processor time than the limit fails its test."""

    def late(*_):
        raise AssertionError(f"it took over {LIMIT_S} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def swapped(data, name, old, new):
    """A container with one stretch of a member exchanged."""
    held = members(data)
    assert old in held[name], (name, old)
    return packed(held | {name: held[name].replace(old, new, 1)})


def word(body):
    space = b'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    held = members(docx_files()[1])
    return packed(
        held
        | {"word/document.xml": b"<w:document %s><w:body>%s</w:body></w:document>" % (space, body)}
    )


def pdf_of_no_size():
    from reportlab.pdfgen.canvas import Canvas

    held = io.BytesIO()
    canvas = Canvas(held, pageCompression=0)
    canvas.drawString(50, 50, "Words that are drawn flat")
    canvas.save()
    data = held.getvalue()
    assert b"1 0 0 1 50 50 Tm" in data
    return data.replace(b"1 0 0 1 50 50 Tm", b"1 0 0 0 50 50 Tm")


def moved(data):
    """A container whose list of members is said to begin after itself, and so its members before the file."""
    at = data.rindex(b"PK\x05\x06") + 16
    return data[:at] + struct.pack("<I", 0x0FFFFFFF) + data[at + 4 :]


def unnamed():
    held = packed({"x": b"text", "a.txt": b"Words of a file."})
    head, central = held.index(b"PK\x03\x04"), held.index(b"PK\x01\x02")
    made = bytearray(held)
    made[central + 28 : central + 30] = b"\0\0"  # no name
    made[central + 30 : central + 32] = b"\1\0"  # its letter is an extra field
    assert head == 0
    return bytes(made)


def slide(position):
    return swapped(
        FORMATS["segments.odp"].write(), "content.xml", b'svg:y="3cm"', b'svg:y="%s"' % position
    )


def list_from(start, form):
    data = odt_files()[1].replace(b'text:start-value="3"', b'text:start-value="%s"' % start)
    return data.replace(b'style:num-format="1"', b'style:num-format="%s"' % form)


def tagged(old, new):
    data = seeds_of("html")[2]
    assert old in data
    return data.replace(old, new, 1)


def nested_contexts():
    data, end = seeds_of("html")[2], b"<x:endDate>"
    stretch = data[data.index(b"<x:context") : data.index(end)] + end
    return data.replace(end, end + stretch * 500, 1)


def book(spine, times=1):
    data = [one for one in seeds_of("epub")][1]
    data = swapped(data, "o/p.opf", b'<itemref idref="b"/>', spine * times)
    return swapped(data, "o/x/a b.xhtml", b"<p>", b"<p>Words of it.</p>" * 300 + b"<p>")


def circle():
    """A workbook in a short stream that comes back to its first sector."""
    return xls_files()[0].replace(struct.pack("<2I", 18, 19), struct.pack("<2I", 18, 0), 1)


def figures(number, form):
    import openpyxl

    made, held = openpyxl.Workbook(), io.BytesIO()
    made.active.append(["Year", "Sales"])
    made.active.append([2023, number])
    made.active["B2"].number_format = form
    made.save(held)
    return held.getvalue()


def corner():
    cell = b'<row r="%d"><c r="%s"><v>1</v></c></row>'
    rows = cell % (1, b"A1") + cell % (1048576, b"XFD1048576")
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>%s</sheetData></worksheet>'
    return packed(members(xlsx_files()[1]) | {"xl/worksheets/sheet1.xml": sheet % rows})


def unversioned():
    told = json.loads(to_docling())
    del told["version"]
    return json.dumps(told).encode()


CHECKERED = "\n".join(
    ";".join("x" * (not (row % 2 or column % 2)) for column in range(50)) for row in range(2000)
)
MAIL = b"From: a@example.com\nTo: b@example.com\n%s\n\nThe pumps arrive.\n"
RELATED = b'Content-Type: multipart/related; boundary="x"\n\n--x\n'
TABLE = b"<w:tbl><w:tr>%s</w:tr><w:tr>%s</w:tr></w:tbl>"
WIDE = b'<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'

READ = {
    "letters of no size": (".pdf", pdf_of_no_size),
    "a word of 300,000 letters": (".txt", lambda: b"A" * 300_000 + b" J. K said so."),
    "200,000 initials": (".txt", lambda: b"J. " * 200_000),
    "a paragraph over 1,000 pages": (".md", lambda: b"# A\n\n" + b"e\n" * 100_000),
    "300,000 stops": (".txt", lambda: b"." * 300_000),
    "a line of 200,000 spaces": (".md", lambda: b"```\nx" + b" " * 200_000 + b"y\n```\n"),
    "a header that is a book": (".csv", lambda: b"EUR k " * 60_000 + b";b\n1;2\n3;4\n"),
    "cells like a chessboard": (".csv", CHECKERED.encode),
    "a name that is empty in an archive": (".zip", unnamed),
    "a place beyond all numbers": (".odp", lambda: slide(b"9" * 400 + b"cm")),
    "a place of two points": (".odp", lambda: slide(b"1.2.3cm")),
    "a Roman number of a billion": (".fodt", lambda: list_from(b"999999999999", b"i")),
    "a number of 5,000 digits": (".fodt", lambda: list_from(b"9" * 5000, b"1")),
    "a window split at no number": (".fods", lambda: seeds_of("ods")[1].replace(b">1</config", b">x</config")),
    "cells over a billion columns": (".docx", lambda: word(TABLE % (WIDE * 50, WIDE * 50))),
    "a baseline of no number": (".pptx", lambda: swapped(
        pptx_files()[1], "ppt/slides/slide2.xml", b"<a:r><a:t>", b'<a:r><a:rPr baseline="5-"/><a:t>'
    )),
    "contexts inside contexts": (".html", nested_contexts),
    "a fact of 60 digits": (".html", lambda: tagged(b"1.234,5<", b"9" * 60 + b"<")),
    "one chapter 5,000 times": (".epub", lambda: book(b'<itemref idref="a"/>', 5000)),
    "a charset that is undefined": (".html", lambda: b"<meta charset=undefined><p>Caf\xe9 and more words"),
    "a style sheet without a rule": (".html", lambda: b"<style>%s</style><p>text" % (b"a" * 300_000)),
    "JSON without a version": (".json", unversioned),
    "half a letter in JSON": (".json", lambda: to_docling().replace(b"Results by", b"\\ud800 Results by")),
    "half a letter before an item": (".rtf", lambda: rb"{\rtf1 {\listtext 1\u-10179?}item\par}"),
    "a date beyond the clock": (".eml", lambda: MAIL % b"Date: Mon, 19 Jun 2023 10:2147483648:00 +0200"),
    "a cell in the far corner": (".xls", lambda: xls("A", {(0, 0): "Year", (65_535, 255): 2023.0}, {}, [])),
    "a number of 31 digits to two places": (".xlsx", lambda: figures(1e30, "#,##0.00")),
    "a number to 40 places": (".xlsx", lambda: figures(5, "0." + "0" * 40)),
}  # fmt: skip
REFUSED = {
    "a member that begins nowhere": (".odt", lambda: moved(odt_files()[0])),
    "a sheet that begins nowhere": (".xlsx", lambda: moved(xlsx_files()[0])),
    "half a letter in a book": (".epub", lambda: book(b'<itemref idref="&#xD800;"/>')),
    "relations that are no XML": (".xlsb", lambda: swapped(xlsb_files()[0], "xl/_rels/workbook.bin.rels", b"<", b"")),
    "parts without a beginning": (".eml", lambda: MAIL % (RELATED + RELATED[:49] + b"\n\nhello\n--x--")),
    "parts 2,000 deep": (".eml", lambda: MAIL % b"".join(RELATED.replace(b"x", b"%d" % at) for at in range(2000))),
    "a stream that goes round": (".xls", circle),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_strange_file_is_read(name):
    suffix, make = READ[name]
    assert file_target(suffix, make()) == "document"


@pytest.mark.parametrize("name", REFUSED)
def test_a_damaged_file_is_refused(name):
    suffix, make = REFUSED[name]
    assert file_target(suffix, make()).startswith("SourceError")


@pytest.mark.parametrize(("suffix", "make"), [
    (".xlsx", corner), (".xls", lambda: xls_files()[0][:1100]), (".csv", lambda: b"a,b\n" + b"1," * 2001),
    (".csv", lambda: b"a," * 1500 + b"\n" + b"1\n" * 20_000),
], ids=["a cell in the far corner", "half a workbook", "2,001 columns", "one wide row"])  # fmt: skip
def test_a_file_that_is_no_table_is_refused_and_ends_nothing(suffix, make):
    assert table_target(suffix, make()).startswith("DatabaseError")
    assert table_target(".xlsx", xlsx_files()[1]) == "tables"


def test_what_is_a_pixel_high_is_read_as_no_line(monkeypatch):
    rapid = pytest.importorskip("pincite.ingest.ocr.rapid")
    if rapid.rapidocr_models() is None:
        pytest.skip("rapidocr is not installed")
    corners = [[0, 0], [9000, 0], [9000, 1], [0, 1]]
    monkeypatch.setattr(
        rapid.Rapid, "_detected", lambda self, pixels: iter([np.array(corners, np.float32)])
    )
    monkeypatch.setattr(
        rapid.Rapid, "_line", lambda self, held: pytest.fail(f"it reads a line of {held.shape}")
    )
    assert rapid.Rapid()(Image.new("RGB", (9999, 1))) == []
