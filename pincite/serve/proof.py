"""What a citation points at, ready to show beside the answer: the page with frames, the table with its cell, or the text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from pincite.corpus import Corpus, Entryless
from pincite.database.statements.pins import Pin, read_pin
from pincite.document.address import page_name, place_of
from pincite.errors import PinciteError
from pincite.serve.bench import Visit
from pincite.serve.door.problems import Problem
from pincite.serve.processes.drawn_pages import Size
from pincite.serve.table_view import ShownTable, Texts, cited_rows, grid_of, texts_of
from pincite.types import Box, Citation

ROWS = 200  # rows of a table that are shown; all of them come as CSV


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
        return await asyncio.to_thread(_rows_of, visit.edition.corpus, citation, pin)
    found = await asyncio.to_thread(_page_of, visit.edition.corpus, citation, page)
    if not found.page:
        return found
    try:
        size = await visit.page_size(citation.anchor.source, found.page)
    except (PinciteError, Problem, OSError) as error:
        why = str(error).split(": ")[0] if isinstance(error, PinciteError) else ""
        return replace(found, trouble=found.trouble or f"The page cannot be drawn. {why}")
    return replace(found, size=size)


def _rows_of(corpus: Corpus, citation: Citation, pin: Pin) -> Proof:
    named = (document for document in corpus.documents if document.id == citation.document)
    grid, trouble = None, ""
    try:
        grid = cited_rows(corpus, pin, ROWS)
    except PinciteError:
        trouble = "The database cannot be read now. The citation keeps its quote."
    rows = ShownRows(pin.relation, pin.database, pin.statement, grid)
    place = place_of(citation.anchor)
    return Proof(citation, next(named, None), place, rows=rows, trouble=trouble)


def _page_of(corpus: Corpus, citation: Citation, page: int) -> Proof:
    anchor = citation.anchor
    document = _document(corpus, citation)
    current = document if document is not None and document.source == anchor.source else None
    pages = current.pages if current is not None else 0
    shown = max(1, min(page or anchor.page, pages or anchor.page)) if anchor.page else 0
    nodes = corpus.page(current.version, shown) if current is not None and shown else []
    trouble = _GONE if document is None else _CHANGED if current is None else ""
    return Proof(
        citation, document, place_of(anchor), shown, pages, trouble=trouble,
        name=page_name(nodes[0].anchor.path if nodes else "", shown),
        frames=tuple(box for number, box in anchor.spots if box and number == shown),
        texts=texts_of(nodes, ROWS, citation.node, anchor.cells), table=_table(corpus, citation),
    )  # fmt: skip


_GONE = "The document is no longer in the corpus. The citation keeps its quote."
_CHANGED = "The document has changed since. The citation keeps its quote; ask again to read the present version."


def _document(corpus: Corpus, citation: Citation) -> Entryless | None:
    """The cited document: by its name, else one of the same bytes under another name."""
    named = (document for document in corpus.documents if document.id == citation.document)
    same = (document for document in corpus.documents if document.source == citation.anchor.source)
    return next(chain(named, same), None)


def _table(corpus: Corpus, citation: Citation) -> ShownTable | None:
    """The cited table as data, its cited cells marked."""
    held = corpus.nodes([citation.node]) if citation.node else []
    if not held or held[0].table is None:
        return None
    return grid_of(held[0].table, citation.anchor.cells, ROWS, held[0].id)
