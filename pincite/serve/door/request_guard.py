"""Checks on every request before it is processed: its host, its origin, its size; and the headers of every response."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.serve.door.caller_limits import BODY, BODY_S, SLOWEST, UPLOAD
from pincite.serve.door.problems import Problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing but our own files: no text of a document can become script, style or a request to somewhere else."""
_HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff", "x-frame-options": "DENY",
    "referrer-policy": "same-origin", "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin", "cache-control": "private, no-cache",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}  # fmt: skip
LOOPBACK = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?")
_HOST = re.compile(r"(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?")
_SAFE = ("GET", "HEAD", "OPTIONS")
Over = Callable[[Scope, int, float], None]
"""What the log says of a finished request: its scope, its status, its seconds."""
Shown = Callable[[Scope, Exception], Any]  # a failure as a response
Asked = Callable[[Scope], bool]
"""Of who asks: whether they are `trusted` with as much as an upload holds (raises what tells who is nobody), and whether
their token is `revoked` by now.
"""


class _Gone(Exception):
    """Raised in what still tells something to whose token is revoked."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The outermost layer. `local` says that only this machine may ask, by a name of its own (DNS rebinding)."""

    app: ASGIApp
    local: bool
    over: Over
    shown: Shown
    trusted: Asked
    revoked: Asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it with what is wrong."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500
        scope.setdefault("state", {})["request_id"] = secrets.token_hex(6)
        begun = stream = False

        async def sent(message: Message) -> None:
            nonlocal status, begun, stream
            if stream and self.revoked(scope):
                raise _Gone
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                headers = MutableHeaders(scope=message)
                stream = "content-length" not in headers
                _complete(headers, scope["state"]["request_id"])
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check(scope["method"], headers)
            uploads = scope["method"] == "POST" and scope["path"].endswith("/documents")
            limit = UPLOAD if uploads and self.trusted(scope) else BODY
            _check_length(headers, limit)
            await self.app(scope, _bounded(receive, limit), sent)
        except asyncio.CancelledError:
            # the time is over that requests have when a server is stopped
            if begun:
                raise
            await self.shown(scope, Problem(503, "the server was stopped: ask again"))(
                scope, receive, sent
            )
        except _Gone:
            await send({"type": "http.response.body", "body": b""})
        except Exception as error:
            if begun:
                raise
            await self.shown(scope, error)(scope, receive, sent)
        finally:
            self.over(scope, status, time.perf_counter() - started)

    def _check(self, method: str, headers: Headers) -> None:
        host = headers.get("host", "")
        if not (LOOPBACK if self.local else _HOST).fullmatch(host):
            raise Problem(421, "the Host header names another server")
        if len(headers.getlist("host")) > 1:
            raise Problem(400, "two Host headers were sent")
        if method in _SAFE:
            return
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        # browsers leave the first out where there is no TLS
        if site is None and origin is not None:
            site = "same-origin" if _host_of(origin) == host.casefold() else "cross-site"
        if site not in (None, "same-origin", "none"):
            raise Problem(
                403, "this came from another site's page: changes are made from this server's own pages only"
            )  # fmt: skip


def _complete(headers: MutableHeaders, identity: str) -> None:
    """Add what every reply says of itself, where it does not, and the request's id."""
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    headers["x-request-id"] = identity


def _host_of(origin: str) -> str:
    """The host and port of an origin; "" for a text that is no origin."""
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:
        return ""


def _check_length(headers: Headers, limit: int) -> None:
    """Problem 413 or 400 when a request says that it has more bytes than it may have."""
    said = headers.get("content-length", "0")
    if not said.isascii() or not said.isdigit():
        raise Problem(400, "Content-Length is not a number")
    if int(said) > limit:
        raise Problem(413, f"the request exceeds the limit of {limit // 2**20} MB")


def _bounded(receive: Receive, limit: int) -> Receive:
    """A request's body that is neither too large nor too slow. What comes after it, the end of the connection, may take long."""
    got, whole = 0, False
    begun = asyncio.get_running_loop().time()

    async def bounded() -> Message:
        nonlocal got, whole
        try:
            async with asyncio.timeout_at(None if whole else begun + BODY_S + got / SLOWEST):
                message = await receive()
        except TimeoutError as error:
            least = f"at least {SLOWEST // 2**10} KB a second are needed"
            raise Problem(408, f"the request came too slowly: {least}") from error
        got += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if got > limit:
            raise Problem(413, f"the request exceeds the limit of {limit // 2**20} MB")
        return message

    return bounded


def other_site(headers: Headers) -> bool:
    """Whether a request was made by a page of another site: it is shown what it asks for, and nothing is done for it."""
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
