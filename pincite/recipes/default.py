"""Our own recipe: what `pincite ask` runs, with a language model where one is set, else with no key and no network.

A model's parts are imported only where there is one.
"""

from __future__ import annotations

from pincite.answer.check import Verify
from pincite.answer.pointed import Pointed
from pincite.answer.quote import Quote
from pincite.answer.widen import Widen
from pincite.corpus import Corpus
from pincite.index.dense import Dense
from pincite.index.lexical import Lexical
from pincite.index.shelf import Shelf
from pincite.index.views import Pages, Tables, Tops, Windows
from pincite.ports import Kit
from pincite.search.expand import Keywords, Unframed, Written
from pincite.search.fuse import WeightedSum
from pincite.search.named import AlsoNamed, PreferNamed
from pincite.search.search import Search
from pincite.settings import Settings
from pincite.stage import Each, Escalate, Stage, Together
from pincite.types import Answer, Draft, Plan, Query, Ranking

WIDTHS = (1, 2, 3)
"""A model is shown so many times the pages of the setting, the next only when the last were not enough."""


def shelves(kit: Kit) -> tuple[Shelf, ...]:
    """The indexes that this recipe searches: windows, pages and their titles by words, tables, windows by meaning."""
    return (
        Shelf(Lexical(k1=0.9, b=0.4), (Windows(words=200, overlap=50, header=True),)),
        Shelf(Lexical(k1=0.9, b=0.4, bigrams=True), (Pages(header=True),)),
        Shelf(Lexical(k1=0.9, b=0.4), (Tops(words=25),)),
        Shelf(Lexical(k1=0.9, b=0.4), (Tables(on="page"),)),
        Shelf(Dense(kit.encoder), (Windows(words=200, overlap=50),)),
    )


def find(corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
    """The pages for a question, best first.

    Every index is searched for the question's keywords and, at less weight, for what reports write where people ask
    otherwise; the documents that the question names are looked into as well and preferred.
    """
    windows, pages, tops, tables, meaning = shelves(kit)
    keywords, written = Keywords(), Written()
    searches = (
        (0.7, Search(corpus, windows, k=200, words=keywords, label="windows")),
        (0.7, Search(corpus, pages, k=200, words=keywords, label="pages")),
        (0.3, Search(corpus, tops, k=200, words=keywords, label="tops")),
        (0.5, Search(corpus, windows, k=200, words=written, label="windows, as written")),
        (0.5, Search(corpus, pages, k=200, words=written, label="pages, as written")),
        (0.3, Search(corpus, tops, k=200, words=written, label="tops, as written")),
        (0.3, Search(corpus, tables, k=200, words=written, label="tables, as written")),
        (0.5, Search(corpus, meaning, k=200, words=Unframed(), label="meaning")),
    )
    join = WeightedSum(weights=tuple(weight for weight, _ in searches), by="node")
    return Together(tuple(AlsoNamed(corpus, search) for _, search in searches), join=join) >> PreferNamed(weight=5.0)


def plan(corpus: Corpus, kit: Kit) -> Stage[Query, Plan]:
    """One question for each company that a question names, or the question alone; a small model writes them where one is set."""
    from pincite.answer.plan import Decompose

    return Decompose(corpus, kit.small)


def found(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Query, Ranking]:
    """The pages for a question, judged by a model when one was set for that."""
    if not settings.models.judge:
        return find(corpus, kit)
    from pincite.answer.judge import Judged
    from pincite.search.rerank import Rerank

    return find(corpus, kit) >> Rerank(Judged(kit.model("judge")), corpus)


def read(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Draft]:
    """What the pages that were found say: quoted, and read by the large model where there is one.

    The model is shown more pages when the first did not tell, and is the surer where the reader without a model agrees.
    """
    pages = Widen(corpus, find(corpus, kit)) >> Pointed(corpus)
    quote = Quote(corpus, settings.pages)
    if kit.large is None:
        return pages >> quote
    from pincite.answer.agree import Agree
    from pincite.answer.interpret import Rules
    from pincite.answer.read import Read, enough

    rules = Rules(
        terms=settings.terms,
        proxy=settings.proxy,
        derived=settings.derived,
        other_unit=settings.other_unit,
        silence=settings.silence,
    )
    first, *wider = (Read(kit.large, corpus, k=width * settings.pages, rules=rules) for width in reversed(WIDTHS))
    reading: Stage[Ranking, Draft] = first
    for narrower in wider:
        reading = Escalate(narrower, reading, enough=enough)
    return pages >> Agree(corpus, reading, quote)


def answer(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Answer]:
    """A checked answer from the pages that were found."""
    return read(corpus, kit, settings) >> Verify(corpus, settings.threshold)


def joined(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Plan, Answer]:
    """A checked answer to a question that was planned as several: each is answered by itself, and code compares."""
    from pincite.answer.compare import Compare

    each = Each(found(corpus, kit, settings) >> read(corpus, kit, settings), Compare(corpus, kit.large))
    return each >> Verify(corpus, settings.threshold)
