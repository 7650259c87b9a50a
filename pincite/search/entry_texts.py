"""The text of an entry that was found: a window, a row of a table, which no node holds by itself.

Indexes keep no texts, so a view is asked again what it sees of the page that the entry stands on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pincite.corpus import Corpus
from pincite.ports import View
from pincite.types import Document, Hit, Node

Key = tuple[str, int]


def entry_texts(corpus: Corpus, views: tuple[View, ...], hits: Sequence[Hit]) -> list[str]:
    """The text of each hit as the first of `views` that has its node and window sees it; its node's text where none has it.

    For views that look at one page at a time: windows inside pages, rows, whole nodes. What stands on no page, such as the row
    of a database, is looked at with the node above it.
    """
    ids = list(dict.fromkeys(hit.node for hit in hits))
    places, nodes = corpus.places(ids), corpus.nodes_by_id(ids)
    texts = []
    for hit in hits:
        if hit.node not in places:
            texts.append("")
            continue
        (version, page), node = places[hit.node], nodes[hit.node]
        found = (
            _on_page(corpus, views, version, page)
            if page
            else _alone(corpus, views, version, node.parent, node.id)
        )
        texts.append(found.get((hit.node, hit.at), node.text))
    return texts


@lru_cache(maxsize=4096)
def _on_page(
    corpus: Corpus, views: tuple[View, ...], version: str, page: int
) -> Mapping[Key, str]:
    return _seen(corpus, views, version, tuple(corpus.page(version, page, without=())))


@lru_cache(maxsize=4096)
def _alone(
    corpus: Corpus, views: tuple[View, ...], version: str, above: str, node: str
) -> Mapping[Key, str]:
    return _seen(corpus, views, version, tuple(corpus.nodes([above, node])))


def _seen(
    corpus: Corpus, views: tuple[View, ...], version: str, nodes: tuple[Node, ...]
) -> Mapping[Key, str]:
    document = document_of(corpus, version, nodes)
    found: dict[Key, str] = {}
    for view in views:
        for entry in view(document):
            found.setdefault((entry.node, entry.at), entry.text)
    return found


def document_of(corpus: Corpus, version: str, nodes: Sequence[Node]) -> Document:
    """What is known of a document, with these of its nodes: what a view is asked about a page of it."""
    known = corpus.by_version[version]
    return Document(
        known.id,
        version,
        known.title,
        date=known.date,
        language=known.language,
        meta=known.meta,
        nodes=tuple(nodes),
    )
