"""OpenDocument files (ODF 1.3, ISO/IEC 26300): their parts opened, their styles looked up, and what they say as HTML.

ODT files as blocks: headings by outline level, paragraphs, lists with their numbers, tables, notes, comments, text boxes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.errors import LockedSource, SourceError
from pincite.ingest.lost_parts import not_read
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import cut
from pincite.ingest.raw_page import Page
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup, whole, xml_root
from pincite.ingest.zip_limits import TEXTS, member, refuse_larger, unpacked
from pincite.text.struck_text import STRUCK

MOST = 2_000
"""The most rows or columns that one cell of running text covers, and the most times that one comes again."""
REPEATED = 16 << 20
"""Characters that cells which come again make together."""
_PARTS = ("content.xml", "styles.xml", "meta.xml")
"""The parts of a packed file; a file of one XML has all of them in one."""
_SIGNS = {"s": " ", "tab": " ", "line-break": "\n"}
_UNSEEN = (
    "annotation-end", "note-citation", "ruby-text", "deletion", "tracked-changes",
    "event-listeners", "forms", "svg-title", "table-of-content", "alphabetical-index", "bibliography", "illustration-index",
    "object-index", "table-index", "user-index", "image-map",
)  # fmt: skip
"""Elements of a body whose text is not part of it."""
_SPACES = {"/dc/elements/1.1/": "dc-", ":svg-compatible:1.0": "svg-", ":chart:1.0": "chart-"}
"""How the names of namespaces end whose elements keep what stands for these, since others are called the same."""
_HIDDEN = ("hidden-text", "hidden-paragraph")
_FRAMES = ("frame", "custom-shape", "g")
_TAGS = {"table-row": "tr", "table-header-rows": "thead", "list-item": "li", "list-header": "li"}
_INLINE = ("p", "h", "span", "a")
_FAMILIES = {"span": "text", "p": "paragraph", "h": "paragraph", "table-cell": "table-cell"}
"""The elements whose style may strike text out, and the family of that."""
_CAPTIONS = frozenset(("caption", "illustration", "table", "figure", "drawing"))
_BREAK = '<div style="break-after: page"></div>'


@dataclass(frozen=True, slots=True)
class Opened:
    """An OpenDocument file: its body, its styles by family and name, its own title, the bytes of its parts.

    Elements and attributes have their plain names, without what stands for their namespaces.
    """

    name: str
    body: Any
    styles: dict[tuple[str, str], Any]
    title: str
    parts: dict[str, bytes]

    def chain(self, family: str, name: str) -> Iterator[Any]:
        """A style and those that it is based on."""
        seen = set()
        while name not in seen and (family, name) in self.styles:
            seen.add(name)
            yield self.styles[family, name]
            name = self.styles[family, name].get("parent-style-name", "")

    def value(self, family: str, name: str, what: str) -> str:
        """What a style sets, or the one that it is based on: ("text", "T1", "font-weight"); "" where it is not set."""
        said = (properties.get(what) for style in self.chain(family, name) for properties in style)
        return next(filter(None, said), "")


def odt_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an OpenDocument text, cut at its page breaks or by length. Raises SourceError when it cannot be read."""
    document, left = opened(path, "text"), Counter[str]()
    if text := Html(document, left).inside(document.body):
        blocks = blocks_of(markup(f"<div>{text}</div>".encode(), path.name))
        yield from cut(blocks, TEXT, title=document.title, lost=not_read(left))


def opened(path: Path, kind: str) -> Opened:
    """Open a file whose body is a `kind` ("text", "spreadsheet", "presentation"), packed or as one XML file.

    Raises LockedSource when it is encrypted, SourceError when it is damaged, too large or of another kind.
    """
    needed("lxml.etree", path.name)
    parts = _parts(path)
    roots = [_parsed(parts[name], path.name) for name in _PARTS if parts.get(name)]
    body = roots[0].find(f"body/{kind}") if roots and parts.get("content.xml") else None
    if body is None:
        raise SourceError(
            f"{path.name} is not an OpenDocument {kind}: open it in its program and save it again."
        )
    titles = (element for root in roots[::-1] for element in root.iter("dc-title"))
    title = next((" ".join((element.text or "").split()) for element in titles), "")
    # the styles by family and name; those of the content win
    ways = ("styles/*", "automatic-styles/*")
    found = (style for root in roots[::-1] for way in ways for style in root.iterfind(way))
    styles = {(one.get("family", one.tag), one.get("name", "")): one for one in found}
    document = Opened(path.name, body, styles, title, parts)
    _strike(document, body)
    return document


