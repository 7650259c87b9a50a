"""Batches, and jobs of all kinds: listed, followed, stopped, their results."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import FileResponse, Response, StreamingResponse

from pincite.plural import counted
from pincite.serve.bench import Reading, Reviewing
from pincite.serve.door.problems import Problem
from pincite.serve.event_stream import event, streamed
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


def job_out(job: Job) -> JobOut:
    """A job as the interface tells it."""
    return JobOut.model_validate(job, from_attributes=True)


@router.post("/batches", status_code=202, summary="Answer many questions")
async def batch(visit: Reviewing, given: BatchIn, once: Once = "") -> JobOut:
    """Begin a batch; its result comes as JSON lines. Ids must differ."""
    ids = [question.id for question in given.questions]
    if len(set(ids)) < len(ids):
        raise Problem(422, "questions: two have the same id")
    order = {"questions": [question.model_dump() for question in given.questions]}
    return job_out(visit.start("batch", f"Answer {counted(len(ids), 'question')}", order, once))


@router.get("/jobs", summary="The jobs")
async def jobs(visit: Reading, limit: Limit = 100, cursor: Cursor = "") -> JobsOut:
    """The latest first."""
    some, after = paged(visit.bench.jobs.of(visit.served.name), cursor, limit)
    return JobsOut(items=[job_out(job) for job in some], next=after)


@router.get("/jobs/{job}", summary="A job")
async def one(visit: Reading, job: Identity) -> JobOut:
    """How far it is."""
    return job_out(visit.job(job))


@router.delete("/jobs/{job}", summary="Stop a job")
async def stop(visit: Reviewing, job: Identity) -> JobOut:
    """What it has done stays done. One's own, or as an admin any."""
    return job_out(await visit.stop(job))


@router.get(
    "/jobs/{job}/events",
    summary="A job as it goes",
    response_class=StreamingResponse,
    responses=EVENTS,
)
async def events(visit: Reading, job: Identity) -> StreamingResponse:
    """Server-sent events until it is over."""
    told = visit.bench.jobs.follow(visit.job(job))
    return streamed(event("job", job_out(now).model_dump()) async for now in told)


@router.get(
    "/jobs/{job}/file", summary="What a job made", response_class=Response, responses=LINES
)
async def made(visit: Reading, job: Identity) -> Response:
    """The answers of a batch, one JSON object a line."""
    return FileResponse(visit.bench.jobs.file(visit.job(job)), media_type="application/x-ndjson")
