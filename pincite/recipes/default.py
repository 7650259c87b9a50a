"""Our own recipe: what `pincite ask` runs with no model, no key and no network."""

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
from pincite.search.expand import Keywords, Written
from pincite.search.fuse import WeightedSum
from pincite.search.named import AlsoNamed, PreferNamed
from pincite.search.search import Search
from pincite.settings import Settings
from pincite.stage import Stage, Together
from pincite.types import Answer, Query, Ranking


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
        (0.5, Search(corpus, meaning, k=200, label="meaning")),
    )
    join = WeightedSum(weights=tuple(weight for weight, _ in searches), by="node")
    return Together(tuple(AlsoNamed(corpus, search) for _, search in searches), join=join) >> PreferNamed(weight=5.0)


def answer(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Answer]:
    """A checked answer from the pages that were found."""
    pages = Widen(corpus, find(corpus, kit)) >> Pointed(corpus)
    return pages >> Quote(corpus, settings.pages) >> Verify(corpus, settings.threshold)
