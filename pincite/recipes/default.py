"""Our own recipe: what `pincite ask` runs with no model, no key and no network."""

from __future__ import annotations

from pincite.answer.check import Verify
from pincite.answer.quote import Quote
from pincite.corpus import Corpus
from pincite.index.dense import Dense
from pincite.index.lexical import Lexical
from pincite.index.shelf import Shelf
from pincite.index.views import Windows
from pincite.ports import Kit
from pincite.search.fuse import RRF
from pincite.search.search import Search
from pincite.settings import Settings
from pincite.stage import Stage, Together
from pincite.types import Answer, Query, Ranking


def shelves(kit: Kit) -> tuple[Shelf, ...]:
    """The indexes that this recipe searches."""
    views = (Windows(words=200, overlap=50, header=True),)
    return Shelf(Lexical(k1=0.9, b=0.4), views), Shelf(Dense(kit.encoder), views)


def find(corpus: Corpus, kit: Kit) -> Stage[Query, Ranking]:
    """The pages for a question."""
    lexical, dense = shelves(kit)
    return Together((Search(corpus, lexical), Search(corpus, dense)), join=RRF(k=60))


def answer(corpus: Corpus, kit: Kit, settings: Settings) -> Stage[Ranking, Answer]:
    """A checked answer from the pages that were found."""
    return Quote(corpus, settings.pages) >> Verify(corpus, settings.threshold)
