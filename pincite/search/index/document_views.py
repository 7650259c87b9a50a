"""Views: the parts of a document that an index contains. A view is a frozen callable, Document -> entries in reading order.

What is embedded is not what is quoted: an entry's text may carry a header (which document, which section) that no
citation shows; its node and window say what it is about. `words` counts runs between blanks. Windows of tokens and rows of
tables have files of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from pincite.document.table_text import linear
from pincite.types import Document, Entry, Kind, Node

ObjectKind = Literal["page", "table", "relation"]
"""What is found and described as a whole: pages, tables of documents, tables of databases (relations)."""
ALL: tuple[ObjectKind, ...] = get_args(ObjectKind)


@dataclass(frozen=True, slots=True)
class Windows:
    """Overlapping windows of `words` words inside each page, never across one; `header` puts `headed` before each.

    `without` are kinds left out of the pages' text: ("table",) for prose alone.
    """

    words: int = 200
    overlap: int = 50
    header: bool = False
    without: tuple[Kind, ...] = ()

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the windows of every page in order, numbered from 0 within the page; an empty page has none."""
        name = f"windows{self.words}{'+header' if self.header else ''}"
        for page, before in headed_pages(document, self.header, self.without):
            for at, window in enumerate(windows(page.text, self.words, self.overlap)):
                yield Entry(page.id, name, before + window, at)


@dataclass(frozen=True, slots=True)
class Pages:
    """Every page whole; `header` puts `headed` before it."""

    header: bool = False

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every page with text."""
        name = "pages+header" if self.header else "pages"
        for page, before in headed_pages(document, self.header):
            if page.text.strip():
                yield Entry(page.id, name, before + page.text)


@dataclass(frozen=True, slots=True)
class Tops:
    """What every page is called: the headings on it and its first `words` words. A title field, in BM25F's terms."""

    words: int = 25

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every page with text."""
        for page, above in pages_with_headings(document):
            if page.text.strip():
                start = " ".join(page.text.split()[: self.words])
                yield Entry(page.id, f"tops{self.words}", "\n".join((*above, start)))


@dataclass(frozen=True, slots=True)
class Whole:
    """Every node of these kinds, whole, under the name of its kind: a table, figure or equation with its caption, and
    with what was read in a picture.
    """

    kinds: tuple[Kind, ...] = ("paragraph",)

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every such node with text of its own or around it."""
        around: dict[tuple[str, Kind], list[str]] = {}
        for node in document.nodes:
            if node.kind in ("caption", "ocr"):
                around.setdefault((node.parent, node.kind), []).append(node.text)
        for node in document.nodes:
            if node.kind in self.kinds and (text := _with_caption(node, around)).strip():
                yield Entry(node.id, node.kind, text)


def _with_caption(node: Node, around: Mapping[tuple[str, Kind], list[str]]) -> str:
    """A node's text; of a table, figure or equation with its caption and with what was read in a picture."""
    if node.kind not in ("table", "figure", "equation"):
        return node.text
    caption = node.table.caption if node.table is not None else ""
    captions, read = (around.get((node.id, kind), ()) for kind in ("caption", "ocr"))
    parts = (caption, *captions, node.text, *read)
    return "\n".join(dict.fromkeys(part for part in parts if part.strip()))


