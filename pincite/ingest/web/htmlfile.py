"""HTML as blocks: what a reader of the page sees, with its headings, lists, tables and captions.

Scripts and styles are never read, hidden elements are left out, and so is what surrounds the text (navigation, footers)
unless nothing else is there. Nothing that a page refers to is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT
from pincite.errors import SourceError
from pincite.ingest.given_tables import lead, table_block
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.page_cuts import cut, may_head, running_text, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.htmltable import cells_of, html_table, is_data, rows_of
from pincite.ingest.web.markup import markup, name_of, named, title_of, whole, written
from pincite.text.lexicon import word_set
from pincite.text.struck_text import STRUCK
from pincite.types import Kind

DEEPEST = 300
"""Elements inside each other beyond which only their text is read."""
_DEEPEST_LIST = 20
_SKIPPED = word_set("ingest", "html skipped")
_BLOCKS = word_set("ingest", "html blocks")
_AROUND_ROLES = frozenset(("navigation", "search", "contentinfo"))
_TEXTUAL = frozenset(("main", "article", "section", "blockquote"))
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:!|;|$)|"
    r"opacity\s*:\s*0(?:\.0*)?\s*(?:!|;|$)",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)", re.IGNORECASE
)
_BOLD = re.compile(
    r"font-weight\s*:\s*(bold|[5-9]00|normal|[1-4]00)|font\s*:[^;]*\bbold\b", re.IGNORECASE
)
_SIZE = re.compile(r"font-size\s*:\s*(\d+(?:\.\d+)?)(pt|px)", re.IGNORECASE)
_STRIKING = re.compile(r"text-decoration(?:-line)?\s*:[^;]*\bline-through\b", re.IGNORECASE)
_SELECTOR = re.compile(r"\w*([.#][\w-]+)|(\w+)")
_STRUCK = frozenset(("del", "s", "strike"))
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_APART = ("ul", "ol", "table", *_HEADINGS)
_LISTS = {"a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_NOTES = ("footnote", "rearnote", "endnote")
_REFERENCE = 20  # elements of raised text among which a link to a note is looked for


def html_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an HTML or XHTML file; tagged facts of an iXBRL filing come after its text, as tables."""
    from pincite.ingest.web.ixbrl import facts_pages, is_tagged

    tree = markup(path.read_bytes(), path.name)
    last = 0
    for page in cut(blocks_of(tree), TEXT, title=title_of(tree)):
        yield page
        last = page.number
    if is_tagged(tree):
        yield from facts_pages(tree, last + 1)


def blocks_of(root: Any) -> list[Block | None]:
    """The blocks of a page in reading order, None for a page break.

    What an element calls itself the main part of the page is all that is read when most of the text is in it.
    """
    _strike(root)
    hidden = _selected(root, _HIDDEN)
    tagged = sum(name_of(element) in _HEADINGS for element in root.iter()) > 1

    def read(element: Any, around: bool = False) -> tuple[list[Block | None], int]:
        reader = _Reader(hidden, around, tagged)
        try:
            reader.walk(element, _Look())
        except RecursionError as error:
            raise SourceError(
                "its elements are nested too deeply for a page that people read"
            ) from error
        reader.flush()
        return reader.blocks, sum(len(block.text) for block in reader.blocks if block)

    whole, length = read(root)
    elements = root.iter()
    mains = [one for one in elements if name_of(one) == "main" or one.get("role") == "main"]
    if len(mains) == 1:
        main, own = read(mains[0])
        whole, length = (main, own) if 2 * own >= length else (whole, length)
    return whole if length else read(root, around=True)[0]


def _strike(root: Any) -> None:
    """Leave STRUCK alone of what is struck out: it is no longer in force."""
    struck = _STRUCK | _selected(root, _STRIKING)
    for element in list(root.iter()):
        style = element.get("style") or ""
        if _STRIKING.search(style) or not struck.isdisjoint((name_of(element), *_marks(element))):
            del element[:]
            element.text = STRUCK


def _marks(element: Any) -> list[str]:
    """The classes (".x") and the id ("#x") of an element."""
    classes = (element.get("class") or "").split()
    return [*(f".{one}" for one in classes), f"#{element.get('id')}"]


def _selected(root: Any, declared: re.Pattern[str]) -> frozenset[str]:
    """The classes (".x"), ids ("#x") and names of elements of which the page's own style sheets declare something."""
    sheets = ("".join(element.itertext()) for element in named(root.iter(), "style"))
    rules = (rule for sheet in sheets for rule in _rules(sheet))
    found: set[str] = set()
    for selectors in (selectors for selectors, said in rules if declared.search(said)):
        known = (_SELECTOR.fullmatch(selector.strip()) for selector in selectors.split(","))
        found.update(simple[1] or simple[2].casefold() for simple in known if simple)
    return frozenset(found)