def _parts(path: Path) -> dict[str, bytes]:
    """The parts of a file that are read, by name, and the contents of the objects in it."""
    with path.open("rb") as file:
        packed = file.read(2) == b"PK"
    if not packed:
        refuse_larger(path.stat().st_size, TEXTS, path.name)
        return {"content.xml": path.read_bytes()}
    with unpacked(path) as archive:
        if b"encryption-data" in member(archive, "META-INF/manifest.xml"):
            raise LockedSource(
                f"{path.name} is encrypted: remove the password in its program and save it."
            )
        held = {part.filename: part.file_size for part in archive.infolist()}
        texts = {name: size for name, size in held.items() if name.endswith(".xml")}
        refuse_larger(sum(texts.values()), TEXTS, path.name)
        read = (name for name in texts if name in _PARTS or name.endswith("/content.xml"))
        return {name: member(archive, name) for name in read}


def _strike(document: Opened, element: Any, struck: bool = False) -> None:
    """Leave STRUCK of the text that a style strikes out, its own or that of what it stands in."""
    name, family = element.get("style-name", ""), _FAMILIES.get(element.tag, "")
    line = document.value(family, name, "text-line-through-style")
    struck = line != "none" if line else struck
    if struck and element.text:
        element.text = STRUCK
    for child in element.iterchildren("*"):
        _strike(document, child, struck)
        if struck and child.tail:
            child.tail = STRUCK


def _parsed(data: bytes, name: str) -> Any:
    """The root of a part, with plain names, its signs as the text that they stand for, and without what is not seen."""
    try:
        root = xml_root(data, name, remove_comments=True, remove_pis=True)
    except SyntaxError as error:
        raise SourceError(
            f"{name} is damaged: a part of it is not XML ({error}). Open it in its program and save it again."
        ) from error
    for element in root.iter("*"):
        space, _, tag = element.tag.rpartition("}")
        kept = (prefix for end, prefix in _SPACES.items() if space.endswith(end))
        element.tag = next(kept, "") + tag
        element.text = _SIGNS.get(element.tag, element.text)
        for key, value in element.items():
            element.set(key.rpartition("}")[2], value)
    etree = needed("lxml.etree", name)
    for body in root.iterfind("body"):
        etree.strip_elements(body, *_UNSEEN, with_tail=False)
    return root


def said(element: Any) -> str:
    """What an element says, on one line."""
    return " ".join(" ".join(element.itertext()).split())


def count(element: Any, name: str) -> int:
    """A number of times or of rows and columns; 1 where none is told."""
    return max(whole(element.get(name), 1), 1)


def note_text(note: Any) -> str:
    """What a footnote, an endnote or a comment says, a comment with who wrote it."""
    text = " ".join(said(line) for line in note.iter("p", "h"))
    author = " ".join((note.findtext("dc-creator") or "a reader").split())
    return text and (f"Comment by {author}: {text}" if note.tag == "annotation" else text)


