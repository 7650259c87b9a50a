"""Views: the parts of a document that an index contains. A view is a frozen callable, Document -> entries in reading order.

What is embedded is not what is quoted: an entry's text may carry a header (which document, which section) that no
citation shows; its node and window say what it is about. `words` counts runs between blanks. Windows of tokens, rows of
tables and parents of sentences have files of their own.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pincite.document.table_text import linear
from pincite.types import Document, Entry, Kind, Node


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
        for page, above in pages_with_headings(document, self.without):
            before = headed(document, above) + "\n" if self.header else ""
            for at, window in enumerate(windows(page.text, self.words, self.overlap)):
                yield Entry(page.id, name, before + window, at)


@dataclass(frozen=True, slots=True)
class Pages:
    """Every page whole; `header` puts `headed` before it."""

    header: bool = False

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every page with text."""
        for page, above in pages_with_headings(document):
            if page.text.strip():
                before = headed(document, above) + "\n" if self.header else ""
                yield Entry(
                    page.id, "pages+header" if self.header else "pages", before + page.text
                )


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
    parts = (
        caption,
        *around.get((node.id, "caption"), ()),
        node.text,
        *around.get((node.id, "ocr"), ()),
    )
    return "\n".join(dict.fromkeys(part for part in parts if part.strip()))


@dataclass(frozen=True, slots=True)
class Tables:
    """Every table as lines: its caption, then per row "row header, column header: value; ...".

    With `on="page"` the entries are about the page that the table begins on, its tables numbered from 0.
    """

    on: Literal["table", "page"] = "table"

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield one entry for every table node that carries a table."""
        pages = {node.anchor.page: node.id for node in document.nodes if node.kind == "page"}
        seen: Counter[str] = Counter()
        for node in document.nodes:
            if node.table is None or node.kind != "table":
                continue
            about = pages.get(node.anchor.page, node.id) if self.on == "page" else node.id
            yield Entry(about, "table", linear(node.table), seen[about])
            seen[about] += 1


def windows(text: str, words: int, overlap: int) -> Iterator[str]:
    """Windows of `words` words, each beginning `words - overlap` after the one before; the last one reaches the
    end.
    """
    if not 0 <= overlap < words:
        raise ValueError(
            f"overlap {overlap} must be at least 0 and less than the window of {words} words"
        )
    parts = text.split()
    step = words - overlap
    for start in range(0, max(len(parts) - overlap, 1 if parts else 0), step):
        yield " ".join(parts[start : start + words])


def headed(document: Document, above: Iterable[str] = ()) -> str:
    """One line that says where a text stands: names of the document, company and year, then the headings above."""
    meta = document.meta
    names = [
        _spaced(document.id.rsplit("/", 1)[-1].rsplit(".", 1)[0]),
        document.title,
        *(meta[name] for name in ("company", "year", "period", "kind") if meta.get(name)),
    ]
    return " | ".join(dict.fromkeys(part.strip() for part in [*names, *above] if part.strip()))


def _spaced(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").split())


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
