"""More pages for a question whose answer is in several places: the statements that a metric is computed from.

The pages found for such a question are about the metric. Here each statement that it needs is searched for by itself, and its
pages are put right behind the first of those found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, takewhile, zip_longest

from pincite.corpus import Corpus
from pincite.document.statement_rows import LineItem, bare_label, book, likeness, plain
from pincite.ingest.tree import section_path
from pincite.question.ask import Ask
from pincite.question.metrics import items_asked
from pincite.question.understanding import understand
from pincite.stage import Stage
from pincite.types import Hit, Query, Ranking

Place = tuple[str, int]
"""A page: the version of a document and the page's number."""


@dataclass(frozen=True)
class Widen(Stage[Ranking, Ranking]):
    """Put the pages of a metric's statements right behind the `first` pages; other questions pass unchanged.

    `find` is searched once for each statement, in the document of the best page; the best `each` pages of a search are taken
    of the first `deep`.
    """

    corpus: Corpus = field(repr=False, compare=False)
    find: Stage[Query, Ranking] = field(repr=False, compare=False)
    first: int = 3
    each: int = 2
    deep: int = 12

    def run(self, given: Ranking) -> Ranking:
        """Widen one ranking."""
        ask = understand(given.query)
        items = items_asked(ask)
        found = [*self._statements(given, ask, items)] if items else []
        if not found:
            return given
        return _behind(given, self._pages(given.hits[: 10 * self.deep]), found, self.first)

    def _statements(self, given: Ranking, ask: Ask, items: Sequence[LineItem]) -> Iterator[Hit]:
        """The pages that look most like each needed statement and have its line items, the best of each statement first."""
        home = self._pages(given.hits[:1])
        if not home:
            return
        document = self.corpus.by_version[home[given.hits[0].node][0]].id
        where = (*given.query.where, ("document", (document,)))
        years = " ".join(str(period.year) for period in ask.periods if period.year)
        rows = []
        for kind in dict.fromkeys(item.statement for item in items):
            wanted = [item for item in items if item.statement == kind]
            text = f"{_wording(kind, wanted)} {years}".strip()
            query = Query(text, where=where, without=given.query.without)
            hits = self._best(self.find(query), self.deep)
            worth = {hit: self._worth(hit, wanted, kind) for hit in hits}
            serving = (hit for hit in hits if worth[hit] > 0)
            rows.append(sorted(serving, key=worth.__getitem__, reverse=True)[: self.each])
        yield from filter(None, chain.from_iterable(zip_longest(*rows)))

    def _worth(self, hit: Hit, items: Sequence[LineItem], kind: str) -> float:
        """How well the tables of a page serve: the share of the items that a row has, and how like the statement one is."""
        (place,) = self._pages([hit]).values()
        best = 0.0
        for node in self.corpus.page(*place):
            if node.table is None:
                continue
            heads = (cell for cell in node.table.cells if cell.column < node.table.header_columns)
            rows = {plain(bare_label(cell.text)) for cell in heads}
            has = sum(not rows.isdisjoint(map(plain, item.labels)) for item in items) / len(items)
            alike = likeness(node.table, section_path(node), kind) if kind else 0.0
            best = max(best, has + alike if has or alike > 0.5 else 0.0)
        return best

    def _best(self, ranking: Ranking, count: int) -> list[Hit]:
        """The first hit of each of the best pages."""
        places = self._pages(ranking.hits[: 10 * count])
        firsts: dict[Place, Hit] = {}
        for hit in ranking.hits[: 10 * count]:
            if hit.node in places:
                firsts.setdefault(places[hit.node], hit)
        return list(firsts.values())[:count]

    def _pages(self, hits: Sequence[Hit]) -> dict[str, Place]:
        return self.corpus.places([hit.node for hit in hits])


def _wording(statement: str, items: Sequence[LineItem]) -> str:
    """What a statement is searched for by: its titles, and labels of the line items that it shall have."""
    named = ["consolidated", *book().titles[statement][:2]] if statement else []
    for item in items:
        named += item.labels[:2]
    return " ".join(named)


def _behind(given: Ranking, places: dict[str, Place], found: Sequence[Hit], first: int) -> Ranking:
    """The hits of the first pages, then those found, with the score of the last before them, then the rest."""
    pages = list(dict.fromkeys(places[hit.node] for hit in given.hits if hit.node in places))
    beyond = set(pages[first:])
    before = list(takewhile(lambda hit: places.get(hit.node) not in beyond, given.hits))
    score = before[-1].score if before else 0.0
    new = _unlike(before, [replace(hit, score=score) for hit in dict.fromkeys(found)])
    return Ranking(given.query, (*before, *new, *_unlike(new, given.hits[len(before) :])))


def _unlike(known: Sequence[Hit], hits: Sequence[Hit]) -> list[Hit]:
    """The hits at other places than those known."""
    places = {(hit.node, hit.at) for hit in known}
    return [hit for hit in hits if (hit.node, hit.at) not in places]
