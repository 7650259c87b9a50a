"""The text of what was found: of an entry (a window, a row of a table, which no node holds by itself), a node or a page.

Indexes keep no texts, so a view is asked again what it sees of the page that the entry stands on. What a model told of figures
is part of these texts, as it is of what is searched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pincite.corpus import Corpus
from pincite.index.told_texts import with_told
from pincite.ports import View
from pincite.types import Hit, Node

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


def node_texts(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """The text of each node that is there."""
    nodes = corpus.nodes_by_id(ids)
    texts = {identity: node.text for identity, node in nodes.items()}
    figures = [identity for identity, node in nodes.items() if node.kind == "figure"]
    for identity, (version, _) in corpus.places(figures).items():
        (told,) = with_told(corpus.part(version, (nodes[identity],)), corpus.folder).nodes
        texts[identity] = told.text
    return texts


def page_texts(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """The text of the page that each of these nodes begins on; its own where it stands on none."""
    texts = node_texts(corpus, ids)
    for identity, (version, number) in corpus.places(ids).items():
        nodes = corpus.page(version, number)
        if any(node.kind == "figure" for node in nodes):
            nodes = list(with_told(corpus.part(version, nodes), corpus.folder).nodes)
        page = next((node for node in nodes if node.kind == "page"), None)
        if page is not None:
            texts[identity] = page.text
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
    document = with_told(corpus.part(version, nodes), corpus.folder)
    found: dict[Key, str] = {}
    for view in views:
        for entry in view(document):
            found.setdefault((entry.node, entry.at), entry.text)
    return found
