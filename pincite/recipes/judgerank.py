"""JudgeRank: a model analyses the question and every candidate before it says yes or no; EnrichIndex compares itself with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from pincite.corpus import Corpus
from pincite.models.standin import StandInScorer
from pincite.ports import Kit, PairScorer
from pincite.recipes.base import Recipe
from pincite.recipes.enrich import Enrich
from pincite.recipes.model_choice import standing_in
from pincite.recipes.shared_parts import reading
from pincite.search.index.shelf import Shelf
from pincite.search.reranking import Rerank
from pincite.settings import Settings
from pincite.stage import Stage
from pincite.types import Draft, Query, Ranking


@dataclass(frozen=True, slots=True)
class Judgerank(Recipe):
    """BM25 over objects for the question as a model expands it, or all of `enrich`; then `depth` are judged.

    Objects are the pages of documents, or their tables, and with either the tables of databases. The model of the role `analyst`
    analyses the question, which expands it too, and each candidate; the judge says yes or no to each: 1 + 2 x `depth` calls a
    question, ranked by the probability of a yes where the endpoint gives it. `depth` none is 100 pages or 20 tables, and `helps`
    the relation to the question that is judged. `told`, `search` and the weights are those of `enrich`, where it is over that.
    """

    name: ClassVar[str] = "judgerank"
    what: ClassVar[str] = (
        "every candidate analysed and judged yes or no by a model, over BM25 or over enrich"
    )
    source: ClassVar[str] = (
        "Niu et al., JudgeRank (2024), as Chen et al., EnrichIndex (2025), sections 3.3, 3.4, appendix B.1"
    )
    needs: ClassVar[tuple[str, ...]] = ("judge", "large")
    instead: ClassVar[Mapping[str, str]] = {"small": "the question as it is"}
    deviations: ClassVar[tuple[str, ...]] = (
        "where the endpoint gives no log-probabilities every yes stands before every no, each in the order of the first stage "
        "(a weight below 0.5 mixes them)",
        "question and candidates are analysed by one model (analyst=judge: the judge), where the comparison has the judge "
        "analyse candidates",
        "how an answer is read is not part of it: the pages of the best objects are read once",
    )

    over: Literal["bm25", "enrich"] = "bm25"
    objects: Literal["page", "table"] = "page"
    analyst: Literal["small", "judge", "large"] = "small"
    helps: str = "substantially helps to answer"
    expand: bool = True
    depth: int | None = None
    weight: float = 1.0
    k1: float = 0.9
    b: float = 0.4
    rows: int = 5
    told: Literal["model", "plain"] = "model"
    search: Literal["lexical", "dense", "hybrid"] = "hybrid"
    original: float = 1.0
    purpose: float = 1.0
    summary: float = 1.0
    qa: float = 1.0
    plain: float = 1.0
    dense: float = 0.5
    encoder: str = "Alibaba-NLP/gte-multilingual-base"
    read_pages: int = 10

    @property
    def _deep(self) -> int:
        return self.depth if self.depth is not None else {"page": 100, "table": 20}[self.objects]

    def _first(self, kit: Kit) -> Enrich:
        """The first stage: enrich, or what is left of it without enrichment and meaning."""
        shared = ["encoder", "k1", "b", "rows"]
        given: dict[str, Any] = {"search": "lexical", "told": "plain", "plain": 0.0}
        if self.over == "enrich":
            shared += ["search", "original", "purpose", "summary", "qa", "plain", "dense"]
            given = {"told": "plain" if standing_in(kit, "small") else self.told}
        given |= {name: getattr(self, name) for name in shared}
        given |= {"pages": self.objects == "page", "tables": self.objects == "table"}
        return Enrich(expand=self.expand and not self._replaced(kit), k=self._deep, **given)

    @property
    def needed(self) -> tuple[str, ...]:
        """The encoder too, when it is over enrich by meaning, and the model that analyses."""
        encoder = ("encoder",) if self.over == "enrich" and self.search != "lexical" else ()
        return tuple(dict.fromkeys((*encoder, self.analyst, *self.needs)))

    def _replaced(self, kit: Kit) -> bool:
        """Whether a model that judging needs is missing, so that cosines take its place."""
        return standing_in(kit, "judge") or standing_in(kit, self.analyst)

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Those of the first stage."""
        return self._first(kit).shelves(kit)

    def check(self, corpus: Corpus, kit: Kit) -> None:
        """Raise CorpusError when enrich is wanted and nothing was told of the corpus."""
        self._first(kit).check(corpus, kit)

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """Find candidates, judge each."""
        from pincite.generate.judgerank_steps import JudgeRank
        from pincite.generate.prompts import JudgedObject

        first = self._first(kit)
        judge: PairScorer = StandInScorer(kit.encoder)
        if not self._replaced(kit):
            analyst = kit.model(self.analyst)
            kit = replace(kit, small=analyst)  # the analysis that judges is the one that expands
            mixed = self.objects == "page" and bool(corpus.relations)
            what: JudgedObject = "page or table" if mixed else self.objects
            judge = JudgeRank(kit.model("judge"), what, self.helps, analyst)
        rerank = Rerank(judge, corpus, self._deep, self.weight, "entry", first.objects)
        return first.find(corpus, kit) >> rerank

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Read the pages of the best objects."""
        return reading(corpus, kit, settings, self.read_pages, by="page")
