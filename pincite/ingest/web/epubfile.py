"""EPUB books as chapters in the order of reading, each read as the HTML that it is (EPUB 3.3, and 2 before it)."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pincite.errors import LockedSource, SourceError
from pincite.ingest.decoded import decoded
from pincite.ingest.extra import needed
from pincite.ingest.lost import why
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Page
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup, name_of, undeclared
from pincite.ingest.zip_limits import member, unpacked

_FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways in which fonts are made unreadable: the text is not."""


def epub_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The chapters of a book, long ones in several pages. Raises LockedSource for one that is protected against copying."""
    with unpacked(path) as archive:
        locked = _locked(archive, path.name)
        opened = _opf(archive, path.name)
        folder = posixpath.dirname(opened[0])
        manifest, spine, title = _contents(opened[1])
        names = _chapter_names(archive, folder, opened[1])
        number = 1
        chapter = 0
        hrefs = (posixpath.normpath(posixpath.join(folder, unquote(manifest.get(key, "")))) for key in spine)
        for href in dict.fromkeys(hrefs):
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
                yield Page(number, 0.0, 0.0, (), place=f"chapter {href}", lost=f"it was not read: {why(error)}")
                number += 1
                continue
            if not any(block is not None and block.text for block in blocks):
                continue
            chapter += 1
            if not any(block is not None and block.kind == "heading" for block in blocks):
                blocks.insert(0, text_block(names.get(href, f"Chapter {chapter}"), "heading", 1))
            # a heading that only looks like one ranks below those that are marked as such
            held = [
                replace(block, level=block.level or 4) if block is not None and block.kind == "heading" else block
                for block in blocks
            ]
            for page in cut(held, f"chapter {chapter}", number, title):
                yield page
                number, title = page.number + 1, ""
        if not chapter:
            raise SourceError(f"{path.name} holds no text: none of its {len(spine)} chapters can be read.")


def _opf(archive: zipfile.ZipFile, name: str) -> tuple[str, Any]:
    """The package document: its path in the book and its root."""
    container = _xml(member(archive, "META-INF/container.xml"), name)
    for element in container.iter() if container is not None else ():
        if name_of(element) == "rootfile" and (at := element.get("full-path")):
            root = _xml(member(archive, at), name)
            if root is not None:
                return at, root
    raise SourceError(f"{name} is no EPUB book, or a damaged one: it does not say what is in it. Get the file again.")


def _contents(root: Any) -> tuple[dict[str, str], list[str], str]:
    """What a package document lists: files by id, the ids in the order of reading, the title."""
    manifest: dict[str, str] = {}
    spine: list[str] = []
    title = ""
    for element in root.iter():
        kind = name_of(element)
        if kind == "item":
            manifest[element.get("id") or ""] = element.get("href") or ""
        elif kind == "itemref":
            spine.append(element.get("idref") or "")
        elif kind == "title" and not title:
            title = " ".join("".join(element.itertext()).split())
    return manifest, spine, title


def _chapter_names(archive: zipfile.ZipFile, folder: str, root: Any) -> dict[str, str]:
    """What the table of contents calls each file."""
    found: dict[str, str] = {}
    for item in root.iter():
        if name_of(item) != "item":
            continue
        media, kinds = item.get("media-type") or "", (item.get("properties") or "").split()
        if media != "application/x-dtbncx+xml" and "nav" not in kinds:
            continue
        at = posixpath.normpath(posixpath.join(folder, unquote(item.get("href") or "")))
        contents = _xml(member(archive, at), at)
        for element in contents.iter() if contents is not None else ():
            href, text = "", ""
            if name_of(element) == "a":
                href, text = element.get("href") or "", " ".join("".join(element.itertext()).split())
            elif name_of(element) == "navpoint":
                href = next((c.get("src") or "" for c in element if name_of(c) == "content"), "")
                text = next((" ".join("".join(c.itertext()).split()) for c in element if name_of(c) == "navlabel"), "")
            if href and text:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(at), unquote(href.partition("#")[0])))
                found.setdefault(target, text)
    return found


def _locked(archive: zipfile.ZipFile, name: str) -> frozenset[str]:
    """The files of a book that are encrypted, fonts aside."""
    root = _xml(member(archive, "META-INF/encryption.xml"), name)
    found = set()
    for element in root.iter() if root is not None else ():
        if name_of(element) == "encrypteddata":
            ways = [c.get("Algorithm") or "" for c in element.iter() if name_of(c) == "encryptionmethod"]
            if not any(way in _FONTS for way in ways):
                found |= {
                    posixpath.normpath(unquote(c.get("URI") or ""))
                    for c in element.iter()
                    if name_of(c) == "cipherreference"
                }
    return frozenset(found)


def _xml(data: bytes, name: str) -> Any:
    """The root of an XML file, None when there is none."""
    etree = needed("lxml.etree", name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    text = undeclared(decoded(data, markup=True))
    try:
        root = etree.fromstring(text.encode(), parser) if text else None
        etree.tostring(
            root, encoding="unicode"
        ) if root is not None else ""  # a reference to half a letter comes to light
    except (etree.XMLSyntaxError, UnicodeDecodeError):
        return None
    return root
