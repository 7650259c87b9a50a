"""The way in: the corpora that are served, made, renamed and deleted; tokens, by whom they are held and where they are given."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Awaitable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from pincite.errors import UsageError
from pincite.serve import templating as views
from pincite.serve.bench import COOKIE, Bench, Making, bench_of, person_of, sign_in
from pincite.serve.corpora import NAME, Served, begin
from pincite.serve.door.access import ROLES, SESSION_S, Person, drop_token, new_token
from pincite.serve.door.problems import missing
from pincite.storage import address_of
from pincite.untrusted import is_name

router = APIRouter(include_in_schema=False)
SUFFIX = ".corpus"
"""What the folder of a corpus that may be deleted ends in: another one may hold more than the corpus."""
Name = Annotated[str, Form(max_length=100)]


@router.get("/")
async def corpora(request: Request) -> Response:
    """The corpora; where there is one, its questions."""
    person = person_of(request)
    names = list(bench_of(request).open_to(person))
    if len(names) == 1:
        return RedirectResponse(f"/c/{names[0]}/", 303)
    return _corpora_page(request, person)


def _corpora_page(request: Request, person: Person, wrong: str = "") -> Response:
    open_to = list(bench_of(request).open_to(person).values())
    return views.page(
        request, "corpora.html", 422 if wrong else 200, corpora=open_to, may_make=person.may_make, wrong=wrong,
    )  # fmt: skip


@router.get("/corpora")
async def all_corpora(request: Request) -> Response:
    """The corpora, also where there is one, and where a new one is made."""
    return _corpora_page(request, person_of(request))


@router.post("/corpora")
async def make(request: Request, person: Making, name: Name) -> Response:
    """Make an empty corpus; where documents are added to it is next."""
    request.state.on = f"corpus {name[:80]}"
    made = new_corpus(bench_of(request), name.strip())
    return await _changed(request, person, made, f"/c/{name.strip()}/sources")


@router.post("/corpora/{name}/rename")
async def rename(request: Request, person: Making, name: str, new: Name) -> Response:
    """Give a corpus another name."""
    request.state.on = f"corpus {name[:80]} to {new[:80]}"
    return await _changed(request, person, rename_corpus(bench_of(request), name, new.strip()))


@router.post("/corpora/{name}/delete")
async def delete(request: Request, person: Making, name: str) -> Response:
    """Delete a corpus with all that is in it."""
    request.state.on = f"corpus {name[:80]}"
    return await _changed(request, person, delete_corpus(bench_of(request), name))


async def _changed(
    request: Request, person: Person, change: Awaitable[object], after: str = "/corpora"
) -> Response:
    """The page after a change of the corpora; theirs, which says what is wrong, where it cannot be."""
    try:
        await change
    except UsageError as error:
        return _corpora_page(request, person, str(error))
    return RedirectResponse(after, 303)


async def new_corpus(bench: Bench, name: str) -> None:
    """Make a corpus of this name beside the first one that is a folder, answered as that is, and serve it. UsageError for a
    name that cannot be one or is taken, and where all corpora are in databases.
    """
    first = next((each for each in bench.corpora.values() if not address_of(each.folder)), None)
    if first is None:
        raise UsageError(
            "the corpora of this server are in a database: `pincite index --corpus ADDRESS` makes one there"
        )
    folder = _free_folder(bench, first.folder, name)
    await asyncio.to_thread(begin, folder, first.setup)
    bench.corpora[name] = await asyncio.to_thread(Served, name, folder, first.setup)


async def rename_corpus(bench: Bench, name: str, new: str) -> None:
    """Give a corpus and its folder another name. UsageError as for a new one, and where it is at work or in a database."""
    served = _idle(bench, name)
    folder = _free_folder(bench, served.folder, new)
    await asyncio.to_thread(served.folder.resolve().rename, folder)
    bench.corpora[new] = await asyncio.to_thread(Served, new, folder, served.setup)
    _serve_no_more(bench, name)
    bench.jobs.recall(bench.corpora[new])


async def delete_corpus(bench: Bench, name: str) -> None:
    """Delete a corpus with its folder. UsageError for the only one, where it is at work or in a database, and for a folder that
    may hold more.
    """
    folder = _idle(bench, name).folder.resolve()
    if len(bench.corpora) == 1:
        raise UsageError(f"{name} is the only corpus here: make another one first")
    if folder.suffix != SUFFIX:
        raise UsageError(
            f"the folder of {name} does not end in {SUFFIX} and may hold more than the corpus: delete it by hand"
        )
    _serve_no_more(bench, name)
    await asyncio.to_thread(shutil.rmtree, folder)


def _idle(bench: Bench, name: str) -> Served:
    """A corpus in a folder in which no job is at work. Problem 404, UsageError."""
    served = bench.corpora.get(name)
    if served is None:
        raise missing(f"corpus {name[:80]!r}")
    if address_of(served.folder):
        raise UsageError(f"{name} is in a database, where its owner renames and deletes it")
    if not all(job.over for job in bench.jobs.of(name)):
        raise UsageError(f"a job is at work in {name}: stop it, or wait until it is done")
    return served


def _free_folder(bench: Bench, beside: Path, name: str) -> Path:
    """The folder of a new name beside another one. UsageError for a name that cannot be one or is taken."""
    if not re.fullmatch(NAME, name) or not is_name(name):
        raise UsageError(
            f"a corpus is called by letters, digits, dots, - and _, up to 80 of them, not {name[:80]!r}"
        )
    folder = beside.resolve().parent / f"{name}{SUFFIX}"
    if name in bench.corpora or folder.exists():
        raise UsageError(f"there is a corpus or folder {name!r} already: choose another name")
    return folder


def _serve_no_more(bench: Bench, name: str) -> None:
    del bench.corpora[name]
    bench.jobs.forget(name)
    bench.asking.forget(name)


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
    own = address.startswith("/") and not address.startswith("//") and "\\" not in address
    return address if own else "/"


@router.get("/people")
async def people(request: Request, person: Making) -> Response:
    """Everybody who has a token."""
    return _people_page(request)


@router.post("/people")
async def add_person(
    request: Request,
    person: Making,
    name: Annotated[str, Form(max_length=40)] = "",
    role: Annotated[str, Form(max_length=20)] = "reader",
    corpora: Annotated[list[str], Form()] = [],  # noqa: B006
) -> Response:
    """Make a token. It is shown once: only its hash is kept."""
    path = _tokens(request, name)
    try:
        token = await asyncio.to_thread(new_token, name, role, corpora, path)
        bench_of(request).access.refresh()
    except UsageError as error:
        return _people_page(request, wrong=str(error))
    return _people_page(request, made=(name, token))


@router.post("/people/{name}/remove")
async def remove_person(request: Request, person: Making, name: str) -> Response:
    """Take a token away, and its sessions with it. One's own stays, so that nobody locks everybody out."""
    path = _tokens(request, name)
    try:
        if name == person.name:
            raise UsageError("this is your own token: ask another admin to take it away")
        await asyncio.to_thread(drop_token, name, path)
        bench_of(request).access.refresh()
    except UsageError as error:
        return _people_page(request, wrong=str(error))
    return RedirectResponse("/people", 303)


def _tokens(request: Request, name: str) -> Path:
    """The file of tokens, in which that of a name is changed. Problem 404 where the server has none."""
    if (path := bench_of(request).access.path) is None:
        raise missing("file of tokens: start the server with --tokens")
    request.state.on = f"token {name}"
    return path


def _people_page(
    request: Request, made: tuple[str, str] | None = None, wrong: str = ""
) -> Response:
    bench = bench_of(request)
    held = sorted(bench.access.people.values(), key=lambda each: each.name)
    return views.page(
        request, "people.html", 422 if wrong else 200, people=held, made=made, wrong=wrong, roles=ROLES,
        names=list(bench.corpora), kept=bench.access.path is not None,
    )  # fmt: skip
