"""The application: what all requests share, put together with the pages for people and the interface for programs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from pincite import __version__
from pincite.errors import PinciteError, UsageError
from pincite.serve import templating as views
from pincite.serve.assistants import Assistants
from pincite.serve.bench import Bench, person_of, revoked
from pincite.serve.corpora import Served
from pincite.serve.door import audit
from pincite.serve.door.access import Access
from pincite.serve.door.problems import MEDIA, Problem, problem_json, problem_of
from pincite.serve.door.request_guard import Guard
from pincite.serve.metrics import Metrics
from pincite.serve.pages import (
    ask_page,
    chat_page,
    door,
    files_page,
    grids_page,
    reader_page,
    review_page,
    settings_page,
    sources_page,
    work_page,
)
from pincite.serve.processes.drawn_pages import Pictures
from pincite.serve.processes.jobs import Jobs
from pincite.serve.processes.question_pool import QuestionPool
from pincite.serve.rest import (
    ask_calls,
    completions,
    corpus_calls,
    documents,
    grid_calls,
    health,
    job_calls,
)
from pincite.serve.rest.completions import failure
from pincite.serve.rest.health import contract

PARTS = (
    door, settings_page, ask_page, chat_page, grids_page, review_page, sources_page, files_page,
    reader_page, work_page, health, corpus_calls, ask_calls, documents, job_calls, grid_calls, completions,
)  # fmt: skip
"""The pages and the calls, each a module with a `router`."""
WORKER = "vendor/pdfjs/pdf.worker.min.mjs"
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""The viewer's worker runs apart from every page: it alone may run the decoders of pictures, which are WebAssembly."""
LOOK_S = 1.0  # how often it is looked whether somebody else has indexed something
_log = logging.getLogger("pincite.serve")


class StaticAssets(StaticFiles):
    """The folder `static`: files of others are kept by browsers for a day, the worker of the viewer is allowed what it needs."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, with its own policy and how long it may be kept."""
        response = await super().get_response(path, scope)
        if path == WORKER:
            response.headers["Content-Security-Policy"] = WORKER_POLICY
        if path.startswith("vendor/"):
            response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def create_app(
    corpora: MutableMapping[str, Served],
    access: Access | None = None,
    *,
    local: bool = True,
    processes: int | None = None,
) -> FastAPI:
    """The application that serves these corpora.

    `local` says that only this machine reaches it, where no token is needed. `processes` answer questions, by default as many
    as `QuestionPool` says, and one draws pages; with 0 threads do. Raises ValueError where others could reach it and no token is
    asked for.
    """
    access = access or Access()
    if access.open and not local:
        raise ValueError("without tokens a corpus is served to this machine only")
    metrics = Metrics()
    asking = QuestionPool(corpora.values(), processes, metrics.count_question)
    bench = Bench(corpora, access, asking, Pictures(processes != 0), Jobs(corpora), metrics)
    assistants = Assistants(bench)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        watch = asyncio.create_task(_watch(bench))
        bench.asking.open()
        try:
            async with assistants.running():
                yield
        finally:
            watch.cancel()
            await bench.jobs.close()
            await bench.asking.close()
            await bench.pictures.close()

    app = FastAPI(
        title="Pincite", version=__version__, summary="Typed, checked, cited answers from a corpus of documents.",
        docs_url=None, redoc_url=None, lifespan=life, openapi_url=None,
    )  # fmt: skip
    app.state.bench = bench
    views.environment().get_template("ask.html")  # compiled before the first page is asked for
    app.router.redirect_slashes = False
    for part in PARTS:
        app.include_router(part.router)
    app.routes.extend(assistants.routes)
    assets = StaticAssets(packages=[("pincite.serve", "static")])
    app.routes.append(Mount("/static", GZipMiddleware(assets, compresslevel=6)))
    app.openapi = lambda: contract(app)  # type: ignore[method-assign]

    for kind in (PinciteError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, partial(_show_error, bench))
    app.add_middleware(
        Guard,
        local=local and access.open,
        over=partial(_note_request, bench),
        shown=lambda scope, error: _show_error(bench, Request(scope), error),
        trusted=lambda scope: person_of(Request(scope)).may("admin"),
        revoked=partial(revoked, bench),
    )
    return app


async def _watch(bench: Bench) -> None:
    """Change to newer generations, and to what the file of tokens says, as they appear."""
    while True:
        await asyncio.sleep(LOOK_S)
        try:
            bench.access.refresh()
        except UsageError as error:
            _log.warning("the tokens are unchanged: %s", error)
        for served in list(bench.corpora.values()):
            try:
                await asyncio.to_thread(served.refresh)
            except PinciteError as error:  # what is open goes on answering
                _log.warning("%s: %s", served.name, error)


def _show_error(bench: Bench, request: Request, error: Exception) -> Response:
    """What went wrong, as a page where a page was asked for and as JSON everywhere else."""
    identity = request.scope.get("state", {}).get("request_id", "")
    if isinstance(error, RequestValidationError):
        problem = Problem(422, "; ".join(_validation(detail) for detail in error.errors()[:5]))
    else:
        problem = problem_of(error, bench.private)
    path, status, headers = request.url.path, problem.status_code, dict(problem.headers or {})
    if path.startswith("/v1/"):
        return JSONResponse(failure(problem), status, headers)
    as_page = "text/html" in request.headers.get("accept", "")
    if path.startswith(("/api/", "/mcp")) or not as_page:
        return JSONResponse(problem_json(problem, identity), status, headers, MEDIA)
    if status == 401:
        after = path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/login?next={quote(after, safe='')}", 303)
    return views.page(request, "problem.html", status, problem=problem_json(problem, identity))


def _validation(problem: Any) -> str:
    where = ".".join(str(part) for part in problem["loc"] if part not in ("body", "query", "path"))
    return f"{where or problem['loc'][0]}: {problem['msg']}"


def _note_request(bench: Bench, scope: Scope, status: int, seconds: float) -> None:
    """Count a request that is over, and write down who changed something or was refused."""
    route = getattr(scope.get("route"), "path", "other")
    bench.metrics.count(route, scope["method"], status, seconds)
    corpus = bench.corpora.get(scope.get("path_params", {}).get("corpus", ""))
    changing = scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if not changing and status not in (401, 403, 413, 421, 429):
        return
    state, client = scope.get("state", {}), scope.get("client")
    what = {
        "request": state.get("request_id", ""), "who": state.get("person", ""), "from": client[0] if client else "",
        "did": f"{scope['method']} {route}", "on": state.get("on", ""), "status": status,
    }  # fmt: skip
    served = corpus or next(iter(bench.corpora.values()), None)
    if served is None:
        return
    try:
        audit.noted(served.folder / "audit.jsonl", **what)
    except OSError as error:
        _log.warning("the audit log cannot be written: %s; %s", error.strerror, what)
