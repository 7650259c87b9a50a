"""What a citation points at, ready to be shown beside the answer: the page with frames, the table with its cell, or the text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pincite.corpus import Corpus, Entryless
from pincite.database.pins import read_pin
from pincite.errors import PinciteError
from pincite.ingest.address import place_of
from pincite.serve.bench import Visit
from pincite.serve.drawn import Size, drawable
from pincite.serve.problems import Problem
from pincite.serve.tabled import Grid, grid_of
from pincite.types import Box, Citation, Node

ROWS = 200
"""Rows of a table that are shown; all of them come as CSV."""


@dataclass(frozen=True, slots=True)
class Proof:
    """One page of a source. `page` is 0 where it has none; `size` in points when it can be drawn, with `frames` on it.

    `nodes` are its texts where it cannot be drawn. `table` is the cited table as data; `rows` are those of a database.
    """

    citation: Citation
    document: Entryless | None
    place: str
    page: int = 0
    pages: int = 0
    size: Size | None = None
    frames: Sequence[Box] = ()
    nodes: Sequence[Node] = ()
    table: Grid | None = None
    table_node: str = ""
    rows: dict[str, Any] | None = None
    trouble: str = ""

    @property
    def elsewhere(self) -> bool:
        """Whether another page than the cited one is shown."""
        return bool(self.page) and self.page != self.citation.anchor.page


async def proof(visit: Visit, citation: Citation, page: int = 0) -> Proof:
    """What a citation points at, on its own page or another of the same source."""
    return await _pictured(visit, await asyncio.to_thread(_read, visit.edition.corpus, citation, page))


def _read(corpus: Corpus, citation: Citation, page: int) -> Proof:
    anchor = citation.anchor
    found = next((one for one in corpus.documents if one.source == anchor.source), None)
    if found is None or found.id != citation.document:  # two files of the same bytes: the one that is cited
        found = next((one for one in corpus.documents if one.id == citation.document), found)
    current = found is not None and found.source == anchor.source
    held = corpus.nodes([citation.node]) if citation.node else []
    node = held[0] if held else None
    table, table_node = None, ""
    if node is not None and node.table is not None:
        table, table_node = grid_of(node.table, anchor.cells, ROWS), node.id
    pin = read_pin(anchor.sql) if anchor.sql else None
    rows = None
    if pin is not None:
        keys = [[*row] for row in pin.rows[:ROWS]]
        rows = {"relation": pin.relation, "database": pin.database, "columns": list(pin.columns), "key": list(pin.key),
                "rows": keys, "statement": pin.statement}  # fmt: skip
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
    return Proof(citation, found, place_of(anchor), shown, pages, None, frames, nodes, table, table_node, rows, trouble)


async def _pictured(visit: Visit, proof: Proof) -> Proof:
    """The proof with the size of its page, where that can be drawn."""
    if not proof.page or proof.rows is not None:
        return proof
    sha = proof.citation.anchor.source
    try:
        path = visit.edition.corpus.source(sha)
        if not drawable(path):
            return proof
        drawn = await visit.bench.pictures.draw(path, sha, proof.page)
    except (PinciteError, Problem, OSError) as error:
        return replace(proof, trouble=proof.trouble or f"The page cannot be drawn. {_plain(error)}")
    return replace(proof, size=drawn.size)


def _plain(error: Exception) -> str:
    return str(error).split(": ")[0] if isinstance(error, PinciteError) else ""
