"""Requests to an endpoint that are not chat: a JSON body is posted and its reply read, with the limits, the retries and the
ledger of chat requests.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pincite.errors import ModelError, ReplyInvalid
from pincite.models.endpoints.address import EndpointAddress
from pincite.models.endpoints.endpoint import Caller, Endpoint, Overflow, endpoint
from pincite.models.endpoints.endpoint_limits import Attempts, Limits, Patience
from pincite.models.endpoints.failures import Failure
from pincite.models.endpoints.wire import LEAST_BYTES, MOST_TOKENS
from pincite.models.text_parts import encodable
from pincite.storage.ledger import Ledger, Price, note
from pincite.types import Usage

T = TypeVar("T")

REASKS = 2
"""How often a reply that cannot be read is asked for again."""
SHORTEST = 16
"""A text of so few characters that is too long for an endpoint is not what it complains about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedModel:
    """What all models have that are posted to: the key's variable, price, limits, patience, and where requests are booked."""

    key: str = field(default="OPENAI_API_KEY", compare=False, repr=False)
    price: Price = field(default=Price(), compare=False, repr=False)
    limits: Limits = field(default=Limits(), compare=False, repr=False)
    patience: Patience = field(default=Patience(), compare=False, repr=False)
    ledger: Ledger = field(default_factory=Ledger, compare=False, repr=False)

    async def post(
        self,
        url: str,
        body: Mapping[str, Any],
        sent: int,
        most: int,
        read: Callable[[Any], Sequence[T]],
    ) -> Sequence[T]:
        """Post `body` until a reply comes that `read` takes; it raises ValueError for what is off.

        The body holds the model's name and `sent` bytes of text, which are at most `most` tokens, or pictures of about so many.
        Tries again as the patience has it, and at most twice for a reply that cannot be read, which then is ReplyInvalid.
        Raises Overflow when the texts are too long, BudgetSpent before money runs out, ModelUnreachable when every try failed,
        and ModelError when the endpoint turned the request down or fails on it.
        """
        base, _, path = url.rpartition("/")
        place = endpoint(EndpointAddress(base, self.key), self.limits)
        caller = Caller(body["model"], self.price, self.ledger, self.patience)
        unread, where = 0, f"{caller.name} at {url}"
        attempts = Attempts(where, caller.patience)
        while True:
            outcome = await _try(place, f"/{path}", body, caller, sent, most, read)
            if not isinstance(outcome, Failure):
                return outcome
            if outcome.todo == "less":
                raise Overflow(f"the request is too long for {where}: {outcome.why}")
            if outcome.feature == _READING:
                unread += 1
                if unread > REASKS:
                    raise ReplyInvalid(
                        f"{where} gave {unread} replies that cannot be read; the last: {outcome.why}. Check that this is the "
                        "address and the name of such a model"
                    )
            elif outcome.todo != "again":
                raise ModelError(f"{where} turned the request down: {outcome.why}")
            await attempts.pause(outcome)


async def in_parts(
    texts: Sequence[str],
    ask: Callable[[Sequence[str]], Awaitable[Sequence[T]]],
    join: Callable[[T, T], T],
    name: str,
) -> list[T]:
    """What `ask` gives for each of the texts: in halves when they are too long together.

    Of a text that is too long by itself each half is asked for, and `join` makes one of the two; a note says so.
    """
    try:
        return list(await ask(texts))
    except Overflow:
        if len(texts) > 1:
            half = len(texts) // 2
            first = await in_parts(texts[:half], ask, join, name)
            return [*first, *await in_parts(texts[half:], ask, join, name)]
        (text,) = texts
        if len(text) <= SHORTEST:
            raise
        note(f"a text of {len(text)} characters was read in two halves to fit {name}")
        # cut at the blank that is nearest to the middle from the left
        middle = len(text) // 2
        at = text.rfind(" ", middle // 2, middle)
        at = at if at > 0 else middle
        return [join(*await in_parts((text[:at], text[at:]), ask, join, name))]


def most_tokens(texts: Sequence[str]) -> int:
    """The most tokens that texts can be: one for each byte, and a few that mark where a text begins and ends."""
    return sum(len(text.encode()) + 8 for text in texts)


def sendable(text: str) -> str:
    """The text as endpoints take it: half a surrogate pair replaced, and never empty, which most turn down."""
    return encodable(text) if text.strip() else "."


def by_index(items: Any, count: int) -> list[Mapping[str, Any]]:
    """The `count` objects of a reply in the order of their `index`, however they came; ValueError when they are not these."""
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise ValueError("no list of results")
    at = [item.get("index") for item in items]
    if {*map(type, at)} - {int} or sorted(at) != list(range(count)):
        raise ValueError(f"{len(items)} results for {count} texts, with the indices {at[:8]}")
    return sorted(items, key=lambda item: int(item["index"]))


def number(value: Any) -> float:
    """A finite number of a reply; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} where a number belongs")
    return float(value)


_READING = "reading"


async def _try(
    place: Endpoint,
    path: str,
    body: Mapping[str, Any],
    caller: Caller,
    sent: int,
    most: int,
    read: Callable[[Any], Sequence[T]],
) -> Sequence[T] | Failure:
    """Post once."""
    async with place.paid(caller, Usage(most)) as bill:
        try:
            async with asyncio.timeout(caller.patience.timeout):
                said = await place.client.post(path, cast_to=object, body=dict(body))
        except Exception as error:
            return bill.failed(_as_known(error, caller.name))
        took = _tokens(said)
        if 0 < took <= MOST_TOKENS and sent <= took * LEAST_BYTES:
            bill.took(Usage(took))
        try:
            return read(said)
        except (ValueError, TypeError, KeyError) as error:
            return Failure("again", str(error), True, None, _READING, bill.seconds)


def _tokens(said: Any) -> int:
    """The tokens that a reply reports, as OpenAI and Jina (usage) or Cohere (meta.tokens) do; 0 when none."""
    held = said if isinstance(said, Mapping) else {}
    meta = held.get("meta")
    for part in (held.get("usage"), meta.get("tokens") if isinstance(meta, Mapping) else None):
        for name in ("prompt_tokens", "input_tokens", "total_tokens"):
            count = part.get(name) if isinstance(part, Mapping) else None
            if isinstance(count, int) and not isinstance(count, bool) and count > 0:
                return count
    return 0


def _as_known(error: Exception, name: str) -> Exception:
    """An exception of the client in the terms of pydantic-ai, which `failure_of` reads."""
    import openai
    from pydantic_ai import exceptions

    known = error
    match error:
        case openai.APIStatusError():
            category: Any = {
                401: exceptions.ModelAuthenticationError, 403: exceptions.ModelAuthenticationError,
                402: exceptions.ModelQuotaExceededError, 404: exceptions.ModelNotFoundError,
            }.get(error.status_code)  # fmt: skip
            if error.code == "insufficient_quota":
                category = exceptions.ModelQuotaExceededError
            known = exceptions.ModelHTTPError.for_category(
                category,
                status_code=error.status_code,
                model_name=name,
                body=error.response.text if error.body is None else error.body,
                headers=dict(error.response.headers),
            )
        case openai.APITimeoutError():
            known = TimeoutError()
        case openai.APIConnectionError():
            cause = error.__cause__
            never_sent = type(cause).__name__ in ("ConnectError", "ConnectTimeout", "PoolTimeout")
            phase: Any = "connect" if never_sent else None
            known = exceptions.ModelConnectionError(name, str(cause or error.message), phase=phase)
    if known is not error:
        known.__cause__ = error
    return known
