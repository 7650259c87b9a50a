"""Reranking: the first hits again in the order of a scorer that reads each text together with the question.

final = (1 - weight) x first stage + weight x scorer, both in [0, 1]: the first stage's scores are brought there by their
minimum and maximum among the hits that are reranked. With a weight of .7 as the winner of the Enterprise RAG Challenge has it.

Indexes keep no texts: the text of an entry (a window, a row of a table, which no node holds by itself) is what a view sees of the
page that it stands on. What a model told of figures is part of these texts, as it is of what is searched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.ports import PairScorer, View
from pincite.search.fusion import best_windows, minmax
from pincite.search.index.told_texts import with_told
from pincite.stage import Stage
from pincite.types import Hit, Ranking

Key = tuple[str, int]


def entry_texts(corpus: Corpus, views: tuple[View, ...], hits: Sequence[Hit]) -> list[str]:
    """The text of each hit as the first of `views` that has its node and window sees it; its node's text where none has it.

    For views that look at one page at a time: windows inside pages, rows, whole nodes. What stands on no page, such as the row
    of a database, is looked at with the node above it.
    """
    ids = list(dict.fromkeys(hit.node for hit in hits))
    places, nodes = corpus.places(ids), corpus.nodes_by_id(ids)

    def text(hit: Hit) -> str:
        if hit.node not in places:
            return ""
        (version, page), node = places[hit.node], nodes[hit.node]
        alone = () if page else (node.parent, node.id)
        found = _seen(corpus, views, version, page, alone)
        return found.get((hit.node, hit.at), node.text)

    return list(map(text, hits))


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
def _seen(
    corpus: Corpus, views: tuple[View, ...], version: str, page: int, alone: tuple[str, ...]
) -> Mapping[Key, str]:
    """What views see of a page, or of the nodes `alone` where these are on none."""
    nodes = corpus.page(version, page, without=()) if page else corpus.nodes(list(alone))
    document = with_told(corpus.part(version, tuple(nodes)), corpus.folder)
    found: dict[Key, str] = {}
    for view in views:
        for entry in view(document):
            found.setdefault((entry.node, entry.at), entry.text)
    return found


@dataclass(frozen=True)
class Rerank(Stage[Ranking, Ranking]):
    """Rank the first `depth` pages anew by what `scorer` makes of their whole text; with `show="node"`, nodes by theirs.

    With `show="entry"` each entry by its own text, as `views` see it. Each page (or node) is kept once, as its best hit. What
    is not reranked follows in its order, with no higher score. Without `minmax` the first stage's scores, such as cosines, are
    taken as they are, at least 0 and at most 1. Equal scores stay in the order of the first stage. Raises UsageError when the
    scorer does not score in [0, 1].
    """

    scorer: PairScorer
    corpus: Corpus = field(repr=False, compare=False)
    depth: int = 30
    weight: float = 0.7
    show: Literal["page", "node", "entry"] = "page"
    views: tuple[View, ...] = ()
    minmax: bool = True

    def run(self, given: Ranking) -> Ranking:
        """Rerank one ranking."""
        hits = list(given.hits if self.show == "entry" else best_windows(given).hits)
        if self.show == "page":  # a hit in nothing that has pages stands for itself
            places = self.corpus.places([hit.node for hit in hits])
            best: dict[object, Hit] = {}
            for hit in hits:
                best.setdefault(places.get(hit.node, hit.node), hit)
            hits = list(best.values())
        first, rest = hits[: self.depth], hits[self.depth :]
        if not first:
            return given
        judged = self.scorer.score(given.query.text, self._texts(first))
        if len(judged) != len(first) or not all(0 <= score <= 1 for score in judged):
            raise UsageError(
                f"a reranker must give {len(first)} scores in [0, 1], one for each text, and gave {list(judged)[:8]}: take the "
                "sigmoid of a cross-encoder's logits first"
            )
        before = [hit.score for hit in first]
        before = minmax(before) if self.minmax else [min(max(one, 0.0), 1.0) for one in before]
        scored = [
            replace(hit, score=(1 - self.weight) * own + self.weight * judgement)
            for hit, own, judgement in zip(first, before, judged, strict=True)
        ]
        ranked = sorted(scored, key=lambda hit: -hit.score)
        shares = zip(rest, minmax([hit.score for hit in rest]), strict=True)
        behind = [replace(hit, score=ranked[-1].score * share) for hit, share in shares]
        return Ranking(given.query, (*ranked, *behind))

    def _texts(self, hits: Sequence[Hit]) -> list[str]:
        if self.show == "entry":
            return entry_texts(self.corpus, self.views, hits)
        ids = [hit.node for hit in hits]
        texts = (page_texts if self.show == "page" else node_texts)(self.corpus, ids)
        return [texts.get(identity, "") for identity in ids]
