"""An endpoint of the OpenAI chat protocol: one pool of connections, its limits, and its replies."""

from __future__ import annotations

import asyncio
import os
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pincite.errors import BudgetSpent, ModelError, ModelUnreachable
from pincite.ledger import Hold, Ledger, Price, note
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.attempts import Attempts, Patience
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint_limits import Gate, Limits
from pincite.models.endpoints.exchange import Request
from pincite.models.endpoints.failures import Failure, failure_of
from pincite.models.endpoints.replies import KeptReply
from pincite.models.endpoints.silence import READS, Waited, Watch
from pincite.models.endpoints.speed import Speed
from pincite.models.endpoints.wire import Heard, reply_of, sender, tokens_missing
from pincite.models.local.weights import LOCAL
from pincite.ports import Progress
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
        client = AsyncOpenAI(
            base_url=self.address.base_url,
            api_key=key or "none",  # the client asks for one, also where the server does not
            max_retries=0,
            default_headers=self.address.sent_headers(),
            default_query=self.address.sent_query(),
            http_client=None
            if key
            else DefaultAsyncHttpxClient(event_hooks={"request": [_without_key]}),
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
                return outcome, replace(
                    dialect,
                    llama_cpp=dialect.llama_cpp or outcome.timed,
                    window=outcome.window or dialect.window,
                )
            if outcome.todo == "silent":
                raise ModelUnreachable(
                    f"{where} {outcome.why}, so the request was ended; it is not sent again. Let the model read and write less "
                    '(fewer `pages`, `forms = "short"`), take a smaller or faster one, or set a longer `timeout` in [models]'
                )
            if outcome.todo == "less":
                raise Overflow(
                    f"the prompt is too long for {where}: {outcome.why}", outcome.window
                )
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
        tellable = failure.feature != "structure" or request.schema is not None
        changed = (
            dialect.after(failure.feature, failure.why, request.max_tokens) if tellable else None
        )
        if changed is None and failure.feature == "room":
            raise Overflow(f"the prompt leaves no room for a reply of {where}: {failure.why}")
        if changed is None and request.logprobs:  # it may have refused these without a word
            changed = dialect.after("logprobs", failure.why, request.max_tokens)
        if changed is None:
            raise ModelError(f"{where} turned the request down: {failure.why}")
        return changed

    async def _try(
        self, request: Request, caller: Caller, dialect: Dialect, heard: Heard | None
    ) -> KeptReply | Failure:
        """Send a request once, with the money for it reserved; what it took is booked however it ends."""
        most = Usage(request.most_tokens(), request.max_tokens)
        amount = caller.price.of(most) * self.overrun.get(caller.name, 1)
        expected = most.input // 4 + most.output
        model = self._model(caller.name, dialect.completion_cap)
        send = sender(
            model, request, dialect, caller.telemetry, heard
        )  # before the clock runs: the first import takes time
        silence = caller.patience.timeout
        reading = silence * max(1.0, most.input / 4 / READS)
        waited = Waited(caller.progress, silence, reading, caller.speed)
        async with self.gate.enter(expected):
            hold = await reserved(caller, amount)
            started, usage, cost = time.monotonic(), Usage(), amount
            try:
                async with self.watch.over(waited):
                    response = await send()
                reply = reply_of(response, request)
                if missing := tokens_missing(response, request):
                    reply = replace(
                        reply, window=missing[0] if missing[0] >= LEAST_WINDOW else None
                    )
                    note(
                        f"{caller.name} read {missing[0]} tokens of a prompt of about {missing[1]}: the server cut it. Give the "
                        "model a longer context there (num_ctx, --ctx-size, max_model_len), or set fewer `pages`"
                    )
                if reply.usage.input:
                    usage, cost = reply.usage, caller.price.of(reply.usage)
                    self.gate.used(expected, usage.input + usage.output)
                    if cost > amount:
                        self.overrun[caller.name] = (
                            self.overrun.get(caller.name, Decimal(1)) * cost / amount
                        )
                return replace(reply, usage=usage, cost=cost, speed=waited.speed_of(usage))
            except Exception as error:
                cost = Decimal(0)
                failure = failure_of(error, self.address)
                if failure.billed:
                    cost = amount
                else:
                    self.gate.used(expected, 0)
                return replace(failure, seconds=time.monotonic() - started)
            finally:
                caller.ledger.settle(hold, usage, cost, time.monotonic() - started)

    def _model(self, name: str, newer: bool) -> OpenAIChatModel:
        from pydantic_ai.profiles.openai import OpenAIModelProfile

        from pincite.models.endpoints.streamed_chat import StreamedChatModel

        if (name, newer) not in self._models:
            profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=newer)
            if self.address.base_url.startswith(LOCAL):
                from pincite.models.local.reply_bounds import BoundedSchema

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
