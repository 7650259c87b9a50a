"""The winner of the Enterprise RAG Challenge: one company's report, chunks that lead to pages, pages that a model judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pincite.corpus import Corpus
from pincite.ports import Index, Kit, View
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder, judge, standing_in
from pincite.recipes.shared_parts import reading, rules_of
from pincite.search.company_scope import Scope
from pincite.search.cutoffs import First
from pincite.search.enclosing_text import Expand
from pincite.search.fusion import RelativeScore
from pincite.search.index.dense import Dense
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.index.token_windows import TokenWindows
from pincite.search.index.told_texts import Told
from pincite.search.reranking import Rerank
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.stage import Stage, Together
from pincite.types import Draft, Plan, Query, Ranking


@dataclass(frozen=True, slots=True)
class Enterprise(Recipe):
    """The best `chunks` of the company's report, their pages, judged by a model `pages_a_call` at a time; `k` are read.

    `context` switches the parent pages off: with "chunk" the chunks themselves are judged and read.

    A question about several companies is asked of each, and the answers are compared.
    """

    name: ClassVar[str] = "enterprise"
    what: ClassVar[str] = (
        "one company's report, chunks lead to pages, a model judges pages; prompts by type of answer"
    )
    source: ClassVar[str] = "Rice, How I won the Enterprise RAG Challenge (2025)"
    needs: ClassVar[tuple[str, ...]] = ("encoder", "small", "judge", "large")
    instead: ClassVar[Mapping[str, str]] = {"small": "wordings by code"}
    deviations: ClassVar[tuple[str, ...]] = (
        "one index with a filter that is honoured inside it, instead of one index for each document",
        "code compares the numbers of several companies; a model chooses only where they are no numbers",
        "pages are shown as numbered lines below their numbers, and one form is filled in for all types of answer",
        "a page is cited by where its numbers stand, and an answer that its page does not support is asked for once more",
        "serialized tables are entries of their page instead of text on it (serialized)",
        "with BM25 beside vectors, scores are made comparable within their ranking first (bm25)",
    )

    encoder: str = "text-embedding-3-large"
    chunk: int = 300
    overlap: int = 50
    vectors: bool = True
    bm25: bool = False
    k1: float = 1.5
    b: float = 0.75
    serialized: bool = False
    scope: bool = True
    decompose: bool = True
    chunks: int = 30
    context: Literal["page", "chunk"] = "page"
    judged: bool = True
    pages_a_call: int = 3
    model_weight: float = 0.7
    k: int = 10
    temperature: float = 0.0

    @property
    def spared(self) -> Mapping[str, bool]:
        """What a switch turns off."""
        return {"small": not self.decompose, "judge": not self.judged}

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Chunks inside pages, by meaning, by words or both."""
        views, indexes = self.views(kit), list[Index]()
        if self.vectors:
            indexes.append(Dense(encoder(kit, self.encoder)))
        if self.bm25:
            indexes.append(Lexical(self.k1, self.b))
        return tuple(Shelf(index, views) for index in indexes)

    def views(self, kit: Kit) -> tuple[View, ...]:
        """Chunks inside pages, and what a model said of tables: on their page, or where chunks are read on the table."""
        windows = self.windows(kit)
        if not self.serialized:
            return (windows,)
        on: Literal["page", "node"] = "page" if self.context == "page" else "node"
        return windows, Told("tables", each=True, on=on)

    def windows(self, kit: Kit) -> TokenWindows:
        """The chunks of pages."""
        return TokenWindows(encoder(kit, self.encoder), self.chunk, self.overlap)

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Scope to the company, search, take the pages where these are read, judge."""
        found: Stage[Query, Ranking]
        found, *more = (Search(corpus, shelf, self.chunks) for shelf in self.shelves(kit))
        if more:
            found = Together((found, *more), join=RelativeScore()) >> First(self.chunks)
        if self.scope:
            found = Scope(corpus) >> found
        shown: dict[str, Any] = {"show": "entry", "views": self.views(kit)}
        if self.context == "page":
            found, shown = found >> Expand(corpus, "page"), {"show": "page"}
        if self.judged:
            judging, weight = judge(kit, self.pages_a_call), self.model_weight
            found = found >> Rerank(
                judging, corpus, self.chunks, weight, minmax=self.bm25, **shown
            )
        return found >> First(self.k)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """One reading of the pages, with the rules of the challenge unless the settings name others."""
        how: dict[str, Any] = {"by": self.context, "rules": rules_of(settings, "erc")}
        if self.context == "chunk":
            how["windows"] = self.windows(kit)
        return reading(corpus, kit, settings, self.k, temperature=self.temperature, **how)

    def plan(self, corpus: Corpus, kit: Kit) -> Stage[Query, Plan] | None:
        """A question for each company that is named."""
        if not self.decompose:
            return None
        from pincite.generate.plan import Decompose

        return Decompose(corpus, None if standing_in(kit, "small") else kit.model("small"))
