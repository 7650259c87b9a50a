"""What of the hits a model reads: whole pages, or the sections, passages or chunks that were hit on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Literal

from pincite.corpus import Corpus
from pincite.evidence.candidate import Passage
from pincite.evidence.chunk_passages import chunks
from pincite.evidence.gathering import READ, gather, once, titled, with_tables
from pincite.ingest.tree import section_path
from pincite.search.index.token_windows import TokenWindows
from pincite.types import Hit, Node

Unit = Literal["page", "section", "passage", "chunk"]
Piece = tuple[Passage, ...]


def pieces_of(
    corpus: Corpus,
    hits: Sequence[Hit],
    k: int,
    by: Unit,
    code: str,
    windows: TokenWindows | None = None,
) -> tuple[Piece, ...]:
    """The `k` best pages, or the sections, single passages or chunks (of these `windows`) that were hit on them, each once.

    Of a page that says the same in two languages what is in the language `code`.
    """
    if by == "chunk":
        return tuple(chunks(corpus, windows, hits, k, code))
    if by == "page":
        pages = groupby(gather(corpus, hits, k, code), attrgetter("rank"))
        return tuple(tuple(page) for _, page in pages)
    found: dict[tuple[str, ...], Piece] = {}
    for hit in hits:
        piece = _around(corpus, hit, by, len(found), code)
        if piece:
            found.setdefault(tuple(passage.node.id for passage in piece), piece)
        if len(found) == k:
            break
    return tuple(found.values())


def _around(corpus: Corpus, hit: Hit, by: Unit, rank: int, code: str) -> Piece:
    """The passage that holds a hit, or all of its section on its page; a hit page is shown whole."""
    place = corpus.places([hit.node]).get(hit.node)
    nodes = corpus.nodes([hit.node])
    if place is None or not nodes:
        return ()
    document = corpus.by_version[place[0]]
    held = nodes[0]
    if held.kind == "row":
        around = with_tables(corpus, nodes)
    else:
        on_page = [node for node in once(corpus.page(*place), code) if node.kind in READ]
        around = on_page if held.kind == "page" else _near(held, on_page, by)
    return tuple(
        Passage(node, rank, hit.score, section_path(node), document.id, titled(document))
        for node in around
    )


def _near(held: Node, on_page: list[Node], by: Unit) -> list[Node]:
    """The nodes of a page that make up a hit's section or passage; the whole page where none does."""
    if by == "section":
        return [node for node in on_page if node.anchor.path == held.anchor.path] or on_page
    own = held.id if held.kind in READ else held.parent
    return [node for node in on_page if node.id == own] or on_page
