"""Ask: a question, its answer, and the proof beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, get_args

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field
from starlette.responses import RedirectResponse, Response

from pincite.corpus import Corpus, Entryless
from pincite.document.address import page_name
from pincite.errors import UsageError
from pincite.records.review import Review, about, latest, reviews, topic_of
from pincite.records.review.corrections import as_corrected
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Visit
from pincite.serve.corpora import ServedEdition
from pincite.serve.door.caller_limits import QUESTION
from pincite.serve.door.problems import look_up, missing, problem_of
from pincite.serve.door.request_guard import other_site
from pincite.serve.event_stream import event, streamed, wants_events, while_there
from pincite.serve.facets import count_facets, example_questions, narrowed
from pincite.serve.pages.files_page import text_file
from pincite.serve.processes.question_pool import AskedQuestion, KeptAnswer, recall_kept
from pincite.serve.processes.worker_pool import pieces
from pincite.serve.proof import proof
from pincite.serve.table_view import as_csv
from pincite.types import Answer, Citation, Expects, Possible, Table

router = APIRouter(include_in_schema=False)
SEARCHED = 12  # pages that are listed where nothing was found
TICKED = 100  # documents that a question is asked of again: their names are part of an address


@router.get("/c/{corpus}")
async def bare(corpus: str) -> Response:
    """The same with a slash."""
    return RedirectResponse(f"/c/{views.segment(corpus)}/", 308)


class AskForm(BaseModel):
    """What the fields of the page to ask on hold."""

    q: Annotated[str, Field(max_length=QUESTION)] = ""
    expects: str = ""
    unit: Annotated[str, Field(max_length=60)] = ""
    document: Annotated[list[Annotated[str, Field(max_length=400)]], Field(max_length=1000)] = []
    as_of: Annotated[str, Field(max_length=10)] = ""
    company: Annotated[str, Field(max_length=200)] = ""
    kind: Annotated[str, Field(max_length=200)] = ""
    year: Annotated[str, Field(max_length=10)] = ""

    def asked(self, documents: Sequence[Entryless]) -> AskedQuestion:
        """The question of documents that is asked so. UsageError when the filters leave none."""
        expects: Any = self.expects if self.expects in get_args(Expects) else None
        chosen = {"company": self.company, "kind": self.kind, "year": self.year}
        where = narrowed(documents, chosen, list(filter(None, self.document)))
        return AskedQuestion(self.q, where, expects, self.unit, self.as_of)


@router.get("/c/{corpus}/")
async def ask(visit: Reading, given: Annotated[AskForm, Query()]) -> Response:
    """The page to ask on; with a question, its answer. A link from another site fills the question in and does not ask it."""
    documents = visit.edition.corpus.documents
    if not given.q.strip() or other_site(visit.request.headers):
        examples = await asyncio.to_thread(_examples, visit.edition)
        return _form_page(visit, given, examples=examples)
    try:
        question = given.asked(documents)
        if wants_events(visit.request):
            return streamed(_progress(visit, question))
        work = visit.bench.asking.ask(visit.served, question, visit.person.name)
        asked = await while_there(visit.request, work)
    except UsageError as error:
        return _form_page(visit, given, 422, wrong=str(error), examples=[])
    return await _answer_page(visit, asked.answer, asked.answer_id, asked, given, AnswerView())


def _form_page(visit: Visit, given: AskForm, status: int = 200, **more: Any) -> Response:
    facets = count_facets(visit.edition.corpus.documents)
    return views.corpus_page(
        visit, "ask.html", status, **{"given": given, "shown": None, "facets": facets, **more}
    )


async def _progress(visit: Visit, question: AskedQuestion) -> AsyncIterator[str]:
    """How far a model is with a question, an event for each word of it, then that the page has the answer, or why there is none.
    Leaving off stops the question.
    """
    asking, name = visit.bench.asking, visit.person.name
    told = pieces(lambda tell: asking.ask(visit.served, question, name, tell))
    try:
        async with aclosing(told):
            async for progress in told:
                yield event("told", {"doing": views.seen(str(progress))})
        yield event("over", {})
    except Exception as error:  # the reply has begun: what went wrong can only be told in it
        yield event("failed", {"detail": problem_of(error, visit.bench.private).detail})


@lru_cache(maxsize=16)
def _examples(edition: ServedEdition) -> list[str]:
    return example_questions(edition.corpus)


@router.get("/c/{corpus}/answers/{answer_id}")
async def kept(
    visit: Reading,
    answer_id: str,
    cite: str = "",
    other: Annotated[int, Query(ge=0, le=1000)] = 0,
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
    topic: Annotated[str, Query(max_length=16, pattern="^[0-9a-f]*$")] = "",
    grid: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """An answer that was given before, another of its citations or pages beside it; as a cell of a grid, with its topic."""
    asked = visit.bench.asking.recalled(visit.served.name, answer_id)
    if asked is not None:
        answer = asked.answer
    else:
        what = f"answer {answer_id!r}"
        answer, asked = await look_up(what, recall_kept, visit.served.folder, answer_id)
    query = answer.query
    given = AskForm.model_construct(
        q=query.text, expects=query.expects or "", unit=query.unit, document=_ticked(answer), as_of=query.as_of
    )  # fmt: skip
    view = AnswerView(cite, other, page, topic, grid)
    return await _answer_page(visit, answer, answer_id, asked, given, view)


def _ticked(answer: Answer) -> list[str]:
    """The documents that a question was asked of; of very many, those that its answer cites."""
    held = dict(answer.query.where).get("document", ())
    if len(held) <= TICKED:
        return list(held)
    return [name for name, _ in views.by_document(answer.citations) if name in held]


@router.get("/c/{corpus}/answers/{answer_id}/table.csv")
async def table(visit: Reading, answer_id: str) -> Response:
    """An answer that is a table, as CSV."""
    answer = await visit.answer(answer_id)
    if not isinstance(answer.value, Table):
        raise missing(f"table of answer {answer_id!r}")
    return text_file(as_csv(answer.value), f"answer-{answer_id}.csv")


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What of an answer is looked at: which citation, of which of the other answers beside it (1 is the first, 0 its own),
    which page, as which grid's cell.
    """

    cite: str = ""
    other: int = 0
    page: int = 0
    topic: str = ""
    grid: str = ""

    def query(self, cite: str, other: int = 0, page: int = 0) -> str:
        """The query of the address that shows another citation or page of the same answer."""
        held = {"cite": cite, "other": other, "page": page, "topic": self.topic, "grid": self.grid}
        return "&".join(f"{name}={views.segment(value)}" for name, value in held.items() if value)


