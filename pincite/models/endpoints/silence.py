"""How long the requests to one endpoint may be silent: what gives signs of life is waited for, however long it takes in all."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import astuple, dataclass, replace
from typing import Any

from pincite.ports import Progress
from pincite.storage.ledger import tell
from pincite.types import Usage

READS = 600
"""Tokens of a prompt that a server must read within one `timeout`, 5 a second with the default of 120 s: a model of 7 billion
parameters on two old cores reads about 6. A server that says nothing while it reads (Ollama) has so much more time before the
first piece of its reply.
"""
PULSE_S = 1.0
"""Seconds after which who listens is told again how long a silent request has been waited for."""
SHORTEST = 5
"""Tokens of the shortest reply that says how fast a model writes."""
WEIGHT = 0.3
"""Share of the last reply in what is known of a model's speed: some come from a cache, and some wait for others."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens of a prompt read and of a reply written in a second, and the tokens of a usual reply, by the last replies."""

    read: float
    write: float
    reply: float

    @property
    def writing(self) -> float:
        """Seconds that a usual reply takes once it began."""
        return self.reply / self.write

    def seconds(self, prompt: int) -> float:
        """Seconds that a prompt of so many tokens and its reply may take."""
        return prompt / self.read + self.writing

    def after(self, other: Speed) -> Speed:
        """What is known after one more reply, which had the `other` speed."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Speed(*((1 - WEIGHT) * known + WEIGHT * new for known, new in pairs))


FIRST = Speed(40.0, 15.0, 120.0)
"""What a model of 1.5 billion parameters does on two cores, for a local model that has not replied yet."""


class Silent(Exception):
    """A request gave no sign of life for `seconds`; `begun` says whether a part of its reply had come."""

    def __init__(self, seconds: float, begun: bool) -> None:
        super().__init__(f"no sign of life for {seconds:.0f} s")
        self.seconds, self.begun = seconds, begun


@dataclass(eq=False, slots=True)
class Waited:
    """A request that is waited for: how far it is, the seconds that it may be silent, and when it last was not.

    Until the first piece of a reply comes, `reading` bounds the silence, then `between`.
    """

    told: Progress
    between: float
    reading: float
    speed: Speed | None = None
    started: float = 0.0
    last: float = 0.0
    first: float | None = None

    @property
    def bound(self) -> float:
        """The seconds that the request may be silent now."""
        return self.reading if self.first is None else self.between

    def sign(self) -> None:
        """Something came: a part of the reply, word of how far the prompt is read, or a comment that keeps the line open."""
        self.last = asyncio.get_running_loop().time()

    def read(self, done: int, total: int, cached: int, seconds: float) -> None:
        """So many of the prompt's tokens are read; those that were not `cached` took so many seconds."""
        left = None
        if done > cached and seconds > 0:
            left = (total - done) * seconds / (done - cached)
            left += self.speed.writing if self.speed else 0.0
        self._tell(read=done, prompt=total, left=left)

    def wrote(self) -> None:
        """One more piece of the reply came, about a token."""
        if self.first is None:
            self.first = asyncio.get_running_loop().time()
        reply, left = self.told.reply + 1, None
        if self.speed:
            left = max(self.speed.reply - reply, 0.0) / self.speed.write
        self._tell(read=self.told.prompt, reply=reply, left=left)

    def pulse(self) -> None:
        """Nothing came for a while: a little less is left."""
        seconds = asyncio.get_running_loop().time() - self.started
        left = self.told.left
        if seconds - self.told.seconds >= PULSE_S:
            self._tell(left=None if left is None else max(left - seconds + self.told.seconds, 0.0))

    def speed_of(self, usage: Usage) -> Speed | None:
        """How fast the request was that took these tokens and has just ended; None where too little is known."""
        if self.first is None or not usage.input or usage.output < SHORTEST:
            return None
        reading = max(self.first - self.started, 0.001)
        writing = max(asyncio.get_running_loop().time() - self.first, 0.001)
        return Speed(usage.input / reading, usage.output / writing, float(usage.output))

    def _tell(self, **new: Any) -> None:
        seconds = asyncio.get_running_loop().time() - self.started
        self.told = replace(self.told, seconds=seconds, **new)
        tell(self.told)


_waited: ContextVar[Waited | None] = ContextVar("pincite_waited", default=None)


def waited_for() -> Waited | None:
    """The request that is waited for here."""
    return _waited.get()


class Watch:
    """The requests under way at one endpoint, oldest first."""

    def __init__(self) -> None:
        self._waited: list[Waited] = []

    @asynccontextmanager
    async def over(self, request: Waited) -> AsyncIterator[None]:
        """Raise Silent inside once the request has been silent for too long.

        A server takes requests in turn: while those that were sent before it show signs of life, one that waits is not silent.
        """
        loop = asyncio.get_running_loop()
        request.started = request.last = loop.time()
        self._waited.append(request)
        tell(request.told)
        token = _waited.set(request)
        try:
            async with asyncio.timeout(None) as end:
                watching = asyncio.create_task(self._end(request, end))
                try:
                    yield
                finally:
                    watching.cancel()
        except TimeoutError:
            if not end.expired():
                raise
            raise Silent(request.bound, request.first is not None) from None
        finally:
            _waited.reset(token)
            self._leave(request)

    async def _end(self, request: Waited, end: asyncio.Timeout) -> None:
        """End a request when it is due; until then who listens hears every now and then that it is waited for."""
        loop = asyncio.get_running_loop()
        while (due := self._last_sign(request) + request.bound) > loop.time():
            await asyncio.sleep(min(due - loop.time(), request.between, PULSE_S))
            request.pulse()
        end.reschedule(loop.time())

    def _last_sign(self, request: Waited) -> float:
        """When a request, or while it waits one sent before it, gave its last sign of life."""
        if request.first is not None:
            return request.last
        before = self._waited[: self._waited.index(request) + 1]
        return max(each.last for each in before)

    def _leave(self, request: Waited) -> None:
        now = asyncio.get_running_loop().time()
        at = self._waited.index(request)
        del self._waited[at]
        for later in self._waited[at:]:
            later.last = now
