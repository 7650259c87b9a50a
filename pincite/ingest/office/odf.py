"""OpenDocument files (ODF 1.3, ISO/IEC 26300): their parts opened, styles looked up, paragraphs and tables as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pincite.errors import LockedSource, SourceError
from pincite.ingest.given_tables import header_count, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import tidied
from pincite.ingest.web.attributes import MOST as LARGEST
from pincite.ingest.web.attributes import whole
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import TEXTS, member, unpacked
from pincite.types import Cell, Table

_NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = {
    prefix: f"{_NAMES}{prefix}:1.0"
    for prefix in (
        "office",
        "text",
        "table",
        "style",
        "presentation",
        "chart",
        "config",
        "manifest",
    )
}
_SPACES |= {
    "draw": f"{_NAMES}drawing:1.0", "fo": f"{_NAMES}xsl-fo-compatible:1.0", "svg": f"{_NAMES}svg-compatible:1.0",
    "meta": f"{_NAMES}meta:1.0", "dc": "http://purl.org/dc/elements/1.1/", "xlink": "http://www.w3.org/1999/xlink",
}  # fmt: skip
_PREFIXES = {space: prefix for prefix, space in _SPACES.items()}
MOST = 2_000
"""The most rows or columns of a table of running text, and the most times that a cell with something in it comes again."""
ROWS_REPEATED, COLUMNS_REPEATED = "table:number-rows-repeated", "table:number-columns-repeated"
ROW_GROUPS = ("table:table-rows", "table:table-row-group", "table:table-header-rows")
_PARTS = ("content.xml", "styles.xml", "meta.xml", "settings.xml")
"""The parts of a packed file; a file of one XML has all of them in one."""
_NOTES = ("text:note", "office:annotation")
_SIGNS = {"text:s": " ", "text:tab": " ", "text:line-break": "\n"}
_UNSEEN = (
    "office:annotation-end", "text:note-citation", "text:hidden-text", "text:hidden-paragraph", "text:ruby-text",
    "draw:frame", "draw:custom-shape", "draw:g", "text:deletion", "office:event-listeners", "text:index-title-template",
)  # fmt: skip
"""Elements of a paragraph whose text is not part of it."""


@cache
def q(name: str) -> str:
    """The full name of an element or attribute: "text:p"; of several steps with a slash between them, the path."""
    steps = (step.partition(":") for step in name.split("/"))
    return "/".join(f"{{{_SPACES[prefix]}}}{local}" for prefix, _, local in steps)


def name_of(element: Any) -> str:
    """The name of an element, as "text:p"; "" for a comment and for one that ODF does not know."""
    return _prefixed(element.tag) if isinstance(element.tag, str) else ""


@cache
def _prefixed(tag: str) -> str:
    space, _, local = tag.removeprefix("{").rpartition("}")
    return f"{_PREFIXES[space]}:{local}" if space in _PREFIXES else ""


def attribute(element: Any, name: str) -> str:
    """An attribute of an element; "" without it."""
    return str(element.get(q(name)) or "")


@dataclass(frozen=True, slots=True)
class Styles:
    """What styles say, by (family, name); each falls back on the one that it is based on."""

    held: dict[tuple[str, str], Any] = field(default_factory=dict)

    def chain(self, family: str, name: str) -> Iterator[Any]:
        """A style and those that it is based on."""
        seen = set()
        while name not in seen and (family, name) in self.held:
            seen.add(name)
            style = self.held[family, name]
            yield style
            name = attribute(style, "style:parent-style-name")

    def names(self, family: str, name: str) -> list[str]:
        """What a style and those that it is based on are called, as a user sees it."""
        styles = self.chain(family, name)
        return [
            attribute(style, "style:display-name") or attribute(style, "style:name")
            for style in styles
        ]

    def value(self, family: str, name: str, properties: str, what: str) -> str:
        """An attribute of a style's properties: ("text", "T1", "style:text-properties", "fo:font-weight"); "" without it."""
        for style in self.chain(family, name):
            for element in style.iterfind(q(properties)):
                if (found := element.get(q(what))) is not None:
                    return str(found)
        return ""


