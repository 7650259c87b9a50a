"""Connections: how many may be open, and how long one may take to send a request or accept a response."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite.errors import UsageError
from pincite.serve.door.caller_limits import ADDRESS, CONNECTIONS, HEAD_S, READ_S

BACKLOG = 128  # connections that wait to be accepted, and that are in one turn of the event loop
GRACE_S = 10  # seconds that requests under way have to end when the server is stopped
FILES = 8192  # descriptors that a server asks the system for
REFUSED = 32
"""Connections beyond the limit that get a response saying so; further ones are closed at once."""


def config_of(application: ASGIApp, host: str, port: int, behind_proxy: str = "") -> Config:
    """How an application is served; what proxies at the addresses and networks of `behind_proxy` say of who asks is believed.
    Raises UsageError for anything that is neither.
    """
    # half are for connections, a quarter for those that are being accepted while others close
    files = _files()
    connections = Connections(min(CONNECTIONS, files // 2), proxies=proxies(behind_proxy))
    return Config(
        application, host=host, port=port, log_level="warning", access_log=False, server_header=False, use_colors=False,
        timeout_graceful_shutdown=GRACE_S, h11_max_incomplete_event_size=64 * 1024, backlog=min(BACKLOG, files // 16),
        ws="none", proxy_headers=bool(behind_proxy), forwarded_allow_ips=behind_proxy,
        http=connections.protocol,  # type: ignore[arg-type]
    )  # fmt: skip


def proxies(given: str) -> Callable[[str], bool]:
    """Whether an address is that of a proxy; `given` lists addresses and networks. Raises UsageError for anything else."""
    try:
        networks = [ip_network(part.strip()) for part in given.split(",") if part.strip()]
    except ValueError as error:
        raise UsageError(
            f"--behind-proxy takes addresses and networks with commas between, as in 127.0.0.1,10.0.0.0/8: {error}"
        ) from error
    return lambda address: (
        bool(address) and any(ip_address(address) in network for network in networks)
    )


def _files() -> int:
    """How many descriptors the system gives."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return FILES if soft == resource.RLIM_INFINITY else soft


@dataclass
class Connections:
    """All connections of a server: at most `most`, and `each` from one address but those of `proxies`, which stand for many.

    Who waits to be told something makes room for who comes: beyond the most the connection that has waited longest without
    a whole request is closed, from the same address where that has too many. Where all are at work, the new one is told to
    come back.
    """

    most: int
    each: int = ADDRESS
    proxies: Callable[[str], bool] = lambda address: False
    _all: set[Connection] = field(default_factory=set)
    _from: Counter[str] = field(default_factory=Counter)
    waiting: dict[Connection, None] = field(default_factory=dict)
    """The connections that have no request under way, which has waited longest first."""

    def protocol(self, **given: Any) -> Connection:
        """A connection, as uvicorn begins one."""
        return Connection(self, **given)

    def is_full(self, new: Connection) -> bool:
        """Count a connection; whether there is no room for it."""
        self._all.add(new)
        self._from[new.address] += 1
        if self._from[new.address] > self.each and not self.proxies(new.address):
            return not self._close_one(new.address)
        return len(self._all) > self.most and not self._close_one("")

    @property
    def is_crowded(self) -> bool:
        """Whether even those are too many that are told to come back."""
        return len(self._all) > self.most + REFUSED

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        self.waiting.pop(connection, None)
        if connection in self._all:
            self._all.remove(connection)
            self._from[connection.address] -= 1
            if not self._from[connection.address]:
                del self._from[connection.address]

    def _close_one(self, address: str) -> bool:
        """Close the connection that has waited longest, of an address where one is given; whether there is one."""
        found = next((each for each in self.waiting if address in ("", each.address)), None)
        if found is None:
            return False
        self.leave(found)
        found.transport.abort()
        return True


class Connection(H11Protocol):
    """One connection. A request's head must be there in HEAD_S seconds, and READ_S is the longest that it may take nothing of
    what it is told; `request_guard.py` sees to bodies.
    """

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.all, self.address = connections, ""
        self._late: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, refuse, or close at once."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        if self.all.is_full(self):
            self.app = _refused
        self._wait()
        if self.all.is_crowded:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self.all.leave(self)
        for timer in (self._late, self._stuck):
            if timer is not None:
                timer.cancel()

    def handle_events(self) -> None:
        """Go on with what has come."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and not self.cycle.response_complete:
            self.all.waiting.pop(self, None)
            if self._late is not None:
                self._late.cancel()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Nobody takes what is sent."""
        super().pause_writing()
        self._stuck = self.loop.call_later(READ_S, self.transport.abort)

    def resume_writing(self) -> None:
        """It is taken again."""
        super().resume_writing()
        if self._stuck is not None:
            self._stuck.cancel()

    def _wait(self) -> None:
        self.all.waiting[self] = None
        if self._late is not None:
            self._late.cancel()
        self._late = self.loop.call_later(HEAD_S, self.transport.abort)


async def _refused(scope: Scope, receive: Receive, send: Send) -> None:
    said = b"the server has as many connections as it can hold: come back in a few seconds\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(said)), (b"retry-after", b"5"),
        (b"connection", b"close"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": said})
