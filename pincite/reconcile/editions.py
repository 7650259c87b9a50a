"""What the other editions and reports of a corpus say beside a checked answer, and which of them answers.

The rule: an edition that has replaced another answers, and the other is named with what it said. Of two reports of different
years that give another value for one fact, the later answers, unless the question asks for what the earlier one reported. Where
nothing tells which of two documents is newer, what the other says is shown as contradicting.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace

from pincite.check.claims import verified
from pincite.corpus import Corpus, Entryless
from pincite.question.proper_names import capitalised
from pincite.question.understanding import understand
from pincite.reconcile.settlement import agree, dated
from pincite.reconcile.twins import Fact, fact_of, twins
from pincite.stage import Stage
from pincite.types import Answer, Node, Quantity, Query, Ranking, Stands
from pincite.versions.series import Edition, Series, in_force, series_of

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
            given = replace(
                given, others=(*given.others, *self._contradicting(given, fact, home, series))
            )
        if series is None:
            return given
        told = [*self._older(given, fact, series, home), *self._newer(given, fact, series, home)]
        if not told:
            return given if fact is None else self._restated(given, fact, series, home)
        dated = next((edition.date for edition in series.editions if edition.document == home), "")
        return replace(given, others=(*given.others, *told), date=given.date or dated)

    def _older(
        self, given: Answer, fact: Fact | None, series: Series, home: str
    ) -> Iterator[Answer]:
        """The editions that the answering one has replaced, the newest first."""
        cited = {citation.document for citation in given.citations}
        for edition in [before for before in series.before(home) if before.document not in cited][
            :NAMED
        ]:
            yield self._said(
                given, fact, edition, "superseded", f"{called(edition)} is replaced by {home}"
            )

    def _newer(
        self, given: Answer, fact: Fact | None, series: Series, home: str
    ) -> Iterator[Answer]:
        """The edition that has replaced the answering one, where the question asked for that or its date."""
        newest = series.newest(home)
        if newest is not None and in_force(newest.date, given.query.as_of):
            yield self._said(given, fact, newest, "newer", f"{called(newest)} has replaced {home}")

    def _restated(self, given: Answer, fact: Fact, series: Series, home: str) -> Answer:
        """The answer of the latest report that states the fact; those that say something else are told beside it."""
        around = self._since(given.query, series, str(max(fact.years))) if _is_dated(fact) else []
        documents = [edition.document for edition in around]
        if home not in documents:
            return given
        at = documents.index(home)
        near = (*around[max(0, at - NAMED) : at], *around[at + 1 : at + 1 + NAMED])
        found = {home: given, **self._otherwise(given, fact, near)}
        if len(found) == 1:
            return given
        order = [edition for edition in around if edition.document in found]
        place = (
            order.index(around[at])
            if understand(given.query).instructs("as reported")
            else len(order) - 1
        )
        first = order[place]
        newer, older = "restates it", f"is restated in {first.document}"
        others = [
            _told(found[edition.document], edition, "newer", newer) for edition in order[:place:-1]
        ]
        others += [
            _told(found[edition.document], edition, "superseded", older)
            for edition in order[:place][::-1]
        ]
        return replace(
            found[first.document],
            others=(*given.others, *others),
            stands="",
            reason="",
            date=first.date,
        )

    def _otherwise(
        self, given: Answer, fact: Fact, editions: Iterable[Edition]
    ) -> dict[str, Answer]:
        """What editions that state the fact say of it, by document, where it is something else."""
        said = {
            edition.document: self._said(given, fact, edition, "superseded", "")
            for edition in editions
        }
        return {
            document: other
            for document, other in said.items()
            if other.value is not None and not agree(given.value, other.value)
        }

    def _since(self, query: Query, series: Series, year: str) -> list[Edition]:
        """The editions of a series from a year on, of those that a question is asked of."""
        asked_of = {document.id for document in self.corpus.select(query.where)}.difference(
            query.without
        )
        return [
            edition
            for edition in series.editions
            if edition.document in asked_of and edition.date[:4] >= year
        ]

    def _contradicting(
        self, given: Answer, fact: Fact, home: str, series: Series | None
    ) -> Iterator[Answer]:
        """What documents that were read say otherwise of the same fact, where nothing tells which of them is newer."""
        held = self._others_read(given, home, {home} if series is None else series.ordered(home))
        seen: set[str] = set()
        for node in self.corpus.nodes(list(held)):
            document = held[node.id]
            if document.id in seen or not _about(given.query, node, document):
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
            if document and document.id not in own and not _apart(mine, document):
                held[node] = document
        return held

    def _said(
        self, given: Answer, fact: Fact | None, edition: Edition, stands: Stands, reason: str
    ) -> Answer:
        """What one edition says of a fact; N/A where its best pages do not state it in the same way."""
        if fact is not None:
            query = replace(given.query, where=(("document", (edition.document,)),), without=())
            nodes = self._nodes(self.find(query))
            for draft in twins(fact, nodes, edition.document, understand(given.query)):
                said = verified(
                    replace(draft, confidence=given.confidence), {node.id: node for node in nodes}
                )
                if said.value is not None:
                    return replace(
                        said, query=given.query, stands=stands, reason=reason, date=edition.date
                    )
        return Answer(given.query, "", None, stands=stands, reason=reason, date=edition.date)

    def _nodes(self, ranking: Ranking) -> list[Node]:
        """What stands on the best pages."""
        pages = dict.fromkeys(
            self.corpus.places([hit.node for hit in ranking.hits[: 10 * self.k]]).values()
        )
        return [
            node
            for version, page in list(pages)[: self.k]
            for node in self.corpus.page(version, page)
        ]


def _is_dated(fact: Fact) -> bool:
    """Whether a later report may restate a fact: one without a year holds for its own report, and a bare number may be an age."""
    bare = (
        isinstance(fact.claim.value, Quantity)
        and not fact.claim.value.unit
        and fact.place.cell is None
    )
    return bool(fact.years) and not bare


def _told(said: Answer, edition: Edition, stands: Stands, how: str) -> Answer:
    """What an edition says beside the one that answers."""
    return replace(
        said, others=(), stands=stands, reason=f"{called(edition)} {how}", date=edition.date
    )


def called(edition: Edition) -> str:
    """An edition by its document and what tells it from the others."""
    named = not edition.mark or edition.mark in edition.document
    return edition.document if named else f"{edition.document} ({edition.mark})"


def _apart(a: Entryless, b: Entryless) -> bool:
    """Whether two documents are of different companies, as far as their metadata or covers tell."""
    x, y = (document.meta.get("company", "") for document in (a, b))
    return bool(x and y) and _squeezed(x) != _squeezed(y)


def _squeezed(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def _about(query: Query, node: Node, document: Entryless) -> bool:
    """Whether a place of another document speaks of what the question names: there, or in the document's title."""
    caption = node.table.caption if node.table is not None else ""
    spoken = f"{node.text} {node.anchor.path} {document.title} {document.id} {caption}".casefold()
    return all(name.casefold() in spoken for name in capitalised(query.text))
