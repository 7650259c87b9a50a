"""The documents that a question names: searched as well as everything else, and then ranked higher."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any

from pincite.corpus import Corpus
from pincite.search.document_routing import Catalogue, route, without_names
from pincite.stage import Stage
from pincite.types import Hit, Query, Ranking
from pincite.versions.series import named

PART = "named"
SURE = 0.45
"""How surely a document is named that a question is about: by the beginning of its name, and of the year after the question's."""
_SCORE = attrgetter("score")


def _by_place(ranking: Ranking) -> dict[tuple[str, int], Hit]:
    return {(hit.node, hit.at): hit for hit in ranking.hits}


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
        merged = list(map(_by_place, found[: len(given)]))
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
            Hit(hit.node, (hit.score - mean) / deviation + self.weight * named, hit.at, hit.parts)
            for hit, named in zip(given.hits, sure, strict=True)
        ]
        certain = (
            max(raised, key=lambda hit: hit.score).score - min(hit.score for hit in raised) + 1.0
        )
        raised = [
            replace(hit, score=hit.score + certain) if named >= 1.0 else hit
            for hit, named in zip(raised, sure, strict=True)
        ]
        return Ranking(given.query, tuple(sorted(raised, key=_SCORE, reverse=True)))


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
    editions = [
        edition
        for edition in named(corpus.generation.series, query.text)
        if edition not in query.without
    ]
    weights = dict.fromkeys(editions, 1.0)
    for found in route(query.text, catalogue(corpus)):
        document = corpus.documents[found.position].id
        if document not in query.without:
            weights.setdefault(document, found.weight)
    surest = max(weights.values(), default=0.0)
    groups: dict[float, list[str]] = {}
    for document, weight in weights.items():
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
    nameless = {"id": "", "title": "", "meta": {}, "declared": {}}
    documents = []
    for document in corpus.documents:
        if document.relation:
            document = replace(document, **nameless)  # type: ignore[arg-type]
        documents.append(document)
    return Catalogue.of(documents)