def _rules(sheet: str) -> Iterator[tuple[str, str]]:
    """The selectors and declarations of a style sheet; what holds for some media only, and other at-rules, are left out."""
    first, *rest = sheet.split("/*")
    text = first + "".join(piece.partition("*/")[2] for piece in rest)
    begin = opened = deep = 0
    for at, sign in enumerate(text):
        if sign == "{":
            opened = opened if deep else at
            deep += 1
        elif sign == "}" and deep:
            deep -= 1
            selectors = text[begin:opened].rpartition(";")[2].strip()
            if not deep and not selectors.startswith("@"):
                yield selectors, text[opened + 1 : at]
            begin = begin if deep else at + 1


@dataclass(frozen=True, slots=True)
class _Look:
    bold: bool = False
    size: float = 0.0
    depth: int = 0
    textual: bool = False


@dataclass(slots=True)
class _Reader:
    """Blocks so far and the text of the one that is open."""

    hidden: frozenset[str]
    around: bool
    tagged: bool
    blocks: list[Block | None] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    plain: int = 0  # characters that are not bold
    size: float = 0.0

    def walk(self, element: Any, look: _Look) -> None:
        """Read an element, without what follows it."""
        name = name_of(element)
        if not self.is_seen(element) or self.is_around(element, name, look):
            return
        style = element.get("style") or ""
        look = _styled(look, name, style)
        breaks = _BREAK.findall(style)
        if "before" in breaks:
            self.flush()
            self.blocks.append(None)
        if look.depth > DEEPEST:
            self.add(" ".join(element.itertext()), look)
        else:
            self.element(element, name, look)
        if "after" in breaks:
            self.flush()
            self.blocks.append(None)

    def element(self, element: Any, name: str, look: _Look) -> None:
        """Read an element as what it is."""
        if name in _HEADINGS or element.get("role") == "heading":
            self.heading(element, _HEADINGS.get(name) or whole(element.get("aria-level")) or 2)
        elif name == "table":
            self.table(element, look)
        elif name in ("ul", "ol", "menu"):
            self.listed(element, look)
        elif name == "pre":
            self.flush()
            lines = (line.rstrip() for line in self.read(element).split("\n"))
            self.put(text_block("\n".join(filter(None, lines))))
        elif name == "br":
            self.text.append("\n")
        elif name == "img":
            said = " ".join((element.get("alt") or "").split())
            self.pictures += [said] if " " in said else []  # more than a word
        elif name == "sup":
            self.add(_superscript(element, self.inline(element), self.text), look)
        elif kind := _told_kind(element, name):
            self.flush()
            self.put(text_block(self.inline(element), kind))
        else:
            self.inside(element, name, look)

    def inside(self, element: Any, name: str, look: _Look) -> None:
        """Read what is in an element that says nothing itself."""
        block = name in _BLOCKS
        if block and name != "dd":  # what is told of a term stands beside it
            self.flush()
        self.add(element.text or "", look)
        for child in element:
            self.walk(child, look)
            self.add(child.tail or "", look)
        if name == "dt":
            self.text.append(": ")
        elif block:
            self.flush()

    def add(self, text: str, look: _Look) -> None:
        """Add running text to the open block."""
        if text:
            self.text.append(re.sub(r"[ \t\r\n\f]+", " ", text.replace("\u200b", "")))
            count = len(text.strip())
            self.plain += 0 if look.bold else count
            self.size = max(self.size, look.size) if count else self.size

    def flush(self) -> None:
        """Close the open block."""
        text = tidied("".join(self.text))
        if text.strip(": "):
            if not self.plain and not self.tagged and may_head(text):
                self.put(Block("heading", text, (None,), (0,), size=self.size, bold=True))
            else:
                self.put(running_text(text))
        for said in self.pictures:
            self.put(text_block(said, "figure"))
        self.text, self.pictures, self.plain, self.size = [], [], 0, 0.0

    def put(self, block: Block) -> None:
        """Add a block that is not empty."""
        if block.text.strip():
            self.blocks.append(block)

    def heading(self, element: Any, level: int) -> None:
        """A heading, on one line."""
        self.flush()
        said = " ".join(self.inline(element).split())
        text = re.sub(r"\s*+(?:\u00b6|(?<=\s)#)$", "", said)  # a link to itself
        self.put(text_block(text, "heading", min(level, 9)))

    def listed(self, element: Any, look: _Look) -> None:
        """A list, one line an item; what is no plain text in an item comes after it on its own."""
        self.flush()
        lines: list[str] = []
        rest: list[Any] = []
        self._items(element, lines, rest, 0)
        if lines:
            self.put(text_block("\n".join(lines), "list"))
        for child in rest:
            self.walk(child, replace(look, depth=look.depth + 1))
        self.flush()

    def _items(self, element: Any, lines: list[str], rest: list[Any], deep: int) -> None:
        number, form = whole(element.get("start"), 1), _LISTS.get(element.get("type") or "", "")
        for item in filter(self.is_seen, element):
            nested = _nested(item) if deep < _DEEPEST_LIST else []
            mark = f"{written(number, form)}. " if name_of(element) == "ol" else "\u2022 "
            if text := " ".join(self.inline(item, frozenset(nested)).split()):
                lines.append(mark + text)
                number += 1
            for child in nested:
                if name_of(child) in ("ul", "ol") and not self.is_hidden(child):
                    self._items(child, lines, rest, deep + 1)
                else:
                    rest.append(child)

    def laid_out(self, element: Any, look: _Look) -> None:
        """What is in a table that only lays things out, row by row."""
        for row in rows_of(element, self.is_hidden):
            cells = list(cells_of(row, self.is_hidden))
            texts = [" ".join(self.inline(cell).split()) for cell in cells]
            blocks = any(name_of(inner) in (*_APART, "p") for inner in row.iterdescendants())
            if len(cells) > 1 and any(texts) and len(texts[0]) < 8 and not blocks:
                self.put(text_block(" ".join(filter(None, texts))))  # a bullet beside its text
            else:
                for cell in cells:
                    self.inside(cell, "td", replace(look, depth=look.depth + 1))

    def table(self, element: Any, look: _Look) -> None:
        """A table of data as one block; one that only lays things out as what is in it."""
        self.flush()
        if not is_data(element, self.is_hidden):
            self.laid_out(element, look)
            return
        caption = [" ".join(self.inline(child).split()) for child in named(element, "caption")]
        table = html_table(element, self.inline, self.is_hidden, caption or lead(self.blocks))
        if table is not None:
            for line in caption:
                self.put(text_block(line, "caption"))
            self.blocks.append(table_block(table))

    def read(self, element: Any, without: frozenset[Any] = frozenset()) -> str:
        """The text that is seen in an element as it is laid out in the file."""
        parts: list[str] = [element.text or ""]
        for child in element:
            name = name_of(child)
            if name == "br":
                parts.append("\n")
            elif name == "sup":
                parts.append(_superscript(child, self.read(child), parts))
            elif child not in without and self.is_seen(child):
                inner = self.read(child, without)
                parts.append(f" {inner} " if name in _BLOCKS else inner)
            parts.append(child.tail or "")
        return "".join(parts)

    def inline(self, element: Any, without: frozenset[Any] = frozenset()) -> str:
        """The text that is seen in an element, its line breaks kept."""
        return tidied(self.read(element, without).replace("\u200b", ""))

    def is_seen(self, element: Any) -> bool:
        """Whether an element may hold text of the page."""
        name = name_of(element)
        return bool(name) and name not in _SKIPPED and not self.is_hidden(element)

    def is_hidden(self, element: Any) -> bool:
        """Whether an element is not shown."""
        says_so = element.get("hidden") is not None or element.get("aria-hidden") == "true"
        if says_so or _HIDDEN.search(element.get("style") or ""):
            return True
        return bool(self.hidden) and not self.hidden.isdisjoint(_marks(element))

    def is_around(self, element: Any, name: str, look: _Look) -> bool:
        """Whether an element is furniture of the site: navigation, or a footer that is not that of an article."""
        around = name in ("nav", "search") or element.get("role") in _AROUND_ROLES
        return not self.around and (around or name == "footer" and not look.textual)


