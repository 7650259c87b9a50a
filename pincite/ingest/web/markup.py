"""Bytes of HTML or XHTML to a tree: encoding detected, nothing fetched, no entity expanded that a file defines itself.

Also its names and texts, the numbers in its attributes, which may contain anything, and numbers as lists write them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from pincite.errors import SourceError
from pincite.ingest.optional_libraries import needed
from pincite.ingest.text_encoding import decoded
from pincite.ingest.zip_limits import refuse_larger

LARGEST = 100 << 20
"""Characters of a page, what is embedded in it aside, beyond which it is not read."""
_EMBEDDED = re.compile(r"data:[\w/+.-]{0,60};base64,[A-Za-z0-9+/=]{100,}")
"""A picture or font inside a page."""
_XHTML = re.compile(r"\s*(?:<\?xml|<!DOCTYPE[^>]*XHTML|<html[^>]*\bxmlns\b)", re.IGNORECASE)
MOST = 1_000_000
"""No number of rows, columns, items or levels is larger: a spreadsheet has 1,048,576 rows."""
_LETTERED = 780
"""The largest number that Word writes in letters; it writes those up to 32,767 in Roman."""
_ROMANS = 32_767
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z]\w*;)")


def markup(data: bytes, name: str) -> Any:
    """The tree of an HTML or XHTML file, its root element. Raises SourceError when there is none."""
    etree = needed("lxml.etree", name)
    text = _EMBEDDED.sub("", decoded(data, markup=True))
    refuse_larger(len(text), LARGEST, name)
    plain = undeclared(text)
    root = None
    if _XHTML.match(text):
        # names of HTML as numbers, for XML knows five only; entities that the file itself defines stay unread
        numbered = _ENTITY.sub(lambda found: _as_numbers(found[1]), plain).encode()
        with suppress(SyntaxError):  # HTML that calls itself XHTML
            root = xml_root(numbered, name, load_dtd=False, huge_tree=True, remove_pis=True)
    if root is None or not len(root):
        parser = etree.HTMLParser(
            no_network=True, recover=True, huge_tree=True, encoding="utf-8", remove_pis=True
        )
        try:
            root = etree.fromstring(plain.encode(), parser)
        except SyntaxError:
            root = None
    if root is None:
        raise SourceError(f"{name} contains no HTML: it is empty or of another format.")
    return root


def xml_root(data: bytes, name: str, **options: bool) -> Any:
    """The root of an XML file; no entity is expanded and nothing fetched. Raises SyntaxError when it is not well formed."""
    etree = needed("lxml.etree", name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, **options)
    return etree.fromstring(data, parser)


def undeclared(text: str) -> str:
    """Markup without its XML declaration, which names an encoding that it no longer has."""
    return re.sub(r"^\s*<\?xml[^>]*\?>", "", text)


def _as_numbers(name: str) -> str:
    letters = html.unescape(f"&{name}")
    known = not letters.startswith("&")
    return "".join(f"&#{ord(letter)};" for letter in letters) if known else ""


def title_of(root: Any) -> str:
    """What the title element says."""
    return next(map(text_of, named(root.iter(), "title")), "")


def named(elements: Iterable[Any], name: str) -> Iterator[Any]:
    """Those of some elements that have a name."""
    return (element for element in elements if name_of(element) == name)


def text_of(element: Any) -> str:
    """All text in an element, on one line."""
    return " ".join("".join(element.itertext()).split())


def name_of(element: Any) -> str:
    """The name of an element in lower case, those of iXBRL with "ix:" before; "" for a comment."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    space, _, local = tag.rpartition("}")
    return ("ix:" if "inlineXBRL" in space else "") + local.casefold()


def whole(text: str | None, default: int = 0, most: int = MOST) -> int:
    """The whole number that a text is, `most` for a larger one; `default` for any other text and for one below zero."""
    digits = (text or "").strip()
    if not digits.isdecimal():
        return default
    return int(digits) if len(digits) < 10 and int(digits) < most else most


def written(number: int, form: str) -> str:
    """A number in letters or Roman, as "lowerLetter" or "upperRoman" ask for; else in digits."""
    if form in ("lowerLetter", "upperLetter") and number <= _LETTERED:
        letters = chr(97 + (number - 1) % 26) * (1 + (number - 1) // 26)
        return letters if form == "lowerLetter" else letters.upper()
    if form in ("lowerRoman", "upperRoman") and number <= _ROMANS:
        text, rest = "", number
        for value, sign in _ROMAN:
            text += sign * (rest // value)
            rest %= value
        return text if form == "lowerRoman" else text.upper()
    return str(number)
