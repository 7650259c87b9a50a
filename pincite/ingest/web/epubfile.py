"""EPUB books as chapters in the order of reading, each read as the HTML that it is (EPUB 3.3, and 2 before it)."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pincite.errors import LockedSource, SourceError
from pincite.ingest.lost_parts import why
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Page
from pincite.ingest.text_encoding import decoded
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup, name_of, named, text_of, undeclared, xml_root
from pincite.ingest.zip_limits import member, unpacked

_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways in which fonts are made unreadable: the text is not."""


def epub_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The chapters of a book, long ones in several pages. Raises LockedSource for one that is protected against copying."""
    with unpacked(path) as archive:
        locked = _locked(archive, path.name)
        book = _book(archive, path.name)
        number, chapter, title = 1, 0, book.title
        for href in book.chapters:
            data = member(archive, href)
            if not data:
                continue
            if href in locked:
                raise LockedSource(
                    f"{path.name} is protected against copying: its chapters are encrypted. Get a copy that is not."
                )
            try:
                blocks = blocks_of(markup(data, f"{path.name}: {href}"))
            except Exception as error:  # of a file's making, so of no common class
                said = f"it was not read: {why(error)}"
                yield Page(number, place=f"chapter {href}", lost=said)
                number += 1
                continue
            if not any(block is not None and block.text for block in blocks):
                continue
            chapter += 1
            heads = [block is not None and block.kind == "heading" for block in blocks]
            # one that only looks like a heading ranks below those that are marked as such
            blocks = [
                replace(block, level=block.level or 4) if block and head else block
                for block, head in zip(blocks, heads, strict=True)
            ]
            if not any(heads):
                blocks.insert(
                    0, text_block(book.names.get(href, f"Chapter {chapter}"), "heading", 1)
                )
            for page in cut(blocks, f"chapter {chapter}", number, title):
                yield page
                number, title = page.number + 1, ""
        if not chapter:
            raise SourceError(
                f"{path.name} holds no text: none of its {book.listed} chapters can be read."
            )


@dataclass(frozen=True, slots=True)
class _Book:
    """What a package document lists: the files of chapters in the order of reading, what the contents call each, the title."""

    chapters: list[str]
    names: dict[str, str]
    title: str
    listed: int


def _book(archive: zipfile.ZipFile, name: str) -> _Book:
    at, package = _package(archive, name)
    items = [(item, item.get("href") or "") for item in named(package, "item")]
    hrefs = {item.get("id") or "": href for item, href in items}
    references = named(package, "itemref")
    spine = [hrefs.get(reference.get("idref") or "", "") for reference in references]
    title = next(filter(None, map(text_of, named(package, "title"))), "")
    names: dict[str, str] = {}
    for item, href in items:
        is_nav = "nav" in (item.get("properties") or "").split()
        if is_nav or item.get("media-type") == "application/x-dtbncx+xml":
            names = _entries(archive, _target(at, href)) | names
    chapters = list(dict.fromkeys(_target(at, href) for href in spine))
    return _Book(chapters, names, title, len(spine))


def _package(archive: zipfile.ZipFile, name: str) -> tuple[str, list[Any]]:
    """The package document: its path in the book and its elements."""
    for element in named(_elements(archive, "META-INF/container.xml", name), "rootfile"):
        at = element.get("full-path") or ""
        if elements := _elements(archive, at, name):
            return at, elements
    raise SourceError(
        f"{name} is not an EPUB book, or is damaged: it does not list its contents. Get the file again."
    )


def _entries(archive: zipfile.ZipFile, at: str) -> dict[str, str]:
    """What a table of contents, of either version, calls each file: the first of its entries that leads there."""
    names: dict[str, str] = {}
    for element in _elements(archive, at, at):
        href = text = ""
        if name_of(element) == "a":
            href, text = element.get("href") or "", text_of(element)
        elif name_of(element) == "navpoint":
            href = next((content.get("src") or "" for content in named(element, "content")), "")
            text = next(map(text_of, named(element, "navlabel")), "")
        if href and text:
            names.setdefault(_target(at, href.partition("#")[0]), text)
    return names


def _target(at: str, href: str) -> str:
    """The file of a book that a reference in the file `at` leads to."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(at), unquote(href)))


def _locked(archive: zipfile.ZipFile, name: str) -> set[str]:
    """The files of a book that are encrypted, fonts aside."""
    locked: set[str] = set()
    for data in named(_elements(archive, "META-INF/encryption.xml", name), "encrypteddata"):
        ways = {method.get("Algorithm") for method in named(data.iter(), "encryptionmethod")}
        if ways.isdisjoint(_FONTS):
            references = named(data.iter(), "cipherreference")
            locked |= {_target("", reference.get("URI") or "") for reference in references}
    return locked


def _elements(archive: zipfile.ZipFile, at: str, name: str) -> list[Any]:
    """All elements of an XML file in a book; none when there is no such file or it is no XML."""
    text = undeclared(decoded(member(archive, at), markup=True))
    if not text:
        return []
    try:
        root = xml_root(text.encode(), name, load_dtd=False, recover=True)
        if root is None:
            return []
        # a reference to half a letter comes to light
        needed("lxml.etree", name).tostring(root, encoding="unicode")
    except (SyntaxError, UnicodeDecodeError):
        return []
    return list(root.iter())