def _styled(look: _Look, name: str, style: str) -> _Look:
    weight, size = _BOLD.search(style), _SIZE.search(style)
    bold = name in ("b", "strong", "th") or look.bold
    if weight:
        bold = weight[1] is None or weight[1].casefold() == "bold" or weight[1][0] in "56789"
    points = float(size[1]) * (0.75 if size[2].casefold() == "px" else 1.0) if size else look.size
    return _Look(bold, points, look.depth + 1, look.textual or name in _TEXTUAL)


def _told_kind(element: Any, name: str) -> Kind | None:
    """What an element says of itself that its text is: a caption or a footnote."""
    if name in ("figcaption", "caption"):
        return "caption"
    types = {value for key, value in element.items() if key.endswith("type")}
    notes = element.get("role") in ("doc-footnote", "doc-endnote") or not types.isdisjoint(_NOTES)
    return "footnote" if notes else None


def _superscript(element: Any, text: str, before: Sequence[str]) -> str:
    """Raised text as it stands after what is before it; nothing of a link to a note, with which it begins."""
    links = named(islice(element.iter(), _REFERENCE), "a")
    noted = any("#" in (link.get("href") or "") for link in links)
    return "" if noted else raised(ending(before), text)


def _nested(item: Any) -> list[Any]:
    """The lists, tables and headings in an item of a list, without those inside them."""
    inner = [child for child in item.iterdescendants() if name_of(child) in _APART]
    return [child for child in inner if set(inner).isdisjoint(child.iterancestors())]
