"""The documents that a question names: searched as well as everything else, and ranked higher."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal

from pincite.corpus import Corpus
from pincite.corpus.versions.series import named
from pincite.errors import UsageError
from pincite.search.document_routing import Catalogue, route, without_names, years_in
from pincite.stage import Stage
from pincite.types import Hit, Query, Ranking

PART = "named"
SURE = 0.45
"""How surely a document is named that a question is about: by the beginning of its name, and of the year after the question's."""
_SCORE = attrgetter("score")
Hint = Literal["name", "year"]


@dataclass(frozen=True)
class AlsoNamed(Stage[Query, Ranking]):
    """What `search` finds in the whole corpus, and what it finds inside the documents that the question names.

    Without it, the best pages of a named document can be too far down in a large corpus to be seen at all. Among its own
    pages a document's name tells nothing, and so is left out there: it would find the cover and the signatures. Scores are
    those of one index, so that both findings merge by score; a hit in a named document gets a part ("named", 0, weight). A
    query that is filtered by document already is only searched for inside, without the names of these documents.
    """

    corpus: Corpus = field(repr=False, compare=False)
    search: Stage[Query, Ranking]

    def run(self, given: Query) -> Ranking:
        """Search once in the corpus, and once in each group of documents named equally surely."""
        return self.run_many([given])[0]

    def run_many(self, given: Sequence[Query]) -> list[Ranking]:
        """Search all queries and all their named documents in one batch."""
        scoped: list[tuple[int, float, Query]] = []
        for at, query in enumerate(given):
            for weight, documents in _groups(self.corpus, query):
                where = (*query.where, ("document", documents))
                scoped.append((at, weight, replace(_nameless(self.corpus, query), where=where)))
        whole = [_nameless(self.corpus, query) if _filtered(query) else query for query in given]
        found = self.search.map([*whole, *(query for _, _, query in scoped)])
        merged = [
            {(hit.node, hit.at): hit for hit in ranking.hits} for ranking in found[: len(given)]
        ]
        for (at, weight, _), ranking in zip(scoped, found[len(given) :], strict=True):
            for hit in ranking.hits:
                parts = (*hit.parts, (PART, 0, weight))
                merged[at][hit.node, hit.at] = replace(hit, parts=parts)
        return [
            Ranking(query, tuple(sorted(hits.values(), key=_SCORE, reverse=True)))
            for query, hits in zip(given, merged, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class PreferNamed(Stage[Ranking, Ranking]):
    """Raise hits in named documents by `weight` standard deviations of the ranking's scores, times how surely named.

    Hits in documents that are named for certain, in full and for the right period, stand before all others.
    """

    weight: float = 5.0

    def run(self, given: Ranking) -> Ranking:
        """Rank anew; without a named document nothing changes."""
        sure = list(map(sureness, given.hits))
        if not any(sure):
            return given
        scores = [hit.score for hit in given.hits]
        mean = sum(scores) / len(scores)
        deviation = math.sqrt(sum((score - mean) ** 2 for score in scores) / len(scores)) or 1.0
        raised = [
            (score - mean) / deviation + self.weight * named
            for score, named in zip(scores, sure, strict=True)
        ]
        certain = max(raised) - min(raised) + 1.0
        hits = (
            replace(hit, score=score + certain if named >= 1.0 else score)
            for hit, score, named in zip(given.hits, raised, sure, strict=True)
        )
        return Ranking(given.query, tuple(sorted(hits, key=_SCORE, reverse=True)))


@dataclass(frozen=True)
class Boost(Stage[Ranking, Ranking]):
    """Multiply the score of hits in documents that the question names by `metadata` to the power of how surely (0 to 1).

    "name" hints are authors, companies, titles and file names, with the years, forms and quarters that tell those documents
    apart; a "year" hint is the year of a document where the question names none, and sure. Scores must not be negative:
    else UsageError, because a weight would lower them. HERO weighs such hints 2.0.
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
        routed = route(question, known) if "name" in self.hints else []
        if routed or "year" not in self.hints:
            return {versions[found.position]: found.weight for found in routed}
        years = years_in(question)
        cards = zip(versions, known.cards, strict=True)
        return {version: 1.0 for version, card in cards if years & set(card.years)}


def sureness(hit: Hit) -> float:
    """How sure it is that a document was named; 0.0 where nothing names it."""
    return max((score for view, _, score in hit.parts if view == PART), default=0.0)


def surely_named(hits: Sequence[Hit]) -> list[str]:
    """The nodes that were found in documents that the question names; none where it names none for sure."""
    weights = {hit.node: score for hit in hits for view, _, score in hit.parts if view == PART}
    return list(weights) if max(weights.values(), default=0.0) >= SURE else []


def _filtered(query: Query) -> bool:
    """Whether the caller says in which documents to look."""
    return any(name == "document" for name, _ in query.where)


@lru_cache(maxsize=64)
def _nameless(corpus: Corpus, query: Query) -> Query:
    """The query without what names documents."""
    named = [found.name for found in route(query.text, catalogue(corpus))]
    return replace(query, text=without_names(query.text, named))


@lru_cache(maxsize=16)
def _groups(corpus: Corpus, query: Query) -> list[tuple[float, tuple[str, ...]]]:
    """The documents named at least half as surely as the surest, by how surely; an edition named in full is named for certain."""
    if _filtered(query):
        return []
    weights = dict.fromkeys(named(corpus.generation.series, query.text), 1.0)
    for found in route(query.text, catalogue(corpus)):
        weights.setdefault(corpus.documents[found.position].id, found.weight)
    asked = {name: weight for name, weight in weights.items() if name not in query.without}
    surest = max(asked.values(), default=0.0)
    groups: dict[float, list[str]] = {}
    for document, weight in asked.items():
        if weight >= surest / 2:
            groups.setdefault(weight, []).append(document)
    return [(weight, tuple(documents)) for weight, documents in groups.items()]


def routing(corpus: Corpus, query: Query) -> list[dict[str, Any]]:
    """The documents that a question is routed to, the surest first, each with how surely (0 to 1) and why, as JSON."""
    routed = route(query.text, catalogue(corpus))
    why = {corpus.documents[found.position].id: found.why for found in routed}
    return [
        {"document": name, "weight": round(weight, 4), "why": why.get(name, "names the edition")}
        for weight, documents in sorted(_groups(corpus, query), reverse=True)
        for name in documents
    ]


@lru_cache(maxsize=4)
def catalogue(corpus: Corpus) -> Catalogue:
    """What the documents of a corpus are called, made once; positions are those of its documents.

    Tables of databases have no name here: "materials" in a question does not mean the document of that table alone.
    """
    return Catalogue.of(
        [
            replace(document, id="", title="", meta={}, declared={})
            if document.relation
            else document
            for document in corpus.documents
        ]
    )
