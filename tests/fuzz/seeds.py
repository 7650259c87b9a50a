"""Small valid files of every format, several of each: what fuzzing starts from."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from datetime import date
from email.message import EmailMessage
from functools import cache
from typing import Any

from tests.formats import format_writers as writers
from tests.formats.ole import outlook
from tests.fuzz.office import (
    docx_files,
    ods_files,
    odt_files,
    packed,
    picture,
    png,
    pptx_files,
    xls_files,
    xlsb_files,
    xlsx_files,
)

Seeds = Callable[[], list[bytes]]


@cache
def seeds_of(kind: str) -> tuple[bytes, ...]:
    """The seeds of a format by the name that `parse.SUFFIXES` gives it. Raises KeyError for a format without any."""
    return tuple(SEEDS[kind]())


@cache
def table_seeds(suffix: str) -> tuple[bytes, ...]:
    """The seeds of a file of tables by its ending."""
    return tuple(
        {".parquet": _parquet, ".xlsm": xlsx_files, ".tsv": _csv}.get(
            suffix, SEEDS.get(suffix[1:], _csv)
        )()
    )


def _pdf() -> list[bytes]:
    from reportlab.lib.pagesizes import A5
    from reportlab.pdfgen.canvas import Canvas

    def drawn(draw: Callable[[Any], object], **options: Any) -> bytes:
        held = io.BytesIO()
        canvas = Canvas(held, pagesize=A5, invariant=1, pageCompression=0, **options)
        draw(canvas)
        canvas.save()
        return held.getvalue()

    def lined(canvas: Any) -> None:
        for row, line in enumerate(
            [["", "2023", "2022"], ["Revenue", "4,812", "4,377"], ["Loss", "(87.4)", "12.6%"]]
        ):
            for column, text in enumerate(line):
                canvas.rect(40 + 100 * column, 400 - 20 * row, 100, 20)
                canvas.drawString(45 + 100 * column, 405 - 20 * row, text)
        canvas.drawString(40, 450, "1 Results, EUR million")
        canvas.bookmarkPage("a")
        canvas.addOutlineEntry("Results", "a")

    def turned(canvas: Any) -> None:
        canvas.rotate(90)
        canvas.drawString(100, -100, "Turned text of a page")
        canvas.showPage()
        canvas.beginForm("f")
        canvas.drawString(50, 50, "Inside a form")
        canvas.endForm()
        canvas.doForm("f")
        canvas.acroForm.textfield(name="n", value="typed", x=50, y=100)
        canvas.linkURL("http://example.com/", (50, 50, 100, 100))

    def pictured(canvas: Any) -> None:
        from reportlab.lib.utils import ImageReader

        canvas.drawImage(ImageReader(io.BytesIO(png())), 20, 20, 200, 60)
        canvas.drawString(40, 300, "Figure 1. A picture of words")
        path = canvas.beginPath()
        path.moveTo(10, 10)
        path.curveTo(20, 20, 30, 30, 40, 10)
        canvas.drawPath(path, fill=1)

    return [
        drawn(lined),
        drawn(turned),
        drawn(pictured),
        drawn(lined, encrypt="secret"),
        writers.to_pdf(),
    ]


def _text() -> list[bytes]:
    text = "1. Results\n\nRevenue rose to EUR 4,812 million in 2023.\f2. Notes\n\n  - first\n  - second\n\nYear   Sales   Cost\n"
    text += "2022     412     300\n2023     501     312\n"
    return [
        text.encode(),
        "Ergebnis: 4.812,5 Mio. \u20ac f\u00fcr \u03b1\u03b2\u03b3".encode("utf-16"),
        "\u5229\u76ca 120\u5104\u5186".encode("cp932"),
    ]


def _markdown() -> list[bytes]:
    more = b"---\ntitle: A\n---\n# A\n\n1. one\n   * two\n\n> said\n\n"
    more += b"```\ncode | x\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n[^1]: note\n"
    return [writers.to_markdown(), more]


def _csv() -> list[bytes]:
    quoted = b'sep=;\n"Name";"Said";"EUR million"\n"A ""B""";"x\ny";"1.234,5"\n"C";;(3)\n'
    wide = "Jahr,Umsatz (Mio. \u20ac),\u00c4nderung %\n,,\n2023,12.5,3%\n2022,11.0,-2%\n".encode(
        "cp1252"
    )
    return [writers.to_csv(), quoted, wide, "a\tb\n1\t2\n".encode("utf-16")]


