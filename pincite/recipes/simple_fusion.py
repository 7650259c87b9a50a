"""Two domains with an index each, merged by similarity alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.recipes.domains import SOURCE, SeparateDomains
from pincite.search.cutoffs import First
from pincite.search.raw_score_fusion import Highest
from pincite.stage import Stage, Together
from pincite.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class SimpleFusion(SeparateDomains):
    """`top_k` of windows and of rows, the best `top_k` of both by raw similarity, reranked to the best `top_n`."""

    name: ClassVar[str] = "simple-fusion"
    what: ClassVar[str] = "rows and windows apart, merged by raw similarity, reranked"
    source: ClassVar[str] = f"{SOURCE}: simple fusion (SF)"

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search both, merge, rerank."""
        return (
            Together(self.searches(corpus, kit), join=Highest())
            >> First(self.top_k)
            >> self.best(corpus, kit)
        )
