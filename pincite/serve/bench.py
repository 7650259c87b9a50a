"""What all requests share, and the context of one request: who asks, which corpus, which edition of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from pincite.corpus import Entryless
from pincite.records.answer_store import recall_answer
from pincite.serve.corpora import NAME, Served, ServedEdition
from pincite.serve.door.access import LOCAL, Access, Person, Role
from pincite.serve.door.caller_limits import PER_MINUTE, SIGN_INS, Rate
from pincite.serve.door.problems import Problem, look_up, missing
from pincite.serve.metrics import Metrics
from pincite.serve.processes.drawn_pages import Pictures, Size, drawable
from pincite.serve.processes.jobs import Job, Jobs
from pincite.serve.processes.question_pool import QuestionPool
from pincite.storage import shown
from pincite.types import Answer

COOKIE = "pincite_session"


@dataclass(slots=True)
class Bench:
    """What all requests share."""

    corpora: MutableMapping[str, Served]
    access: Access
    asking: QuestionPool
    pictures: Pictures
    jobs: Jobs
    metrics: Metrics
    rate: Rate = field(default_factory=lambda: Rate(PER_MINUTE))
    sign_ins: Rate = field(default_factory=lambda: Rate(SIGN_INS))

    def open_to(self, person: Person, role: Role = "reader") -> dict[str, Served]:
        """The corpora with which a person may do what `role` may, by name."""
        return {name: held for name, held in self.corpora.items() if person.may(role, name)}

    @property
    def private(self) -> dict[str, str]:
        """Texts that stand in messages and are nobody's business, with what is said instead."""
        made: dict[str, str] = {}
        for served in self.corpora.values():
            folder = served.folder
            made |= dict.fromkeys((str(folder.resolve()), str(folder), shown(folder)), served.name)
        made[str(FilePath.home())] = "~"
        return {text: instead for text, instead in made.items() if len(text) > 1}


def bench_of(request: Request) -> Bench:
    """What this request shares with all others."""
    bench: Bench = request.app.state.bench
    return bench


def person_of(request: Request) -> Person:
    """Who asks, by a token in the header Authorization or by a browser's session. Problem 401 when that is nobody known."""
    bench = bench_of(request)
    if bench.access.open:
        request.state.person = LOCAL.name
        return LOCAL
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    digest = ""
    if kind.casefold() == "bearer":
        digest = bench.access.by_token(token.strip())
        if not digest:
            _count_failure(bench, request)
    elif COOKIE in request.cookies:
        digest = bench.access.by_session(request.cookies[COOKIE])
    if not digest:
        needed = "a token is needed: send it as `Authorization: Bearer TOKEN`"
        raise Problem(401, needed, {"WWW-Authenticate": "Bearer"})
    person = _noted(request, digest)
    if wait := bench.rate.wait_for(person.name):
        raise _too_many("too many requests in a minute: slow down", wait)
    return person


def _count_failure(bench: Bench, request: Request) -> None:
    address = request.client.host if request.client else ""
    if wait := bench.sign_ins.wait_for(address):
        raise _too_many("too many tokens that do not exist: wait a minute", wait)


def _too_many(told: str, wait: float) -> Problem:
    return Problem(429, told, {"Retry-After": str(int(wait) + 1)})


def sign_in(request: Request, token: str) -> str | None:
    """The cookie of a session for a token; None when there is no such token."""
    bench = bench_of(request)
    digest = bench.access.by_token(token.strip())
    if not digest:
        _count_failure(bench, request)
        return None
    _noted(request, digest)
    return bench.access.begin(digest)


def _noted(request: Request, digest: str) -> Person:
    """Who has the token with this hash, written down for the audit log and for `revoked`."""
    person = bench_of(request).access.people[digest]
    request.state.person, request.state.token = person.name, digest
    return person


def revoked(bench: Bench, scope: Scope) -> bool:
    """Whether the token that a request came with has been taken away since."""
    token = scope.get("state", {}).get("token", "")
    return bool(token) and token not in bench.access.people


@dataclass(frozen=True, slots=True)
class Visit:
    """One request to one corpus. Its edition stays what it is to the end of the request."""

    request: Request
    bench: Bench
    person: Person
    served: Served
    edition: ServedEdition

    async def asked(self, what: Callable[..., Any], *given: Any) -> Any:
        """`what(library, *given)`, done by one of the processes that answer; see `QuestionPool.do`."""
        return await self.bench.asking.do(self.served, self.person.name, what, *given)

    async def answer(self, identity: str) -> Answer:
        """An answer that was kept. Problem 404 when there is none."""
        return await look_up(
            f"answer {identity[:80]!r}", recall_answer, self.served.folder, identity
        )

    def document(self, key: str) -> Entryless:
        """The document of a key. Problem 404 when there is none."""
        document = self.edition.by_key.get(key)
        if document is None:
            raise missing(f"document {key!r}")
        return document

    async def page_size(self, source: str, page: int) -> Size | None:
        """The size of a page in points; None where its source has no pages that can be drawn. Raises what `draw` raises."""
        path = await asyncio.to_thread(self.edition.corpus.source, source)
        if not drawable(path):
            return None
        return (await self.bench.pictures.draw(path, source, page)).size

    def go(self, page: str) -> Response:
        """To a page of this corpus, after something was done."""
        return RedirectResponse(f"/c/{self.served.name}/{page}", 303)

    def start(self, kind: str, title: str, order: dict[str, Any], key: str = "") -> Job:
        """Begin a job of this person in this corpus; see `Jobs.start`."""
        return self.bench.jobs.start(self.served, kind, title, self.person.name, order, key)

    def job(self, identity: str) -> Job:
        """A job of this corpus. Problem 404 when there is none."""
        return self.bench.jobs.get(self.served.name, identity)

    async def stop(self, identity: str) -> Job:
        """Stop a job: one's own, or as an admin any. Problems 403, 404."""
        job = self.job(identity)
        if job.by != self.person.name and not self.may_change:
            raise Problem(403, "this job is someone else's: an admin may stop it")
        return await self.bench.jobs.stop(job)

    @property
    def open_to(self) -> list[str]:
        """The names of the corpora that this person may read."""
        return list(self.bench.open_to(self.person))

    @property
    def may_review(self) -> bool:
        """Whether this person may correct, fill grids and run batches."""
        return self.person.may("reviewer", self.served.name)

    @property
    def may_change(self) -> bool:
        """Whether this person may add and remove documents."""
        return self.person.may("admin", self.served.name)


def visit(role: Role) -> Callable[..., Visit]:
    """A dependency: the visit of a person who may do what `role` may. Problems 401, 403, 404."""

    def made(
        request: Request,
        corpus: Annotated[str, Path(pattern=f"^{NAME}$", description="The name of a corpus.")],
    ) -> Visit:
        person, bench = person_of(request), bench_of(request)
        served = bench.corpora.get(corpus)
        if served is None or not person.may("reader", corpus):
            raise missing(f"corpus {corpus!r}")
        if not person.may(role, corpus):
            raise Problem(403, f"this is for the role {role}; yours is {person.role}")
        return Visit(request, bench, person, served, served.edition)

    return made


def _maker(request: Request) -> Person:
    person = person_of(request)
    if not person.may_make:
        raise Problem(403, "this is for an admin of all corpora")
    return person


Making = Annotated[Person, Depends(_maker)]  # an admin of all corpora. Problems 401, 403.
Reading = Annotated[Visit, Depends(visit("reader"))]
Reviewing = Annotated[Visit, Depends(visit("reviewer"))]
Changing = Annotated[Visit, Depends(visit("admin"))]
