"""What the other editions and reports of a corpus say beside a checked answer, and which of them answers.

The rule: an edition that has replaced another answers, and the other is named with what it said. Of two reports of different
years that give another value for one fact, the later answers, unless the question asks for what the earlier one reported. Where
nothing tells which of two documents is newer, what the other says is shown as contradicting.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from pincite.check.claims import verified
from pincite.corpus import Corpus, Entryless
from pincite.corpus.versions.series import Edition, Series, in_force, series_of
from pincite.question.proper_names import capitalised
from pincite.question.understanding import understand
from pincite.reconcile.settlement import agree, dated
from pincite.reconcile.twins import Fact, fact_of, twins
from pincite.stage import Stage
from pincite.types import Answer, Node, Quantity, Query, Ranking, Stands

NAMED = 3
"""Older editions that are named, the newest first, and reports before and after that are looked into."""


@dataclass(frozen=True)
class Beside(Stage[Answer, Answer]):
    """Put what other editions say beside an answer; of what `find` finds in one of them the best `k` pages are looked at."""

    corpus: Corpus = field(repr=False, compare=False)
    find: Stage[Query, Ranking] = field(repr=False, compare=False)
    k: int = 4

    def run(self, given: Answer) -> Answer:
        """Look around one answer."""
        if given.value is None or not given.citations:
            return given
        node = next(iter(self.corpus.nodes([given.citations[0].node])), None)
        fact = fact_of(given, node)
        home = given.citations[0].document
        series = series_of(home, self.corpus.generation.series)
        if fact is not None:
            others = *given.others, *self._contradictions(given, fact, home, series)
            given = replace(given, others=others)
        if series is None:
            return given
        told = list(self._replaced_editions(given, fact, series, home))
        if not told:
            return given if fact is None else self._latest_statement(given, fact, series, home)
        dated = series.by_id[home].date
        return replace(given, others=(*given.others, *told), date=given.date or dated)

    def _replaced_editions(
        self, given: Answer, fact: Fact | None, series: Series, home: str
    ) -> Iterator[Answer]:
        """The editions that the answering one has replaced, the newest first; the one that has replaced it, where the question
        asked for the other or its date.
        """
        cited = {citation.document for citation in given.citations}
        older = [edition for edition in series.before(home) if edition.document not in cited]
        for edition in older[:NAMED]:
            how = f"{called(edition)} is replaced by {home}"
            yield self._said_by(given, fact, edition, "superseded", how)
        newest = series.newest(home)
        if newest is not None and in_force(newest.date, given.query.as_of):
            yield self._said_by(
                given, fact, newest, "newer", f"{called(newest)} has replaced {home}"
            )

    def _latest_statement(self, given: Answer, fact: Fact, series: Series, home: str) -> Answer:
        """The answer of the latest report that states the fact; those that say something else are told beside it."""
        around = (
            self._editions_since(given.query, series, str(max(fact.years)))
            if _is_dated(fact)
            else []
        )
        documents = [edition.document for edition in around]
        if home not in documents:
            return given
        at = documents.index(home)
        near = (*around[max(0, at - NAMED) : at], *around[at + 1 : at + 1 + NAMED])
        found = {home: given, **self._editions_differing(given, fact, near)}
        if len(found) == 1:
            return given
        order = [edition for edition in around if edition.document in found]
        as_reported = understand(given.query).instructs("as reported")
        place = order.index(around[at]) if as_reported else len(order) - 1
        first = order[place]
        others = []
        for edition in reversed(order):
            stands: Stands = "newer" if edition in order[place:] else "superseded"
            how = "restates it" if stands == "newer" else f"is restated in {first.document}"
            if edition is not first:
                others.append(_beside_answer(found[edition.document], edition, stands, how))
        others = [*given.others, *others]
        answer = found[first.document]
        return replace(answer, others=tuple(others), stands="", reason="", date=first.date)

    def _editions_differing(
        self, given: Answer, fact: Fact, editions: Iterable[Edition]
    ) -> dict[str, Answer]:
        """What editions that state the fact say of it, by document, where it is something else."""
        found = {}
        for edition in editions:
            said = self._said_by(given, fact, edition, "superseded", "")
            if said.value is not None and not agree(given.value, said.value):
                found[edition.document] = said
        return found

    def _editions_since(self, query: Query, series: Series, year: str) -> list[Edition]:
        """The editions of a series from a year on, of those that a question is asked of."""
        asked_of = {document.id for document in self.corpus.select(query.where)} - {*query.without}
        since = (edition for edition in series.editions if edition.date[:4] >= year)
        return [edition for edition in since if edition.document in asked_of]

    def _contradictions(
        self, given: Answer, fact: Fact, home: str, series: Series | None
    ) -> Iterator[Answer]:
        """What documents that were read say otherwise of the same fact, where nothing tells which of them is newer."""
        held = self._others_read(given, home, {home} if series is None else series.ordered(home))
        seen: set[str] = set()
        for node in self.corpus.nodes(list(held)):
            document = held[node.id]
            if document.id in seen or not _speaks_of_names(given.query, node, document):
                continue
            for draft in twins(fact, [node], document.id, understand(given.query)):
                said = verified(replace(draft, confidence=given.confidence), {node.id: node})
                if said.value is not None and not agree(given.value, said.value):
                    seen.add(document.id)
                    how = f"{document.id} says otherwise"
                    yield replace(said, stands="contradicts", reason=how, date=dated(document))

    def _others_read(self, given: Answer, home: str, own: Container[str]) -> dict[str, Entryless]:
        """The nodes that were read, with their documents: of others than an answer's own and its editions."""
        mine = next((document for document in self.corpus.documents if document.id == home), None)
        if mine is None:
            return {}
        held = {}
        for node, (version, _) in self.corpus.places(given.read).items():
            document = self.corpus.by_version.get(version)
            if document and document.id not in own and not _of_other_companies(mine, document):
                held[node] = document
        return held

    def _said_by(
        self, given: Answer, fact: Fact | None, edition: Edition, stands: Stands, reason: str
    ) -> Answer:
        """What one edition says of a fact; N/A where its best pages do not state it in the same way."""
        if fact is not None:
            query = replace(given.query, where=(("document", (edition.document,)),), without=())
            nodes = self._best_nodes(self.find(query))
            by_id = {node.id: node for node in nodes}
            for draft in twins(fact, nodes, edition.document, understand(given.query)):
                said = verified(replace(draft, confidence=given.confidence), by_id)
                if said.value is not None:
                    said = replace(said, query=given.query, date=edition.date)
                    return replace(said, stands=stands, reason=reason)
        return Answer(given.query, "", None, stands=stands, reason=reason, date=edition.date)

    def _best_nodes(self, ranking: Ranking) -> list[Node]:
        """What stands on the best pages."""
        found = self.corpus.places([hit.node for hit in ranking.hits[: 10 * self.k]])
        pages = list(dict.fromkeys(found.values()))[: self.k]
        return list(chain.from_iterable(self.corpus.page(*page) for page in pages))


