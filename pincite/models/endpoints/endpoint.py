"""An endpoint of the OpenAI chat protocol: one pool of connections, its limits, and its replies."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable
from pincite.models.endpoints.address import EndpointAddress, filled
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint_limits import Attempts, Gate, Limits, Patience
from pincite.models.endpoints.exchange import Request
from pincite.models.endpoints.failures import Failure, failure_of
from pincite.models.endpoints.replies import KeptReply
from pincite.models.endpoints.silence import READS, Speed, Waited, Watch
from pincite.models.endpoints.wire import Heard, reply_of, sender, tokens_missing
from pincite.models.local.weights import LOCAL
from pincite.ports import Progress
from pincite.storage.ledger import Hold, Ledger, Price, note
from pincite.types import Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel


LEAST_WINDOW = 1_000
"""A prompt that was cut to fewer tokens says nothing of the model's window: the endpoint may count in its own way."""


class Overflow(ModelError):
    """A prompt is longer than the model's window, which has `window` tokens where the endpoint said so."""

    def __init__(self, said: str, window: int | None = None) -> None:
        super().__init__(said)
        self.window = window


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks an endpoint: a model's name, what it costs, where that is booked, how long it waits, and what it is told while it
    does.
    """

    name: str
    price: Price
    ledger: Ledger
    patience: Patience
    telemetry: bool = False
    progress: Progress = Progress("")
    speed: Speed | None = None


@dataclass(eq=False)
class Endpoint:
    """What all models at one address share on one event loop; `endpoint` makes it.

    `overrun` is by how much replies of each model went beyond what they could have cost, which an endpoint that heeds no
    max_tokens makes happen.
    """

    address: EndpointAddress
    limits: Limits
    overrun: dict[str, Decimal] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    window_asked: bool = False

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
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
        from pydantic_ai.providers.openai import OpenAIProvider

        if self.address.base_url.startswith(LOCAL):
            from pincite.models.local.client import local_client

            return OpenAIProvider(openai_client=local_client(self.address.base_url))
        key = os.environ.get(self.address.key, "")
        hooks: Any = {"request": [_without_key]}
        client = AsyncOpenAI(
            base_url=self.address.base_url,
            api_key=key or "none",  # the client asks for one, also where the server does not
            max_retries=0,
            default_headers=filled(self.address.headers),
            default_query=filled(self.address.query),
            http_client=None if key else DefaultAsyncHttpxClient(event_hooks=hooks),
        )
        return OpenAIProvider(openai_client=client)

    @cached_property
    def _models(self) -> dict[tuple[str, bool], OpenAIChatModel]:
        return {}

    async def fetch(
        self, request: Request, caller: Caller, dialect: Dialect, heard: Heard | None = None
    ) -> tuple[KeptReply, Dialect]:
        """Bring the reply to a request, trying again as the caller's patience has it; `heard` gets its pieces.

        Gives the dialect in which the endpoint took it as well: the one given, or what its refusals led to.
        Raises Overflow when the prompt is too long, BudgetSpent before money runs out, ModelUnreachable when every try
        failed, the endpoint fell silent or a stream that is heard broke off, and ModelError when the endpoint turned the
        request down or fails on it.
        """
        pieces = 0
        where = f"{caller.name} at {self.address.base_url}"
        attempts = Attempts(where, caller.patience)

        def hearing(piece: str) -> None:
            nonlocal pieces
            pieces += 1
            if heard:
                heard(piece)

        while True:
            spoken = request.capped(dialect.longest)
            outcome = await self._try(spoken, caller, dialect, hearing if heard else None)
            if isinstance(outcome, KeptReply):
                engine, window = dialect.llama_cpp or outcome.timed, outcome.window
                return outcome, replace(dialect, llama_cpp=engine, window=window or dialect.window)
            if outcome.todo == "silent":
                raise ModelUnreachable(
                    f"{where} {outcome.why}, so the request was ended; it is not sent again. Let the model read and write less "
                    '(fewer `pages`, `forms = "short"`), take a smaller or faster one, or set a longer `timeout` in [models]'
                )
            if outcome.todo == "less":
                why = f"the prompt is too long for {where}: {outcome.why}"
                raise Overflow(why, outcome.window)
            if outcome.todo != "again":
                dialect = self._otherwise(outcome, spoken, dialect, where)
                continue
            if pieces:
                raise ModelUnreachable(f"the reply of {where} broke off: {outcome.why}. Ask again")
            await attempts.pause(outcome)

    def _otherwise(
        self, failure: Failure, request: Request, dialect: Dialect, where: str
    ) -> Dialect:
        """The dialect to try after a refusal.

        Raises ModelError when nothing is left to try, Overflow when the prompt leaves no room for a reply.
        """
        feature, why = failure.feature, failure.why
        tellable = feature != "structure" or request.schema is not None
        changed = dialect.after(feature, why, request.max_tokens) if tellable else None
        if changed is None and feature == "room":
            raise Overflow(f"the prompt leaves no room for a reply of {where}: {why}")
        if changed is None and request.logprobs:  # it may have refused these without a word
            changed = dialect.after("logprobs", why, request.max_tokens)
        if changed is None:
            raise ModelError(f"{where} turned the request down: {why}")
        return changed

    async def _try(
        self, request: Request, caller: Caller, dialect: Dialect, heard: Heard | None
    ) -> KeptReply | Failure:
        """Send a request once."""
        most = Usage(request.most_tokens(), request.max_tokens)
        model = self._model(caller.name, dialect.completion_cap)
        # before the clock runs: the first import takes time
        send = sender(model, request, dialect, caller.telemetry, heard)
        silence = caller.patience.timeout
        reading = silence * max(1.0, most.input / 4 / READS)
        waited = Waited(caller.progress, silence, reading, caller.speed)
        async with self.paid(caller, most) as bill:
            try:
                async with self.watch.over(waited):
                    response = await send()
                reply = reply_of(response, request)
                if missing := tokens_missing(response, request):
                    window = missing[0] if missing[0] >= LEAST_WINDOW else None
                    reply = replace(reply, window=window)
                    note(
                        f"{caller.name} read {missing[0]} tokens of a prompt of about {missing[1]}: the server cut it. Give the "
                        "model a longer context there (num_ctx, --ctx-size, max_model_len), or set fewer `pages`"
                    )
                if reply.usage.input:
                    bill.took(reply.usage)
                speed = waited.speed_of(bill.usage)
                return replace(reply, usage=bill.usage, cost=bill.cost, speed=speed)
            except Exception as error:
                return bill.failed(error)

    @asynccontextmanager
    async def paid(self, caller: Caller, most: Usage) -> AsyncIterator[Bill]:
        """Let a request through the limits that takes at most so many tokens, with the money for it reserved; what it took is
        booked however it ends.
        """
        expected = most.input // 4 + most.output
        amount = caller.price.of(most) * self.overrun.get(caller.name, 1)
        async with self.gate.enter(expected):
            hold = await _reserved(caller, amount)
            bill = Bill(self, caller, amount, expected, amount)
            try:
                yield bill
            finally:
                caller.ledger.settle(hold, bill.usage, bill.cost, bill.seconds)

    def _model(self, name: str, newer: bool) -> OpenAIChatModel:
        from pydantic_ai.profiles.openai import OpenAIModelProfile

        from pincite.models.endpoints.streamed_chat import StreamedChatModel

        if (name, newer) not in self._models:
            profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=newer)
            if self.address.base_url.startswith(LOCAL):
                from pincite.models.local.client import BoundedSchema

                profile["json_schema_transformer"] = BoundedSchema
            self._models[name, newer] = StreamedChatModel(
                name, provider=self._provider, profile=profile
            )
        return self._models[name, newer]


async def _without_key(request: Any) -> None:
    """Take the key off a request that has none, so that only the headers that were set say who asks."""
    request.headers.pop("Authorization", None)


_endpoints: WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[tuple[EndpointAddress, Limits], Endpoint]
] = WeakKeyDictionary()


def endpoint(address: EndpointAddress, limits: Limits) -> Endpoint:
    """The one endpoint at an address for the running event loop."""
    held = _endpoints.setdefault(asyncio.get_running_loop(), {})
    if (address, limits) not in held:
        held[address, limits] = Endpoint(address, limits)
    return held[address, limits]


async def _reserved(caller: Caller, amount: Decimal) -> Hold:
    """Reserve money; while others hold some that they may not need, wait for it."""
    while True:
        others = caller.ledger.pending
        try:
            return caller.ledger.reserve(caller.name, amount)
        except BudgetSpent:
            if not others:
                raise
        await asyncio.sleep(0.02)


@dataclass(slots=True)
class Bill:
    """What a request that was let through takes, as far as it is known: the whole `amount` that is reserved, until a reply says
    what it took or a failure that there was none. `expected` are the tokens that the limits were told of.
    """

    place: Endpoint
    caller: Caller
    amount: Decimal
    expected: int
    cost: Decimal
    usage: Usage = Usage()
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """The time since it was sent."""
        return time.monotonic() - self.started

    def took(self, usage: Usage) -> None:
        """A reply says what the request took."""
        self.usage, self.cost = usage, self.caller.price.of(usage)
        self.place.gate.used(self.expected, usage.input + usage.output)
        if self.cost > self.amount:
            name, overrun = self.caller.name, self.place.overrun
            overrun[name] = overrun.get(name, Decimal(1)) * self.cost / self.amount

    def failed(self, error: Exception) -> Failure:
        """The request failed: what that means. Raises errors of our own on."""
        self.cost = Decimal(0)
        failure = failure_of(error, self.place.address)
        if failure.billed:
            self.cost = self.amount
        else:
            self.place.gate.used(self.expected, 0)
        return replace(failure, seconds=self.seconds)
