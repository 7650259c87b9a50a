"""Batches, and jobs of all kinds: listed, followed, stopped, their results."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import FileResponse, Response, StreamingResponse

from pincite.serve.bench import Reading, Reviewing
from pincite.serve.door.problems import Problem
from pincite.serve.event_stream import event, streamed
from pincite.serve.processes.jobs import Job
from pincite.serve.rest import rest_forms as forms
from pincite.text.wording import counted

router = APIRouter(prefix="/api/v1/corpora/{corpus}", tags=["jobs"])
EVENT = {"type": "object", "properties": {"event": {"const": "job"}, "data": {"type": "string"}}}
EVENTS = forms.reply("text/event-stream", EVENT, "One event `job` for each change, a job as JSON.")
LINES = forms.reply("application/x-ndjson", {"type": "string"}, "One answer a line.")


def job_out(job: Job) -> forms.JobOut:
    """A job as the interface tells it."""
    return forms.JobOut.model_validate(job, from_attributes=True)


@router.post("/batches", status_code=202, summary="Answer many questions")
async def batch(visit: Reviewing, given: forms.BatchIn, once: forms.Once = "") -> forms.JobOut:
    """Begin a batch; its result comes as JSON lines. Ids must differ."""
    ids = [question.id for question in given.questions]
    if len(set(ids)) < len(ids):
        raise Problem(422, "questions: two have the same id")
    order = {"questions": [question.model_dump() for question in given.questions]}
    return job_out(visit.start("batch", f"Answer {counted(len(ids), 'question')}", order, once))


@router.get("/jobs", summary="The jobs")
async def jobs(
    visit: Reading, limit: forms.Limit = 100, cursor: forms.Cursor = ""
) -> forms.JobsOut:
    """The latest first."""
    some, after = forms.paged(visit.bench.jobs.of(visit.served.name), cursor, limit)
    return forms.JobsOut(items=[job_out(job) for job in some], next=after)


@router.get("/jobs/{job}", summary="A job")
async def one(visit: Reading, job: forms.Identity) -> forms.JobOut:
    """How far it is."""
    return job_out(visit.job(job))


@router.delete("/jobs/{job}", summary="Stop a job")
async def stop(visit: Reviewing, job: forms.Identity) -> forms.JobOut:
    """What it has done stays done. One's own, or as an admin any."""
    return job_out(await visit.stop(job))


@router.get(
    "/jobs/{job}/events",
    summary="A job as it goes",
    response_class=StreamingResponse,
    responses=EVENTS,
)
async def events(visit: Reading, job: forms.Identity) -> StreamingResponse:
    """Server-sent events until it is over."""
    told = visit.bench.jobs.follow(visit.job(job))
    return streamed(event("job", job_out(now).model_dump()) async for now in told)


@router.get(
    "/jobs/{job}/file", summary="What a job made", response_class=Response, responses=LINES
)
async def made(visit: Reading, job: forms.Identity) -> Response:
    """The answers of a batch, one JSON object a line."""
    return FileResponse(visit.bench.jobs.file(visit.job(job)), media_type="application/x-ndjson")