def _is_dated(fact: Fact) -> bool:
    """Whether a later report may restate a fact: one without a year holds for its own report, and a bare number may be an age."""
    value = fact.claim.value
    bare = isinstance(value, Quantity) and not value.unit and fact.place.cell is None
    return bool(fact.years) and not bare


def _beside_answer(said: Answer, edition: Edition, stands: Stands, how: str) -> Answer:
    """What an edition says beside the one that answers."""
    reason = f"{called(edition)} {how}"
    return replace(said, others=(), stands=stands, reason=reason, date=edition.date)


def called(edition: Edition) -> str:
    """An edition by its document and what tells it from the others."""
    named = not edition.mark or edition.mark in edition.document
    return edition.document if named else f"{edition.document} ({edition.mark})"


def _of_other_companies(a: Entryless, b: Entryless) -> bool:
    """Whether two documents are of different companies, as far as their metadata or covers tell."""
    names = [document.meta.get("company", "") for document in (a, b)]
    x, y = (re.sub(r"[\W_]+", "", name.casefold()) for name in names)
    return all(names) and x != y


def _speaks_of_names(query: Query, node: Node, document: Entryless) -> bool:
    """Whether a place of another document speaks of what the question names: there, or in the document's title."""
    caption = node.table.caption if node.table is not None else ""
    spoken = f"{node.text} {node.anchor.path} {document.title} {document.id} {caption}".casefold()
    return all(name.casefold() in spoken for name in capitalised(query.text))
