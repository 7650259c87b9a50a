"""The way in: the corpora that are served, and the token where one is needed."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from pincite.serve import templating as views
from pincite.serve.bench import COOKIE, bench_of, person_of, sign_in
from pincite.serve.door.access import SESSION_S

router = APIRouter(include_in_schema=False)


@router.get("/")
async def corpora(request: Request) -> Response:
    """The corpora; where there is one, its questions."""
    person, bench = person_of(request), bench_of(request)
    open_to = [served for served in bench.corpora.values() if person.may("reader", served.name)]
    if len(open_to) == 1:
        return RedirectResponse(f"/c/{open_to[0].name}/", 303)
    return views.page(request, "corpora.html", corpora=open_to)


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


class _Kept(TypedDict):
    httponly: bool
    samesite: Literal["strict"]
    secure: bool


def _kept(request: Request) -> _Kept:
    """How a cookie is kept: from scripts, from other sites, and where the browser came by HTTPS from plain HTTP."""
    return {"httponly": True, "samesite": "strict", "secure": request.url.scheme == "https"}


def _inside(address: str) -> str:
    """An address of this server; the first page for any other."""
    return (
        address
        if address.startswith("/") and not address.startswith("//") and "\\" not in address
        else "/"
    )
