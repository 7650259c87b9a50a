"""What a recipe found as chunks: the windows of its rankings under their ids, for questions whose gold is chunks."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.lab.scoring.examples import evidence_of
from pincite.lab.scoring.gold_chunks import Row, Window, chunk_id, gold_chunks, named_chunks
from pincite.ports import View
from pincite.records.runfile import document_name
from pincite.search.index.token_windows import TokenWindows
from pincite.search.reranking import entry_texts
from pincite.types import Hit, Ranking
from pincite.workbench.library import Library

_WHOLE = "Expand("
"""The stage that puts pages in the place of what was matched on them: what such a recipe finds are no chunks."""


def window_views(library: Library, stages: str) -> tuple[View, ...]:
    """The views of a recipe if its hits are windows of tokens and what is beside them, else none; `stages` is its spelling."""
    if _WHOLE in stages:
        return ()
    shelves = library.recipe.shelves(library.kit)
    views = tuple(dict.fromkeys(view for shelf in shelves for view in shelf.views))
    return views if any(isinstance(view, TokenWindows) for view in views) else ()


def found_chunks(
    library: Library, views: tuple[View, ...], ranking: Ranking, gold: Row, k: int
) -> list[str]:
    """The ids of the first `k` entries of a ranking, a gold chunk's where an entry is that; others under their own."""
    hits = ranking.hits[:k]
    places = library.corpus.places([hit.node for hit in hits])
    named = library.corpus.by_version
    windows = []
    for hit, text in zip(hits, entry_texts(library.corpus, views, hits), strict=True):
        version, page = places.get(hit.node, ("", 0))
        spot = (document_name(named[version].id) if version else "", page)
        windows.append(Window(_id(views, version, hit), spot, text))
    return named_chunks(windows, gold_chunks(gold), frozenset(evidence_of(gold)))


def _id(views: Sequence[View], version: str, hit: Hit) -> str:
    """The id of an entry: of a window that is cut as test sets cut theirs, the chunk's, else one of its own."""
    seen = {view for view, _, _ in hit.parts}
    for view in views:
        if isinstance(view, TokenWindows) and f"tokens{view.tokens}" in seen:
            cut = f"{hit.node} {view.overlap} {' '.join(view.without)}"
            return chunk_id(version, cut, view.tokens, hit.at)
    return f"{hit.node} {hit.at}"
