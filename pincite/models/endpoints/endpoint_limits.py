"""How much an endpoint may be asked at once and per minute; and how long one request is waited for, and how often tried again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pincite.errors import ModelError, ModelUnreachable
from pincite.models.endpoints.failures import Failure


@dataclass(frozen=True, slots=True)
class Limits:
    """Requests at once, and requests and tokens per minute; 0 per minute is no limit."""

    concurrency: int = 16
    requests: int = 0
    tokens: int = 0


class Bucket:
    """A token bucket that lets at most `limit` units through in any minute; 0 lets everything through.

    A twentieth of the minute's units may go at once and the others flow in evenly. A taking that is larger than that
    goes when the bucket is full and leaves a debt.
    """

    def __init__(self, limit: int) -> None:
        self._burst = max(limit / 20, 1.0)
        self._rate = max(limit - self._burst, limit / 2) / 60  # per second
        self._level = self._burst
        self._at = 0.0
        self._turn = asyncio.Lock()

    async def take(self, amount: float) -> None:
        """Wait until `amount` may go; those who wait are served in order."""
        if not self._rate:
            return
        async with self._turn:
            while (short := min(amount, self._burst) - self._filled()) > 1e-9:
                await asyncio.sleep(short / self._rate)
            self._level -= amount

    def give(self, amount: float) -> None:
        """Give back what was taken and not needed; less than 0 takes what was needed beyond."""
        self._level = min(self._filled() + amount, self._burst)

    def _filled(self) -> float:
        now = asyncio.get_running_loop().time()
        self._level = min(self._level + (now - self._at) * self._rate, self._burst)
        self._at = now
        return self._level


class Gate:
    """Lets requests pass to one endpoint under its limits."""

    def __init__(self, limits: Limits) -> None:
        self._places = asyncio.Semaphore(max(limits.concurrency, 1))
        self._requests = Bucket(limits.requests)
        self._tokens = Bucket(limits.tokens)

    @asynccontextmanager
    async def enter(self, tokens: int) -> AsyncIterator[None]:
        """Hold a place for a request of about so many tokens."""
        async with self._places:
            await self._requests.take(1)
            await self._tokens.take(tokens)
            yield

    def used(self, expected: int, tokens: int) -> None:
        """Say how many tokens a request took that was expected to take others."""
        self._tokens.give(expected - tokens)


SAME = 3
"""An endpoint that fails inside so many times in a row, in the same words, fails on the request: asking on changes nothing."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds that a request may be silent, how often it is tried, the seconds before the second try (doubled for each further
    one, up to `longest`), and the seconds after which it is not tried again.

    A request that was silent for `timeout` seconds is ended and not tried again: the endpoint may still work on it.

    An endpoint that says how long to wait is heeded up to `longest`.
    """

    timeout: float = 120.0
    tries: int = 8
    first: float = 0.5
    longest: float = 60.0
    whole: float = 300.0

    def pause(self, tried: int, told: float | None) -> float:
        """Seconds to wait after `tried` tries: what the endpoint said, or a random part of the doubled wait."""
        if told is not None:
            # a little apart, so that those told the same do not all come back at once
            return min(told, self.longest) + random.uniform(0, min(self.first, 1.0))
        return random.uniform(0.5, 1.0) * min(self.first * 2.0 ** min(tried - 1, 60), self.longest)


@dataclass(slots=True)
class Attempts:
    """The failed tries of one request so far. `where` names the model and its endpoint in messages."""

    where: str
    patience: Patience
    tried: int = 0
    past: float = 0.0  # seconds of tries and pauses: not of waiting for a place
    inside: str = ""
    repeated: int = 0

    async def pause(self, failure: Failure) -> None:
        """Wait before the next try after a failure that may pass.

        Raises ModelUnreachable when there were enough tries, ModelError when the endpoint failed inside SAME times in a row
        in the same words: an outage mostly has another status or names each request, a request that breaks a server does not.
        """
        self.tried += 1
        self.past += failure.seconds
        pause = self.patience.pause(self.tried, failure.wait)
        if self.tried >= self.patience.tries or self.past + pause > self.patience.whole:
            raise ModelUnreachable(
                f"{self.where} gave no reply in {self.tried} tries over {self.past:.0f} s; the last time: {failure.why}. "
                "Try again later: replies that were paid for are kept"
            )
        same = failure.inside and failure.why == self.inside
        self.repeated = self.repeated + 1 if same else 1
        self.inside = failure.why if failure.inside else ""
        if self.inside and self.repeated >= SAME:
            raise ModelError(
                f"{self.where} failed on this request {SAME} times in the same words: {failure.why}. Its own log may say why; "
                "another question, or another model, may pass"
            )
        await asyncio.sleep(pause)
        self.past += pause
