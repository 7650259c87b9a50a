"""What a citation points at, ready to show beside the answer: the page with frames, the table with its cell, or the text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.corpus import Corpus, Entryless
from pincite.database.statements.pins import Pin, read_pin
from pincite.document.address import page_name, place_of
from pincite.errors import PinciteError
from pincite.serve.bench import Visit
from pincite.serve.door.problems import Problem
from pincite.serve.processes.drawn_pages import Size, drawable
from pincite.serve.row_views import cited_rows
from pincite.serve.table_view import ShownTable, Texts, grid_of, texts_of
from pincite.types import Box, Citation, Node

ROWS = 200
"""Rows of a table that are shown; all of them come as CSV."""


@dataclass(frozen=True, slots=True)
class ShownRows:
    """Rows of a database: the statement that finds them, and those that are cited as far as they could be read."""

    relation: str
    database: str
    statement: str
    grid: ShownTable | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """One page of a source. `page` is 0 where it has none; `name` is what the page is called, `place` what is cited.

    `size` is in points when it can be drawn, with `frames` on it; `texts` are its texts where it cannot. `table` is the cited
    table as data; `rows` are those of a database.
    """

    citation: Citation
    document: Entryless | None
    place: str
    page: int = 0
    pages: int = 0
    name: str = ""
    size: Size | None = None
    frames: Sequence[Box] = ()
    texts: Texts = ()
    table: ShownTable | None = None
    rows: ShownRows | None = None
    trouble: str = ""

    @property
    def elsewhere(self) -> bool:
        """Whether another page than the cited one is shown."""
        return bool(self.page) and self.page != self.citation.anchor.page


async def proof(visit: Visit, citation: Citation, page: int = 0) -> Proof:
    """What a citation points at, on its own page or another of the same source."""
    pin = read_pin(citation.anchor.sql) if citation.anchor.sql else None
    if pin is not None and not citation.anchor.cells:
        return await asyncio.to_thread(_rows, visit.edition.corpus, citation, pin)
    return await _pictured(visit, await asyncio.to_thread(_read, visit.edition.corpus, citation, page))


def _rows(corpus: Corpus, citation: Citation, pin: Pin) -> Proof:
    found = next((document for document in corpus.documents if document.id == citation.document), None)
    grid, trouble = None, ""
    try:
        grid = cited_rows(corpus, pin, ROWS)
    except PinciteError:
        trouble = "The database cannot be read now. The citation keeps its quote."
    rows = ShownRows(pin.relation, pin.database, pin.statement, grid)
    return Proof(citation, found, place_of(citation.anchor), rows=rows, trouble=trouble)


def _read(corpus: Corpus, citation: Citation, page: int) -> Proof:
    anchor = citation.anchor
    found = next((document for document in corpus.documents if document.source == anchor.source), None)
    if found is None or found.id != citation.document:  # two files of the same bytes: the one that is cited
        found = next((document for document in corpus.documents if document.id == citation.document), found)
    current = found is not None and found.source == anchor.source
    held = corpus.nodes([citation.node]) if citation.node else []
    node = held[0] if held else None
    table = None
    if node is not None and node.table is not None:
        table = grid_of(node.table, anchor.cells, ROWS, node.id)
    pages = found.pages if found is not None and current else 0
    shown = max(1, min(page or anchor.page, pages or anchor.page)) if anchor.page else 0
    nodes: Sequence[Node] = ()
    trouble = ""
    if found is None:
        trouble = "The document has left the corpus. The citation keeps its quote."
    elif not current:
        trouble = "The document has changed since. The citation keeps its quote; ask again to read the present version."
    if found is not None and current and shown:
        nodes = corpus.page(found.version, shown)
    frames = tuple(box for number, box in anchor.spots if box and number == shown)
    name = page_name(nodes[0].anchor.path if nodes else "", shown)
    texts = texts_of(nodes, ROWS, citation.node, anchor.cells)
    return Proof(citation, found, place_of(anchor), shown, pages, name, None, frames, texts, table, None, trouble)


async def _pictured(visit: Visit, proof: Proof) -> Proof:
    """The proof with the size of its page, where that can be drawn."""
    if not proof.page:
        return proof
    sha = proof.citation.anchor.source
    try:
        path = await asyncio.to_thread(visit.edition.corpus.source, sha)
        if not drawable(path):
            return proof
        drawn = await visit.bench.pictures.draw(path, sha, proof.page)
    except (PinciteError, Problem, OSError) as error:
        return replace(proof, trouble=proof.trouble or f"The page cannot be drawn. {_plain(error)}")
    return replace(proof, size=drawn.size)


def _plain(error: Exception) -> str:
    return str(error).split(": ")[0] if isinstance(error, PinciteError) else ""
