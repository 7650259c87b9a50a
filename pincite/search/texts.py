"""The text of an entry that was found: a window, a row of a table, which no node holds by itself.

Indexes keep no texts, so a view is asked again what it sees of the page that the entry stands on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pincite.corpus import Corpus
from pincite.ports import View
from pincite.types import Document, Hit

Key = tuple[str, int]


def entry_texts(corpus: Corpus, views: tuple[View, ...], hits: Sequence[Hit]) -> list[str]:
    """The text of each hit as the first of `views` that has its node and window sees it; its node's text where none has it.

    For views that look at one page at a time: windows inside pages, rows, whole nodes.
    """
    ids = list(dict.fromkeys(hit.node for hit in hits))
    places, nodes = corpus.places(ids), {node.id: node.text for node in corpus.nodes(ids)}
    return [
        _on_page(corpus, views, *places[hit.node]).get((hit.node, hit.at), nodes.get(hit.node, ""))
        if hit.node in places
        else ""
        for hit in hits
    ]


@lru_cache(maxsize=4096)
def _on_page(corpus: Corpus, views: tuple[View, ...], version: str, page: int) -> Mapping[Key, str]:
    one = corpus.by_version[version]
    nodes = tuple(corpus.page(version, page, without=()))
    document = Document(one.id, version, one.title, date=one.date, language=one.language, meta=one.meta, nodes=nodes)
    found: dict[Key, str] = {}
    for view in views:
        for entry in view(document):
            found.setdefault((entry.node, entry.at), entry.text)
    return found
