"""A chat model behind an OpenAI-compatible endpoint: typed replies, re-asked for until they fit, each paid for once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.errors import ModelError, ReplyInvalid
from pincite.ledger import Ledger, Price, note
from pincite.models.endpoints.endpoint import Caller, Overflow, Patience, endpoint
from pincite.models.endpoints.endpoint_limits import Limits
from pincite.models.endpoints.exchange import ECHOED, read, request_of, schema_of
from pincite.models.endpoints.replies import KeptReply, Replies, key_of
from pincite.models.endpoints.wire import Heard
from pincite.ports import Completion, Prompt
from pincite.types import Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T", bound="BaseModel")

REASKS = 2
"""How often a reply that does not fit is asked for again."""


@dataclass(frozen=True, slots=True)
class ChatModel:
    """The model `name` at `base_url` (it mostly ends in /v1), with the API key in the environment variable `key`.

    `price` is what the budget of `ledger` is held against; with none, requests are counted as free. Models that are to
    share connections, rate limits and what is known of the endpoint have equal `base_url`, `key` and `limits`. With
    `telemetry` every request is an OpenTelemetry span of the gen_ai conventions, without its content.
    """

    name: str
    base_url: str = "https://api.openai.com/v1"
    key: str = field(default="OPENAI_API_KEY", compare=False)
    price: Price = field(default=Price(), compare=False)
    limits: Limits = field(default=Limits(), compare=False)
    patience: Patience = field(default=Patience(), compare=False)
    ledger: Ledger = field(default_factory=Ledger, compare=False, repr=False)
    replies: Replies = field(default_factory=Replies, compare=False, repr=False)
    telemetry: bool = field(default=False, compare=False)

    def spelled(self) -> str:
        """The model's name."""
        return self.name

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Fill in `form`. A reply that does not fit is asked for again, with what is wrong, at most twice.

        Raises ReplyInvalid when none fits, ModelUnreachable when the endpoint gives none, BudgetSpent before money runs
        out, and ModelError for what no further try can mend. Usage and cost are those of the replies; requests that
        were lost on the way are in the ledger.
        """
        usage, cost = Usage(), Decimal(0)
        schema = schema_of(form)
        for asked in range(1, REASKS + 2):
            reply, prompt = await self._reply(prompt, schema)
            usage, cost = usage + reply.usage, cost + reply.cost
            value = read(reply, form, prompt.max_tokens)
            if not isinstance(value, str):
                if asked > 1:
                    note(f"{self.name} was asked {asked} times for a reply that fits")
                return Completion(value, reply.text, usage, cost, len(prompt.context), asked)
            prompt = replace(prompt, turns=(*prompt.turns, (reply.text[:ECHOED], value)))
        raise ReplyInvalid(
            f"{self.name} gave no reply that fits {form.__name__} in {REASKS + 1} asks; the last: {value} "
            "Try a larger model, or larger max_tokens when replies were cut off"
        )

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The reply as prose, piece by piece; a kept one comes whole. Raises as `complete` does; ReplyInvalid when empty."""
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        work = asyncio.create_task(self._reply(prompt, None, pieces.put_nowait))
        work.add_done_callback(lambda _: pieces.put_nowait(None))
        heard = False
        try:
            while (piece := await pieces.get()) is not None:
                heard = True
                yield piece
            reply, _ = await work
            if not reply.text.strip():
                raise ReplyInvalid(f"{self.name} replied with nothing ({reply.ended}): ask otherwise, or another model")
            if reply.ended == "length":
                note(f"the reply was cut off after {prompt.max_tokens} tokens")
            if not heard:
                yield reply.text
        finally:
            work.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await work

    async def _reply(self, prompt: Prompt, schema: Any, heard: Heard | None = None) -> tuple[KeptReply, Prompt]:
        """The reply to a prompt, kept or fetched, and the prompt as it was shown: with less context when all overflows."""
        place = endpoint(self.base_url, self.key, self.limits)
        caller = Caller(self.name, self.price, self.ledger, self.patience, self.telemetry)
        whole = len(prompt.context)
        while True:
            request = request_of(prompt, schema)
            key = key_of([self.base_url, self.name, request.content()])
            try:
                reply, sent = await self.replies.once(key, self.name, partial(place.fetch, request, caller, heard))
            except Overflow as error:
                left = len(prompt.context) // 2
                if not left:
                    raise ModelError(f"{error}. Even {len(prompt.context)} pieces of context do not fit") from error
                prompt = replace(prompt, context=prompt.context[:left])
                continue
            if len(prompt.context) < whole:
                note(f"context shrunk from {whole} to {len(prompt.context)} pieces to fit {self.name}")
            return (reply if sent else replace(reply, usage=Usage(), cost=Decimal(0))), prompt
