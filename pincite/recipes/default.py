"""Our own recipe: what `pincite ask` runs, with a language model where one is set, else with no key and no network.

A model's parts are imported only where there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pincite.check.absence import Absent, is_refusal
from pincite.check.claims import Verify
from pincite.check.standing_draft import Standing
from pincite.corpus import Corpus
from pincite.evidence.drafted_answer import with_earlier
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.model_choice import BUILT_IN, encoder
from pincite.recipes.quote import Quote
from pincite.recipes.shared_parts import Sure, picture_shelves, rules_of
from pincite.search.bilingual_pages import Once
from pincite.search.expansion import Keywords, Unframed, Written
from pincite.search.fusion import RRF, WeightedSum
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import Pages, Tables, Tops, Windows
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.index.table_rows import Cards, Rows
from pincite.search.named_documents import AlsoNamed, PreferNamed
from pincite.search.pointed_pages import Pointed
from pincite.search.presence import mentioned
from pincite.search.shelf_search import Search
from pincite.search.statement_pages import Widen
from pincite.settings import Settings
from pincite.stage import Escalate, Stage, Together
from pincite.types import Answer, Draft, Plan, Query, Ranking

if TYPE_CHECKING:
    from pincite.recipes.line_agreement import BesideQuote

WIDTHS = (1, 2, 3)
"""A model is shown so many times the pages of the setting, the next only when the last were not enough."""


@dataclass(frozen=True, slots=True)
class Default(Recipe):
    """Every index is searched for the question's keywords and, at less weight, for what reports write where people ask
    otherwise; the documents that the question names are looked into as well and preferred.

    `judged` has a model judge the pages; how many pages are read is a setting (`pages`). `forms` says which forms a model
    fills in: "short" ones have no analysis; with none the setting of this name holds.
    """

    name: ClassVar[str] = "default"
    what: ClassVar[str] = (
        "words and meaning over windows, pages, titles and tables; quoted, with a model read; checked"
    )
    source: ClassVar[str] = "our own; docs/results.md says how well it does"

    encoder: str = BUILT_IN
    k: int = 200
    k1: float = 0.9
    b: float = 0.4
    words: int = 200
    overlap: int = 50
    prefer: float = 5.0
    forms: Literal["full", "short"] | None = None
    judged: bool = False

    def shelves(self, kit: Kit) -> tuple[Shelf, ...]:
        """Windows, pages and their titles by words, tables, windows by meaning, pages by how they look where the encoder
        sees pictures; cards and rows of databases by words.
        """
        by = encoder(kit, self.encoder)
        return (
            Shelf(Lexical(self.k1, self.b), (Windows(self.words, self.overlap, header=True),)),
            Shelf(Lexical(self.k1, self.b, bigrams=True), (Pages(header=True),)),
            Shelf(Lexical(self.k1, self.b), (Tops(words=25),)),
            Shelf(Lexical(self.k1, self.b), (Tables(on="page"),)),
            Shelf(Dense(by), (Windows(self.words, self.overlap),)),
            *picture_shelves(by),
            Shelf(Lexical(self.k1, self.b), (Rows(of=("row",)), Cards())),
        )

    def find(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """The pages for a question, best first, judged by a model when that is wanted."""
        found = self._pages(corpus, kit)
        if not self.judged:
            return found
        from pincite.generate.page_judge import Judged
        from pincite.search.reranking import Rerank

        return found >> Rerank(Judged(kit.model("judge")), corpus)

    def listed(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        """The pages for a question, and among them by rank the rows and tables of databases, where the corpus holds any."""
        found = self.find(corpus, kit)
        if not corpus.relations:
            return found
        rows = Search(corpus, self.shelves(kit)[-1], self.k, words=Keywords(), label="rows")
        return Together((found, rows), join=RRF(by="node"))

    def _pages(self, corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
        searches = self.searches(corpus, kit)
        join = WeightedSum(weights=tuple(weight for weight, _ in searches), by="node")
        every = Together(tuple(AlsoNamed(corpus, search) for _, search in searches), join=join)
        return every >> PreferNamed(weight=self.prefer) >> Once(corpus)

    def searches(self, corpus: Corpus, kit: Kit) -> tuple[tuple[float, Search], ...]:
        """The searches for pages with their weights."""
        windows, pages, tops, tables, meaning, *pictures, _ = self.shelves(kit)
        keywords, written = Keywords(), Written()
        languages = getattr(encoder(kit, self.encoder), "languages", ())
        return (
            (0.7, Search(corpus, windows, self.k, words=keywords, label="windows")),
            (0.7, Search(corpus, pages, self.k, words=keywords, label="pages")),
            (0.3, Search(corpus, tops, self.k, words=keywords, label="tops")),
            (0.5, Search(corpus, windows, self.k, words=written, label="windows, as written")),
            (0.5, Search(corpus, pages, self.k, words=written, label="pages, as written")),
            (0.3, Search(corpus, tops, self.k, words=written, label="tops, as written")),
            (0.3, Search(corpus, tables, self.k, words=written, label="tables, as written")),
            (0.5, Search(corpus, meaning, self.k, words=Unframed(languages), label="meaning")),
            *((0.5, Search(corpus, seen, self.k, label="pictures")) for seen in pictures),
        )

    def read(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """What the pages that were found say: quoted, and read by the large model where there is one.

        The model is shown more pages when the first did not tell, and is the surer where the reader without a model agrees. A
        small one reads only where that reader is not sure enough to answer: it takes no time, and errs less.
        """
        pages = self.pages_read(corpus, kit)
        quote = self._quote(corpus, kit, settings)
        if kit.large is None:
            return pages >> quote
        from pincite.generate.line_reading import ReadLines
        from pincite.generate.shown_lines import reads_little
        from pincite.recipes.line_agreement import Agree

        if reads_little(kit.large):
            return pages >> self.line_reader(corpus, kit, settings)
        how: dict[str, Any] = {"rules": rules_of(settings), "form": self.forms or settings.form}
        first, *wider = (
            ReadLines(kit.large, corpus, kit.encoder, width * settings.pages, **how)
            for width in reversed(WIDTHS)
        )
        reading: Stage[Ranking, Draft] = first
        for narrower in wider:
            reading = Escalate(narrower, reading, enough=Sure(), keep=with_earlier)
        return pages >> Agree(corpus, reading, quote)

    def pages_read(self, corpus: Corpus, kit: Kit) -> Stage[Ranking, Ranking]:
        """The pages that were found, with those that hold the statement asked for and those that the question points at."""
        return Widen(corpus, self._pages(corpus, kit)) >> Pointed(corpus)

    def _quote(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
        """The reader without a model, and of its candidates the first that stands."""
        return Quote(corpus, settings.pages, encoder=kit.encoder) >> Standing(corpus)

    def line_reader(self, corpus: Corpus, kit: Kit, settings: Settings) -> BesideQuote:
        """The large model, which is shown lines, beside the reader without a model."""
        from pincite.generate.line_reading import ReadLines
        from pincite.recipes.line_agreement import BesideQuote

        assert kit.large is not None and kit.encoder is not None
        reading = ReadLines(kit.large, corpus, kit.encoder, k=settings.pages)
        return BesideQuote(reading, self._quote(corpus, kit, settings), settings.threshold)

    def answer(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Answer]:
        """The checked answer, or a refusal where the question names what none of its documents holds. A change or a comparison
        that is not answered as a whole is answered from its parts, where a model takes it apart.
        """
        answered = super(Default, self).answer(corpus, kit, settings)
        if kit.small is not None:
            from pincite.generate.parts_compared import FromParts, with_whole
            from pincite.generate.plan import SubQuestions

            joined = super(Default, self).joined(corpus, kit, settings)
            apart = FromParts(SubQuestions(kit.small), joined)
            answered = Escalate(answered, apart, enough=Sure(), keep=with_whole)
        return Escalate(Absent(corpus, self.whole_pages(kit)), answered, enough=is_refusal)

    def whole_pages(self, kit: Kit) -> Shelf:
        """The index of whole pages, which knows every word of the documents and what stands beside it."""
        return self.shelves(kit)[1]

    def holds(self, corpus: Corpus, kit: Kit, text: str) -> bool:
        """Whether the words of a text stand together on a page."""
        return mentioned(corpus, self.whole_pages(kit), text)

    def from_rows(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Query, Answer]:
        """What the databases of the corpus answer, read again before it is one."""
        from pincite.rows.row_answers import FromRows

        return FromRows(corpus, kit.encoder, kit.large) >> Verify(corpus, settings.threshold)

    def plan(self, corpus: Corpus, kit: Kit) -> Stage[Query, Plan]:
        """One question for each company that a question names, or the question alone; a small model writes them."""
        from pincite.generate.plan import Decompose

        return Decompose(corpus, kit.small)

    def joined(self, corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Plan, Answer]:
        """The checked answer, or a refusal where the question names what none of its documents holds."""
        joined = super(Default, self).joined(corpus, kit, settings)
        return Escalate(Absent(corpus, self.whole_pages(kit)), joined, enough=is_refusal)
