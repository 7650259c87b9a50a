"""Who may do what: the tokens of the server, made and taken away by an admin of all corpora."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import Making, bench_of
from pincite.serve.door.access import ROLES, drop_token, new_token
from pincite.serve.door.problems import missing

router = APIRouter(include_in_schema=False)


@router.get("/people")
async def people(request: Request, person: Making) -> Response:
    """Everybody who has a token."""
    return _page(request)


@router.post("/people")
async def add(
    request: Request,
    person: Making,
    name: Annotated[str, Form(max_length=40)] = "",
    role: Annotated[str, Form(max_length=20)] = "reader",
    corpora: Annotated[list[str], Form()] = [],  # noqa: B006
) -> Response:
    """Make a token. It is shown once: only its hash is kept."""
    access = bench_of(request).access
    if access.path is None:
        raise missing("file of tokens: start the server with --tokens")
    request.state.on = f"token {name}"
    try:
        token = await asyncio.to_thread(new_token, name, role, corpora, access.path)
        access.refresh()
    except UsageError as error:
        return _page(request, wrong=str(error), status=422)
    return _page(request, made=(name, token))


@router.post("/people/{name}/remove")
async def remove(request: Request, person: Making, name: str) -> Response:
    """Take a token away, and its sessions with it. One's own stays, so that nobody locks everybody out."""
    access = bench_of(request).access
    if access.path is None:
        raise missing("file of tokens: start the server with --tokens")
    request.state.on = f"token {name}"
    try:
        if name == person.name:
            raise UsageError("this is your own token: ask another admin to take it away")
        await asyncio.to_thread(drop_token, name, access.path)
        access.refresh()
    except UsageError as error:
        return _page(request, wrong=str(error), status=422)
    return RedirectResponse("/people", 303)


def _page(
    request: Request, made: tuple[str, str] | None = None, wrong: str = "", status: int = 200
) -> Response:
    bench = bench_of(request)
    held = sorted(bench.access.people.values(), key=lambda each: each.name)
    return views.page(
        request, "people.html", status, people=held, made=made, wrong=wrong, roles=ROLES, names=list(bench.corpora),
        kept=bench.access.path is not None,
    )  # fmt: skip
