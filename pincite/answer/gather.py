"""From the pages that were found to the passages that a reader is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.answer.candidate import Passage
from pincite.answer.cells import written
from pincite.corpus import Corpus
from pincite.database.held import RELATION
from pincite.ingest.tree import section_path
from pincite.types import Cell, Hit, Node, Table

READ = ("paragraph", "list", "table", "heading", "caption", "footnote", "figure", "ocr")


def gather(corpus: Corpus, hits: Sequence[Hit], k: int) -> list[Passage]:
    """The passages of the `k` best pages, page by page in reading order; each page once. A row of a database is a page."""
    places = corpus.places([hit.node for hit in hits])
    passages: list[Passage] = []
    seen: set[tuple[str, int | str]] = set()
    for hit in hits:
        place = places.get(hit.node)
        if place is None or len(seen) == k:
            continue
        stored = place[0].startswith(RELATION)
        page = (place[0], hit.node) if stored else place
        if page in seen:
            continue
        rank = len(seen)
        seen.add(page)
        document = corpus.by_version[place[0]]
        for node in with_tables(corpus, corpus.nodes([hit.node])) if stored else corpus.page(*place):
            if node.kind in READ:
                passages.append(Passage(node, rank, hit.score, heading_of(node), document.id, document.title))
    return passages


def heading_of(node: Node) -> str:
    """The section path above a node."""
    return section_path(node)


def with_tables(corpus: Corpus, nodes: Sequence[Node]) -> list[Node]:
    """The nodes with every row of a database as a table of one row under the headings of its relation."""
    cards = {one.id: one for one in corpus.nodes(list({one.parent for one in nodes if one.kind == "row"}))}
    return [_tabled(one, cards[one.parent]) if one.kind == "row" and one.parent in cards else one for one in nodes]


def _tabled(row: Node, card: Node) -> Node:
    """The first column with a text, which tells what the row is, before the others; its cells alone are read."""
    pairs = list(zip(card.meta["headings"], row.meta["values"], strict=True))
    pairs.sort(key=lambda pair: not isinstance(pair[1], str))
    top = tuple(Cell(0, at, heading) for at, (heading, _) in enumerate(pairs))
    held = tuple(Cell(1, at, written(value)) for at, (_, value) in enumerate(pairs))
    return replace(row, kind="table", text="", table=Table((*top, *held), caption=card.anchor.path))
