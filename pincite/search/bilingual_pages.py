"""A text that a document has in two languages is found once: in the language of the question, where it has that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pincite.corpus import Corpus
from pincite.language import ENGLISH, language_of
from pincite.stage import Stage
from pincite.types import Hit, Node, Query, Ranking

ASKED = 0.5
"""The weight of evidence by which a question tells its language; one that tells none is taken for English."""


@dataclass(frozen=True)
class Once(Stage[Ranking, Ranking]):
    """Of two pages that say the same in two languages the one in the question's, at the rank of the better."""

    corpus: Corpus = field(repr=False, compare=False)

    def run(self, given: Ranking) -> Ranking:
        """Rank anew; a ranking without such pages stays as it is."""
        several = {
            document.version: document.language for document in self.corpus.documents if "parallel" in document.meta
        }
        places = self.corpus.places([hit.node for hit in given.hits]) if several else {}
        wanted = asked_in(given.query)
        made: dict[tuple[str, int], Hit] = {}
        for at, hit in enumerate(given.hits):
            version, page = places.get(hit.node, ("", 0))
            held = self._page(version, page, several.get(version, ""), wanted) if version in several else None
            if held is None:
                made.setdefault((hit.node, at), hit)
            elif held.anchor.page == page:
                made.setdefault((version, page), hit)
            else:
                made.setdefault((version, held.anchor.page), replace(hit, node=held.id, at=0))
        return Ranking(given.query, tuple(made.values()))

    def _page(self, version: str, page: int, language: str, wanted: str) -> Node | None:
        """The page that says in the wanted language what a page says, itself where it does; None for one without a double."""
        held = _page_node(self.corpus.page(version, page))
        other = int(held.meta.get("parallel", page)) if held is not None else page
        if held is None or other == page or wanted in held.meta.get("languages", [language]):
            return None if held is None or other == page else held
        counterpart = _page_node(self.corpus.page(version, other))
        if counterpart is not None and wanted in counterpart.meta.get("languages", [language]):
            return counterpart
        return held if counterpart is None or page < other else counterpart


def _page_node(nodes: Iterable[Node]) -> Node | None:
    return next((node for node in nodes if node.kind == "page"), None)


def asked_in(query: Query) -> str:
    """The language of a question."""
    return language_of(query.text, enough=ASKED) or ENGLISH
