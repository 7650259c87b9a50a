"""A chat model behind an OpenAI-compatible endpoint: typed replies, re-asked for until they fit, each paid for once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.errors import ModelError, ReplyInvalid
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint import Caller, Endpoint, Overflow, endpoint
from pincite.models.endpoints.endpoint_limits import Limits, Patience
from pincite.models.endpoints.exchange import (
    ECHOED,
    ReplySettings,
    Request,
    read_reply,
    request_of,
    schema_of,
)
from pincite.models.endpoints.prompt_fit import Fitted, Windows, counter, fitted, left_out
from pincite.models.endpoints.replies import KeptReply, Replies, key_of
from pincite.models.endpoints.silence import FIRST
from pincite.models.endpoints.wire import Heard
from pincite.models.local.weights import LOCAL
from pincite.ports import Completion, Progress, Prompt
from pincite.storage.ledger import Ledger, Price, note
from pincite.text.wording import counted
from pincite.types import Usage

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T", bound="BaseModel")

REASKS = 2
"""How often a reply that does not fit is asked for again."""
RAISE, THOUGHTS = 4, 8192
"""A reply that was cut off may be so many times as long when it is asked for again, and at least so many tokens."""

ENGINE = Dialect(described=False, llama_cpp=True)
"""How a model that runs here is spoken to: its engine keeps replies to the schema, and the worked examples show it."""


@dataclass(frozen=True, slots=True)
class ChatModel:
    """The model `name` at `base_url` (it mostly ends in /v1), with the API key in the environment variable `key`.

    `headers` and `query` go with every request (see `EndpointAddress`), `settings` are what is set for all replies, and
    `dialect` how the endpoint is spoken to until it shows that it wants to be spoken to otherwise, which is kept beside the
    replies.
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
    headers: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    query: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    settings: ReplySettings = ReplySettings()
    dialect: Dialect = field(default=Dialect(), compare=False)

    def spelled(self) -> str:
        """The model's name."""
        return self.name

    @property
    def address(self) -> EndpointAddress:
        """Where the model is asked."""
        return EndpointAddress(self.base_url, self.key, self.headers, self.query)

    @property
    def known_dialect(self) -> Dialect:
        """How the model is spoken to, by what its earlier replies have shown; one that runs here as its engine takes it."""
        learnt = self.replies.dialect(self.base_url, self.name)
        if self._is_here:
            return replace(learnt or ENGINE, thinks=False)
        return learnt or self.dialect

    @property
    def context_length(self) -> int | None:
        """How many tokens prompt and reply may have together, as the endpoint has said; None where it has not."""
        return self.known_dialect.window

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Fill in `form`. A reply that does not fit is asked for again, with what is wrong, at most twice; one that is cut
        off not at all where the model runs here.

        Before the second of these the form is asked for in a looser way. A reply that its cap cut off is asked for once more
        with a higher one first, since the thoughts of a model may have filled it.

        Raises ReplyInvalid when none fits, ModelUnreachable when the endpoint gives none, BudgetSpent before money runs
        out, and ModelError for what no further try can mend. Usage and cost are those of the replies; requests that
        were lost on the way are in the ledger.
        """
        usage, cost = Usage(), Decimal(0)
        schema = schema_of(form)
        known = dialect = self.known_dialect
        prompt = self._capped(prompt, dialect)
        asked = unfit = misfits = 0
        while unfit <= REASKS:
            reply, prompt, dialect = await self._reply(prompt, schema, dialect)
            usage, cost, asked = usage + reply.usage, cost + reply.cost, asked + 1
            most = min(prompt.max_tokens, dialect.longest or prompt.max_tokens)
            value = read_reply(reply, form, most)
            if not isinstance(value, str):
                self._remember(known, dialect)
                if asked > 1:
                    note(f"{self.name} was asked {asked} times for a reply that fits")
                shown = len(prompt.context)
                return Completion(value, reply.text, usage, cost, shown, asked, reply.tokens)
            cut = reply.ended == "length"
            if cut and self._may_be_longer(prompt, dialect):
                dialect = replace(dialect, thinks=True)
                prompt = self._capped(prompt, dialect)
                continue
            # one of a model that runs here would be cut off again: it repeats itself, and each time takes long
            unfit += 1 + REASKS if cut and self._is_here else 1
            misfits += not cut
            prompt = replace(prompt, turns=(*prompt.turns, (reply.text[:ECHOED], value)))
            if misfits == REASKS:
                dialect = dialect.lower or dialect
        raise ReplyInvalid(
            f"{self.name} gave no reply that fits {form.__name__} in {counted(asked, 'ask')}; the last: {value} "
            "Try a larger model, or larger max_tokens when replies were cut off"
        )

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The reply as prose, piece by piece; a kept one comes whole. Raises as `complete` does; ReplyInvalid when empty."""
        known = self.known_dialect
        prompt = self._capped(prompt, known)
        pieces: asyncio.Queue[str | None] = asyncio.Queue()
        work = asyncio.create_task(self._reply(prompt, None, known, pieces.put_nowait))
        work.add_done_callback(lambda _: pieces.put_nowait(None))
        heard = False
        try:
            while (piece := await pieces.get()) is not None:
                heard = True
                yield piece
            reply, _, dialect = await work
            self._remember(known, dialect)
            if not reply.text.strip():
                raise ReplyInvalid(
                    f"{self.name} replied with nothing ({reply.ended}): rephrase the question, or use another model"
                )
            if reply.ended == "length":
                note(f"the reply was cut off after {prompt.max_tokens} tokens")
            if not heard:
                yield reply.text
        finally:
            work.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await work

    def _remember(self, known: Dialect, dialect: Dialect) -> None:
        """Keep what was learnt of the endpoint; how much room one prompt left is none of that."""
        learnt = replace(dialect, room=None)
        if learnt != known:
            self.replies.learn(self.base_url, self.name, learnt)

    @property
    def _is_here(self) -> bool:
        """Whether the model runs on this machine, in an engine of ours."""
        return self.base_url.startswith(LOCAL)

    def _may_be_longer(self, prompt: Prompt, dialect: Dialect) -> bool:
        """Whether a reply may get a higher cap than it was cut off at: once, unless a user or the endpoint set the cap. One of a
        model that runs here may not: its engine keeps it to the form, so it holds no thoughts and only repeats itself.
        """
        if self._is_here:
            return False
        allowed = dialect.longest is None or prompt.max_tokens < dialect.longest
        return allowed and not dialect.thinks and not self.settings.max_tokens

    def _capped(self, prompt: Prompt, dialect: Dialect) -> Prompt:
        """The prompt with the longest reply that is set for this model; room for thoughts where it is known to think."""
        if self.settings.max_tokens:
            return replace(prompt, max_tokens=self.settings.max_tokens)
        if dialect.thinks:
            return replace(prompt, max_tokens=max(prompt.max_tokens * RAISE, THOUGHTS))
        return prompt

    async def _reply(
        self, prompt: Prompt, schema: Any, dialect: Dialect, heard: Heard | None = None
    ) -> tuple[KeptReply, Prompt, Dialect]:
        """The reply to a prompt, kept or fetched; the prompt as it was shown, with less where the model's window has no room for
        all; and the dialect in which it was taken.
        """
        place = endpoint(self.address, self.limits)
        windows = Windows(place) if dialect.llama_cpp else None
        if windows and dialect.window is None:
            dialect = replace(dialect, window=await windows.window())
        window = dialect.window
        given = whole = prompt
        long: Overflow | None = None
        while True:
            fit = Fitted(whole, dialect.room)
            if window is not None:
                # one that was refused is counted, whatever it is about
                about = None if long else counter(None, schema, dialect, self.settings)
                count = counter(windows, schema, dialect, self.settings)
                fit = await fitted(whole, window, about, count, self.name)
            if long is not None and fit.prompt == prompt:
                whole, long = _halved(prompt, long), None
                continue
            prompt, dialect = fit.prompt, replace(dialect, room=fit.room)
            request = request_of(prompt, schema, self.settings)
            caller = self._caller(prompt, request)

            async def send(request: Request = request, caller: Caller = caller) -> KeptReply:
                nonlocal dialect
                reply, dialect = await place.fetch(request, caller, dialect, heard)
                return reply

            try:
                key = key_of([self.base_url, self.name, request.content()])
                reply, sent = await self.replies.once(key, self.name, send)
            except Overflow as error:
                dialect = replace(dialect, window=error.window or dialect.window)
                window, long = error.window or window, error
                continue
            if said := left_out(given, prompt, self.name):
                note(said)
            if not sent:
                return replace(reply, usage=Usage(), cost=Decimal(0)), prompt, dialect
            return reply, prompt, await self._after(reply, place, dialect)

    async def _after(self, reply: KeptReply, place: Endpoint, dialect: Dialect) -> Dialect:
        """What is known of the endpoint after a reply that was sent for: how fast it was; its window, if it can be asked."""
        if reply.speed:
            self.replies.timed(self.base_url, self.name, reply.speed)
        if not dialect.llama_cpp or place.window_asked:
            return dialect
        # once in each process: a server may be started again with another
        place.window_asked = True
        return replace(dialect, window=await Windows(place).window() or dialect.window)

    def _caller(self, prompt: Prompt, request: Request) -> Caller:
        """Who asks for a reply, with what is said until it comes: what is read, and about how long that takes."""
        speed = self.replies.speed(self.base_url, self.name)
        if speed is None and self.known_dialect.llama_cpp:
            speed = FIRST
        what = counted(len(prompt.context), prompt.unit) if prompt.context else ""
        left = speed.seconds(request.most_tokens() // 4) if speed else None
        progress, said = Progress(self.name, what, left=left), self.telemetry
        return Caller(self.name, self.price, self.ledger, self.patience, said, progress, speed)


def _halved(prompt: Prompt, error: Overflow) -> Prompt:
    """What to show of a prompt that the endpoint finds too long by its own count, whatever ours is: half of its context.

    Raises ModelError when there is nothing to leave out.
    """
    left = len(prompt.context) // 2
    if not left:
        why = f"{error}. Even {len(prompt.context)} pieces of context do not fit"
        raise ModelError(why) from error
    return replace(prompt, context=prompt.context[:left], examples=())
