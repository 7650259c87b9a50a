"""Reranking: the first hits again in the order of a scorer that reads each text together with the question.

final = (1 - weight) x first stage + weight x scorer, both in [0, 1]: the first stage's scores are brought there by their
minimum and maximum among the hits that are reranked. With a weight of .7 as the winner of the Enterprise RAG Challenge has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.ports import PairScorer, View
from pincite.search.entry_texts import entry_texts, node_texts, page_texts
from pincite.search.fusion import best_windows, minmax
from pincite.stage import Stage
from pincite.types import Hit, Ranking


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
        if self.show == "page":
            hits = self._pages(hits)
        first, rest = hits[: self.depth], hits[self.depth :]
        if not first:
            return given
        judged = _in_range(self.scorer.score(given.query.text, self._texts(first)), len(first))
        given_first = [hit.score for hit in first]
        before = (
            minmax(given_first)
            if self.minmax
            else [min(max(score, 0.0), 1.0) for score in given_first]
        )
        scored = (
            replace(hit, score=(1 - self.weight) * own + self.weight * judgement)
            for hit, own, judgement in zip(first, before, judged, strict=True)
        )
        ranked = sorted(scored, key=lambda hit: -hit.score)
        shares = minmax([hit.score for hit in rest])
        behind = [
            replace(hit, score=ranked[-1].score * share)
            for hit, share in zip(rest, shares, strict=True)
        ]
        return Ranking(given.query, (*ranked, *behind))

    def _pages(self, hits: Sequence[Hit]) -> list[Hit]:
        """The best hit of every page; a hit in nothing that has pages stands for itself."""
        places = self.corpus.places([hit.node for hit in hits])
        best: dict[object, Hit] = {}
        for hit in hits:
            best.setdefault(places.get(hit.node, hit.node), hit)
        return list(best.values())

    def _texts(self, hits: Sequence[Hit]) -> list[str]:
        if self.show == "entry":
            return entry_texts(self.corpus, self.views, hits)
        ids = [hit.node for hit in hits]
        texts = (page_texts if self.show == "page" else node_texts)(self.corpus, ids)
        return [texts.get(identity, "") for identity in ids]


def _in_range(scores: Sequence[float], count: int) -> Sequence[float]:
    if len(scores) != count or not all(0 <= score <= 1 for score in scores):
        raise UsageError(
            f"a reranker must give {count} scores in [0, 1], one for each text, and gave {list(scores)[:8]}: take the sigmoid "
            "of a cross-encoder's logits first"
        )
    return scores
