"""A corpus with the recipe that answers from it: what the command line, a program and a server all call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from secrets import token_hex

from pincite.answers import keep
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.index.shelf import Shelf
from pincite.indexing import Summary
from pincite.ledger import about
from pincite.models.kit import default_kit, kit_of
from pincite.ports import Kit
from pincite.quantity import load_units
from pincite.recipes import default
from pincite.settings import Settings, load
from pincite.spell import spell
from pincite.stage import Stage, traced
from pincite.types import Answer, Expects, Outcome, Plan, Query, Ranking, Where

NAMED = 0.8
"""The weight from which a company's name and a document's own names are taken for the same."""
AT_ONCE = 16
"""Questions answered together, so that their encoding and searches are batches."""


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page that was found: its document's id, 1-based number, score, and the node that stands for it."""

    document: str
    page: int
    score: float
    node: str
    kind: str


def index(
    paths: Sequence[Path | str] | Path | str, corpus: Path | str, *, metadata: Path | str | None = None, **more: object
) -> Summary:
    """Index files or folders into the folder `corpus` for the default recipe; see `indexing.index` for the rest."""
    from pincite import indexing

    several = [paths] if isinstance(paths, Path | str) else paths
    return indexing.index(several, corpus, default_shelves(), metadata=metadata, **more)  # type: ignore[arg-type]


def default_shelves() -> tuple[Shelf, ...]:
    """The indexes of the default recipe."""
    return default.shelves(default_kit())


def run_name(what: str) -> str:
    """A name of its own for a run of `what`, under which its requests to models are booked and its budget is held."""
    return f"{what} {datetime.now():%Y-%m-%d %H:%M:%S} {token_hex(2)}"


class Library:
    """An open corpus that answers. Opening reads no model and no index; the first question does.

    `kit` are the models to answer with, by default those of the settings. A library is one run of the ledger.
    """

    def __init__(self, folder: Path | str, settings: Settings | None = None, kit: Kit | None = None) -> None:
        self.corpus = Corpus(folder)
        self.settings = settings or load()
        if self.settings.units:
            load_units(Path(self.settings.units))
        self.kit = kit or kit_of(self.settings.models, folder)
        self.run = run_name("ask")
        self._find = default.found(self.corpus, self.kit, self.settings)
        self._answer = default.answer(self.corpus, self.kit, self.settings)

    @cached_property
    def _plan(self) -> Stage[Query, Plan]:
        return default.plan(self.corpus, self.kit)

    @cached_property
    def _joined(self) -> Stage[Plan, Answer]:
        return default.joined(self.corpus, self.kit, self.settings)

    def query(self, text: str, where: Where = (), expects: Expects | None = None, unit: str = "") -> Query:
        """A question as a Query; raises UsageError when it is empty."""
        if not text.strip():
            raise UsageError('the question is empty: ask something, as in `pincite ask "What was revenue in 2023?"`')
        return Query(" ".join(text.split()), where, expects, unit, self.settings.derived, self.settings.silence)

    def ask(self, text: str, where: Where = (), expects: Expects | None = None, unit: str = "") -> Answer:
        """Answer one question."""
        return self.outcome(self.query(text, where, expects, unit)).answer

    def outcome(self, query: Query) -> Outcome:
        """Answer one question and keep its ranking (none when it is planned as several questions) and trace."""
        with traced() as spans, about(question=query.text, run=self.run):
            plan = self._plan(query)
            if len(plan.queries) > 1:
                return Outcome(None, self._joined(plan), tuple(spans))
            ranking = self._find(query)
            answer = self._answer(ranking)
        return Outcome(ranking, answer, tuple(spans))

    def answer(self, query: Query) -> Answer:
        """Answer one question, booked under what `ledger.about` says. May be called from several threads at once."""
        plan = self._plan(query)
        return self._joined(plan) if len(plan.queries) > 1 else self._answer(self._find(query))

    def answer_many(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Answer many questions, in order: with a model one after the other, else in batches."""
        remaining = iter(queries)
        while some := list(islice(remaining, AT_ONCE)):
            if self.kit.large is not None:
                yield from (self.outcome(query).answer for query in some)
                continue
            plans = self._plan.map(some)
            alone = [plan.question for plan in plans if len(plan.queries) == 1]
            answers = iter(self._answer.map(self._find.map(alone)))
            yield from (next(answers) if len(plan.queries) == 1 else self._joined(plan) for plan in plans)

    def search(self, text: str, k: int = 10, where: Where = ()) -> list[PageHit]:
        """The `k` best pages for a query, best first, each once."""
        return next(self.search_many([self.query(text, where)], k))

    def search_many(self, queries: Sequence[Query], k: int = 10) -> Iterator[list[PageHit]]:
        """The `k` best pages for each query."""
        for start in range(0, len(queries), AT_ONCE):
            for ranking in self._find.map(queries[start : start + AT_ONCE]):
                yield self.pages(ranking, k)

    def pages(self, ranking: Ranking, k: int = 10) -> list[PageHit]:
        """The `k` best pages of a ranking; those that have left the corpus are left out."""
        hits = ranking.hits[:k]
        places = self.corpus.places([hit.node for hit in hits])
        names = self.corpus.by_version
        return [
            PageHit(names[places[hit.node][0]].id, places[hit.node][1], hit.score, hit.node, "page")
            for hit in hits
            if hit.node in places
        ]

    @property
    def spelling(self) -> str:
        """The recipe as one line: with the corpus's generation, the identity of what it answers."""
        return spell(self._plan >> self._joined)

    def company_filter(self, names: Sequence[str]) -> Where:
        """A filter for the documents of these companies: by a metadata column `company`, else by their cover pages.

        Raises UsageError when no document is of any of them.
        """
        from pincite.search.route import Catalogue, route

        wanted = {name.casefold() for name in names}
        held = self.corpus.documents
        documents = [one.id for one in held if one.meta.get("company", "").casefold() in wanted]
        if not documents:
            known = Catalogue.of(held)
            found = [one.position for name in names for one in route(name, known) if one.weight >= NAMED]
            documents = [held[position].id for position in dict.fromkeys(found)]
        if not documents:
            raise UsageError(
                f"no document is of {', '.join(names)}: add a column `company` to the file given to "
                "`pincite index --metadata`, or leave companies out"
            )
        return (("document", tuple(documents)),)

    def keep(self, answers: Sequence[Answer]) -> list[str]:
        """Keep answers beside the corpus; returns their ids."""
        return keep(self.corpus.folder, answers)
