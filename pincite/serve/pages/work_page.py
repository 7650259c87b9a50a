"""Work: the jobs that run, their progress, and their results."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import FileResponse, RedirectResponse, Response

from pincite.serve import templating as views
from pincite.serve.bench import Reading, Reviewing

router = APIRouter(include_in_schema=False)


@router.get("/c/{corpus}/jobs")
async def jobs(visit: Reading) -> Response:
    """All of it, the latest first."""
    return views.corpus_page(visit, "jobs.html", jobs=visit.bench.jobs.of(visit.served.name)[:200])


@router.get("/c/{corpus}/jobs/{job}")
async def one(visit: Reading, job: str) -> Response:
    """One job, followed as it goes."""
    return views.corpus_page(visit, "job.html", job=visit.job(job))


@router.get("/c/{corpus}/jobs/{job}/file")
async def made(visit: Reading, job: str) -> Response:
    """The file that a job made."""
    found = visit.job(job)
    path = visit.bench.jobs.file(found)
    return FileResponse(
        path,
        filename=f"{found.kind}-{found.id}{path.suffix}",
        content_disposition_type="attachment",
    )


@router.post("/c/{corpus}/jobs/{job}/stop")
async def stop(visit: Reviewing, job: str) -> Response:
    """Stop a job: one's own, or as an admin any."""
    stopped = await visit.stop(job)
    return RedirectResponse(f"/c/{visit.served.name}/jobs/{stopped.id}", 303)
