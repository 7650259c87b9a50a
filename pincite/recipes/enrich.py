"""EnrichIndex: pages and tables by their text and by what a model wrote about them offline; similarities are added up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from pincite.corpus import Corpus
from pincite.errors import CorpusError, UsageError
from pincite.ports import Index, Kit, View
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder, standing_in
from pincite.recipes.shared_parts import reading
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import ObjectKind, Pages
from pincite.search.index.lexical import Lexical
from pincite.search.index.plain_descriptions import Plainly
from pincite.search.index.shelf import Shelf
from pincite.search.index.table_samples import Sampled
from pincite.search.index.told_texts import Told, digests
from pincite.search.shelf_search import as_asked
from pincite.search.summed_similarity import SummedSimilarity
from pincite.settings import Settings
from pincite.stage import Stage
from pincite.types import Draft, Query, Ranking


@dataclass(frozen=True, slots=True)
class Enrich(Recipe):
    """S(q, o) = original S(q, text) + purpose S(q, purpose) + summary S(q, summary) + qa S(q, questions with answers).

    S is BM25, the cosine, or both (`dense` of the latter, each sum brought to [0, 1] over all objects). Objects are pages, tables
    of documents (`tables`) and tables of databases (`databases`); every one is scored in every index. A weight of 0 leaves its
    index out. With `told=plain` one index of descriptions by code takes the place of the three, at `plain`.
    """

    name: ClassVar[str] = "enrich"
    what: ClassVar[str] = (
        "pages and tables by their text, and by purpose, summary and questions that a model wrote offline"
    )
    source: ClassVar[str] = (
        "Chen et al., EnrichIndex (2025), equation (1), sections 2 and 3, appendices D and E"
    )
    needs: ClassVar[tuple[str, ...]] = ("encoder", "small", "large")
    instead: ClassVar[Mapping[str, str]] = {"small": "descriptions by code"}
    deviations: ClassVar[tuple[str, ...]] = (
        "weights are tuned on a fifth of each data set and not published: equal ones until `pincite tune` sets them",
        "what has no description has no entry, so that its similarity there is 0",
        "of a table of a database no more than five rows are shown: those drawn when it was indexed",
        "expand searches for the question with the analysis behind it, where the authors search for the analysis",
        "how an answer is read is not part of it: the pages of the best objects are read once",
    )

    search: Literal["lexical", "dense", "hybrid"] = "hybrid"
    encoder: str = "Alibaba-NLP/gte-multilingual-base"
    k1: float = 0.9
    b: float = 0.4
    pages: bool = True
    tables: bool = True
    databases: bool = True
    rows: int = 5
    told: Literal["model", "plain"] = "model"
    original: float = 1.0
    purpose: float = 1.0
    summary: float = 1.0
    qa: float = 1.0
    plain: float = 1.0
    dense: float = 0.5
    expand: bool = False
    k: int = 100
    read_pages: int = 10

    @property
    def spared(self) -> Mapping[str, bool]:
        """The encoder when only words are searched, the small model when nothing is told by one."""
        small = self.told == "plain" and not self.expand
        return {"encoder": self.search == "lexical", "small": small}

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """An index for each representation, by words, by meaning or both."""
        return tuple(shelf for several in self._by_similarity(kit) for shelf in several)

    def _by_similarity(self, kit: Kit) -> tuple[tuple[Shelf, ...], ...]:
        """For each similarity the index of each representation."""
        indexes: list[Index] = []
        if self.search != "dense":
            indexes.append(Lexical(self.k1, self.b))
        if self.search != "lexical":
            indexes.append(Dense(encoder(kit, self.encoder)))
        parts = self._parts(kit)
        return tuple(tuple(Shelf(index, views) for _, views in parts) for index in indexes)

    def _parts(self, kit: Kit) -> tuple[tuple[float, tuple[View, ...]], ...]:
        """Each representation with its weight."""
        of, parts = self._kinds, [(self.original, self.objects)]
        if self._plainly(kit):
            parts.append((self.plain, (Plainly(kinds=of),)))
        else:
            parts += [(weight, (Told(kind, of=of),)) for kind, weight in self._told_weights]
        return tuple((weight, views) for weight, views in parts if weight)

    @property
    def _told_weights(self) -> tuple[tuple[Literal["purpose", "summary", "qa"], float], ...]:
        return ("purpose", self.purpose), ("summary", self.summary), ("qa", self.qa)

    @property
    def _kinds(self) -> tuple[ObjectKind, ...]:
        wanted: tuple[tuple[ObjectKind, bool], ...] = (
            ("page", self.pages), ("table", self.tables), ("relation", self.databases),
        )  # fmt: skip
        return tuple(kind for kind, is_wanted in wanted if is_wanted)

    @property
    def objects(self) -> tuple[View, ...]:
        """What sees the objects: pages whole, tables in short."""
        of = tuple(kind for kind in self._kinds if kind != "page")
        tables = (Sampled(self.rows, of=of),) if of else ()
        return (*((Pages(),) if self.pages else ()), *tables)

    def _plainly(self, kit: Kit) -> bool:
        return self.told == "plain" or standing_in(kit, "small")

    def check(self, corpus: Corpus, kit: Kit) -> None:
        """Raise CorpusError when nothing was told of the corpus that these parameters search."""
        wanted = {kind for kind, weight in self._told_weights if weight}
        if not wanted or self._plainly(kit):
            return
        if wanted.isdisjoint(kind for _, kind in digests(corpus.folder)):
            raise CorpusError(
                f"the corpus {corpus.folder} has no model-written descriptions: run `pincite enrich --corpus {corpus.folder}` "
                "with a model, then `pincite index --recipe enrich`, or take descriptions by code with --set told=plain"
            )

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Add up the similarities."""
        words: Callable[[Query], str] = as_asked
        if self.expand and not standing_in(kit, "small"):
            from pincite.generate.judgerank_steps import Analysed

            words = Analysed(kit.model("small"))
        weights = tuple(weight for weight, _ in self._parts(kit))
        if not weights:
            raise UsageError(
                f"every weight of {self.name} is 0: set one of original, purpose, summary, qa or plain"
            )
        shares = (1 - self.dense, self.dense) if self.search == "hybrid" else (1.0,)
        return SummedSimilarity(corpus, self._by_similarity(kit), weights, shares, self.k, words)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Read the pages of the best objects."""
        return reading(corpus, kit, settings, self.read_pages, by="page")
