"""Ask: a question, its answer, and the proof beside it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, get_args

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from pincite.corpus import Corpus
from pincite.document.address import page_name
from pincite.errors import UsageError
from pincite.ports import Progress
from pincite.review import Review, about, latest, reviews, topic_of
from pincite.review.corrections import as_corrected
from pincite.serve import templating as views
from pincite.serve.bench import Reading, Visit
from pincite.serve.corpora import ServedEdition
from pincite.serve.door.caller_limits import QUESTION
from pincite.serve.door.presence import while_there
from pincite.serve.door.problems import missing, problem_of
from pincite.serve.door.request_guard import other_site
from pincite.serve.event_stream import event, streamed
from pincite.serve.example_questions import example_questions
from pincite.serve.facets import counted, narrowed
from pincite.serve.pages.files_page import saved
from pincite.serve.processes.answering import AskedQuestion, KeptAnswer, recalled
from pincite.serve.proof import proof
from pincite.serve.table_view import as_csv
from pincite.types import Answer, Citation, Expects, Possible, Table

router = APIRouter(include_in_schema=False)
SEARCHED = 12
"""Pages that are listed where nothing was found."""


@router.get("/c/{corpus}")
async def bare(corpus: str) -> Response:
    """The same with a slash."""
    return RedirectResponse(f"/c/{views.segment(corpus)}/", 308)


@router.get("/c/{corpus}/")
async def ask(
    visit: Reading,
    q: Annotated[str, Query(max_length=QUESTION)] = "",
    expects: str = "",
    unit: Annotated[str, Query(max_length=60)] = "",
    document: Annotated[str, Query(max_length=400)] = "",
    as_of: Annotated[str, Query(max_length=10)] = "",
    company: Annotated[str, Query(max_length=200)] = "",
    kind: Annotated[str, Query(max_length=200)] = "",
    year: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """The page to ask on; with a question, its answer. A link from another site fills the question in and does not ask it."""
    chosen = {"company": company, "kind": kind, "year": year}
    given = {
        "q": q,
        "expects": expects,
        "unit": unit,
        "document": document,
        "as_of": as_of,
        **chosen,
    }
    if not q.strip() or other_site(visit.request.headers):
        examples = await asyncio.to_thread(_examples, visit.edition)
        return views.corpus_page(
            visit, "ask.html", given=given, shown=None, examples=examples,
            facets=counted(visit.edition.corpus.documents),
        )  # fmt: skip
    wanted: Expects | None = expects if expects in get_args(Expects) else None  # type: ignore[assignment]
    try:
        where = narrowed(visit.edition.corpus.documents, chosen, document)
        question = AskedQuestion(q, where, wanted, unit, as_of)
        if "text/event-stream" in visit.request.headers.get("accept", ""):
            return streamed(_progress(visit, question))
        work = visit.bench.asking.ask(visit.served, question, visit.person.name)
        asked = await while_there(visit.request, work)
    except UsageError as error:
        return views.corpus_page(
            visit, "ask.html", 422, given=given, shown=None, wrong=str(error), examples=[],
            facets=counted(visit.edition.corpus.documents),
        )  # fmt: skip
    return await _page(visit, asked.answer, asked.answer_id, asked, given)


async def _progress(visit: Visit, question: AskedQuestion) -> AsyncIterator[str]:
    """How far a model is with a question, an event for each word of it, then that the page has the answer, or why there is none.
    Leaving off stops the question.
    """
    heard = asyncio.Queue[Progress | None]()
    work = asyncio.create_task(
        visit.bench.asking.ask(visit.served, question, visit.person.name, heard.put_nowait)
    )
    work.add_done_callback(lambda _: heard.put_nowait(None))
    try:
        while (told := await heard.get()) is not None:
            yield event("told", {"doing": views.seen(str(told))})
        await work
        yield event("over", {})
    except Exception as error:  # the reply has begun: what went wrong can only be told in it
        yield event("failed", {"detail": problem_of(error, visit.bench.private).detail})
    finally:
        work.cancel()
        with suppress(Exception, asyncio.CancelledError):
            await work


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
    try:
        if asked is None:
            answer, asked = await asyncio.to_thread(recalled, visit.served.folder, answer_id)
        else:
            answer = asked.answer
    except UsageError as error:
        raise missing(f"answer {answer_id!r}") from error
    query = answer.query
    given = {
        "q": query.text, "expects": query.expects or "", "unit": query.unit, "document": _document(answer),
        "as_of": query.as_of, "company": "", "kind": "", "year": "",
    }  # fmt: skip
    return await _page(
        visit, answer, answer_id, asked, given, AnswerView(cite, other, page, topic, grid)
    )


def _document(answer: Answer) -> str:
    """The one document that a question was asked of; of several, as a cell of a grid is, the one that its answer cites."""
    held = dict(answer.query.where).get("document", ())
    if len(held) == 1:
        return held[0]
    cited = (citation.document for citation in answer.citations)
    return next((document for document in cited if document in held), "")


@router.get("/c/{corpus}/answers/{answer_id}/table.csv")
async def table(visit: Reading, answer_id: str) -> Response:
    """An answer that is a table, as CSV."""
    answer = await visit.answer(answer_id)
    if not isinstance(answer.value, Table):
        raise missing(f"table of answer {answer_id!r}")
    return saved(as_csv(answer.value), f"answer-{answer_id}.csv")


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


async def _page(
    visit: Visit,
    answer: Answer,
    answer_id: str,
    asked: KeptAnswer | None,
    given: dict[str, str],
    view: AnswerView | None = None,
) -> Response:
    view = view or AnswerView()
    said, force = await asyncio.to_thread(
        _reviewed, visit.served.folder, answer, view.topic or topic_of(answer.query)
    )
    if force and force.action == "correct" and not answer.corrected:
        answer = await asyncio.to_thread(_corrected, visit.edition.corpus, answer, force)
    chosen, other = _chosen(answer, view)
    beside = await proof(visit, chosen, view.page) if chosen else None
    looked = []
    if answer.value is None or asked is None:
        looked = await asyncio.to_thread(_searched, visit.edition.corpus, answer)
    return views.corpus_page(
        visit, "ask.html", given=given, shown=answer, answer_id=answer_id, asked=asked,
        facets=counted(visit.edition.corpus.documents), chosen=chosen, other=other,
        proof=beside, reviews=said, force=force, view=view, searched=looked,
    )  # fmt: skip


def _reviewed(folder: Path, answer: Answer, topic: str) -> tuple[list[Review], Review | None]:
    """What was said of a topic and of the same question, oldest first, and what of that is in force."""
    said = {
        review.id: review for review in (*reviews(folder, topic), *about(folder, answer.query))
    }
    ordered = sorted(said.values(), key=lambda place: place.at)
    return ordered, latest(ordered)


def _corrected(corpus: Corpus, answer: Answer, review: Review) -> Answer:
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
    near = (possible.citation for possible in of.possible if possible.citation is not None)
    named = next(
        (citation for citation in (*of.citations, *near) if citation.label == view.cite), None
    )
    if named is not None:
        return named, view.other if of is not answer else 0
    cited = (*answer.citations, *(possible.citation for possible in answer.possible))
    return next((citation for citation in cited if citation is not None), None), 0


def _searched(corpus: Corpus, answer: Answer) -> list[Searched]:
    """The pages that were read for an answer, best first, as far as they are still there."""
    places, documents = corpus.places(answer.read), corpus.by_version
    found: dict[tuple[str, int], Searched] = {}
    for node in corpus.nodes(answer.read):
        version, page = places[node.id]
        if version in documents and (version, page) not in found:
            place = page_name(node.anchor.path, page) if page else ""
            found[version, page] = Searched(documents[version].id, page, place)
    return list(found.values())[:SEARCHED]
