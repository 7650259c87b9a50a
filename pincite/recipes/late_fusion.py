"""Two domains with an index each, fused by scores made comparable or by ranks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.recipes.domains import SOURCE, SeparateDomains
from pincite.search.cutoffs import First
from pincite.search.fusion import RRF, DistributionScore, RelativeScore
from pincite.stage import Stage, Together
from pincite.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class LateFusion(SeparateDomains):
    """`top_k` of windows and of rows, fused by `mode` to the best `top_k`, reranked to the best `top_n`.

    `rows` is the weight of rows, what is left to 1 that of windows.
    """

    name: ClassVar[str] = "late-fusion"
    what: ClassVar[str] = (
        "rows and windows apart, fused by relative or distribution score or RRF, reranked"
    )
    source: ClassVar[str] = f"{SOURCE}: late fusion (LF), formulas in 3.3.2"

    mode: Literal["relative", "distribution", "rrf"] = "relative"
    rows: float = 0.5
    k: float = 60.0

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search both, fuse, rerank."""
        weights = 1 - self.rows, self.rows
        joins: dict[str, Callable[[Sequence[Ranking]], Ranking]] = {
            "relative": RelativeScore(weights),
            "distribution": DistributionScore(weights),
            "rrf": RRF(self.k, weights=weights),
        }
        both = Together(self.searches(corpus, kit), join=joins[self.mode])
        return both >> First(self.top_k) >> self.best(corpus, kit)
