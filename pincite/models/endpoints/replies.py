"""Replies kept by the content of their request, so that none is paid for twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.silence import Speed
from pincite.ports import TokenChoice
from pincite.storage.ledger import kept
from pincite.types import Usage

SCHEMA = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT, text TEXT, ended TEXT, input INTEGER, output INTEGER, cached INTEGER, cost TEXT, at REAL
);
CREATE TABLE IF NOT EXISTS tokens (key TEXT PRIMARY KEY, choices TEXT);
CREATE TABLE IF NOT EXISTS dialects (base_url TEXT, model TEXT, dialect TEXT, at REAL, PRIMARY KEY (base_url, model));
CREATE TABLE IF NOT EXISTS speeds (
    base_url TEXT, model TEXT, read REAL, write REAL, reply REAL, PRIMARY KEY (base_url, model)
);
"""


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply as it came, fit for the form or not.

    `ended` is why it ended: "stop", "length" (cut at max_tokens), "content_filter" (refused), "tool_call" (it called
    tools, which nobody gave it) or "error". `tokens` are its tokens, where they were asked for and given. `speed` is how fast
    it came, `timed` whether llama.cpp's timings came with it, and `window` the tokens that its prompt was cut to; one that was
    kept has none of these.
    """

    text: str
    ended: str = "stop"
    usage: Usage = Usage()
    cost: Decimal = Decimal(0)
    tokens: tuple[TokenChoice, ...] = ()
    speed: Speed | None = field(default=None, compare=False)
    timed: bool = field(default=False, compare=False)
    window: int | None = field(default=None, compare=False)


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[KeptReply]
    waiting: int = 0


class Replies:
    """The replies in the file at `path`, and how each model is spoken to; None keeps them in memory, for this process."""

    def __init__(self, path: Path | str | None = None) -> None:
        self._db = kept(path, SCHEMA)
        self._lock = threading.Lock()
        self._flights: dict[tuple[asyncio.AbstractEventLoop, str], _Flight] = {}

    def get(self, key: str) -> KeptReply | None:
        """The reply to a request, when it came before."""
        row = self._row(
            "SELECT text, ended, input, output, cached, cost, choices FROM replies LEFT JOIN tokens USING (key) WHERE key = ?",
            key,
        )
        if row is None:
            return None
        tokens = tuple(TokenChoice(*choice) for choice in json.loads(row[6] or "[]"))
        return KeptReply(row[0], row[1], Usage(*row[2:5]), Decimal(row[5]), tokens)

    def put(self, key: str, model: str, reply: KeptReply) -> None:
        """Keep a reply; the first one for a request stays."""
        counts = reply.usage.input, reply.usage.output, reply.usage.cached
        row = (key, model, reply.text, reply.ended, *counts, str(reply.cost), time.time())
        choices = [[choice.token, dict(choice.logprobs)] for choice in reply.tokens]
        if choices:  # first, so that no reply stands without its own
            self._put("tokens", "DO NOTHING", key, json.dumps(choices))
        self._put("replies", "DO NOTHING", *row)

    def dialect(self, base_url: str, model: str) -> Dialect | None:
        """How a model at an endpoint is spoken to, when that was learnt before."""
        place = "base_url = ? AND model = ?"
        row = self._row(f"SELECT dialect FROM dialects WHERE {place}", base_url, model)
        if not row:
            return None
        known = {each.name for each in fields(Dialect)}  # another version may have kept more
        kept = json.loads(row[0]).items()
        return Dialect(**{name: value for name, value in kept if name in known})

    def learn(self, base_url: str, model: str, dialect: Dialect) -> None:
        """Remember how a model at an endpoint is spoken to."""
        newer = "(base_url, model) DO UPDATE SET dialect = excluded.dialect, at = excluded.at"
        self._put("dialects", newer, base_url, model, json.dumps(asdict(dialect)), time.time())

    def speed(self, base_url: str, model: str) -> Speed | None:
        """How fast a model at an endpoint was; None when it has not replied yet."""
        place = "base_url = ? AND model = ?"
        row = self._row(f"SELECT read, write, reply FROM speeds WHERE {place}", base_url, model)
        return Speed(*row) if row else None

    def timed(self, base_url: str, model: str, speed: Speed) -> None:
        """Remember how fast a reply of a model at an endpoint came."""
        known = self.speed(base_url, model)
        newer = "read = excluded.read, write = excluded.write, reply = excluded.reply"
        values = astuple(known.after(speed) if known else speed)
        self._put("speeds", f"(base_url, model) DO UPDATE SET {newer}", base_url, model, *values)

    def _row(self, statement: str, *values: str) -> Any:
        with self._lock:
            return self._db.execute(statement, values).fetchone()

    def _put(self, table: str, otherwise: str, *values: Any) -> None:
        places = ", ".join("?" * len(values))
        with self._lock:
            self._db.execute(
                f"INSERT INTO {table} VALUES ({places}) ON CONFLICT {otherwise}", values
            )

    async def once(
        self, key: str, model: str, send: Callable[[], Coroutine[Any, Any, KeptReply]]
    ) -> tuple[KeptReply, bool]:
        """The reply kept under `key`, or what `send` brings, kept before it is handed out; and whether it was sent for.

        Equal requests at once are one: the others wait for it and share its reply or failure. It is given up when all
        that wait for it are cancelled.
        """
        if found := self.get(key):
            return found, False
        at = asyncio.get_running_loop(), key
        flight = self._flights.get(at)
        first = flight is None
        if flight is None:

            async def kept() -> KeptReply:
                reply = await send()
                self.put(key, model, reply)
                return reply

            flight = self._flights[at] = _Flight(asyncio.create_task(kept()))
            flight.task.add_done_callback(lambda _: self._leave(at, flight))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task), first
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                self._leave(at, flight)  # who comes now must not join one that is being given up
                flight.task.cancel()
                with suppress(Exception, asyncio.CancelledError):
                    await flight.task

    def _leave(self, at: tuple[asyncio.AbstractEventLoop, str], flight: _Flight) -> None:
        if self._flights.get(at) is flight:
            del self._flights[at]


def key_of(request: Any) -> str:
    """The identity of a request: a hash of its JSON."""
    canonical = json.dumps(request, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()
