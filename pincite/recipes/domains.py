"""What the four multi-domain recipes share: two domains, rows of tables and windows of documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pincite.corpus import Corpus
from pincite.index.dense import Dense
from pincite.index.shelf import Shelf
from pincite.index.table_rows import Rows
from pincite.index.token_windows import TokenWindows
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import encoder
from pincite.recipes.shared_parts import reading, reranked
from pincite.search.cutoffs import First
from pincite.search.shelf_search import Search
from pincite.settings import Settings
from pincite.stage import Stage
from pincite.types import Draft, Query, Ranking

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
    def needed(self) -> tuple[str, ...]:
        """Not the cross-encoder where nothing is reranked."""
        return self._needed()

    def _needed(self) -> tuple[str, ...]:
        return tuple(need for need in self.needs if need != "scorer" or self.rerank)

    def views(self, kit: Kit) -> tuple[TokenWindows, Rows]:
        """Windows of documents, and rows of tables."""
        by = encoder(kit, self.encoder)
        if self.tables == "database":
            return TokenWindows(by, self.chunk, self.overlap), Rows(self.serializer, of=("row",))
        prose = TokenWindows(
            by, self.chunk, self.overlap, without=("table",) if self.prose else ()
        )
        return prose, Rows(self.serializer)

    def best(self, corpus: Corpus, kit: Kit) -> Stage[Ranking, Ranking]:
        """The best `top_n` of `top_k`, by the cross-encoder where it is wanted."""
        if not self.rerank:
            return First(self.top_n)
        return reranked(corpus, kit, self.scorer, self.top_k, self.views(kit), self.top_n)

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """Answer from the entries that are left, or say that the data is not there."""
        windows, _ = self.views(kit)
        return reading(
            corpus,
            kit,
            settings,
            self.top_n,
            by="chunk" if self.context == "chunk" else "passage",
            temperature=self.temperature,
            windows=windows if self.context == "chunk" else None,
        )


@dataclass(frozen=True, slots=True)
class SeparateDomains(Domains):
    """The domains with an index each; rows have an encoder of their own where `row_encoder` names one."""

    row_encoder: str = ""

    @property
    def needed(self) -> tuple[str, ...]:
        """The rows' own encoder too, when one is named."""
        return (*self._needed(), "row_encoder") if self.row_encoder else self._needed()

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Windows, and rows."""
        windows, rows = self.views(kit)
        by_row = encoder(
            kit, self.row_encoder or self.encoder, "row_encoder" if self.row_encoder else "encoder"
        )
        return Shelf(Dense(encoder(kit, self.encoder)), (windows,)), Shelf(Dense(by_row), (rows,))

    def searches(self, corpus: Corpus, kit: Kit) -> tuple[Stage[Query, Ranking], ...]:
        """The best `top_k` of each domain."""
        return tuple(Search(corpus, shelf, self.top_k) for shelf in self.shelves(kit))
