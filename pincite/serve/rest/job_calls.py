"""Batches, and jobs of all kinds: listed, followed, stopped, their results."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, Response, StreamingResponse

from pincite.plural import counted
from pincite.serve.bench import Reading, Reviewing
from pincite.serve.door.problems import Problem
from pincite.serve.processes.jobs import Job
from pincite.serve.rest.rest_forms import BatchIn, JobOut, JobsOut
from pincite.serve.rest.shared import Cursor, Identity, Limit, Once, paged

router = APIRouter(prefix="/api/v1/corpora/{corpus}", tags=["jobs"])
EVENT = {"type": "object", "properties": {"event": {"const": "job"}, "data": {"type": "string"}}}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"text/event-stream": {"schema": EVENT}},
        "description": "One event `job` for each change, a job as JSON.",
    }
}
LINES: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        "description": "One answer a line.",
    }
}
_TOLD = (
    "id",
    "kind",
    "title",
    "by",
    "at",
    "state",
    "phase",
    "done",
    "total",
    "note",
    "files",
    "ended",
    "error",
    "result",
)


def job_out(job: Job) -> JobOut:
    """A job as the interface tells it."""
    return JobOut(**{name: getattr(job, name) for name in _TOLD})


@router.post("/batches", status_code=202, summary="Answer many questions")
async def batch(visit: Reviewing, given: BatchIn, once: Once = "") -> JobOut:
    """Begin a batch; its result comes as JSON lines. Ids must differ."""
    ids = [question.id for question in given.questions]
    if len(set(ids)) < len(ids):
        raise Problem(422, "questions: two have the same id")
    order = {"questions": [question.model_dump() for question in given.questions]}
    title = f"Answer {counted(len(ids), 'question')}"
    return job_out(
        visit.bench.jobs.start(visit.served, "batch", title, visit.person.name, order, once)
    )


@router.get("/jobs", summary="The jobs")
async def jobs(visit: Reading, limit: Limit = 100, cursor: Cursor = "") -> JobsOut:
    """The latest first."""
    some, after = paged(visit.bench.jobs.of(visit.served.name), cursor, limit)
    return JobsOut(items=[job_out(job) for job in some], next=after)


@router.get("/jobs/{job}", summary="A job")
async def one(visit: Reading, job: Identity) -> JobOut:
    """How far it is."""
    return job_out(visit.bench.jobs.get(visit.served.name, job))


@router.delete("/jobs/{job}", summary="Stop a job")
async def stop(visit: Reviewing, job: Identity) -> JobOut:
    """What it has done stays done. One's own, or as an admin any."""
    found = visit.bench.jobs.get(visit.served.name, job)
    if found.by != visit.person.name and not visit.may_change:
        raise Problem(403, "this job is someone else's: an admin may stop it")
    return job_out(await visit.bench.jobs.stop(found))


@router.get(
    "/jobs/{job}/events",
    summary="A job as it goes",
    response_class=StreamingResponse,
    responses=EVENTS,
)
async def events(visit: Reading, job: Identity) -> StreamingResponse:
    """Server-sent events until it is over."""
    found = visit.bench.jobs.get(visit.served.name, job)

    async def stream() -> AsyncIterator[str]:
        async for now in visit.bench.jobs.follow(found):
            yield f"event: job\ndata: {json.dumps(job_out(now).model_dump())}\n\n"

    return StreamingResponse(
        stream(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


@router.get(
    "/jobs/{job}/file", summary="What a job made", response_class=Response, responses=LINES
)
async def made(visit: Reading, job: Identity) -> Response:
    """The answers of a batch, one JSON object a line."""
    found = visit.bench.jobs.get(visit.served.name, job)
    path = visit.bench.jobs.file(found)
    return FileResponse(path, media_type="application/x-ndjson")
