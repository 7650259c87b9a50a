"""ODT files as blocks: headings by outline level, paragraphs, lists with their numbers, tables, notes, comments, text boxes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pincite.document.address import TEXT
from pincite.ingest.lost_parts import not_read
from pincite.ingest.office.odf import Html, opened
from pincite.ingest.page_cuts import cut
from pincite.ingest.raw_page import Page
from pincite.ingest.web.htmlfile import blocks_of
from pincite.ingest.web.markup import markup


def odt_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of an OpenDocument text, cut at its page breaks or by length. Raises SourceError when it cannot be read."""
    document, left = opened(path, "text"), Counter[str]()
    if text := Html(document, left).inside(document.body):
        blocks = blocks_of(markup(f"<div>{text}</div>".encode(), path.name))
        yield from cut(blocks, TEXT, title=document.title, lost=not_read(left))
