"""How much an endpoint may be asked at once and per minute."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


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
