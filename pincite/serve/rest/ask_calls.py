"""Ask and search."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from pincite.errors import UsageError
from pincite.library import Library, PageHit
from pincite.records.answer_record import record
from pincite.records.answer_store import recall_answer
from pincite.serve.bench import Reading
from pincite.serve.corpora import document_key
from pincite.serve.door.caller_limits import QUESTION
from pincite.serve.door.presence import while_there
from pincite.serve.door.problems import missing
from pincite.serve.pages.evidence import as_bundle
from pincite.serve.rest.rest_forms import AnswerOut, AskIn, FoundOut, SearchOut
from pincite.serve.rest.shared import Identity

ZIP: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
        "description": "The file.",
    }
}
router = APIRouter(prefix="/api/v1/corpora/{corpus}", tags=["ask"])


@router.post("/ask", summary="Ask a question")
async def ask(visit: Reading, given: AskIn) -> AnswerOut:
    """One checked answer with its citations; `value` null is N/A, and `reason` says why."""
    work = visit.bench.asking.ask(visit.served, given.asked(), visit.person.name)
    asked = await while_there(visit.request, work)
    more = asked.told if given.explain else {}
    return AnswerOut.model_validate({**record(asked.answer, asked.answer_id), **more})


@router.get("/answers/{answer_id}", summary="An earlier answer")
async def answer(visit: Reading, answer_id: Identity) -> AnswerOut:
    """An answer by its id, as it was given."""
    try:
        found = await asyncio.to_thread(recall_answer, visit.served.folder, answer_id)
    except UsageError as error:
        raise missing(f"answer {answer_id!r}") from error
    return AnswerOut.model_validate(record(found, answer_id))


@router.get(
    "/answers/{answer_id}/bundle",
    summary="An answer as evidence",
    response_class=Response,
    responses=ZIP,
)
async def evidence(visit: Reading, answer_id: Identity) -> Response:
    """Its values, quotes, pages, hashes and trace in one file; `pincite verify` checks it without the corpus."""
    return await as_bundle(visit, [answer_id])


@router.get("/search", summary="Search pages")
async def search(
    visit: Reading,
    q: Annotated[str, Query(min_length=1, max_length=QUESTION)],
    k: Annotated[int, Query(ge=1, le=100, description="The maximum number of pages.")] = 10,
    document: Annotated[list[Annotated[str, Query(max_length=400)]], Query(max_length=1000)] = [],  # noqa: B006
) -> SearchOut:
    """The pages that fit a query best, best first; only in these documents, where any are given."""
    where = (("document", tuple(document)),) if document else ()
    hits: list[PageHit] = await visit.asked(Library.search, q, k, where)
    return SearchOut(
        items=[
            FoundOut(
                document=hit.document, key=document_key(hit.document), page=hit.page, score=hit.score, node=hit.node,
                kind=hit.kind, place=hit.place,
            )
            for hit in hits
        ]
    )  # fmt: skip
