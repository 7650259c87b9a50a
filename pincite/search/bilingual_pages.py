"""A text that a document has in two languages is found once: in the question's language, if it is one of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pincite.corpus import Corpus
from pincite.stage import Stage
from pincite.text.language import ENGLISH, language_of
from pincite.types import Hit, Node, Query, Ranking

ASKED = 0.5
"""The weight of evidence from which a question's language is taken as known; below it the question counts as English."""


@dataclass(frozen=True)
class Once(Stage[Ranking, Ranking]):
    """Of two pages that say the same in two languages, the one in the question's language, at the better rank."""

    corpus: Corpus = field(repr=False, compare=False)

    def run(self, given: Ranking) -> Ranking:
        """Rank anew; a ranking without such pages stays as it is."""
        several = {
            document.version: document.language
            for document in self.corpus.documents
            if "parallel" in document.meta
        }
        places = self.corpus.places([hit.node for hit in given.hits]) if several else {}
        wanted = asked_in(given.query)
        made: dict[tuple[str, int], Hit] = {}
        for at, hit in enumerate(given.hits):
            version, page = places.get(hit.node, ("", 0))
            language = several.get(version)
            held = None if language is None else self._page(version, page, language, wanted)
            if held is None:
                made.setdefault((hit.node, at), hit)
            else:
                moved = hit if held.anchor.page == page else replace(hit, node=held.id, at=0)
                made.setdefault((version, held.anchor.page), moved)
        return Ranking(given.query, tuple(made.values()))

    def _page(self, version: str, page: int, language: str, wanted: str) -> Node | None:
        """The page that says in the wanted language what this page says; None where no other page says the same.

        Where neither is in that language it is the first of the two.
        """
        held = self._page_node(version, page)
        other = int(held.meta.get("parallel", page)) if held is not None else page
        if held is None or other == page:
            return None
        pair = [held, self._page_node(version, other)]
        for node in pair:
            if node is None or wanted in node.meta.get("languages", [language]):
                return node or held
        return pair[page > other]

    def _page_node(self, version: str, page: int) -> Node | None:
        nodes = self.corpus.page(version, page)
        return next((node for node in nodes if node.kind == "page"), None)


def asked_in(query: Query) -> str:
    """The language of a question."""
    return language_of(query.text, enough=ASKED) or ENGLISH
