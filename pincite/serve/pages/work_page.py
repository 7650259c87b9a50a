"""Work: the jobs that run, their progress, and their results."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import FileResponse, Response

from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing
from pincite.serve.door.problems import Problem, missing
from pincite.serve.processes.jobs import WRITERS

router = APIRouter(include_in_schema=False)


@router.get("/c/{corpus}/jobs")
async def jobs(visit: Reading) -> Response:
    """All of it, the latest first."""
    return views.corpus_page(visit, "jobs.html", jobs=visit.bench.jobs.of(visit.served.name)[:200])


@router.get("/c/{corpus}/jobs/{job}")
async def one(visit: Reading, job: str) -> Response:
    """One job, followed as it goes."""
    found = visit.job(job)
    unfinished = found.over and found.state != "done"
    again = unfinished and visit.may_review and visit.bench.jobs.order(found) is not None
    return views.corpus_page(visit, "job.html", job=found, again=again)


@router.get("/c/{corpus}/jobs/{job}/file")
async def made(visit: Reading, job: str) -> Response:
    """The file that a job made."""
    found = visit.job(job)
    path = visit.bench.jobs.file(found)
    name = f"{found.kind}-{found.id}{path.suffix}"
    return FileResponse(path, filename=name, content_disposition_type="attachment")


@router.post("/c/{corpus}/jobs/{job}/stop")
async def stop(visit: Reviewing, job: str) -> Response:
    """Stop a job: one's own, or as an admin any."""
    stopped = await visit.stop(job)
    return visit.go(f"jobs/{stopped.id}")


@router.post("/c/{corpus}/jobs/{job}/again")
async def again(visit: Reviewing, job: str) -> Response:
    """Start a job again that was stopped or failed: one that changes documents as an admin. Problem 403, 404."""
    found = visit.job(job)
    order = visit.bench.jobs.order(found)
    if order is None:
        raise missing(f"order of job {job!r} on this server")
    if found.kind in WRITERS and not visit.may_change:
        raise Problem(403, "this job changes documents: an admin may start it again")
    begun = visit.start(found.kind, found.title, order)
    return visit.go(f"jobs/{begun.id}")
