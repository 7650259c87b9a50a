"""The tools of the Model Context Protocol over HTTP, at /mcp/NAME, behind the same door as everything else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.serve.bench import Bench, person_of
from pincite.serve.door.problems import missing, problem_of

if TYPE_CHECKING:
    from mcp.server import MCPServer

PATH = "/mcp/"
_person: ContextVar[str] = ContextVar("pincite_person", default="")  # who calls a tool


class Assistants:
    """The servers of the corpora, each begun with its first call, so that a corpus made meanwhile has one too; none where the
    SDK is not installed. Called, it lets those through who may read the corpus.
    """

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._begun: dict[str, asyncio.Task[ASGIApp]] = {}
        self._ended = asyncio.Event()
        self._held: list[asyncio.Task[None]] = []
        installed = find_spec("mcp") is not None
        self.routes = [Route(f"{PATH}{{corpus}}", self)] if installed else []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Problems 401 and 404 for others."""
        person, name = person_of(Request(scope)), scope["path_params"]["corpus"]
        if name not in self._bench.corpora or not person.may("reader", name):
            raise missing(f"corpus {name!r}")
        _person.set(person.name)
        if name not in self._begun:
            self._begun[name] = asyncio.create_task(self._begin(name))
        server = await asyncio.shield(self._begun[name])
        await server(scope, receive, send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While requests are taken."""
        try:
            yield
        finally:
            self._ended.set()
            await asyncio.gather(*self._held)

    async def _begin(self, name: str) -> ASGIApp:
        made = _server(self._bench, name)
        application = _application(name, made)
        ready = asyncio.Event()
        # a session manager must be left by the task that entered it, which is none of a request
        self._held.append(asyncio.create_task(self._hold(made, ready)))
        await ready.wait()
        return application

    async def _hold(self, made: MCPServer, ready: asyncio.Event) -> None:
        async with made.session_manager.run():
            ready.set()
            await self._ended.wait()


def _server(bench: Bench, name: str) -> MCPServer:
    from pincite.serve.mcp_server import server

    async def does(what: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        begun = time.monotonic()
        served = bench.corpora[name]
        made: dict[str, Any] = await bench.asking.do(served, _person.get(), what, *given)
        if "refused" in made:  # what was done answers a question
            bench.asking.count(served, made["refused"], time.monotonic() - begun)
        return made

    return server(name, does, lambda error: problem_of(error, bench.private).detail)


def _application(name: str, made: MCPServer) -> ASGIApp:
    from mcp.server.transport_security import TransportSecuritySettings

    # hosts and origins are checked before
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return made.streamable_http_app(
        streamable_http_path=PATH + name, stateless_http=True, json_response=True,
        transport_security=unguarded,
    )  # fmt: skip
