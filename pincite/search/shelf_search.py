"""The first stage: one shelf, one query, the best k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite.corpus import Corpus
from pincite.search.index.shelf import Shelf, allowed, open_shelf
from pincite.stage import Stage
from pincite.types import Query, Ranking, Where


def as_asked(query: Query) -> str:
    """The question's own text."""
    return query.text


@dataclass(frozen=True)
class Search(Stage[Query, Ranking]):
    """Search `shelf` for the best `k` entries; `words` says what text of a query is searched for, nothing where that is empty.

    The query's `where` and `without` are honoured inside the index. `label` names the search in the parts of its hits, which
    without one name the view that each was seen by.
    """

    corpus: Corpus = field(repr=False, compare=False)
    shelf: Shelf
    k: int = 100
    words: Callable[[Query], str] = as_asked
    label: str = ""

    @property
    def waits(self) -> bool:
        """Whether the corpus is searched in an engine."""
        return bool(self.corpus.search)

    def run(self, given: Query) -> Ranking:
        """Search for one query."""
        return self.run_many([given])[0]

    def run_many(self, given: Sequence[Query]) -> list[Ranking]:
        """Search for many queries: those with equal filters in one call."""
        opened = open_shelf(self.corpus, self.shelf)
        made = [Ranking(query, ()) for query in given]
        groups: dict[tuple[Where, tuple[str, ...]], dict[int, str]] = {}
        for position, query in enumerate(given):
            if text := self.words(query):
                groups.setdefault((query.where, query.without), {})[position] = text
        for (where, without), texts in groups.items():
            versions = allowed(self.corpus, where, without)
            found = opened.search(list(texts.values()), self.k, versions, self.label)
            for position, hits in zip(texts, found, strict=True):
                made[position] = Ranking(given[position], hits)
        return made
