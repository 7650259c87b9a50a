"""Ask: a question, its answer, and the proof beside it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Annotated, get_args

from fastapi import APIRouter, Query
from starlette.responses import RedirectResponse, Response

from pincite.answers import recall_answer
from pincite.errors import UsageError
from pincite.review import reviews, topic_of
from pincite.serve import views
from pincite.serve.answering import Asked, Question
from pincite.serve.bench import Reading, Visit
from pincite.serve.guard import other_site
from pincite.serve.limits import QUESTION
from pincite.serve.problems import missing
from pincite.serve.proof import proof
from pincite.types import Answer, Expects

router = APIRouter(include_in_schema=False)
EXAMPLES = 3


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
) -> Response:
    """The page to ask on; with a question, its answer. A link from another site fills the question in and does not ask it."""
    given = {"q": q, "expects": expects, "unit": unit, "document": document, "as_of": as_of}
    if not q.strip() or other_site(visit.request.headers):
        return views.page(visit.request, "ask.html", visit=visit, given=given, shown=None)
    where = (("document", (document,)),) if document else ()
    wanted: Expects | None = expects if expects in get_args(Expects) else None  # type: ignore[assignment]
    try:
        asked = await visit.bench.asking.ask(visit.served, Question(q, where, wanted, unit, as_of), visit.person.name)
    except UsageError as error:
        return views.page(visit.request, "ask.html", 422, visit=visit, given=given, shown=None, wrong=str(error))
    return await _page(visit, asked.answer, asked.answer_id, asked, given)


@router.get("/c/{corpus}/answers/{answer_id}")
async def kept(
    visit: Reading,
    answer_id: str,
    cite: str = "",
    page: Annotated[int, Query(ge=0, le=10**6)] = 0,
    topic: Annotated[str, Query(max_length=16, pattern="^[0-9a-f]*$")] = "",
    grid: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """An answer that was given before, another of its citations or pages beside it; as a cell of a grid, with its topic."""
    asked = visit.bench.asking.recalled(visit.served.name, answer_id)
    try:
        answer = asked.answer if asked else await asyncio.to_thread(recall_answer, visit.served.folder, answer_id)
    except UsageError as error:
        raise missing(f"answer {answer_id!r}") from error
    query = answer.query
    held = dict(query.where).get("document", ())
    given = {
        "q": query.text, "expects": query.expects or "", "unit": query.unit, "document": held[0] if held else "",
        "as_of": query.as_of,
    }  # fmt: skip
    return await _page(visit, answer, answer_id, asked, given, View(cite, page, topic, grid))


@dataclass(frozen=True, slots=True)
class View:
    """What of an answer is looked at: which citation, which page beside it, as which grid's cell."""

    cite: str = ""
    page: int = 0
    topic: str = ""
    grid: str = ""

    @property
    def kept(self) -> str:
        """What addresses of other views of the same answer end in."""
        held = {"topic": self.topic, "grid": self.grid}
        return "".join(f"&{name}={views.segment(value)}" for name, value in held.items() if value)


async def _page(
    visit: Visit, answer: Answer, answer_id: str, asked: Asked | None, given: dict[str, str], view: View | None = None
) -> Response:
    view = view or View()
    citations = answer.citations
    chosen = next((one for one in citations if one.label == view.cite), citations[0] if citations else None)
    beside = await proof(visit, chosen, view.page) if chosen else None
    said = await asyncio.to_thread(reviews, visit.served.folder, view.topic or topic_of(answer.query))
    return views.page(
        visit.request, "ask.html", visit=visit, given=given, shown=answer, answer_id=answer_id, asked=asked,
        chosen=chosen, proof=beside, reviews=said, view=view,
    )  # fmt: skip
