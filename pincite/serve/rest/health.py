"""Whether the server lives and can answer, what it has done, and the description of the interface."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pincite.serve.bench import bench_of, person_of
from pincite.serve.door.problems import Problem

READY_S = 3.0
"""Seconds within which a corpus is read, or counts as one that cannot be."""

router = APIRouter(include_in_schema=False)


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """Whether the server lives; says nothing of what is served."""
    return {"status": "ok", "corpora": len(bench_of(request).corpora)}


@router.get("/ready")
async def ready(request: Request) -> Response:
    """Whether every corpus can be read now, with status 503 where not: for a balancer, which then asks another server."""
    corpora = [served.edition.corpus for served in bench_of(request).corpora.values()]
    reads = (asyncio.to_thread(corpus.is_newest) for corpus in corpora)
    looked = (asyncio.wait_for(read, READY_S) for read in reads)
    said = await asyncio.gather(*looked, return_exceptions=True)
    unread = sum(isinstance(each, BaseException) for each in said)
    status = "ok" if not unread else "unreadable"
    return JSONResponse(
        {"status": status, "corpora": len(corpora), "unreadable": unread}, 503 if unread else 200
    )


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Counts and times as Prometheus reads them; for admins where tokens are needed."""
    person, bench = person_of(request), bench_of(request)
    if not person.may("admin"):
        raise Problem(403, "this is for the role admin")
    corpora = bench.open_to(person, "admin")
    jobs = Counter(job.state for name in corpora for job in bench.jobs.of(name))
    generations = {
        f'corpus="{name}"': float(corpus.edition.number) for name, corpus in corpora.items()
    }
    documents = {
        f'corpus="{name}"': float(len(corpus.edition.corpus.documents))
        for name, corpus in corpora.items()
    }
    text = bench.metrics.text({
        "pincite_questions_under_way": ("Questions being answered or waiting.", {"": float(bench.asking.waiting)}),
        "pincite_jobs": ("Jobs by state.", {f'state="{state}"': float(count) for state, count in jobs.items()}),
        "pincite_generation": ("The generation that is served.", generations),
        "pincite_documents": ("Documents of the generation.", documents),
    })  # fmt: skip
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The description of the REST interface."""
    person_of(request)
    return JSONResponse(request.app.openapi())
