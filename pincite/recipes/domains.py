"""The four multi-domain recipes: rows of tables and windows of documents in one index, or in one each and fused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder
from pincite.recipes.shared_parts import reading, reranked
from pincite.search.cutoffs import First
from pincite.search.fusion import RRF, DistributionScore, DomainSoftmax, Highest, RelativeScore
from pincite.search.index.dense import Dense
from pincite.search.index.shelf import Shelf
from pincite.search.index.table_rows import Rows
from pincite.search.index.token_windows import TokenWindows
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.stage import Stage, Together
from pincite.types import Draft, Kind, Query, Ranking

Join = Callable[[Sequence[Ranking]], Ranking]
SOURCE = (
    "Tran and Larsson, RAG for sustainable material data (Chalmers, 2026), sections 4.4 and 4.6"
)
DEVIATIONS = (
    "rows are those of databases and of tables inside documents, which are cut out of the windows (tables=database takes "
    "those of databases alone and leaves the others in their windows, as there; prose=false does so too)",
    "windows never run over a page's end, so that what is cited has one page",
    "a row is shown to the reader as a line with its headers, however it was serialized; a table that a window touches is shown "
    "whole",
    "a question is condensed from its conversation by `pincite chat`, not here",
)


@dataclass(frozen=True, slots=True)
class Domains(Recipe):
    """The two domains by `encoder`, the best `top_n` after a cross-encoder read at `temperature`.

    `chunk` and `overlap` are tokens of a window, `serializer` writes rows: those of all tables, which `prose` then leaves out of
    windows, or with `tables` those of databases alone. `context` is what is read of what was found: the windows and rows
    themselves, or the pages and tables that hold them. Without `rerank` the first `top_n` stay as they were fused, so that
    fusions can be told apart where one scorer orders all of them.
    """

    needs: ClassVar[tuple[str, ...]] = ("encoder", "scorer", "large")
    deviations: ClassVar[tuple[str, ...]] = DEVIATIONS

    encoder: str = "BAAI/bge-m3"
    scorer: str = "BAAI/bge-reranker-v2-m3"
    chunk: int = 256
    overlap: int = 20
    prose: bool = True
    tables: Literal["all", "database"] = "all"
    serializer: str = "full-semantic"
    context: Literal["chunk", "page"] = "chunk"
    top_k: int = 20
    top_n: int = 10
    rerank: bool = True
    temperature: float = 0.0

    @property
    def spared(self) -> Mapping[str, bool]:
        """The cross-encoder where nothing is reranked."""
        return {"scorer": not self.rerank}

    def views(self, kit: Kit) -> tuple[TokenWindows, Rows]:
        """Windows of documents, and rows of tables."""
        by = encoder(kit, self.encoder)
        if self.tables == "database":
            return TokenWindows(by, self.chunk, self.overlap), Rows(self.serializer, of=("row",))
        without: tuple[Kind, ...] = ("table",) if self.prose else ()
        return TokenWindows(by, self.chunk, self.overlap, without=without), Rows(self.serializer)

    def best(self, corpus: Corpus, kit: Kit) -> Stage[Ranking, Ranking]:
        """The best `top_n` of `top_k`, by the cross-encoder where it is wanted."""
        if not self.rerank:
            return First(self.top_n)
        return reranked(corpus, kit, self.scorer, self.top_k, self.views(kit), self.top_n)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Answer from the entries that are left, or say that the data is not there."""
        if self.context == "page":
            return reading(corpus, kit, settings, self.top_n, temperature=self.temperature)
        by: dict[str, Any] = {"by": "chunk", "windows": self.views(kit)[0]}
        return reading(corpus, kit, settings, self.top_n, temperature=self.temperature, **by)


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


@dataclass(frozen=True, slots=True)
class SeparateDomains(Domains):
    """The domains with an index each; rows have an encoder of their own where `row_encoder` names one."""

    row_encoder: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        """The rows' own encoder too, when one is named."""
        needed = super(SeparateDomains, self).needed
        return (*needed, "row_encoder") if self.row_encoder else needed

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Windows, and rows."""
        windows, rows = self.views(kit)
        by = by_row = encoder(kit, self.encoder)
        if self.row_encoder:
            by_row = encoder(kit, self.row_encoder, "row_encoder")
        return Shelf(Dense(by), (windows,)), Shelf(Dense(by_row), (rows,))

    def searches(self, corpus: Corpus, kit: Kit) -> tuple[Stage[Query, Ranking], ...]:
        """The best `top_k` of each domain."""
        return tuple(Search(corpus, shelf, self.top_k) for shelf in self.shelves(kit))

    def fused(
        self, corpus: Corpus, kit: Kit, join: Join, searches: Sequence[Stage[Query, Ranking]] = ()
    ) -> Stage[Query, Ranking]:
        """Both domains searched and joined to the best `top_k`, of which the best `top_n` are taken."""
        together = Together(tuple(searches or self.searches(corpus, kit)), join=join)
        return together >> First(self.top_k) >> self.best(corpus, kit)


@dataclass(frozen=True, slots=True)
class SimpleFusion(SeparateDomains):
    """`top_k` of windows and of rows, the best `top_k` of both by raw similarity, reranked to the best `top_n`."""

    name: ClassVar[str] = "simple-fusion"
    what: ClassVar[str] = "rows and windows apart, merged by raw similarity, reranked"
    source: ClassVar[str] = f"{SOURCE}: simple fusion (SF)"

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search both, merge, rerank."""
        return self.fused(corpus, kit, Highest())


@dataclass(frozen=True, slots=True)
class LateFusion(SeparateDomains):
    """`top_k` of windows and of rows, fused by `mode` to the best `top_k`, reranked to the best `top_n`. `rows` is the weight of
    rows, what is left to 1 that of windows.
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
        joins: dict[str, Join] = {
            "relative": RelativeScore(weights),
            "distribution": DistributionScore(weights),
            "rrf": RRF(self.k, weights=weights),
        }
        return self.fused(corpus, kit, joins[self.mode])


@dataclass(frozen=True, slots=True)
class WeightedFusion(SeparateDomains):
    """Each domain's `top_k` scored by a cross-encoder; scores times the domain's weight; the best `top_k`, reranked. A domain's
    weight is the softmax, at temperature `alpha`, of the mean of its `top_j` highest scores.
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
        views, depth = self.views(kit), self.top_k
        weigh = reranked(corpus, kit, self.weigher, depth, views, parameter="weigher")
        weighed = [search >> weigh for search in self.searches(corpus, kit)]
        return self.fused(corpus, kit, DomainSoftmax(self.top_j, self.alpha, self.logits), weighed)