@dataclass(frozen=True, slots=True)
class Searched:
    """A page that was read for an answer."""

    document: str
    page: int
    place: str


async def _answer_page(
    visit: Visit,
    answer: Answer,
    answer_id: str,
    asked: KeptAnswer | None,
    given: AskForm,
    view: AnswerView,
) -> Response:
    topic = view.topic or topic_of(answer.query)
    said, force = await asyncio.to_thread(_reviews_of, visit.served.folder, answer, topic)
    if force and force.action == "correct" and not answer.corrected:
        answer = await asyncio.to_thread(_correct, visit.edition.corpus, answer, force)
    chosen, other = _chosen(answer, view)
    beside = await proof(visit, chosen, view.page) if chosen else None
    looked = []
    if answer.value is None or asked is None:
        looked = await asyncio.to_thread(_searched, visit.edition.corpus, answer)
    return _form_page(
        visit, given, shown=answer, answer_id=answer_id, asked=asked, chosen=chosen, other=other,
        proof=beside, reviews=said, force=force, view=view, searched=looked,
    )  # fmt: skip


def _reviews_of(folder: Path, answer: Answer, topic: str) -> tuple[list[Review], Review | None]:
    """What was said of a topic and of the same question, oldest first, and what of that is in force."""
    found = (*reviews(folder, topic), *about(folder, answer.query))
    said = {review.id: review for review in found}
    ordered = sorted(said.values(), key=lambda review: review.at)
    return ordered, latest(ordered)


def _correct(corpus: Corpus, answer: Answer, review: Review) -> Answer:
    """An answer as a reviewer corrected it, with what it was among the other values; as it is where that does not hold."""
    made = as_corrected(corpus, answer.query, review)
    if not isinstance(made, Answer):
        return replace(answer, corrected=made)
    if answer.value is None:
        return replace(made, possible=answer.possible)
    place = answer.citations[0] if answer.citations else None
    found = Possible(answer.value, place and replace(place, label="found"), answer.confidence)
    return replace(made, possible=(found, *answer.possible))


def _chosen(answer: Answer, view: AnswerView) -> tuple[Citation | None, int]:
    """The citation that is looked at, and of which answer it is: when the view names none, the first of the answer's own,
    else of its possible answers.
    """
    of = answer.others[view.other - 1] if 0 < view.other <= len(answer.others) else answer
    for citation in _cited(of):
        if citation.label == view.cite:
            return citation, view.other if of is not answer else 0
    return next(_cited(answer), None), 0


def _cited(answer: Answer) -> Iterator[Citation]:
    """What an answer and its possible answers cite."""
    yield from answer.citations
    yield from (near.citation for near in answer.possible if near.citation is not None)


def _searched(corpus: Corpus, answer: Answer) -> list[Searched]:
    """The pages that were read for an answer, best first, as far as they are still there."""
    places, documents = corpus.places(answer.read), corpus.by_version
    pages: dict[tuple[str, int], Searched] = {}
    for node in corpus.nodes(answer.read):
        version, page = places[node.id]
        if version in documents and (version, page) not in pages:
            place = page_name(node.anchor.path, page) if page else ""
            pages[version, page] = Searched(documents[version].id, page, place)
    return list(pages.values())[:SEARCHED]
