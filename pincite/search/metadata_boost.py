"""Metadata in a ranking: hits in documents that a question names by author, company, title or year count more.

HERO weighs such hints 2.0.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.search.document_routing import route, years_in
from pincite.search.named_documents import catalogue
from pincite.stage import Stage
from pincite.types import Ranking

Hint = Literal["name", "year"]


@dataclass(frozen=True)
class Boost(Stage[Ranking, Ranking]):
    """Multiply the score of hits in documents that the question names by `metadata` to the power of how surely (0 to 1).

    "name" hints are authors, companies, titles and file names, with the years, forms and quarters that tell those documents
    apart; a "year" hint is the year of a document where the question names none, and sure. Scores must not be negative:
    else UsageError, because a weight would lower them.
    """

    corpus: Corpus = field(repr=False, compare=False)
    metadata: float = 2.0
    hints: tuple[Hint, ...] = ("name", "year")

    def run(self, given: Ranking) -> Ranking:
        """Boost one ranking; without a hint nothing changes."""
        sure = self._sure(given.query.text)
        if not sure:
            return given
        negative = next((hit.score for hit in given.hits if hit.score < 0), None)
        if negative is not None:
            raise UsageError(
                f"Boost multiplies scores, so none may be negative, but a hit has {negative:.4g}: take the sigmoid of logits "
                "first, or join with RRF or RelativeScore"
            )
        places = self.corpus.places([hit.node for hit in given.hits])
        made = []
        for hit in given.hits:
            version = places[hit.node][0] if hit.node in places else ""
            made.append(replace(hit, score=hit.score * self.metadata ** sure.get(version, 0.0)))
        return Ranking(given.query, tuple(sorted(made, key=lambda hit: -hit.score)))

    def _sure(self, question: str) -> dict[str, float]:
        """How surely the question means each document version that it hints at."""
        known = catalogue(self.corpus)
        versions = [document.version for document in self.corpus.documents]
        if "name" in self.hints:
            named = {versions[routed.position]: routed.weight for routed in route(question, known)}
            if named:
                return named
        if "year" not in self.hints:
            return {}
        years = years_in(question)
        return {
            version: 1.0
            for version, card in zip(versions, known.cards, strict=True)
            if years & set(card.years)
        }
