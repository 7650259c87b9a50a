"""The tools of the Model Context Protocol over HTTP, at /mcp/NAME, behind the same door as everything else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.serve.bench import Bench, person_of
from pincite.serve.corpora import Served
from pincite.serve.door.problems import missing, problem_of

if TYPE_CHECKING:
    from mcp.server import MCPServer

PATH = "/mcp/"
_person: ContextVar[str] = ContextVar("pincite_person", default="")
"""Who calls a tool."""


class Assistants:
    """The servers of all corpora; none where the SDK is not installed."""

    def __init__(self, bench: Bench) -> None:
        installed = find_spec("mcp") is not None
        self._servers = (
            {served.name: _server(bench, served) for served in bench.corpora.values()}
            if installed
            else {}
        )
        self.routes = [
            Route(PATH + name, _Door(name, _application(name, made)))
            for name, made in self._servers.items()
        ]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While requests are taken."""
        async with AsyncExitStack() as stack:
            for server in self._servers.values():
                await stack.enter_async_context(server.session_manager.run())
            yield


def _server(bench: Bench, served: Served) -> MCPServer:
    from pincite.mcp.mcp_server import server

    async def does(what: Callable[..., dict[str, Any]], *given: Any) -> dict[str, Any]:
        made: dict[str, Any] = await bench.asking.do(served, _person.get(), what, *given)
        return made

    return server(served.name, does, lambda error: problem_of(error, bench.private).detail)


def _application(name: str, made: MCPServer) -> ASGIApp:
    from mcp.server.transport_security import TransportSecuritySettings

    unguarded = TransportSecuritySettings(
        enable_dns_rebinding_protection=False
    )  # hosts and origins are checked before
    return made.streamable_http_app(
        streamable_http_path=PATH + name,
        stateless_http=True,
        json_response=True,
        transport_security=unguarded,
    )


class _Door:
    """Lets those through who may read the corpus."""

    def __init__(self, name: str, inner: ASGIApp) -> None:
        self.name, self.inner = name, inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Problems 401 and 404 for others."""
        person = person_of(Request(scope))
        if not person.may("reader", self.name):
            raise missing(f"corpus {self.name!r}")
        _person.set(person.name)
        await self.inner(scope, receive, send)
