import zipfile

import pytest

from pincite.document.address import place_of
from pincite.errors import LockedSource, SourceError
from tests.ingest.office import read, texts

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="O/p.opf"/></rootfiles></container>"""
OPF = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>The Lighthouse</dc:title></metadata><manifest><item id="b" href="b%20c.xhtml"/><item id="a" href="a.xhtml"/>
<item id="n" href="n.xhtml" properties="nav"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>"""
NAV = '<nav><ol><li><a href="b%20c.xhtml">The storm</a></li></ol></nav>'


def book(path, **more):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", CONTAINER)
        archive.writestr("O/p.opf", OPF)
        for name, body in (
            ("a.xhtml", "<h1>The keeper</h1><p>He was called Ola Strand.</p>"),
            ("b c.xhtml", "<p>It lasted 9 days.</p>"),
            ("n.xhtml", NAV),
        ):
            archive.writestr(
                f"O/{name}",
                f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{body}</body></html>',
            )
        for name, text in more.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


def test_chapters_come_in_the_order_of_reading_with_their_names(tmp_path):
    document = read(book(tmp_path / "a.epub"))
    assert document.title == "The Lighthouse"
    assert [
        (node.text, place_of(node.anchor)) for node in document.nodes if node.kind == "paragraph"
    ] == [
        ("He was called Ola Strand.", "chapter 1 > The keeper"),
        ("It lasted 9 days.", "chapter 2 > The storm"),
    ]


def test_a_book_without_its_suffix_is_known_by_what_it_holds(tmp_path):
    assert texts(read(book(tmp_path / "a.zip")), "heading") == ["The keeper", "The storm"]


def test_a_protected_book_is_locked_and_one_with_hidden_fonts_is_not(tmp_path):
    told = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/><CipherReference URI="{}"/></EncryptedData></encryption>'
    with pytest.raises(LockedSource, match="protected"):
        read(
            book(
                tmp_path / "a.epub",
                **{"META-INF__encryption.xml": told.format("aes", "O/a.xhtml")},
            )
        )
    fonts = told.format("http://www.idpf.org/2008/embedding", "O/f.otf")
    assert (
        len(
            texts(
                read(book(tmp_path / "b.epub", **{"META-INF__encryption.xml": fonts})), "paragraph"
            )
        )
        == 2
    )


def test_a_book_that_does_not_say_what_is_in_it_is_damaged(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.epub", "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
    with pytest.raises(SourceError, match="not an EPUB book"):
        read(tmp_path / "a.epub")
