"""OpenDocument files (ODF 1.3, ISO/IEC 26300): their parts opened, styles looked up, paragraphs and tables as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.extra import needed
from pincite.ingest.given_tables import table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.page_cuts import tidied
from pincite.ingest.web.attributes import whole
from pincite.ingest.zip_limits import TEXTS, member, unpacked
from pincite.types import Cell, Table

_NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = {
    prefix: f"{{{_NAMES}{prefix}:1.0}}"
    for prefix in ("office", "text", "table", "style", "presentation", "chart", "config", "manifest")
}
_SPACES |= {
    "draw": f"{{{_NAMES}drawing:1.0}}", "fo": f"{{{_NAMES}xsl-fo-compatible:1.0}}", "svg": f"{{{_NAMES}svg-compatible:1.0}}",
    "meta": f"{{{_NAMES}meta:1.0}}", "dc": "{http://purl.org/dc/elements/1.1/}", "xlink": "{http://www.w3.org/1999/xlink}",
}  # fmt: skip
MOST = 2_000
"""The most rows or columns of a table of running text, and the most times that a cell with something in it comes again."""
_GONE = (
    "office:annotation-end", "text:note-citation", "text:hidden-text", "text:hidden-paragraph", "text:ruby-text",
    "draw:frame", "draw:custom-shape", "draw:g", "text:deletion", "office:event-listeners", "text:index-title-template",
)  # fmt: skip


def q(name: str) -> str:
    """The full name of an element or attribute: "text:p"."""
    prefix, _, local = name.partition(":")
    return _SPACES[prefix] + local


@dataclass(frozen=True, slots=True)
class Styles:
    """What styles say, by (family, name); each falls back on the one that it is based on."""

    held: dict[tuple[str, str], Any] = field(default_factory=dict)

    def chain(self, family: str, name: str | None) -> Iterator[Any]:
        """A style and those that it is based on."""
        seen = set()
        while name and name not in seen and (family, name) in self.held:
            seen.add(name)
            style = self.held[family, name]
            yield style
            name = style.get(q("style:parent-style-name"))

    def names(self, family: str, name: str | None) -> list[str]:
        """What a style and those that it is based on are called, as a user sees it."""
        return [
            (style.get(q("style:display-name")) or style.get(q("style:name")) or "")
            for style in self.chain(family, name)
        ]

    def value(self, family: str, name: str | None, properties: str, attribute: str) -> str:
        """An attribute of a style's properties: ("text", "T1", "style:text-properties", "fo:font-weight"); "" without it."""
        for style in self.chain(family, name):
            for properties_of in style.iterfind(q(properties)):
                if (found := properties_of.get(q(attribute))) is not None:
                    return str(found)
        return ""


@dataclass(frozen=True, slots=True)
class Opened:
    """An OpenDocument file: its body, its styles, its own title, how to get the content of an object in it, its settings."""

    body: Any
    styles: Styles
    title: str
    objects: Callable[[str], Any]
    settings: Any


def opened(path: Path, kind: str) -> Opened:
    """Open a file whose body is a `kind` ("text", "spreadsheet", "presentation"), packed or as one XML file.

    Raises LockedSource when it is encrypted, SourceError when it is damaged, too large or of another kind.
    """
    needed("lxml.etree", path.name)
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    roots: dict[str, Any] = {}
    objects: dict[str, bytes] = {}
    if packed:
        with unpacked(path) as archive:
            sizes = {member.filename: member.file_size for member in archive.infolist()}
            if b"encryption-data" in member(archive, "META-INF/manifest.xml"):
                raise LockedSource(f"{path.name} is encrypted: take the password off in its program and save it.")
            if sum(size for name, size in sizes.items() if name.endswith(".xml")) > TEXTS:
                raise SourceError(
                    f"{path.name} holds more than {TEXTS >> 20} MiB of text and markup, which is too much to read as a "
                    "document. Split it."
                )
            for name in ("content.xml", "styles.xml", "meta.xml", "settings.xml"):
                if data := member(archive, name):
                    roots[name] = _parsed(data, path.name)
            objects = {size: member(archive, size) for size in sizes if size.endswith("/content.xml")}
    else:
        if path.stat().st_size > TEXTS:
            raise SourceError(
                f"{path.name} has more than {TEXTS >> 20} MiB, which is too much for a document. Split it."
            )
        roots = dict.fromkeys(
            ("content.xml", "styles.xml", "meta.xml", "settings.xml"), _parsed(path.read_bytes(), path.name)
        )
    body = roots["content.xml"].find(f"{q('office:body')}/{q(f'office:{kind}')}") if "content.xml" in roots else None
    if body is None:
        raise SourceError(f"{path.name} is no OpenDocument {kind}: open it in its program and save it again.")
    styles = {
        (name.get(q("style:family")) or name.tag, name.get(q("style:name"))): name
        for root in (roots.get("styles.xml"), roots["content.xml"])
        if root is not None
        for parent in (q("office:styles"), q("office:automatic-styles"))
        for held in root.iterfind(parent)
        for name in held
        if isinstance(name.tag, str) and name.get(q("style:name"))
    }
    title = next(
        (
            title_element.text or ""
            for title_element in (roots["meta.xml"].iter(q("dc:title")) if "meta.xml" in roots else ())
        ),
        "",
    )

    def content(reference: str) -> Any:
        data = objects.get(f"{reference.removeprefix('./').rstrip('/')}/content.xml")
        return _parsed(data, path.name) if data else None

    return Opened(body, Styles(styles), " ".join(title.split()), content, roots.get("settings.xml"))


