"""The first stage: one shelf, one query, the best k."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite.corpus import Corpus
from pincite.index.shelf import Shelf, allowed, open_shelf
from pincite.stage import Stage
from pincite.types import Query, Ranking


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
        groups: dict[object, list[int]] = {}
        for position, query in enumerate(given):
            groups.setdefault((query.where, query.without), []).append(position)
        made: dict[int, Ranking] = {}
        for positions in groups.values():
            first = given[positions[0]]
            versions = allowed(self.corpus, first.where, first.without)
            texts = [self.words(given[position]) for position in positions]
            rows = iter(
                opened.search([text for text in texts if text], self.k, versions, self.label)
            )
            for position, text in zip(positions, texts, strict=True):
                made[position] = Ranking(given[position], next(rows) if text else ())
        return [made[position] for position in range(len(given))]