def _html() -> list[bytes]:
    rich = (
        '<!DOCTYPE html><html><head><meta charset="utf-8"><title>T</title><style>.h{display:none}</style></head>'
        "<body><nav>x</nav>"
        '<main><h2>Costs</h2><ol start="3"><li>one<ul><li>two</li></ul></li></ol><p style="font-size:12pt;font-weight:bold">Bold'
        "</p><pre>a\nb</pre><table><caption>EUR thousand</caption><thead><tr><th>Year<th colspan=2>Sum</tr></thead><tr><td "
        'rowspan=0>2023<td>$<td>12</tr></table><sup><a href="#1">1</a></sup><dl><dt>t<dd>d</dl><img alt="A long word"><p '
        'class=h>no</p><div role="doc-footnote">note</div></main></body></html>'
    )
    return [writers.to_html(), rich.encode(), _TAGGED.encode(), rich.encode("utf-16")]


_TAGGED = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"
 xmlns:x="http://www.xbrl.org/2003/instance" xmlns:d="http://xbrl.org/2006/xbrldi"><body><ix:header><ix:resources>
<x:context id="c1"><x:entity><x:identifier scheme="x">549300ABC</x:identifier><x:segment><d:explicitMember
dimension="i:SegmentsAxis">x:RetailMember</d:explicitMember></x:segment></x:entity><x:period><x:startDate>2023-01-01</x:startDate>
<x:endDate>2023-12-31</x:endDate></x:period></x:context><x:unit id="EUR"><x:divide><x:unitNumerator><x:measure>iso4217:EUR
</x:measure></x:unitNumerator><x:unitDenominator><x:measure>x:shares</x:measure></x:unitDenominator></x:divide></x:unit>
</ix:resources></ix:header><p>Revenue <ix:nonFraction name="i:Revenue" contextRef="c1" unitRef="EUR" scale="6" decimals="-6"
sign="-" format="ixt:num-comma-decimal">1.234,5</ix:nonFraction> <ix:nonNumeric name="i:Name" contextRef="c1"
format="ixt:fixed-true">Fjord&nbsp;Bank</ix:nonNumeric></p></body></html>"""


def _epub() -> list[bytes]:
    opf = (
        b'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Book</dc:title></metadata><manifest>'
        b'<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="a" href="x/a%20b.xhtml"/></manifest>'
        b'<spine toc="n"><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    toc = b'<ncx><navMap><navPoint><navLabel><text>One</text></navLabel><content src="x/a%20b.xhtml#p"/>'
    toc += b"</navPoint></navMap></ncx>"
    book = {
        "mimetype": b"application/epub+zip", "o/x/a b.xhtml": b"<html><body><p>Text of a chapter.</p></body></html>",
        "META-INF/container.xml": b'<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>',
        "META-INF/encryption.xml": b'<encryption><EncryptedData><EncryptionMethod Algorithm="http://ns.adobe.com/pdf/enc#RC"/>'
        b'<CipherData><CipherReference URI="f.otf"/></CipherData></EncryptedData></encryption>',
        "o/p.opf": opf, "o/toc.ncx": toc,
    }  # fmt: skip
    return [writers.to_epub(), packed(book)]


def _rtf() -> list[bytes]:
    rich = (
        rb"{\rtf1\ansi\ansicpg1252"
        rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 Mincho;}}{\stylesheet{\s0 Normal;}{\s1 heading 1;}}"
        rb"\pard\s1 Costs\par\pard\outlinelevel1 Sub\par\pard{\listtext 1.\tab}first\par{\listtext\'b7\tab}second\par"
        rb"\pard A{\super 2}\u8364?\uc2\u-10179\'3f\'3f{\footnote note}\f1\'82\'a0{\*\shpinst x}{\v hidden}{\pict\bin4 \par}\page"
        rb"\trowd\trhdr\clmgf\cellx1000\clmrg\cellx2000\pard\intbl a\cell b\cell\row"
        rb"\trowd\cellx1000\cellx2000\intbl 1\cell 2\cell\row}"
    )
    return [writers.to_rtf(), rich]


def _mail() -> list[bytes]:
    made = EmailMessage()
    made["Subject"], made["From"], made["To"] = (
        "Pumps \u00e4",
        "Ada <ada@example.com>",
        "bo@example.com",
    )
    made["Date"] = "Mon, 19 Jun 2023 10:00:00 +0200"
    made.set_content("Dear Bo,\n\nThe 12 pumps arrive on 19 June 2023.\n")
    made.add_alternative(
        "<p>The <b>12</b> pumps \u20ac</p><table><tr><td>a<td>1<tr><td>b<td>2</table>",
        subtype="html",
    )
    inner = EmailMessage()
    inner["Subject"], inner["From"] = "The old order", "bo@example.com"
    inner.set_content("Twelve pumps, please.\n")
    made.add_attachment(b"a;b\n1;2\n", maintype="text", subtype="csv", filename="p\u00e4.csv")
    made.add_attachment(inner)
    saved = (
        b"From: <Saved>\nSubject: =?utf-8?q?R=C3=BCles?=\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/related; boundary="x"\n\n--x\n'
        b"Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<h1>Rules</h1><p>=80 5</p>\n"
        b"--x\nContent-Type: application/octet-stream; name*0*=utf-8''a%C3%A4; name*1=b.txt\n"
        b"Content-Disposition: attachment\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n--x--\n"
    )
    return [writers.to_eml(), bytes(made), saved]


def _outlook() -> list[bytes]:
    rtf = rb"{\rtf1\ansi\ansicpg1252\fromhtml1{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Caf\'e9 \u8364?{\*\htmltag72 </p>}}"
    held = struct.pack("<III", len(rtf) + 12, len(rtf), 0x414C454D) + bytes(4) + rtf
    return [
        writers.to_msg(),
        outlook("Re: pumps", "Twelve.", rtf=held, attached={"a.csv": b"a;b\n1;2\n"}),
    ]


def _zip() -> list[bytes]:
    inner = packed({"deep.md": writers.to_markdown()})
    return [
        packed(
            {
                "a/b.csv": writers.to_csv(),
                "c.html": writers.to_html(),
                "d.zip": inner,
                "e.exe": b"MZ",
            }
        ),
        writers.to_zip(),
    ]


def _image() -> list[bytes]:
    made = [png()]
    for kind, options in (
        ("JPEG", {"quality": 60}), ("WEBP", {}), ("TIFF", {"compression": "tiff_lzw", "save_all": True,
        "append_images": [picture()]}),
        ("TIFF", {"compression": "jpeg"}),
    ):  # fmt: skip
        held = io.BytesIO()
        picture().save(held, kind, **options)
        made.append(held.getvalue())
    clear = io.BytesIO()
    picture().convert("P").save(clear, "PNG", transparency=0)
    return [*made, clear.getvalue()]


def _docling() -> list[bytes]:
    told = json.loads(writers.to_docling())
    told["texts"][0]["children"] = [{"$ref": "#/texts/2"}]
    told["groups"] = [
        {
            "self_ref": "#/groups/0",
            "children": [{"$ref": "#/texts/3"}],
            "label": "list",
            "name": "sheet: A",
            "content_layer": "body",
        }
    ]
    told["body"]["children"].append({"$ref": "#/groups/0"})
    told["pictures"] = [
        {
            "self_ref": "#/pictures/0", "children": [], "captions": [{"$ref": "#/texts/2"}], "footnotes": [], "label": "chart",
            "prov": [{"page_no": 1, "bbox": {"l": 1, "t": 9, "r": 9, "b": 1, "coord_origin": "BOTTOMLEFT"}, "charspan": [0,
            0]}],
            "meta": {"description": {"text": "A chart"}, "tabular_chart": {"chart_data": told["tables"][0]["data"]}},
        }
    ]  # fmt: skip
    told["body"]["children"].append({"$ref": "#/pictures/0"})
    return [writers.to_docling(), json.dumps(told).encode()]


def _parquet() -> list[bytes]:
    import pyarrow
    from pyarrow import parquet

    held = io.BytesIO()
    columns = {
        "Year": [2022, 2023],
        "Sales (EUR million)": [1.5, None],
        "Name": ["a", "\u00e4"],
        "When": [date(2023, 1, 1), None],
    }
    parquet.write_table(pyarrow.table({**columns, "Held": [[1, 2], []]}), held)
    return [held.getvalue()]


SEEDS: dict[str, Seeds] = {
    "pdf": _pdf, "text": _text, "markdown": _markdown, "docx": docx_files, "pptx": pptx_files, "xlsx": xlsx_files,
    "xls": xls_files, "xlsb": xlsb_files, "ods": ods_files, "odt": odt_files,
    "odp": lambda: [writers.to_odp()], "csv": _csv, "html": _html, "epub": _epub, "rtf": _rtf, "mail": _mail,
    "outlook": _outlook,
    "zip": _zip, "image": _image, "docling": _docling,
}  # fmt: skip
