"""KohakuRAG: sentences are matched and their paragraphs read, for several wordings of a question; blanks are tried wider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pincite.corpus import Corpus
from pincite.generate.shown_pieces import Unit
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import ROLES, encoder, standing_in
from pincite.recipes.shared_parts import TEXT, picture_shelves, reading, reranked, two_stages
from pincite.search.cutoffs import AtLeast
from pincite.search.enclosing_text import Expand
from pincite.search.fusion import Behind, FrequencyScore, Planned
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import SentenceTree, Whole
from pincite.search.index.ivfpq import IVFPQ
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.stage import Each, Stage, Together, unfound
from pincite.types import Draft, Kind, Query, Ranking

PARENTS: tuple[Kind, ...] = ("paragraph", "list", "footnote", "section")
_UNITS: Mapping[str, Unit] = {
    "sentence": "chunk", "paragraph": "passage", "section": "section", "page": "page",
}  # fmt: skip
"""The pieces that a model reads, by what is shown."""


@dataclass(frozen=True, slots=True)
class Kohaku(Recipe):
    """Sentences by meaning for the question and `rephrasings` of it, BM25 behind, reranked; `k` paragraphs are read.

    A blank is tried again with 2 and 3 times as many (`widths`), and `runs` such readings vote on the value and on what they
    refer to: of the large model, or of each of the `voters`, which are roles or names of models where that one is.
    """

    name: ClassVar[str] = "kohaku"
    what: ClassVar[str] = (
        "sentences found for several wordings, their paragraphs reranked and read; wider on a blank; a vote"
    )
    source: ClassVar[str] = (
        "KohakuRAG (WattBot 2025), as Wu et al. section 2 describes it and its public code adds"
    )
    needs: ClassVar[tuple[str, ...]] = ("encoder", "scorer", "small", "large")
    instead: ClassVar[Mapping[str, str]] = {"small": "the question alone"}
    deviations: ClassVar[tuple[str, ...]] = (
        "2.2 says IVF-PQ and 2.3 exact search: exact by default (index=ivfpq)",
        "the vote is on values that mean the same and that their source supports, not on strings",
        "how deep is searched, reranked and read, how often is voted and at what temperature is not published: ours stand here",
        "paragraphs below sections are matched by their sentences; match=tree matches averaged parents as well",
        "hits that a cosine calls opposite are dropped, so that summed scores cannot fall by being found",
        "with an encoder that sees pictures whole pages are embedded, not the figures on them (k_pictures)",
    )

    encoder: str = "jinaai/jina-embeddings-v3"
    scorer: str = "BAAI/bge-reranker-large"
    index: Literal["exact", "ivfpq"] = "exact"
    match: Literal["sentence", "tree"] = "sentence"
    show: Literal["sentence", "paragraph", "section", "page"] = "paragraph"
    rephrasings: int = 3
    k_sentences: int = 50
    frequency: float = 0.4
    bm25: bool = True
    k_bm25: int = 20
    k_pictures: int = 10
    k1: float = 1.5
    b: float = 0.75
    rerank: bool = True
    depth: int = 50
    k: int = 10
    widths: tuple[int, ...] = (1, 2, 3)
    context_first: bool = True
    runs: int = 3
    voters: tuple[str, ...] = ()
    ignore_blank: bool = True
    references: Literal["first", "agreed"] = "agreed"
    temperature: float = 0.7

    @property
    def spared(self) -> Mapping[str, bool]:
        """What a switch turns off."""
        voters = self.voters or ("large",)
        small = not self.rephrasings and "small" not in voters
        return {"scorer": not self.rerank, "small": small, "large": "large" not in voters}

    @property
    def needed(self) -> tuple[str, ...]:
        """The roles that vote, too."""
        roles = (role for role in ROLES if role in self.voters and role not in self.needs)
        return (*super(Kohaku, self).needed, *roles)

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """The tree by meaning, paragraphs and tables by words; and pages by how they look, where the encoder sees pictures."""
        by = encoder(kit, self.encoder)
        tree = SentenceTree(PARENTS if self.match == "tree" else ())
        shelves = [Shelf(Dense(by) if self.index == "exact" else IVFPQ(by), (tree,))]
        if self.bm25:
            shelves.append(Shelf(Lexical(self.k1, self.b), (Whole((*TEXT, "table", "figure")),)))
        return (*shelves, *(picture_shelves(by) if self.k_pictures else ()))

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Plan, search each, put BM25 and pictures of pages behind, rerank."""
        tree, *behind = self.shelves(kit)
        depths = ((self.k_bm25,) if self.bm25 else ()) + (self.k_pictures,)
        sentences = Search(corpus, tree, self.k_sentences) >> AtLeast(0.0)
        found = self._planned(self._held(sentences, corpus), kit)
        if behind:
            searches = (
                self._held(Search(corpus, shelf, depth), corpus)
                for shelf, depth in zip(behind, depths, strict=False)
            )
            found = Together((found, *searches), join=Behind())
        return found >> reranked(corpus, kit, self.scorer, self.depth) if self.rerank else found

    def _held(self, search: Stage[Query, Ranking], corpus: Corpus) -> Stage[Query, Ranking]:
        """What holds the sentences that a search finds, where that is shown instead of them."""
        return search if self.show == "sentence" else search >> Expand(corpus, self.show)

    def _planned(self, search: Stage[Query, Ranking], kit: Kit) -> Stage[Query, Ranking]:
        """The search for the question and its rephrasings; for the question alone where no model may be asked."""
        join = FrequencyScore(self.frequency)
        if not self.rephrasings or standing_in(kit, "small"):
            return Together((search,), join=join)
        from pincite.generate.plan import Rephrase

        each = Each(search, lost=unfound)
        return Rephrase(kit.model("small"), self.rephrasings) >> each >> Planned(join)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Read, wider on a blank, several times, and vote."""
        voters = [name for name in self.voters if name not in ROLES or not standing_in(kit, name)]
        reads = tuple(self._reading(corpus, kit, settings, name) for name in voters or ("large",))
        if len(reads) * self.runs < 2 or not voters and kit.large is None:
            return reads[0]
        from pincite.reconcile.vote import Vote

        return Vote(corpus, reads, self.runs, self.ignore_blank, self.references)

    def _reading(
        self, corpus: Corpus, kit: Kit, settings: Settings, model: str
    ) -> Stage[Ranking, Draft]:
        """One reading, wider on a blank."""
        how: dict[str, Any] = {
            "by": _UNITS[self.show], "temperature": self.temperature, "context_first": self.context_first, "model": model,
        }  # fmt: skip
        *narrower, read = (
            reading(corpus, kit, settings, width * self.k, **how) for width in self.widths
        )
        for stage in reversed(narrower):
            read = two_stages(stage, read, settings)
        return read
