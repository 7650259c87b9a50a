"""A corpus with the recipe that answers from it: what the command line, a program and a server all call."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.check.claims import Verify
from pincite.corpus import Corpus
from pincite.document.address import unprinted
from pincite.errors import SourceError, UsageError
from pincite.index.shelf import Shelf, published_folder
from pincite.ledger import about
from pincite.models.kit import default_kit, kit_of, with_encoder
from pincite.ports import Kit
from pincite.quantity import load_units
from pincite.question.understanding import accepted
from pincite.recipes.base import Recipe
from pincite.recipes.default import Default
from pincite.recipes.model_choice import equipped, replaced
from pincite.recipes.parameters import named
from pincite.recipes.pipeline import Pipeline
from pincite.records.answer_store import keep
from pincite.review.corrections import corrected
from pincite.settings import Settings, load
from pincite.spell import spell
from pincite.stage import Stage, traced
from pincite.storage import corpus_folder
from pincite.types import Answer, Expects, Hit, Node, Outcome, Query, Ranking, Reading, Where
from pincite.versions.series import kept_out, left_out

if TYPE_CHECKING:
    from pincite.indexing import Summary
    from pincite.rows.row_answers import RowsAnswer

NAMED = 0.8
"""The weight from which a company's name and a document's own names are taken for the same."""
TABLES = 12
"""Tables of documents that a question to rows is put to."""
DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
"""A date as `as_of` takes it."""
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
    return indexing.index(several, corpus, shelves, metadata=metadata, **more)  # type: ignore[arg-type]


def shelves_of(recipe: Recipe, corpus: Path | str, stand_ins: bool = False) -> tuple[Shelf, ...]:
    """The indexes of a recipe, with the encoders that the settings give it; NamedModelMissing when it lacks one."""
    models = load().models
    kit = replace(kit_of(models, corpus), stand_ins=stand_ins)
    return recipe.shelves(equipped(kit, recipe, models, corpus))


def default_shelves(corpus: Path | str | None = None) -> tuple[Shelf, ...]:
    """The indexes of the default recipe, with the encoder of the settings; its costs are booked in the ledger of `corpus`."""
    return Default().shelves(with_encoder(default_kit(), load().models, corpus))


def run_name(what: str) -> str:
    """A name of its own for a run of `what`, under which its requests to models are booked and its budget is held."""
    return f"{what} {datetime.now():%Y-%m-%d %H:%M:%S} {os.urandom(2).hex()}"


class Library:
    """An open corpus that answers. Opening reads no model and no index; the first question does.

    `kit` are the models to answer with, by default those of the settings. `recipe` says how, by default our own; with
    `stand_ins` what works without them takes the place of models that it lacks. A library is one run of the ledger. Raises
    CorpusError when `folder` is no corpus, UsageError when the settings cannot be read.
    """

    def __init__(
        self,
        folder: Path | str,
        settings: Settings | None = None,
        kit: Kit | None = None,
        recipe: Recipe | None = None,
        stand_ins: bool = False,
    ) -> None:
        self.corpus = Corpus(folder)
        folder = self.corpus.folder
        self.settings = settings or load()
        if self.settings.units:
            load_units(Path(self.settings.units))
        self.recipe = recipe or Default(judged=bool(self.settings.models.judge))
        kit = kit or kit_of(self.settings.models, folder)
        self.kit = equipped(
            replace(kit, stand_ins=kit.stand_ins or stand_ins),
            self.recipe,
            self.settings.models,
            folder,
        )
        self.run = run_name("ask")

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
        where: Where = (),
        expects: Expects | None = None,
        unit: str = "",
        as_of: str = "",
    ) -> Query:
        """A question as a Query, put to the editions in force at the date `as_of`, now when empty.

        Documents that `where` names are asked whatever has replaced them. Raises UsageError when the question is empty or too
        long, or `as_of` is not a date.
        """
        text = accepted(text)
        if as_of and not DATE.fullmatch(as_of):
            raise UsageError(f"a date is written 2019, 2019-05 or 2019-05-01, not {as_of!r}")
        without = left_out(self.corpus.generation.series, text, as_of)
        if without and any(name == "document" for name, _ in where):
            named = {document.id for document in self.corpus.select(where)}
            without = kept_out(without, named, self.corpus.generation.series)
        settings = self.settings
        return Query(
            text,
            where,
            expects,
            unit,
            settings.derived,
            settings.silence,
            as_of=as_of,
            without=without,
        )

    def ask(
        self,
        text: str,
        where: Where = (),
        expects: Expects | None = None,
        unit: str = "",
        as_of: str = "",
    ) -> Answer:
        """Answer one question. The arguments, and what is wrong with them, are those of `query`.

        Raises ModelError when a model that the recipe needs gives no usable reply, BudgetSpent when the next request could cost
        more than is left, CorpusError when the corpus is damaged or its indexes are of another recipe.
        """
        return self.outcome(self.query(text, where, expects, unit, as_of)).answer

    def outcome(self, query: Query) -> Outcome:
        """Answer one question and keep its ranking and trace: no ranking when it is planned as several questions, neither when a
        reviewer's correction answers it.
        """
        said = corrected(self.corpus, query)
        if isinstance(said, Answer):
            return Outcome(None, said)
        with traced() as spans, about(question=query.text, run=self.run):
            ranking, answer = self.pipeline.found_and_answered(query)
        return Outcome(ranking, replace(answer, corrected=said), tuple(spans))

    def answer(self, query: Query) -> Answer:
        """Answer one question, booked under what `ledger.about` says; raises as `ask`. Several threads may call it at once."""
        said = corrected(self.corpus, query)
        return (
            said if isinstance(said, Answer) else replace(self.pipeline.run(query), corrected=said)
        )

    def answer_many(self, queries: Iterable[Query]) -> Iterator[Answer]:
        """Answer many questions, in order: with a model one after the other, else in batches. Raises as `ask` at the question."""
        remaining = iter(queries)
        while some := list(islice(remaining, AT_ONCE)):
            if self.kit.large is not None:
                yield from (self.outcome(query).answer for query in some)
                continue
            said = [corrected(self.corpus, query) for query in some]
            asked = [
                query
                for query, correction in zip(some, said, strict=True)
                if not isinstance(correction, Answer)
            ]
            answers = iter(self.pipeline.map(asked))
            for correction in said:
                yield (
                    correction
                    if isinstance(correction, Answer)
                    else replace(next(answers), corrected=correction)
                )

    def rows(self, text: str, database: str = "", document: str = "") -> tuple[RowsAnswer, Answer]:
        """What rows have to say to a question: its statement, what each word was taken for, the rows; and the checked answer.

        Asked are the databases of the corpus, or the one named; else the tables inside a document, or where the corpus holds
        no database those of the best pages. Raises UsageError when there is nothing of that name to ask, SourceError when no
        database can be reached.
        """
        from pincite.evidence.database_sources import sources_of
        from pincite.rows.row_answers import ask_all, ask_tables, best

        query = self.query(text)
        sources = sources_of(self.corpus)
        if database and database not in sources.names:
            held = ", ".join(sources.names) or "none (`pincite index --db URL` adds one)"
            raise UsageError(f"the corpus has no database {database!r}; known: {held}")
        if sources and not document:
            told = best(
                ask_all(
                    query,
                    sources,
                    self.kit.encoder,
                    (database,) if database else (),
                    self.kit.large,
                )
            )
            if told is None:
                raise SourceError("; ".join(sources.unreachable.values()))
        else:
            told = best(
                ask_tables(query, self._tables(query, document), sources, self.kit.encoder)
            )
            if told is None:
                where = (
                    f"in {document}"
                    if document
                    else "on the pages found for it, and the corpus has no database"
                )
                raise UsageError(f"there is no table to put the question to {where}")
        return told, Verify(self.corpus, self.settings.threshold)(told.draft)

    def narrowing(self, query: Query) -> Reading | None:
        """How a database of the corpus takes a question that follow-ups narrow (its `refines`); None when none does."""
        from pincite.evidence.database_sources import sources_of
        from pincite.rows.row_answers import narrowing

        return narrowing(query, sources_of(self.corpus), self.kit.encoder)

    def _tables(self, query: Query, document: str) -> Iterator[tuple[Node, str]]:
        """The tables on the best pages for a question, with their documents' ids, best first."""
        where: Where = (("document", (document,)),) if document else ()
        if where and not self.corpus.select(where):
            raise UsageError(
                f"there is no document {document!r} in the corpus; `pincite list` prints them"
            )
        found = self._find(replace(query, where=where))
        pages = dict.fromkeys(self.corpus.places([hit.node for hit in found.hits]).values())
        tables = (
            (node, self.corpus.by_version[version].id)
            for version, page in pages
            for node in self.corpus.page(version, page)
            if node.table is not None
        )
        return islice(tables, TABLES)

    def search(self, text: str, k: int = 10, where: Where = (), as_of: str = "") -> list[PageHit]:
        """The `k` best pages for a question, best first, each once. Raises UsageError as `query` does, ModelMissing for a model
        that is lacking, CorpusError when the corpus is damaged or its indexes are of another recipe.
        """
        return next(self.search_many([self.query(text, where, as_of=as_of)], k))

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
            made.append(
                PageHit(
                    names[version].id, page, hit.score, node.id, node.kind, unprinted(node.anchor)
                )
            )
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

    def company_filter(self, names: Sequence[str]) -> Where:
        """A filter for the documents of these companies: by a metadata column `company`, else by their cover pages.

        Raises UsageError when no document is of any of them.
        """
        from pincite.search.document_routing import Catalogue, route

        wanted = {name.casefold() for name in names}
        held = self.corpus.documents
        documents = [
            document.id
            for document in held
            if document.meta.get("company", "").casefold() in wanted
        ]
        if not documents:
            known = Catalogue.of(held)
            # within a phrase, since a capital at the beginning of one does not tell a name
            routed = chain.from_iterable(
                route(f"the documents of {name}", known) for name in names
            )
            positions = dict.fromkeys(way.position for way in routed if way.weight >= NAMED)
            documents = [held[position].id for position in positions]
        if not documents:
            raise UsageError(
                f"no document belongs to {', '.join(names)}: add a column `company` to the file given to "
                "`pincite index --metadata`, or leave out the companies"
            )
        return (("document", tuple(documents)),)

    def keep(self, answers: Sequence[Answer]) -> list[str]:
        """Keep answers beside the corpus; returns their ids. Raises OSError or sqlite3.Error when the disk fails."""
        return keep(self.corpus.folder, answers)
