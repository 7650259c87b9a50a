"""The tools of the Model Context Protocol over HTTP, at /mcp/NAME, behind the same door as everything else."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite.record import record
from pincite.serve.answering import Question
from pincite.serve.bench import Bench, person_of
from pincite.serve.corpora import Served
from pincite.serve.problems import missing, problem_of
from pincite.tools import within
from pincite.types import Expects

if TYPE_CHECKING:
    from mcp.server import MCPServer

PATH = "/mcp/"
_log = logging.getLogger("pincite.serve")


class Assistants:
    """The servers of all corpora; none where the SDK is not installed."""

    def __init__(self, bench: Bench) -> None:
        installed = find_spec("mcp") is not None
        self._servers = {one.name: _server(bench, one) for one in bench.corpora.values()} if installed else {}
        self.routes = [
            Route(PATH + name, _Door(name, _application(name, made))) for name, made in self._servers.items()
        ]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While requests are taken."""
        async with AsyncExitStack() as stack:
            for one in self._servers.values():
                await stack.enter_async_context(one.session_manager.run())
            yield


def _server(bench: Bench, served: Served) -> MCPServer:
    from pincite.mcp.server import server

    async def ask(text: str, expects: Expects | None, unit: str, documents: tuple[str, ...]) -> dict[str, Any]:
        where = within(served.edition.corpus, documents)
        asked = await bench.asking.ask(served, Question(text, where, expects, unit))
        return record(asked.answer, asked.answer_id)

    def said(error: Exception) -> str:
        problem = problem_of(error, bench.private)
        if problem.status_code == 500:
            _log.error("a tool failed", exc_info=error)
        return problem.detail

    return server(served.name, lambda: served.edition.library, ask, said)


def _application(name: str, made: MCPServer) -> ASGIApp:
    from mcp.server.transport_security import TransportSecuritySettings

    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # hosts and origins are checked before
    return made.streamable_http_app(
        streamable_http_path=PATH + name, stateless_http=True, json_response=True, transport_security=unguarded
    )


class _Door:
    """Lets those through who may read the corpus."""

    def __init__(self, name: str, inner: ASGIApp) -> None:
        self.name, self.inner = name, inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Problems 401 and 404 for others."""
        if not person_of(Request(scope)).may("reader", self.name):
            raise missing(f"corpus {self.name!r}")
        await self.inner(scope, receive, send)
