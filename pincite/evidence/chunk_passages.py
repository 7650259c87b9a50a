"""A chunk that was found, as passages: what the matched window, row or sentence holds, and not the page around it.

The passages of whole pages are made in `gathering.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pincite.corpus import Corpus
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import READ, once, titled, with_tables
from pincite.ingest.tree import section_path
from pincite.models.text_parts import token_windows
from pincite.search.index.document_views import pages_with_headings
from pincite.search.index.token_windows import TokenWindows
from pincite.text.language import ENGLISH
from pincite.types import Hit, Node

Span = tuple[int, int]
_HEAD = 40
"""Characters by which a block is found that goes on over the page."""


def chunks(
    corpus: Corpus,
    windows: TokenWindows | None,
    hits: Sequence[Hit],
    k: int,
    code: str = ENGLISH,
) -> list[tuple[Passage, ...]]:
    """The `k` best entries, each as the passages that it is made of; entries that show the same count once.

    Of a page that one of `windows` was found on, the blocks that this window touches, with the part of each that stands in it; a
    table is shown whole, since its cells mean nothing without their headers. The row of a table is that row under the headers, a
    sentence that part of its block. Any other entry is its node, a page whole.
    """
    made: dict[tuple[tuple[str, Span | None], ...], tuple[Passage, ...]] = {}
    places = corpus.places([hit.node for hit in hits])
    for hit in hits:
        if len(made) == k:
            break
        if hit.node not in places:
            continue
        version, page = places[hit.node]
        document = corpus.by_version[version]
        about = document.id, titled(document), (document.language,)
        passages = tuple(
            Passage(node, len(made), hit.score, section_path(node), *about, part=part)
            for node, part in _shown(corpus, windows, hit, version, page, code)
        )
        if passages:
            key = tuple((passage.node.id, passage.part) for passage in passages)
            made.setdefault(key, passages)
    return list(made.values())


def _shown(
    corpus: Corpus, windows: TokenWindows | None, hit: Hit, version: str, page: int, code: str
) -> list[tuple[Node, Span | None]]:
    """The nodes of a hit, and of each the part that is shown (None: all of it)."""
    (node,) = corpus.nodes([hit.node])
    if node.kind == "sentence":
        block = corpus.nodes_by_id([node.parent]).get(node.parent)
        start = block.text.find(node.text) if block is not None else -1
        return [(block, (start, start + len(node.text)))] if block and start >= 0 else []
    if node.kind != "page":
        in_row = node.table is not None and any(view == "row" for view, _, _ in hit.parts)
        (held,) = with_tables(corpus, [node])
        return [(held, (hit.at, hit.at + 1) if in_row else None)]
    nodes = corpus.page(version, page)
    kept = once(nodes, code)
    if windows is None or all(view != windows.name for view, _, _ in hit.parts):
        return [(block, None) for block in kept if block.kind in READ]
    dropped = {block.id for block in nodes} - {block.id for block in kept}
    touched = _touched(corpus, windows, version, page).get(hit.at, ())
    return [(block, part) for block, part in touched if block.id not in dropped]


@lru_cache(maxsize=1024)
def _touched(
    corpus: Corpus, windows: TokenWindows, version: str, page: int
) -> Mapping[int, Sequence[tuple[Node, Span | None]]]:
    """By the number of a window on its page: the blocks that it touches, with the part of each that stands in it."""
    nodes = corpus.page(version, page, without=())
    before = [node for node in corpus.page(version, page - 1) if node.kind in READ]
    found: dict[int, list[tuple[Node, Span | None]]] = {}
    for cut, _ in pages_with_headings(corpus.part(version, nodes), windows.without):
        blocks = [node for node in nodes if node.kind in READ and node.kind not in windows.without]
        spans = _spans(cut.text, blocks)
        spans = [*_carried(cut.text, spans, before), *spans]
        of_page = token_windows(cut.text, windows.by.spans, windows.tokens, windows.overlap)
        for at, (start, end) in enumerate(of_page):
            found[at] = [
                (block, _part(block, max(start, first) - first, min(end, last) - first))
                for block, first, last in spans
                if first < end and start < last
            ]
    return found


def _spans(text: str, blocks: Sequence[Node]) -> list[tuple[Node, int, int]]:
    """Where each block stands in the text of its page; of one that goes on over the page what begins here."""
    after, found = 0, []
    for block in blocks:
        start, length = text.find(block.text, after), len(block.text)
        if start < 0 and length > _HEAD:
            start = text.find(block.text[:_HEAD], after)
        if block.text and start >= 0:
            after = min(start + length, len(text))
            found.append((block, start, after))
    return found


def _carried(
    text: str, spans: Sequence[tuple[Node, int, int]], before: Sequence[Node]
) -> list[tuple[Node, int, int]]:
    """The block of the page before that goes on at the top of this one: as if it began that far before the text."""
    above = text[: spans[0][1] if spans else len(text)].strip()
    start = before[-1].text.rfind(above) if before and above else -1
    if start < 0:
        return []
    first = text.index(above) - start
    return [(before[-1], first, first + len(before[-1].text))]


def _part(block: Node, start: int, end: int) -> Span | None:
    """The part of a block that is shown: all of a table, and of a text that stands in the window as a whole."""
    whole = block.table is not None or (start, end) == (0, len(block.text))
    return None if whole else (start, end)