@dataclass(slots=True)
class Html:
    """What a document says as HTML; `unread` counts what of it is left out, `notes` and `frames` wait for the end of what they
    hang on.
    """

    document: Opened
    unread: Counter[str]
    notes: list[str] = field(default_factory=list)
    frames: list[Any] = field(default_factory=list)
    deep: int = 0
    left: int = REPEATED
    counts: dict[str, int] = field(default_factory=dict)

    def inside(self, element: Any) -> str:
        """What is in an element."""
        parts = [escape(element.text or "")]
        for child in element:
            parts += [self.of(child), escape(child.tail or "")]
        return "".join(parts)

    def of(self, element: Any) -> str:
        """An element with what hangs on it."""
        name = element.tag
        if self.hides(element):
            self.unread["hidden passage"] += bool(said(element))
        elif name in ("note", "annotation"):
            self.notes += filter(None, [note_text(element)])
        elif name in ("p", "h", "list", "table"):
            return self.block(element, name)
        elif name in _FRAMES:
            if element.getparent().tag not in _INLINE or self.deep:
                return self.inside(element)
            self.frames.append(element)
        elif tag := _TAGS.get(name):
            return f"<{tag}>{self.inside(element)}</{tag}>"
        elif name != "covered-table-cell":
            return self.other(element, name)
        return ""

    def hides(self, element: Any) -> bool:
        """Whether an element, or its style, hides its text."""
        if element.tag in _HIDDEN or element.get("display") == "none":
            return True
        family, style = _FAMILIES.get(element.tag, ""), element.get("style-name", "")
        return self.document.value(family, style, "display") == "none"

    def other(self, element: Any, name: str) -> str:
        """An element that stands inside others, or around them."""
        if name == "soft-page-break":
            return "" if self.deep else _BREAK
        if name == "line-break":
            return "<br>"
        if name == "table-cell":
            return self.cell(element)
        if name == "svg-desc":
            return f'<img alt="{escape(said(element))}">'
        if name in ("object", "object-ole"):
            made = self.chart(element.get("href", ""))
            self.unread["embedded object"] += not made
            return made
        # "super", or so many percent of the size of its font above the line
        said_of = self.document.value("text", element.get("style-name", ""), "text-position")
        position = said_of.partition(" ")[0] if name == "span" else ""
        raised = position == "super" or whole(position.strip("+%")) > 0
        inner = self.inside(element)
        return f"<sup>{inner}</sup>" if raised else inner

    def block(self, element: Any, name: str) -> str:
        """A paragraph, a list or a table, then the frames, notes and comments in it where it is in no other."""
        self.deep += name in ("list", "table")
        if name == "table":
            made = f"<table>{self.inside(element)}</table>"
        else:
            made = self.listed(element) if name == "list" else self.paragraph(element)
        self.deep -= name in ("list", "table")
        if self.deep:
            return made
        frames, self.frames = self.frames, []
        made += "".join(f"<div>{self.inside(frame)}</div>" for frame in frames)
        notes, self.notes = self.notes, []
        return made + "".join(f'<p role="doc-footnote">{escape(note)}</p>' for note in notes)

    def paragraph(self, element: Any) -> str:
        """A paragraph as a heading, a caption or running text."""
        style = element.get("style-name", "")
        chain = self.document.chain("paragraph", style)
        called = (one.get("display-name") or one.get("name", "") for one in chain)
        names = {name.casefold().replace("_20_", " ") for name in called}
        tag = "p"
        if outline := element.get("outline-level", "") if element.tag == "h" else "":
            tag = f"h{min(whole(outline, 1) + 1, 6)}"
        elif "title" in names:
            tag = "h1"
        elif names & _CAPTIONS and not self.deep:
            tag = "figcaption"
        made = f"<{tag}>{self.inside(element)}</{tag}>"
        breaks = self.document.value("paragraph", style, "break-before") == "page"
        return _BREAK + made if breaks and not self.deep else made

    def listed(self, element: Any) -> str:
        """A list, its numbers as its style writes them; one that goes on counts from where it ended."""
        names = (one.get("style-name") for one in (element, *element.iterancestors("list")))
        style = next(filter(None, names), "")
        depth = 1 + sum(1 for _ in element.iterancestors("list"))
        levels = self.document.styles.get(("list-style", style), ())
        level = next((one for one in levels if one.get("level") == str(depth)), None)
        inner = self.inside(element)
        if level is None or not level.get("num-format"):
            return f"<ul>{inner}</ul>"
        items = element.findall("list-item")
        goes_on = element.get("continue-numbering") == "true" or element.get("continue-list")
        first = next((item.get("start-value") for item in items[:1]), None)
        start = whole(first or level.get("start-value"), 1)
        start = self.counts.get(style, 0) + 1 if goes_on and depth == 1 else start
        if depth == 1:
            self.counts[style] = start + len(items) - 1
        return f'<ol start="{start}" type="{escape(level.get("num-format"))}">{inner}</ol>'

    def cell(self, element: Any) -> str:
        """A cell, as many times as it comes again."""
        inner, times = self.inside(element), min(count(element, "number-columns-repeated"), MOST)
        if not inner:
            return f'<td colspan="{times}"></td>'
        deep, wide = (count(element, f"number-{way}-spanned") for way in ("rows", "columns"))
        made = f'<td rowspan="{min(deep, MOST)}" colspan="{min(wide, MOST)}">{inner}</td>'
        times = min(times, 1 + self.left // len(made))
        self.left -= len(made) * (times - 1)
        return made * times

    def chart(self, reference: str) -> str:
        """A chart in the file as its title and the table of its data."""
        data = self.document.parts.get(f"{reference.removeprefix('./').rstrip('/')}/content.xml")
        root = _parsed(data or b"<none/>", self.document.name)
        table = next(root.iter("table"), None)
        if table is None:
            return ""
        title = next(map(said, root.iter("chart-title")), "")
        caption = f"<figcaption>{escape(title)}</figcaption>" if title else ""
        return caption + self.of(table)
