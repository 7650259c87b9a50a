"""The winner of the Enterprise RAG Challenge: one company's report, chunks that lead to pages, pages that a model judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pincite.corpus import Corpus
from pincite.index.dense import Dense
from pincite.index.lexical import Lexical
from pincite.index.shelf import Shelf
from pincite.index.token_windows import TokenWindows
from pincite.index.told_texts import Told
from pincite.ports import Kit, View
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder, judge, standing_in
from pincite.recipes.shared_parts import reading, rules_of
from pincite.search.company_scope import Scope
from pincite.search.cutoffs import First
from pincite.search.enclosing_text import Expand
from pincite.search.fusion import RelativeScore
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
    def needed(self) -> tuple[str, ...]:
        """Not what a switch turns off."""
        spared = {"small": not self.decompose, "judge": not self.judged}
        return tuple(need for need in self.needs if not spared.get(need))

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Chunks inside pages, by meaning, by words or both."""
        by, views = encoder(kit, self.encoder), self.views(kit)
        indexes = ((Dense(by),) if self.vectors else ()) + (
            (Lexical(self.k1, self.b),) if self.bm25 else ()
        )
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
        several = tuple(Search(corpus, shelf, self.chunks) for shelf in self.shelves(kit))
        search = (
            several[0]
            if len(several) == 1
            else Together(several, join=RelativeScore()) >> First(self.chunks)
        )
        found = Scope(corpus) >> search if self.scope else search
        if self.context == "page":
            found = found >> Expand(corpus, "page")
        if self.judged:
            found = found >> Rerank(
                judge(kit, self.pages_a_call),
                corpus,
                self.chunks,
                self.model_weight,
                show=self._shown,
                views=self.views(kit) if self._shown == "entry" else (),
                minmax=self.bm25,
            )
        return found >> First(self.k)

    @property
    def _shown(self) -> Literal["page", "entry"]:
        """What the judge is shown."""
        return "page" if self.context == "page" else "entry"

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """One reading of the pages, with the rules of the challenge unless the settings name others."""
        rules = rules_of(settings, "erc")
        return reading(
            corpus,
            kit,
            settings,
            self.k,
            by=self.context,
            temperature=self.temperature,
            rules=rules,
            windows=self.windows(kit) if self.context == "chunk" else None,
        )

    def plan(self, corpus: Corpus, kit: Kit) -> Stage[Query, Plan] | None:
        """A question for each company that is named."""
        if not self.decompose:
            return None
        from pincite.generate.plan import Decompose

        return Decompose(corpus, None if standing_in(kit, "small") else kit.model("small"))
