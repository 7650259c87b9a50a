"""The reader: a document page by page, with search inside it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from pincite.corpus import Corpus, Entryless
from pincite.document.address import page_name
from pincite.errors import PinciteError
from pincite.ingest.tree import anchor_of
from pincite.serve import templating as views
from pincite.serve.bench import Reading
from pincite.serve.door.problems import Problem, missing
from pincite.serve.processes.drawn_pages import Size
from pincite.serve.table_view import ShownTable, Texts, first_rows, texts_of
from pincite.types import Box, Node

router = APIRouter(include_in_schema=False)
MOST = 200  # places found that are listed
AROUND = 90  # characters shown on both sides of what was found
ROWS = 60


@dataclass(frozen=True, slots=True)
class WordsPlace:
    """A place where the words that were looked for stand."""

    page: int
    name: str
    before: str
    found: str
    after: str
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of a document and what it is called; `size` in points when it can be drawn. `rows` are those of a database."""

    document: Entryless
    page: int
    name: str
    texts: Texts
    headings: list[tuple[str, int]]
    places: list[WordsPlace] = field(default_factory=list)
    rows: ShownTable | None = None
    size: Size | None = None
    frames: tuple[Box, ...] = ()

    @property
    def framed(self) -> list[list[float]]:
        """What is found on all pages as [page, x0, top, x1, bottom]."""
        return [[place.page, *box] for place in self.places for box in place.boxes]


@router.get("/c/{corpus}/documents/{key}")
async def opened(
    visit: Reading, key: str, page: Annotated[int, Query(ge=1, le=10**6)] = 1
) -> Response:
    """The page that a form names, the last one where it has fewer."""
    document = visit.document(key)
    number = min(page, max(document.pages, 1))
    return visit.go(f"documents/{views.segment(key)}/{number}")


@router.get("/c/{corpus}/documents/{key}/{page}")
async def read(
    visit: Reading,
    key: str,
    page: Annotated[int, Path(ge=1, le=10**6)],
    find: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """One page, with the places on it that hold what is looked for."""
    document = visit.edition.by_key.get(key)
    if document is None or page > max(document.pages, 1):
        raise missing(f"page {page} of document {key!r}")
    words = " ".join(find.split())
    leaf = await asyncio.to_thread(_leaf, visit.edition.corpus, document, page, words)
    if document.pages and not document.relation:
        # its text can be read all the same
        with suppress(PinciteError, Problem, OSError):
            leaf = replace(leaf, size=await visit.page_size(document.source, page))
    return views.corpus_page(visit, "reader.html", leaf=leaf, find=find, doc=key)


def _leaf(corpus: Corpus, document: Entryless, page: int, find: str) -> Leaf:
    version = document.version
    if document.pages:
        nodes = corpus.page(version, page)
    elif document.relation:
        nodes = corpus.tables(version)  # its card
    else:  # a format without pages: everything under the root
        nodes = list(corpus.document(version).nodes[:2000])
    places = (
        [_place(node, find) for node in corpus.containing(version, find, MOST)] if find else []
    )
    rows = None
    if document.relation:
        # what the table is can be told all the same
        with suppress(PinciteError):
            rows = first_rows(corpus, document, ROWS)
    return Leaf(
        document, page, page_name(nodes[0].anchor.path if nodes else "", page), texts_of(nodes, ROWS),
        corpus.headings(version), places, rows,
        frames=tuple(box for place in places if place.page == page for box in place.boxes),
    )  # fmt: skip


def _place(node: Node, find: str) -> WordsPlace:
    text, wanted, page = node.text, find.casefold(), node.anchor.page
    at = text.casefold().find(wanted)
    start, end = (at, at + len(find)) if at >= 0 else (0, 0)
    boxes: Iterable[Box | None]
    if node.table is not None:
        boxes = (cell.box for cell in node.table.cells if wanted in cell.text.casefold())
    else:
        spots = anchor_of(node, start, end).spots
        boxes = (box for number, box in spots if number == page)
    name = page_name(node.anchor.path, page) if page else ""
    return WordsPlace(page, name, *_around(text, start, end), tuple(filter(None, boxes)))


def _around(text: str, start: int, end: int) -> tuple[str, str, str]:
    """A stretch of a text with what stands before and after it, cut at words where that is long."""
    before = text[max(0, start - AROUND) : start].replace("\n", " ")
    after = text[end : end + AROUND].replace("\n", " ")
    if start > AROUND:
        before = "…" + before.partition(" ")[2]
    if end + AROUND < len(text):
        after = after.rpartition(" ")[0] + "…"
    return before, text[start:end], after
