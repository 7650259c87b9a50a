"""Search results as pieces of text with JSON metadata: the page as a reader sees it, and the place of each part."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from pincite.document.address import place_of
from pincite.document.table import spot
from pincite.document.table_text import markdown
from pincite.evidence.cited_place import squeezed
from pincite.records.answer_record import around
from pincite.types import Box, Node, Where
from pincite.workbench.library import Library, PageHit

HEAVY = ("passages", "source", "node")  # metadata that a language model need not be shown
_APART = "\n\n"


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A page, or the row of a database, that was found.

    `metadata` holds the document's id and title, the page (0 where there is none), its place in the format's own terms, the
    sha256 of the source, the score, the node's id, and `passages`: of every part of the text its characters [start, end),
    kind, place and box (x0, top, x1, bottom in points from the top left of the page), of tables each cell with its own.
    """

    node: str
    text: str
    score: float
    metadata: dict[str, Any]


def pieces(library: Library, query: str, k: int = 4, where: Where = ()) -> list[FoundPiece]:
    """The `k` best pages for a query, best first."""
    hits = library.search(query, k, where)
    places = library.corpus.places([hit.node for hit in hits])
    return [_piece(library, hit, *places[hit.node]) for hit in hits if hit.node in places]


def citation_of(quote: str, text: str, metadata: dict[str, Any]) -> dict[str, Any] | None:
    """Where a quote stands on a piece that was found: document, page, place, box and quote; None when it does not.

    White space and the hyphens of line breaks do not matter. It is the one cell that says just this, where there is one, else
    the first part of the piece with these words in it.
    """
    wanted = squeezed(quote)[0]
    passages = metadata["passages"]
    every = chain.from_iterable(part.get("cells", ()) for part in passages)
    cells = [cell for cell in every if squeezed(cell["text"])[0] == wanted]
    parts = (part for part in passages if _says(text, part, wanted))
    found = cells[0] if len(cells) == 1 else next(parts, None)
    if not wanted or found is None:
        return None
    return {
        "document": metadata["document"], "page": found["page"], "place": found["place"], "box": found["box"], "quote": quote,
        "source": metadata["source"],
    }  # fmt: skip


def _says(text: str, part: dict[str, Any], wanted: str) -> bool:
    return wanted in squeezed(text[part["start"] : part["end"]])[0]


def _piece(library: Library, hit: PageHit, version: str, page: int) -> FoundPiece:
    corpus = library.corpus
    outer = "page", "section", "document"
    nodes = [node for node in corpus.page(version, page) if node.kind not in outer]
    text, passages = "", list[dict[str, Any]]()
    for node in nodes or corpus.nodes([hit.node]):
        own = markdown(node.table) if node.table is not None else node.text
        if own.strip():
            text += _APART if text else ""
            passages.append({"start": len(text), "end": len(text) + len(own), **_standing(node)})
            text += own
    held = corpus.by_version[version]
    metadata = {
        "document": hit.document, "title": held.title, "page": page, "place": hit.place or f"page {page}",
        "score": hit.score, "source": held.source, "node": hit.node, "passages": passages, **held.meta,
    }  # fmt: skip
    return FoundPiece(hit.node, text, hit.score, metadata)


def _standing(node: Node) -> dict[str, Any]:
    """Where a part of a page stands, and each of its cells where it is a table."""
    page = node.anchor.page
    box = around([box for number, box in node.anchor.spots if number == page])
    place = place_of(node.anchor)
    made = {"kind": node.kind, "page": page, "place": place, "box": _rounded(box)}
    if node.table is None:
        return made
    cells = []
    for cell in node.table.cells:
        where, own = spot(node, cell)
        cited = replace(node.anchor, spots=((where, own),), cells=((cell.row, cell.column),))
        cells.append({
            "text": cell.text, "row": cell.row, "column": cell.column, "page": where,
            "place": place_of(cited), "box": _rounded(own),
        })  # fmt: skip
    return {**made, "cells": cells}


def _rounded(box: Box | None) -> list[float] | None:
    return None if box is None else [round(edge, 2) for edge in box]
