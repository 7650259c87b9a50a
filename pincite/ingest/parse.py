"""One file to one Document: the parser for its format, tables, layout, running heads off, the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pincite.errors import UnsupportedSource
from pincite.ingest.page import Page
from pincite.types import Document

PARSER = "3"
"""Raise it when a parser makes other nodes of the same bytes: documents are then parsed again."""

SUFFIXES = {".pdf": "pdf", ".txt": "text", ".md": "markdown", ".markdown": "markdown"}


def format_of(path: Path) -> str:
    """The name of the parser for a file: by its first bytes when they say PDF, else by its suffix."""
    with path.open("rb") as file:
        if b"%PDF-" in file.read(1024):
            return "pdf"
    kind = SUFFIXES.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(sorted(SUFFIXES))
        raise UnsupportedSource(f"no parser for {path.name}: formats read are {known}")
    return kind


def parse(
    path: Path, name: str, source: str, password: str | None = None, tick: Callable[[int], None] = lambda page: None
) -> Document:
    """Parse a file into its Document, whose id is `name` and whose source is the sha256 `source`.

    `tick` is called with the number of every page when it is done. Raises SourceError when the file cannot be read.
    """
    from pincite.ingest.furniture import without_furniture
    from pincite.ingest.hints import hints
    from pincite.ingest.tree import build

    kind = format_of(path)
    pages = without_furniture(_ticked(_pages(path, kind, password), tick))
    meta = hints(name, pages)
    return build(source, name, f"{kind}/{PARSER}", pages, meta=meta)


def _pages(path: Path, kind: str, password: str | None) -> Iterator[Page]:
    from pincite.ingest.layout import layout
    from pincite.ingest.textfile import markdown_pages, text_pages

    if kind == "text":
        yield from text_pages(path)
    elif kind == "markdown":
        yield from markdown_pages(path)
    else:
        from pincite.ingest.pdf import raw_pages
        from pincite.ingest.tables import find_tables

        for page in raw_pages(path, password):
            yield layout(page, find_tables(page))


def _ticked(pages: Iterator[Page], tick: Callable[[int], None]) -> Iterator[Page]:
    for number, page in enumerate(pages, 1):
        tick(number)
        yield page