@dataclass(frozen=True, slots=True)
class Tables:
    """Every table as lines: its caption, then per row "row header, column header: value; ...".

    With `on="page"` the entries are about the page that the table begins on, its tables numbered from 0.
    """

    on: Literal["table", "page"] = "table"

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every table node that carries a table."""
        place = numbered_places(document, self.on == "page")
        for node in document.nodes:
            if node.table is not None and node.kind == "table":
                about, at = place(node)
                yield Entry(about, "table", linear(node.table), at)


def numbered_places(document: Document, pages: bool) -> Callable[[Node], tuple[str, int]]:
    """What gives each entry of a node what it is about, the node or with `pages` the page that it begins on, and its number."""
    first = {node.anchor.page: node.id for node in document.nodes if node.kind == "page"}
    seen: Counter[str] = Counter()

    def place(node: Node) -> tuple[str, int]:
        about = first.get(node.anchor.page, node.id) if pages else node.id
        seen[about] += 1
        return about, seen[about] - 1

    return place


def object_kind(node: Node) -> ObjectKind | None:
    """The kind of object that a node is; None for a part of one."""
    if node.kind == "page":
        return "page"
    if node.kind != "table":
        return None
    return "relation" if "relation" in node.meta else "table" if node.table is not None else None


def windows(text: str, words: int, overlap: int) -> Iterator[str]:
    """Windows of `words` words, each beginning `words - overlap` after the one before; the last one reaches the end."""
    if not 0 <= overlap < words:
        within = f"at least 0 and less than the window of {words} words"
        raise ValueError(f"overlap {overlap} must be {within}")
    parts = text.split()
    for start in range(0, max(len(parts) - overlap, 1 if parts else 0), words - overlap):
        yield " ".join(parts[start : start + words])


def headed(document: Document, above: Iterable[str] = ()) -> str:
    """One line that says where a text stands: names of the document, company and year, then the headings above."""
    file = document.id.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    names = [" ".join(file.replace("_", " ").replace("-", " ").split()), document.title]
    names += [document.meta.get(name, "") for name in ("company", "year", "period", "kind")]
    return " | ".join(dict.fromkeys(part.strip() for part in [*names, *above] if part.strip()))


def headed_pages(
    document: Document, header: bool, without: tuple[Kind, ...] = ()
) -> Iterator[tuple[Node, str]]:
    """Every page, and with `header` the line that says where it stands, with a line end."""
    for page, above in pages_with_headings(document, without):
        yield page, headed(document, above) + "\n" if header else ""


def pages_with_headings(
    document: Document, without: tuple[Kind, ...] = ()
) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """Every page with the headings that hold on it: the section it begins in, then the first two of its own.

    The text of nodes of the kinds `without` is cut out of the page's.
    """
    own, cut = defaultdict[int, list[str]](list), defaultdict[int, list[str]](list)
    for node in document.nodes:
        if node.kind == "heading" and node.text.strip():
            own[node.anchor.page].append(" ".join(node.text.split())[:120])
        if node.kind in without and node.text:
            cut[node.anchor.page].append(node.text)
    for page in document.nodes:
        if page.kind == "page":
            above = (page.anchor.path, *own[page.anchor.page][:2])
            for part in cut[page.anchor.page]:
                page = replace(page, text=page.text.replace(part, "", 1))
            yield page, tuple(dict.fromkeys(filter(None, above)))


@dataclass(frozen=True, slots=True)
class SentenceTree:
    """Every sentence, every block without sentences (a table, a caption), and their parents of the kinds `parents`.

    A parent's children are the entries nearest below it: those of a section are its paragraphs, or their sentences when
    "paragraph" is no parent. Pages are not in the tree and headings are not children: their text is their section's.
    """

    parents: tuple[Kind, ...] = ("paragraph", "list", "footnote", "section")

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the entries in reading order, a parent before its children."""
        below: dict[str, list[Node]] = {}
        for node in document.nodes:
            below.setdefault(node.parent, []).append(node)
        means: dict[str, tuple[str, ...]] = {}
        leaves: set[str] = set()

        def nearest(node: Node) -> tuple[str, ...]:
            """The ids of the entries at or nearest below a node."""
            under = below.get(node.id, [])
            found = tuple(sentence for child in under for sentence in nearest(child))
            if node.kind in ("page", "heading"):
                return ()
            said = any(child.kind == "sentence" for child in under)
            if node.kind not in ("document", "section") and not said:
                if not node.text.strip():
                    return found
                leaves.add(node.id)
                return (node.id,)
            if node.kind not in self.parents or not found:
                return found
            means[node.id] = found
            return (node.id,)

        for root in below.get("", []):
            nearest(root)
        for node in document.nodes:
            if node.id in leaves or node.id in means:
                yield Entry(node.id, node.kind, node.text, children=means.get(node.id, ()))
