"""A corpus with the recipe that answers from it: what the command line, a program and a server all call."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.check.claims import Verify
from pincite.corpus import Corpus
from pincite.document.address import unprinted
from pincite.errors import SourceError, UsageError
from pincite.evidence.gathering import tables_on
from pincite.formats.spell import spell
from pincite.models.extras import require_client
from pincite.models.kit import default_kit, kit_of, with_encoder
from pincite.ports import Kit
from pincite.quantity import load_units
from pincite.question.named_unit import named_unit
from pincite.question.understanding import accepted
from pincite.recipes.base import Recipe
from pincite.recipes.default import Default
from pincite.recipes.model_choice import equipped, replaced
from pincite.recipes.parameters import named
from pincite.recipes.pipeline import Pipeline
from pincite.records.answer_store import keep
from pincite.records.cited_answer import CitedAnswer, CitedAnswers, cited_answers
from pincite.records.review.corrections import corrected
from pincite.search.filters import Filters, held_filters, unasked_editions, where_of
from pincite.search.index.shelf import Shelf, published_folder, searched_at
from pincite.settings import Settings, default_corpus, load
from pincite.stage import Stage, traced
from pincite.storage import corpus_folder, search_address
from pincite.storage.ledger import about
from pincite.text.wording import counted
from pincite.types import Answer, Expects, Hit, Node, Outcome, Query, Ranking, Where

if TYPE_CHECKING:
    from pincite.indexing import Summary
    from pincite.rows.row_answers import RowsAnswer

TABLES = 12
"""Tables of documents that a question to rows is put to."""
AT_ONCE = 16
"""Questions answered together, so that their encoding and searches are batches."""


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page that was found: its document's id, 1-based number, score, and the node that stands for it.

    What stands on no printed page says its `place` in its source's own terms; where there are none at all, as with the row
    of a database, the number is 0.
    """

    document: str
    page: int
    score: float
    node: str
    kind: str
    place: str = ""


def index(
    paths: Sequence[Path | str] | Path | str,
    corpus: Path | str,
    *,
    metadata: Path | str | None = None,
    recipe: Recipe | None = None,
    stand_ins: bool = False,
    **more: object,
) -> Summary:
    """Index files or folders into `corpus`, a folder or an address in PostgreSQL, for a recipe, by default our own; see
    `indexing.index` for the rest.

    With `metadata` and no paths, the files that the corpus holds get the ids and metadata of that CSV, and nothing is parsed.
    `databases` are `indexing.Wanted`; the settings say of which of their tables every row is indexed. A file that cannot be
    read stops nothing and is listed in the Summary. Raises UsageError when there is nothing to read at `paths`, CorpusBusy when
    another process writes the corpus, CorpusError when its folder cannot be written, OSError or sqlite3.Error where the disk
    fails.
    """
    from pincite import indexing

    several = [paths] if isinstance(paths, Path | str) else paths
    settings, corpus = load(), corpus_folder(corpus)
    if recipe or settings.models.encoder:
        # an encoder's requests are booked there; what is wrong with the folder, indexing itself says
        with suppress(OSError):
            Path(corpus).mkdir(parents=True, exist_ok=True)
    shelves = shelves_of(recipe, corpus, stand_ins) if recipe else default_shelves(corpus)
    more = {"row_limit": settings.row_limit, "ocr_settings": settings.ocr_settings} | more
    if metadata and not several and not more.get("databases"):
        asked = {name: more[name] for name in ("on", "progress") if name in more}
        return indexing.describe(metadata, corpus, shelves, **asked)  # type: ignore[arg-type]
    return indexing.index(several, corpus, shelves, metadata=metadata, **more)  # type: ignore[arg-type]


def shelves_of(recipe: Recipe, corpus: Path | str, stand_ins: bool = False) -> tuple[Shelf, ...]:
    """The indexes of a recipe, with the encoders that the settings give it; NamedModelMissing when it lacks one."""
    settings = load()
    kit = replace(kit_of(settings.models, corpus), stand_ins=stand_ins)
    return _shelves_searched(
        recipe, equipped(kit, recipe, settings.models, corpus), settings, corpus
    )