@dataclass(frozen=True, slots=True)
class Opened:
    """An OpenDocument file: its body, its styles, its own title, its settings, and the bytes of its parts by name."""

    name: str
    body: Any
    styles: Styles
    title: str
    settings: Any
    parts: dict[str, bytes]

    def content_of(self, reference: str) -> Any:
        """The content of an object in the file, as of a chart; None where there is none."""
        data = self.parts.get(f"{reference.removeprefix('./').rstrip('/')}/content.xml")
        return _parsed(data, self.name) if data else None


def opened(path: Path, kind: str) -> Opened:
    """Open a file whose body is a `kind` ("text", "spreadsheet", "presentation"), packed or as one XML file.

    Raises LockedSource when it is encrypted, SourceError when it is damaged, too large or of another kind.
    """
    needed("lxml.etree", path.name)
    parts = _parts(path)
    roots = {name: _parsed(parts[name], path.name) for name in _PARTS if parts.get(name)}
    content: Any = roots.get("content.xml")
    body = content.find(q(f"office:body/office:{kind}")) if content is not None else None
    if body is None:
        raise SourceError(
            f"{path.name} is not an OpenDocument {kind}: open it in its program and save it again."
        )
    styles, meta, settings = (roots.get(name, content) for name in _PARTS[1:])
    title = next((element.text or "" for element in meta.iter(q("dc:title"))), "")
    return Opened(
        path.name, body, _styles(styles, content), " ".join(title.split()), settings, parts
    )


def _parts(path: Path) -> dict[str, bytes]:
    """The parts of a file that are read, by name, and the contents of the objects in it."""
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    if not packed:
        if path.stat().st_size > TEXTS:
            raise SourceError(
                f"{path.name} has more than {TEXTS >> 20} MiB, which is too much for a document. Split it."
            )
        return {"content.xml": path.read_bytes()}
    return _unpacked(path)


def _unpacked(path: Path) -> dict[str, bytes]:
    with unpacked(path) as archive:
        if b"encryption-data" in member(archive, "META-INF/manifest.xml"):
            raise LockedSource(
                f"{path.name} is encrypted: remove the password in its program and save it."
            )
        if (
            sum(part.file_size for part in archive.infolist() if part.filename.endswith(".xml"))
            > TEXTS
        ):
            raise SourceError(
                f"{path.name} holds more than {TEXTS >> 20} MiB of text and markup, which is too much to read as a "
                "document. Split it."
            )
        names = (
            name for name in archive.namelist() if name in _PARTS or name.endswith("/content.xml")
        )
        return {name: member(archive, name) for name in names}


def _styles(*roots: Any) -> Styles:
    """The styles of a file by family and name; those of a later root win."""
    held: dict[tuple[str, str], Any] = {}
    for root in roots:
        for group in ("office:styles", "office:automatic-styles"):
            for style in root.iterfind(f"{q(group)}/*"):
                if name := attribute(style, "style:name"):
                    held[attribute(style, "style:family") or style.tag, name] = style
    return Styles(held)


def _parsed(data: bytes, name: str) -> Any:
    try:
        return xml_root(data, name, remove_comments=True)
    except SyntaxError as error:
        raise SourceError(
            f"{name} is damaged: a part of it is not XML ({error}). Open it in its program and save it again."
        ) from error


def text_of(element: Any, styles: Styles, noted: Callable[[Any], None] = lambda note: None) -> str:
    """The text of a paragraph that is seen, its line breaks kept; `noted` is given the notes and comments in it."""
    parts: list[str] = []
    _runs(element, styles, noted, parts)
    return tidied("".join(parts))


