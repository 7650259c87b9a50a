"""An endpoint of the OpenAI chat protocol: one pool of connections, its limits, and replies brought home from it."""

from __future__ import annotations

import asyncio
import os
import random
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable
from pincite.ledger import Hold, Ledger, Price
from pincite.models.endpoints.endpoint_limits import Gate, Limits
from pincite.models.endpoints.exchange import Request
from pincite.models.endpoints.failures import Failure, failure_of
from pincite.models.endpoints.replies import KeptReply
from pincite.models.endpoints.wire import Heard, reply_of, sender
from pincite.types import Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds a request may take, how often it is tried, the seconds before the second try (doubled for each further one,
    up to `longest`), and the seconds after which it is not tried again.

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


class Overflow(ModelError):
    """A prompt is longer than the model's window."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks an endpoint: a model's name, what it costs, where that is booked, and how long it waits."""

    name: str
    price: Price
    ledger: Ledger
    patience: Patience
    telemetry: bool = False


@dataclass(eq=False)
class Endpoint:
    """What all models at one base URL share on one event loop; `endpoint` makes it.

    `refused` are the features that each model has turned down, and `overrun` by how much replies of each went beyond
    what they could have cost, which an endpoint that heeds no max_tokens makes happen.
    """

    base_url: str
    key: str
    limits: Limits
    refused: dict[str, frozenset[str]] = field(default_factory=dict)
    overrun: dict[str, Decimal] = field(default_factory=dict)

    @cached_property
    def gate(self) -> Gate:
        """The limits at work."""
        return Gate(self.limits)

    @property
    def client(self) -> AsyncOpenAI:
        """The HTTP client, with its pool of connections and the key."""
        client: AsyncOpenAI = self._provider.client
        return client

    @cached_property
    def _provider(self) -> Any:
        from openai import AsyncOpenAI
        from pydantic_ai.providers.openai import OpenAIProvider

        # a server of one's own asks for no key, but the client does
        key = os.environ.get(self.key) or "none"
        return OpenAIProvider(openai_client=AsyncOpenAI(base_url=self.base_url, api_key=key, max_retries=0))

    @cached_property
    def _models(self) -> dict[tuple[str, bool], OpenAIChatModel]:
        return {}

    async def fetch(self, request: Request, caller: Caller, heard: Heard | None = None) -> KeptReply:
        """Bring the reply to a request, trying again as the caller's patience has it; with `heard` as a stream.

        Raises Overflow when the prompt is too long, BudgetSpent before money runs out, ModelUnreachable when every try
        failed or a stream broke off, and ModelError when the endpoint turned the request down.
        """
        past, tried, pieces = 0.0, 0, 0  # seconds of tries and pauses: not of waiting for a place
        where = f"{caller.name} at {self.base_url}"

        def hearing(piece: str) -> None:
            nonlocal pieces
            pieces += 1
            if heard:
                heard(piece)

        while True:
            spoken = self.refused.get(caller.name, frozenset())
            outcome = await self._try(request, caller, spoken, hearing if heard else None)
            if isinstance(outcome, KeptReply):
                return outcome
            if outcome.todo == "less":
                raise Overflow(f"the prompt is too long for {where}: {outcome.why}")
            if outcome.todo == "otherwise" and outcome.feature not in spoken:
                self.refused[caller.name] = self.refused.get(caller.name, frozenset()) | {outcome.feature}
                continue
            if outcome.todo != "again":
                raise ModelError(f"{where} turned the request down: {outcome.why}")
            if pieces:
                raise ModelUnreachable(f"the reply of {where} broke off: {outcome.why}. Ask again")
            tried += 1
            pause = caller.patience.pause(tried, outcome.wait)
            past += outcome.seconds
            if tried >= caller.patience.tries or past + pause > caller.patience.whole:
                raise ModelUnreachable(
                    f"{where} gave no reply in {tried} tries over {past:.0f} s; the last time: {outcome.why}. "
                    "Try again later: replies that were paid for are kept"
                )
            await asyncio.sleep(pause)
            past += pause

    async def _try(
        self, request: Request, caller: Caller, spoken: frozenset[str], heard: Heard | None
    ) -> KeptReply | Failure:
        """Send a request once, with the money for it reserved; what it took is booked however it ends."""
        most = Usage(request.most_tokens(), request.max_tokens)
        amount = caller.price.of(most) * self.overrun.get(caller.name, 1)
        expected = most.input // 4 + most.output
        model = self._model(caller.name, "max_tokens" in spoken)
        send = sender(
            model, request, spoken, caller.telemetry, heard
        )  # before the clock runs: the first import takes time
        async with self.gate.enter(expected):
            hold = await reserved(caller, amount)
            started, usage, cost = time.monotonic(), Usage(), amount
            try:
                async with asyncio.timeout(caller.patience.timeout):
                    response = await send()
                reply = reply_of(response, request)
                if reply.usage.input:
                    usage, cost = reply.usage, caller.price.of(reply.usage)
                    self.gate.used(expected, usage.input + usage.output)
                    if cost > amount:
                        self.overrun[caller.name] = self.overrun.get(caller.name, Decimal(1)) * cost / amount
                return KeptReply(reply.text, reply.ended, usage, cost)
            except Exception as error:
                cost = Decimal(0)
                failure = failure_of(error, self.key)
                if failure.billed:
                    cost = amount
                else:
                    self.gate.used(expected, 0)
                return replace(failure, seconds=time.monotonic() - started)
            finally:
                caller.ledger.settle(hold, usage, cost, time.monotonic() - started)

    def _model(self, name: str, newer: bool) -> OpenAIChatModel:
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.profiles.openai import OpenAIModelProfile

        if (name, newer) not in self._models:
            profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=newer)
            self._models[name, newer] = OpenAIChatModel(name, provider=self._provider, profile=profile)
        return self._models[name, newer]


_endpoints: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[tuple[str, str, Limits], Endpoint]] = WeakKeyDictionary()


def endpoint(base_url: str, key: str, limits: Limits) -> Endpoint:
    """The one endpoint at a base URL, with the key in the environment variable `key`, for the running event loop."""
    held = _endpoints.setdefault(asyncio.get_running_loop(), {})
    if (base_url, key, limits) not in held:
        held[base_url, key, limits] = Endpoint(base_url, key, limits)
    return held[base_url, key, limits]


async def reserved(caller: Caller, amount: Decimal) -> Hold:
    """Reserve money; while others hold some that they may not need, wait for it."""
    while True:
        others = caller.ledger.pending
        try:
            return caller.ledger.reserve(caller.name, amount)
        except BudgetSpent:
            if not others:
                raise
        await asyncio.sleep(0.02)
