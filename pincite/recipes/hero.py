"""HERO: words and meaning over typed chunks, fused with weights by type, reranked; two stages by class of question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pincite.corpus import Corpus
from pincite.ports import Kit
from pincite.question.classes import complexity
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder
from pincite.recipes.shared_parts import TEXT, reading, reranked, two_stages
from pincite.search.expansion import Abbreviations
from pincite.search.fusion import RRF
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import Whole
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.named_documents import Boost
from pincite.search.shelf_search import Search, as_asked
from pincite.settings import Settings
from pincite.stage import Route, Stage, Together
from pincite.types import Draft, Query, Ranking


@dataclass(frozen=True, slots=True)
class Hero(Recipe):
    """Paragraphs, tables and figures by words and by meaning, each type with a weight, `depth` of them reranked.

    Questions of the five complex classes are read aggressively at once, others strictly first; both with more on refusal.
    `indexes` searches by words or by meaning alone (table 9), `by_class` gives each class of question its instruction (table 13).
    """

    name: ClassVar[str] = "hero"
    what: ClassVar[str] = (
        "words and meaning fused with weights by type and metadata, reranked; reading by class of question"
    )
    source: ClassVar[str] = "Wu et al., WattBot 2025 (HERO), section 3.2, tables 9 to 15"
    needs: ClassVar[tuple[str, ...]] = ("encoder", "scorer", "large")
    deviations: ClassVar[tuple[str, ...]] = (
        "the text has 5 to 8 chunks read, table 14 has 7 or 10: the table is followed (second_general, second_complex)",
        "exact L2 search over unit vectors is ranked by cosine, which is the same order",
        "a document that is named by author or year has all its chunks weighed, on top of the weight of their type (metadata)",
        "figures count as the text that was read in them (ocr); the 0.6 threshold is that of whatever reads it at indexing",
        "the dictionary has 47 entries of our own: five are published (abbreviations names a file of more)",
    )

    encoder: str = "BAAI/bge-m3"
    scorer: str = "BAAI/bge-reranker-large"
    indexes: Literal["both", "words", "meaning"] = "both"
    k1: float = 1.5
    b: float = 0.75
    k: int = 150
    rrf: float = 60.0
    text: float = 1.0
    table: float = 2.0
    ocr: float = 1.8
    metadata: float = 2.0
    depth: int = 50
    expand: bool = True
    abbreviations: str = ""
    first: int = 3
    second_general: int = 7
    second_complex: int = 10
    by_class: bool = True
    temperature: float = 0.1

    @property
    def spared(self) -> Mapping[str, bool]:
        """The encoder where words alone are searched."""
        return {"encoder": self.indexes == "words"}

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """The same chunks by words and by meaning."""
        views = (Whole((*TEXT, "table", "figure", "ocr")),)
        words = (Shelf(Lexical(self.k1, self.b), views),) if self.indexes != "meaning" else ()
        if self.indexes == "words":
            return words
        return (*words, Shelf(Dense(encoder(kit, self.encoder)), views))

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Search both for the expanded question, fuse by type, weigh what the question hints at, rerank."""
        words = Abbreviations(self.abbreviations) if self.expand else as_asked
        both = tuple(Search(corpus, shelf, self.k, words) for shelf in self.shelves(kit))
        weights: dict[str, float] = {kind: self.text for kind in TEXT}
        weights |= {"table": self.table, "ocr": self.ocr, "figure": self.ocr}
        fused = Together(both, join=RRF(self.rrf, by_view=weights)) >> Boost(corpus, self.metadata)
        return fused >> reranked(corpus, kit, self.scorer, self.depth)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Two stages, by how complex the question is; each class of question has an instruction of its own."""

        def read_best(k: int, strict: bool) -> Stage[Ranking, Draft]:
            how: dict[str, Any] = {"temperature": self.temperature, "by_class": self.by_class}
            return reading(corpus, kit, settings, k, strict=strict, **how)

        strictly, broadly = read_best(self.first, True), read_best(self.first, False)
        general = two_stages(strictly, read_best(self.second_general, False), settings)
        complicated = two_stages(broadly, read_best(self.second_complex, False), settings)
        return Route(by=complexity, to={"general": general, "complex": complicated})
