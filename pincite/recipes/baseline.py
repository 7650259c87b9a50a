"""Rows of tables and windows of documents in one index: the baseline that the multi-domain fusions are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pincite.corpus import Corpus
from pincite.index.dense import Dense
from pincite.index.shelf import Shelf
from pincite.ports import Kit
from pincite.recipes.domains import SOURCE, Domains
from pincite.recipes.model_choice import encoder
from pincite.search.shelf_search import Search
from pincite.stage import Stage
from pincite.types import Query, Ranking


@dataclass(frozen=True, slots=True)
class Baseline(Domains):
    """One joint index by meaning; its best `top_k` entries are reranked by a cross-encoder to the best `top_n`."""

    name: ClassVar[str] = "baseline"
    what: ClassVar[str] = "rows and windows in one index by meaning, reranked"
    source: ClassVar[str] = f"{SOURCE}: baseline (BL)"

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """One index over both domains."""
        return (Shelf(Dense(encoder(kit, self.encoder)), self.views(kit)),)

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search, then rerank."""
        return Search(corpus, self.shelves(kit)[0], self.top_k) >> self.best(corpus, kit)
