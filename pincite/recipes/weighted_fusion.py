"""Two domains with an index each, weighted by how well a cross-encoder finds that each answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.recipes.domains import DEVIATIONS, SOURCE, SeparateDomains
from pincite.recipes.shared_parts import reranked
from pincite.search.cutoffs import First
from pincite.search.fusion import DomainSoftmax
from pincite.stage import Stage, Together
from pincite.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class WeightedFusion(SeparateDomains):
    """Each domain's `top_k` scored by a cross-encoder; scores times the domain's weight; the best `top_k`, reranked.

    A domain's weight is the softmax, at temperature `alpha`, of the mean of its `top_j` highest scores.
    """

    name: ClassVar[str] = "weighted-fusion"
    what: ClassVar[str] = (
        "rows and windows apart, each domain weighted by a cross-encoder, reranked"
    )
    source: ClassVar[str] = f"{SOURCE}: weighted fusion (WF), tables 5.4 and 5.6"
    needs: ClassVar[tuple[str, ...]] = ("encoder", "weigher", "scorer", "large")
    deviations: ClassVar[tuple[str, ...]] = (
        *DEVIATIONS,
        "4.4.5 weighs scores in R, where a weight lowers negative ones: the sigmoid is taken first (logits=true: as there)",
    )

    weigher: str = "jinaai/jina-reranker-v2-base-multilingual"
    chunk: int = 512
    top_k: int = 40
    top_j: int = 40
    alpha: float = 1.0
    logits: bool = False

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search both, score each, weigh, rerank."""
        weigh = reranked(
            corpus, kit, self.weigher, self.top_k, self.views(kit), parameter="weigher"
        )
        weighed = tuple(search >> weigh for search in self.searches(corpus, kit))
        join = DomainSoftmax(self.top_j, self.alpha, self.logits)
        return Together(weighed, join=join) >> First(self.top_k) >> self.best(corpus, kit)
