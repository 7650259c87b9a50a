"""Ask and search."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from pincite.records.answer_record import record
from pincite.serve.bench import Reading
from pincite.serve.corpora import document_key
from pincite.serve.door.caller_limits import QUESTION
from pincite.serve.event_stream import while_there
from pincite.serve.pages.files_page import as_bundle
from pincite.serve.rest import rest_forms as forms
from pincite.workbench.library import Library, PageHit

router = APIRouter(prefix="/api/v1/corpora/{corpus}", tags=["ask"])


@router.post("/ask", summary="Ask a question")
async def ask(visit: Reading, given: forms.AskIn) -> forms.AnswerOut:
    """One checked answer with its citations; `value` null is N/A, and `reason` says why."""
    work = visit.bench.asking.ask(visit.served, given.asked(), visit.person.name)
    asked = await while_there(visit.request, work)
    more = asked.told if given.explain else {}
    return forms.AnswerOut.model_validate({**record(asked.answer, asked.answer_id), **more})


@router.get("/answers/{answer_id}", summary="An earlier answer")
async def answer(visit: Reading, answer_id: forms.Identity) -> forms.AnswerOut:
    """An answer by its id, as it was given."""
    return forms.AnswerOut.model_validate(record(await visit.answer(answer_id), answer_id))


@router.get(
    "/answers/{answer_id}/bundle",
    summary="An answer as evidence",
    response_class=Response,
    responses=forms.file_reply("application/zip"),
)
async def evidence(visit: Reading, answer_id: forms.Identity) -> Response:
    """Its values, quotes, pages, hashes and trace in one file; `pincite verify` checks it without the corpus."""
    return await as_bundle(visit, [answer_id])


@router.get("/search", summary="Search pages")
async def search(
    visit: Reading,
    q: Annotated[str, Query(min_length=1, max_length=QUESTION)],
    k: Annotated[int, Query(ge=1, le=100, description="The maximum number of pages.")] = 10,
    document: Annotated[list[Annotated[str, Query(max_length=400)]], Query(max_length=1000)] = [],  # noqa: B006
) -> forms.SearchOut:
    """The pages that fit a query best, best first; only in these documents, where any are given."""
    where = (("document", tuple(document)),) if document else ()
    hits: list[PageHit] = await visit.asked(Library.search, q, k, where)
    return forms.SearchOut(
        items=[forms.FoundOut(key=document_key(hit.document), **asdict(hit)) for hit in hits]
    )
