"""The BM25 baseline that HERO started from: two indexes, a router with a penalty for tables, two-stage generation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.question.classes import text_or_table
from pincite.recipes.base import Recipe
from pincite.recipes.shared_parts import TEXT, reading, two_stages
from pincite.search.fusion import Highest
from pincite.search.index.document_views import Tables, Whole
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.stage import Route, Stage, Together
from pincite.types import Draft, Query, Ranking


@dataclass(frozen=True, slots=True)
class BM25(Recipe):
    """The text-only index for questions of text; for questions of tables fewer of it, and few of text and tables, penalised.
    `indexes` searches one index for every question instead, `k_text` deep: what shows the "table paradox".
    """

    name: ClassVar[str] = "bm25"
    what: ClassVar[str] = (
        "words alone, text and tables apart, routed by question; two-stage reading"
    )
    source: ClassVar[str] = "Wu et al., WattBot 2025 (HERO), section 3.1, tables 2 to 4"
    needs: ClassVar[tuple[str, ...]] = ("large",)
    deviations: ClassVar[tuple[str, ...]] = (
        "k1 and b are not given for the baseline: those of HERO's BM25Okapi are taken (k1, b)",
        "how the two lists become one is not said: by weight x score, a chunk in both once with the higher",
        "table delimiters never become terms, so the dilution of the paper's figure 3 does not arise here",
        "words are stemmed and stop words left out",
    )

    k1: float = 1.5
    b: float = 0.75
    indexes: Literal["routed", "text", "hybrid"] = "routed"
    k_text: int = 10
    k_table: int = 7
    k_hybrid: int = 3
    penalty: float = 0.8
    first: int = 3
    first_temperature: float = 0.1
    second: int = 10
    second_temperature: float = 0.3

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Text alone, and text with tables."""
        ranks = Lexical(self.k1, self.b)
        return Shelf(ranks, (Whole(TEXT),)), Shelf(ranks, (Whole(TEXT), Tables()))

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Route by what the question's answer is likely to stand in."""
        text, hybrid = self.shelves(kit)
        if self.indexes != "routed":
            shelf = text if self.indexes == "text" else hybrid
            return Search(corpus, shelf, self.k_text, label=self.indexes)
        few = Search(corpus, text, self.k_table, label="text")
        tables = Search(corpus, hybrid, self.k_hybrid, label="hybrid")
        both = Together((few, tables), join=Highest((1.0, self.penalty)))
        return Route(
            by=text_or_table,
            to={"text": Search(corpus, text, self.k_text, label="text"), "table": both},
        )

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """The best chunks strictly; on refusal more of them, relaxed."""
        warm, warmer = self.first_temperature, self.second_temperature
        strictly = reading(corpus, kit, settings, self.first, strict=True, temperature=warm)
        relaxed = reading(corpus, kit, settings, self.second, strict=False, temperature=warmer)
        return two_stages(strictly, relaxed, settings)