def default_shelves(corpus: Path | str | None = None) -> tuple[Shelf, ...]:
    """The indexes of the default recipe, with the encoder of the settings; its costs are booked in the ledger of `corpus`."""
    settings = load()
    kit = with_encoder(default_kit(), settings.models, corpus)
    return _shelves_searched(Default(), kit, settings, corpus or "")


def _shelves_searched(
    recipe: Recipe, kit: Kit, settings: Settings, corpus: Path | str
) -> tuple[Shelf, ...]:
    """The indexes of a recipe where the settings have a corpus searched."""
    place = search_address(settings.search, corpus_folder(corpus))
    return tuple(searched_at(shelf, place) for shelf in recipe.shelves(kit))


def run_name(what: str) -> str:
    """A name of its own for a run of `what`, under which its requests to models are booked and its budget is held."""
    return f"{what} {datetime.now():%Y-%m-%d %H:%M:%S} {os.urandom(2).hex()}"


class Library:
    """An open corpus that answers, by default that of the settings. Opening reads no model and no index; the first question does.

    `kit` are the models to answer with, by default those of the settings. `recipe` says how, by default our own; with
    `stand_ins` what works without them takes the place of models that it lacks. A library is one run of the ledger. Raises
    CorpusError when `folder` is no corpus, UsageError when the settings cannot be read.
    """

    def __init__(
        self,
        folder: Path | str | None = None,
        settings: Settings | None = None,
        kit: Kit | None = None,
        recipe: Recipe | None = None,
        stand_ins: bool = False,
    ) -> None:
        folder = folder or default_corpus()
        self.settings = settings or load()
        self.corpus = Corpus(folder, self.settings.search)
        folder = self.corpus.folder
        if self.settings.units:
            load_units(Path(self.settings.units))
        self.recipe = recipe or Default(judged=bool(self.settings.models.judge))
        if self.settings.models.names:
            require_client()
        kit = kit or kit_of(self.settings.models, folder)
        kit = replace(kit, stand_ins=kit.stand_ins or stand_ins)
        self.kit = equipped(kit, self.recipe, self.settings.models, folder)
        self.run = run_name("ask")

    def __repr__(self) -> str:
        return f"<Library {self.corpus.folder}: {counted(len(self.corpus.documents), 'document')}>"

    @cached_property
    def _find(self) -> Stage[Query, Ranking]:
        find = self.recipe.find(self.corpus, self.kit)
        self.recipe.check(self.corpus, self.kit)
        return find

    @cached_property
    def _search(self) -> Stage[Query, Ranking]:
        search = self.recipe.listed(self.corpus, self.kit)
        self.recipe.check(self.corpus, self.kit)
        return search

    @cached_property
    def pipeline(self) -> Pipeline:
        """What every question runs through. Raises as `check` does when it is first asked for."""
        pipeline = self.recipe.pipeline(self.corpus, self.kit, self.settings)
        self.recipe.check(self.corpus, self.kit)
        return pipeline

    def query(
        self,
        text: str,
        where: Filters = (),
        expects: Expects | None = None,
        unit: str = "",
        as_of: str = "",
    ) -> Query:
        """A question as a Query, put to the editions in force at the date `as_of`, now when empty.

        Documents that `where` names are asked whatever has replaced them. Raises UsageError when the question is empty or too
        long, or `as_of` is not a date.
        """
        text, where = accepted(text), where_of(where)
        without = unasked_editions(self.corpus, where, text, as_of)
        rules = self.settings.derived, self.settings.silence
        return Query(text, where, expects, unit, *rules, as_of=as_of, without=without)

    def ask(
        self,
        text: str,
        where: Filters = (),
        expects: Expects | None = None,
        unit: str = "",
        as_of: str = "",
    ) -> CitedAnswer:
        """Answer one question; `where={"company": "Nike"}` asks only documents of which that is true.

        Raises UsageError for a filter that no document fits and a unit that is not known, as well as what `query` raises,
        ModelError when a model that the recipe needs gives no usable reply, BudgetSpent when the next request could cost more
        than is left, CorpusError when the corpus is damaged or its indexes are of another recipe.
        """
        answer = self.outcome(self._query_of_person(text, where, expects, unit, as_of)).answer
        return CitedAnswer.of(answer, self.corpus.folder, self.settings.threshold)

    def ask_all(
        self,
        texts: Iterable[str],
        where: Filters = (),
        expects: Expects | None = None,
        unit: str = "",
        as_of: str = "",
    ) -> CitedAnswers:
        """Answer several questions in order, all with the same filters; raises as `ask`."""
        queries = [self._query_of_person(text, where, expects, unit, as_of) for text in texts]
        answers = self.answer_many(queries)
        return cited_answers(answers, self.corpus.folder, self.settings.threshold)

    def _query_of_person(
        self, text: str, where: Filters, expects: Expects | None, unit: str, as_of: str
    ) -> Query:
        """A question of which a person wrote the filters and the unit, who hears of slips."""
        held = held_filters(self.corpus, where_of(where))
        return self.query(text, held, expects, named_unit(unit, text), as_of)

    def outcome(self, query: Query) -> Outcome:
        """Answer one question and keep its ranking and trace: no ranking when it is planned as several questions, neither when a
        reviewer's correction answers it.
        """
        (outcome,) = self._unless_corrected([query], self._run_traced)
        return outcome

    def answer(self, query: Query) -> Answer:
        """Answer one question, booked under what `ledger.about` says; raises as `ask`. Several threads may call it at once."""
        (outcome,) = self._unless_corrected([query], self._run_untraced)
        return outcome.answer

    def answer_many(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Answer many questions, in order: with a model one after the other, else in batches. Raises as `ask` at the question."""
        remaining = iter(queries)
        while some := list(islice(remaining, AT_ONCE)):
            if self.kit.large is not None:
                yield from (self.outcome(query).answer for query in some)
            else:
                outcomes = self._unless_corrected(some, self._run_untraced)
                yield from (outcome.answer for outcome in outcomes)

    def _unless_corrected(
        self, queries: Sequence[Query], run: Callable[[Sequence[Query]], list[Outcome]]
    ) -> list[Outcome]:
        """What reviewers said to questions, and what `run` makes of those that no correction answers, marked where one is."""
        said = [(query, corrected(self.corpus, query)) for query in queries]
        asked = [query for query, correction in said if not isinstance(correction, Answer)]
        made = iter(run(asked) if asked else ())
        outcomes = []
        for _, correction in said:
            if isinstance(correction, Answer):
                outcomes.append(Outcome(None, correction))
            else:
                outcome = next(made)
                answer = replace(outcome.answer, corrected=correction)
                outcomes.append(replace(outcome, answer=answer))
        return outcomes

    def _run_traced(self, queries: Sequence[Query]) -> list[Outcome]:
        outcomes = []
        for query in queries:
            with traced() as spans, about(question=query.text, run=self.run):
                ranking, answer = self.pipeline.found_and_answered(query)
            outcomes.append(Outcome(ranking, answer, tuple(spans)))
        return outcomes

    def _run_untraced(self, queries: Sequence[Query]) -> list[Outcome]:
        return [Outcome(None, answer) for answer in self.pipeline.map(queries)]

    def rows(self, text: str, database: str = "", document: str = "") -> tuple[RowsAnswer, Answer]:
        """What rows have to say to a question: its statement, what each word was taken for, the rows; and the checked answer.

        Asked are the databases of the corpus, or the one named; else the tables inside a document, or where the corpus holds
        no database those of the best pages. Raises UsageError when there is nothing of that name to ask, SourceError when no
        database can be reached.
        """
        from pincite.evidence.database_sources import sources_of
        from pincite.rows.admitted_relations import admitted
        from pincite.rows.row_answers import ask_all, ask_tables, best

        query = self.query(text)
        sources = sources_of(self.corpus)
        if database and database not in sources.names:
            held = ", ".join(sources.names) or "none (`pincite index --db URL` adds one)"
            raise UsageError(f"the corpus has no database {database!r}; known: {held}")
        encoder, large = self.kit.encoder, self.kit.large
        if sources and not document:
            named = (("document", (database,)),)
            among = admitted(named, self.corpus) if database else None
            told = best(ask_all(query, sources, encoder, among, large))
            if told is None:
                raise SourceError("; ".join(sources.unreachable.values()))
        else:
            tables = self._tables(query, document)
            told = best(ask_tables(query, tables, sources, encoder, large))
            if told is None:
                found = "on the pages found for it, and the corpus has no database"
                where = f"in {document}" if document else found
                raise UsageError(f"there is no table to put the question to {where}")
        return told, Verify(self.corpus, self.settings.threshold)(told.draft)

    def holds(self, text: str) -> bool:
        """Whether the words of a text stand together in a document; true where the recipe has no index that could tell."""
        return self.recipe.holds(self.corpus, self.kit, text)

    def _tables(self, query: Query, document: str) -> Iterator[tuple[Node, str]]:
        """The tables on the best pages for a question, with their documents' ids, best first."""
        where: Where = (("document", (document,)),) if document else ()
        if where and not self.corpus.select(where):
            raise UsageError(
                f"there is no document {document!r} in the corpus; `pincite list` prints them"
            )
        return islice(tables_on(self.corpus, self._find(replace(query, where=where))), TABLES)

    def search(
        self, text: str, k: int = 10, where: Filters = (), as_of: str = ""
    ) -> list[PageHit]:
        """The `k` best pages for a question, best first, each once. Raises UsageError as `ask` does, ModelMissing for a model
        that is lacking, CorpusError when the corpus is damaged or its indexes are of another recipe.
        """
        return next(self.search_many([self._query_of_person(text, where, None, "", as_of)], k))

    def search_many(self, queries: Sequence[Query], k: int = 10) -> Iterator[list[PageHit]]:
        """The `k` best pages for each query, in their order. Raises as `search` does."""
        for start in range(0, len(queries), AT_ONCE):
            for ranking in self._search.map(queries[start : start + AT_ONCE]):
                yield self.pages(ranking, k)

    def pages(self, ranking: Ranking, k: int = 10) -> list[PageHit]:
        """The `k` best pages of a ranking, each once; those that have left the corpus are left out."""
        hits: dict[str, Hit] = {}
        for hit in ranking.hits:
            hits.setdefault(hit.node, hit)
        best: dict[object, Hit] = {}
        places: dict[str, tuple[str, int]] = {}
        for identity, (version, page) in self.corpus.each_place(list(hits)):
            if len(best) == k:
                break
            places[identity] = version, page
            best.setdefault((version, page) if page else identity, hits[identity])
        chosen = list(best.values())
        nodes = self.corpus.nodes_by_id(hit.node for hit in chosen)
        names = self.corpus.by_version
        made = []
        for hit in chosen:
            (version, page), node = places[hit.node], nodes[hit.node]
            place = node.id, node.kind, unprinted(node.anchor)
            made.append(PageHit(names[version].id, page, hit.score, *place))
        return made

    def check(self) -> None:
        """Raise now what the first question would: ModelMissing for a model that is lacking, CorpusError for an index."""
        _ = self.pipeline
        for shelf in self.recipe.shelves(self.kit):
            published_folder(self.corpus, shelf)

    @property
    def named(self) -> str:
        """The recipe's name, with the parameters that are not at their default."""
        return named(self.recipe)

    @property
    def spelling(self) -> str:
        """How it answers as one line, with what stands in: with the corpus's generation, the identity of what it answers."""
        return " | ".join((spell(self.pipeline), *self.stand_ins))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """What takes the place of models that the recipe asks for and this machine does not have."""
        return replaced(self.recipe, self.kit)

    def keep(self, answers: Sequence[Answer]) -> list[str]:
        """Keep answers beside the corpus; returns their ids. Raises OSError or sqlite3.Error when the disk fails."""
        return keep(self.corpus.folder, answers)