def _runs(element: Any, styles: Styles, noted: Callable[[Any], None], parts: list[str]) -> None:
    parts.append(element.text or "")
    for child in element:
        name = name_of(child)
        if name in _SIGNS:
            parts.append(_SIGNS[name])
        elif name in _NOTES:
            noted(child)
        elif name == "text:span":
            own: list[str] = []
            _runs(child, styles, noted, own)
            text = "".join(own)
            parts.append(raised(ending(parts), text) if _is_raised(child, styles) else text)
        elif isinstance(child.tag, str) and name not in _UNSEEN:
            _runs(child, styles, noted, parts)
        parts.append(child.tail or "")


def _is_raised(span: Any, styles: Styles) -> bool:
    """Whether text stands above its line: "super", or so many percent of the size of its font."""
    style = attribute(span, "text:style-name")
    position = styles.value(
        "text", style, "style:text-properties", "style:text-position"
    ).partition(" ")[0]
    return position == "super" or whole(position.strip("+%")) > 0


def lines_of(
    element: Any, styles: Styles, noted: Callable[[Any], None] = lambda note: None
) -> str:
    """All paragraphs in an element on one line: a cell, a note."""
    inside = (
        paragraph
        for paragraph in element.iter(q("text:p"), q("text:h"))
        if not _in_note(paragraph, element)
    )
    return " ".join(" ".join(text_of(paragraph, styles, noted) for paragraph in inside).split())


def _in_note(paragraph: Any, top: Any) -> bool:
    for up in paragraph.iterancestors():
        if up is top:
            return False
        if name_of(up) in _NOTES:
            return True
    return False


def note_text(note: Any, styles: Styles) -> str:
    """What a footnote, an endnote or a comment says, a comment with who wrote it."""
    if name_of(note) == "office:annotation":
        author = " ".join((note.findtext(q("dc:creator")) or "a reader").split())
        return f"Comment by {author}: {lines_of(note, styles)}"
    body = note.find(q("text:note-body"))
    return lines_of(body, styles) if body is not None else ""


def count(element: Any, name: str) -> int:
    """A number of times or of rows and columns; 1 where none is told."""
    return max(whole(attribute(element, name), 1), 1)


def placed(
    elements: Iterable[Any], repeated: str, most: int = LARGEST
) -> Iterator[tuple[int, int, Any]]:
    """Rows, columns or cells, each with the place it begins in and how many it takes: by the attribute `repeated`."""
    at = 0
    for element in elements:
        times = min(count(element, repeated), most)
        yield at, times, element
        at += times


def rows_of(table: Any) -> Iterator[Any]:
    """The rows of a table."""
    for child in table:
        name = name_of(child)
        if name == "table:table-row":
            yield child
        elif name in ROW_GROUPS:
            yield from rows_of(child)


def table_in(
    table: Any,
    styles: Styles,
    caption: list[str],
    noted: Callable[[Any], None] = lambda note: None,
) -> Table | None:
    """A table of running text, of a slide or of a chart's data, with its merged cells."""
    rows = list(rows_of(table))
    cells: list[Cell] = []
    for at, _, row in placed(rows, ROWS_REPEATED, MOST):
        for column, times, cell in placed(row, COLUMNS_REPEATED, MOST):
            if name_of(cell) == "table:table-cell" and (text := lines_of(cell, styles, noted)):
                deep, wide = (
                    count(cell, "table:number-rows-spanned"),
                    count(cell, "table:number-columns-spanned"),
                )
                for again in range(times):
                    cells.append(Cell(at, column + again, text, min(deep, MOST), min(wide, MOST)))
    headers = header_count([name_of(row.getparent()) == "table:table-header-rows" for row in rows])
    sides = table.iterfind(q("table:table-header-columns/table:table-column"))
    side = sum(count(column, COLUMNS_REPEATED) for column in sides)
    return table_of(cells, header_rows=headers, header_columns=side or None, caption=caption)


def chart_table(root: Any, styles: Styles) -> tuple[str, Table | None]:
    """The title of a chart and the table of its data."""
    title = next((lines_of(element, styles) for element in root.iter(q("chart:title"))), "")
    data = next(root.iter(q("table:table")), None)
    return title, table_in(data, styles, [title] if title else []) if data is not None else None