def _parsed(data: bytes, name: str) -> Any:
    etree = needed("lxml.etree", name)
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True))
    except etree.XMLSyntaxError as error:
        raise SourceError(
            f"{name} is damaged: a part of it is no XML ({error}). Open it in its program and save it again."
        ) from error


def text_of(element: Any, styles: Styles, noted: Callable[[Any], None] = lambda note: None) -> str:
    """The text of a paragraph that is seen, its line breaks kept; `noted` is given the notes and comments in it."""
    parts: list[str] = []
    _runs(element, styles, noted, parts)
    return tidied("".join(parts))


_GONE_TAGS = frozenset(map(q, _GONE))


def _runs(element: Any, styles: Styles, noted: Callable[[Any], None], parts: list[str]) -> None:
    parts.append(element.text or "")
    for child in element:
        tag = child.tag
        if tag == q("text:s"):
            parts.append(" ")
        elif tag == q("text:tab"):
            parts.append(" ")
        elif tag == q("text:line-break"):
            parts.append("\n")
        elif tag in (q("text:note"), q("office:annotation")):
            noted(child)
        elif tag == q("text:span"):
            inner: list[str] = []
            _runs(child, styles, noted, inner)
            text = "".join(inner)
            up = styles.value("text", child.get(q("text:style-name")), "style:text-properties", "style:text-position")
            high = up.partition(" ")[0]
            is_raised = (
                high == "super" or high.rstrip("%").lstrip("+").isdecimal() and high.rstrip("%") not in ("", "0")
            )
            parts.append(raised(ending(parts), text) if is_raised else text)
        elif isinstance(tag, str) and tag not in _GONE_TAGS:
            _runs(child, styles, noted, parts)
        parts.append(child.tail or "")


def lines_of(element: Any, styles: Styles, noted: Callable[[Any], None] = lambda note: None) -> str:
    """All paragraphs in an element on one line: a cell, a note."""
    inside = (paragraph for paragraph in element.iter(q("text:p"), q("text:h")) if not _in_note(paragraph, element))
    return " ".join(text for paragraph in inside if (text := " ".join(text_of(paragraph, styles, noted).split())))


def _in_note(paragraph: Any, top: Any) -> bool:
    for up in paragraph.iterancestors():
        if up is top:
            return False
        if up.tag in (q("text:note"), q("office:annotation")):
            return True
    return False


def note_text(note: Any, styles: Styles) -> str:
    """What a footnote, an endnote or a comment says, a comment with who wrote it."""
    if note.tag == q("office:annotation"):
        author = " ".join((note.findtext(q("dc:creator")) or "a reader").split())
        return f"Comment by {author}: {lines_of(note, styles)}"
    body = note.find(q("text:note-body"))
    return lines_of(body, styles) if body is not None else ""


def count(element: Any, name: str) -> int:
    """A number of times or of rows and columns; 1 where none is told."""
    return max(whole(element.get(q(name)), 1), 1)


def rows_of(table: Any) -> Iterator[tuple[Any, bool]]:
    """The rows of a table, and whether each is a header row."""
    for child in table:
        if child.tag == q("table:table-row"):
            yield child, False
        elif child.tag == q("table:table-header-rows"):
            yield from ((row, True) for row in child.iterfind(q("table:table-row")))
        elif child.tag in (q("table:table-rows"), q("table:table-row-group")):
            yield from rows_of(child)


def table_in(
    table: Any, styles: Styles, caption: list[str], noted: Callable[[Any], None] = lambda note: None
) -> Table | None:
    """A table of running text, of a slide or of a chart's data, with its merged cells."""
    cells: list[Cell] = []
    headers = at = 0
    for row, heads in rows_of(table):
        headers += heads and headers == at
        column = 0
        for cell in row:
            again = count(cell, "table:number-columns-repeated")
            if cell.tag == q("table:table-cell") and (text := lines_of(cell, styles, noted)):
                deep, wide = count(cell, "table:number-rows-spanned"), count(cell, "table:number-columns-spanned")
                for off in range(min(again, MOST)):
                    cells.append(Cell(at, column + off, text, min(deep, MOST), min(wide, MOST)))
            column += min(again, MOST)
        at += min(count(row, "table:number-rows-repeated"), MOST)
    sides = table.find(q("table:table-header-columns"))
    side = sum(count(side_cell, "table:number-columns-repeated") for side_cell in sides) if sides is not None else 0
    return table_of(
        cells, header_rows=headers if 0 < headers < at else None, header_columns=side or None, caption=caption
    )


def chart_table(root: Any, styles: Styles) -> tuple[str, Table | None]:
    """The title of a chart and the table of its data."""
    title = next((lines_of(title_element, styles) for title_element in root.iter(q("chart:title"))), "")
    local = next((inner_table for inner_table in root.iter(q("table:table"))), None)
    return title, table_in(local, styles, [title] if title else []) if local is not None else None
