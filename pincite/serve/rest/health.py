"""Whether the server lives and can answer, what it has done, and the description of the interface."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.responses import JSONResponse, PlainTextResponse, Response

from pincite.serve.bench import bench_of, person_of
from pincite.serve.door.problems import MEDIA, Problem

READY_S = 3.0  # seconds within which a corpus is read, or counts as one that cannot be

ABOUT = (
    "Ask a corpus of documents, search it, read its pages and tables, and let it answer many questions. Every answer is typed, "
    "checked and cited. Errors are application/problem+json (RFC 9457); lists come in pages with `next`."
)
_PROBLEM = {
    "type": "object", "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"},
        "detail": {"type": "string"}, "request": {"type": "string"},
    },
}  # fmt: skip
_FAILURES = {
    "400": "not a request that can be read", "401": "a token is needed", "403": "not for this role, or from another site",
    "404": "not there", "409": "the corpus is busy or damaged", "413": "too large", "415": "a type that is not read",
    "421": "another host's name", "422": "something in it cannot be", "429": "too many requests", "503": "try again later",
}  # fmt: skip

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
    jobs = Counter(f'state="{job.state}"' for name in corpora for job in bench.jobs.of(name))
    editions = {f'corpus="{name}"': corpus.edition for name, corpus in corpora.items()}
    generations = {label: edition.number for label, edition in editions.items()}
    documents = {label: len(edition.corpus.documents) for label, edition in editions.items()}
    text = bench.metrics.text({
        "pincite_questions_under_way": ("Questions being answered or waiting.", {"": bench.asking.waiting}),
        "pincite_jobs": ("Jobs by state.", jobs),
        "pincite_generation": ("The generation that is served.", generations),
        "pincite_documents": ("Documents of the generation.", documents),
    })  # fmt: skip
    return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The description of the REST interface."""
    person_of(request)
    return JSONResponse(request.app.openapi())


def contract(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 description of the REST interface: what FastAPI makes of its functions, with our kind of errors."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, summary=app.summary, description=ABOUT, routes=app.routes
        )  # fmt: skip
        schemas = made.setdefault("components", {}).setdefault("schemas", {})
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas["Problem"] = _PROBLEM
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"token": []}, {}]
        failure = {"content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for operations in made["paths"].values():
            for operation in operations.values():
                for status, meaning in _FAILURES.items():
                    operation["responses"][status] = {"description": meaning, **failure}
        app.openapi_schema = made
    return app.openapi_schema
