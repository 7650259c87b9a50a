"""From the pages that were found to the passages that a reader is shown."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answer.candidate import Passage
from pincite.corpus import Corpus
from pincite.ingest.tree import section_path
from pincite.types import Hit, Node

READ = ("paragraph", "list", "table", "heading", "caption", "footnote", "figure", "ocr")


def gather(corpus: Corpus, hits: Sequence[Hit], k: int) -> list[Passage]:
    """The passages of the `k` best pages, page by page in reading order; each page once."""
    places = corpus.places([hit.node for hit in hits])
    passages: list[Passage] = []
    seen: set[tuple[str, int]] = set()
    for hit in hits:
        place = places.get(hit.node)
        if place is None or place in seen or len(seen) == k:
            continue
        rank = len(seen)
        seen.add(place)
        document = corpus.by_version[place[0]]
        for node in corpus.page(*place):
            if node.kind in READ:
                passages.append(Passage(node, rank, hit.score, heading_of(node), document.id, document.title))
    return passages


def heading_of(node: Node) -> str:
    """The section path above a node."""
    return section_path(node)
