"""The tables on the pages of a ranking."""

from __future__ import annotations

from collections.abc import Iterator

from pincite.corpus import Corpus
from pincite.types import Node, Ranking


def tables_on(corpus: Corpus, ranking: Ranking) -> Iterator[tuple[Node, str]]:
    """The tables on the pages of a ranking, best first, with their documents' ids."""
    pages = dict.fromkeys(corpus.places([hit.node for hit in ranking.hits]).values())
    for version, page in pages:
        for node in corpus.page(version, page):
            if node.table is not None:
                yield node, corpus.by_version[version].id
