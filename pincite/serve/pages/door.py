"""The way in: the corpora that are served, and the token where one is needed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import COOKIE, Making, bench_of, may_make, person_of, sign_in
from pincite.serve.corpus_folders import delete_corpus, new_corpus, rename_corpus
from pincite.serve.door.access import SESSION_S, Person

router = APIRouter(include_in_schema=False)


@router.get("/")
async def corpora(request: Request) -> Response:
    """The corpora; where there is one, its questions."""
    person = person_of(request)
    names = list(bench_of(request).open_to(person))
    if len(names) == 1:
        return RedirectResponse(f"/c/{names[0]}/", 303)
    return _listed(request, person)


def _listed(request: Request, person: Person, status: int = 200, wrong: str = "") -> Response:
    open_to = list(bench_of(request).open_to(person).values())
    return views.page(
        request, "corpora.html", status, corpora=open_to, may_make=may_make(person), wrong=wrong
    )


@router.get("/corpora")
async def all_corpora(request: Request) -> Response:
    """The corpora, also where there is one, and where a new one is made."""
    return _listed(request, person_of(request))


@router.post("/corpora")
async def make(
    request: Request, person: Making, name: Annotated[str, Form(max_length=100)]
) -> Response:
    """Make an empty corpus; where documents are added to it is next."""
    request.state.on = f"corpus {name[:80]}"
    try:
        served = await new_corpus(bench_of(request), name.strip())
    except UsageError as error:
        return _listed(request, person, 422, str(error))
    return RedirectResponse(f"/c/{served.name}/sources", 303)


@router.post("/corpora/{name}/rename")
async def rename(
    request: Request, person: Making, name: str, new: Annotated[str, Form(max_length=100)]
) -> Response:
    """Give a corpus another name."""
    request.state.on = f"corpus {name[:80]} to {new[:80]}"
    try:
        await rename_corpus(bench_of(request), name, new.strip())
    except UsageError as error:
        return _listed(request, person, 422, str(error))
    return RedirectResponse("/corpora", 303)


@router.post("/corpora/{name}/delete")
async def delete(request: Request, person: Making, name: str) -> Response:
    """Delete a corpus with all that is in it."""
    request.state.on = f"corpus {name[:80]}"
    try:
        await delete_corpus(bench_of(request), name)
    except UsageError as error:
        return _listed(request, person, 422, str(error))
    return RedirectResponse("/corpora", 303)


@router.get("/login")
async def login(request: Request, next: str = "/") -> Response:
    """Where a browser gives its token."""
    if bench_of(request).access.open:
        return RedirectResponse("/", 303)
    return views.page(request, "login.html", next=_inside(next), wrong=False)


@router.post("/login")
async def log_in(
    request: Request,
    token: Annotated[str, Form(max_length=500)],
    next: Annotated[str, Form()] = "/",
) -> Response:
    """Begin a session."""
    key = sign_in(request, token)
    if key is None:
        return views.page(request, "login.html", 401, next=_inside(next), wrong=True)
    response = RedirectResponse(_inside(next), 303)
    response.set_cookie(COOKIE, key, SESSION_S, **_kept(request))
    return response


@router.post("/logout")
async def log_out(request: Request) -> Response:
    """End a session."""
    bench_of(request).access.end(request.cookies.get(COOKIE, ""))
    response = RedirectResponse("/login", 303)
    response.delete_cookie(COOKIE, **_kept(request))
    return response


def _kept(request: Request) -> dict[str, Any]:
    """How a cookie is kept: from scripts, from other sites, and where the browser came by HTTPS from plain HTTP."""
    return {"httponly": True, "samesite": "strict", "secure": request.url.scheme == "https"}


def _inside(address: str) -> str:
    """An address of this server; the first page for any other."""
    return (
        address
        if address.startswith("/") and not address.startswith("//") and "\\" not in address
        else "/"
    )
