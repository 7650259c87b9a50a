"""Requests to an endpoint that are not chat: a JSON body is posted and its reply read, with the limits, the retries and the
ledger of chat requests.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeVar

from pincite.errors import ModelError, ReplyInvalid
from pincite.ledger import note
from pincite.models.endpoints.attempts import Attempts
from pincite.models.endpoints.endpoint import Caller, Endpoint, Overflow, reserved
from pincite.models.endpoints.failures import Failure, failure_of
from pincite.models.endpoints.wire import LEAST_BYTES, MOST_TOKENS
from pincite.types import Usage

T = TypeVar("T")

REASKS = 2
"""How often a reply that cannot be read is asked for again."""
SHORTEST = 16
"""A text of so few characters that is too long for an endpoint is not what it complains about."""


async def post(
    place: Endpoint,
    path: str,
    body: Mapping[str, Any],
    caller: Caller,
    sent: int,
    most: int,
    read: Callable[[Any], Sequence[T]],
) -> Sequence[T]:
    """Post `body` until a reply comes that `read` takes; it raises ValueError for what is off.

    The body holds `sent` bytes of text, which are at most `most` tokens to the model, or pictures of about so many.

    Tries again as the caller's patience has it, and at most twice for a reply that cannot be read, which then is
    ReplyInvalid. Raises Overflow when the texts are too long, BudgetSpent before money runs out, ModelUnreachable when
    every try failed, and ModelError when the endpoint turned the request down or fails on it.
    """
    unread = 0
    where = f"{caller.name} at {place.address.base_url}{path}"
    attempts = Attempts(where, caller.patience)
    while True:
        outcome = await _try(place, path, body, caller, sent, most, read)
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
            return [
                *await in_parts(texts[:half], ask, join, name),
                *await in_parts(texts[half:], ask, join, name),
            ]
        (text,) = texts
        if len(text) <= SHORTEST:
            raise
        note(f"a text of {len(text)} characters was read in two halves to fit {name}")
        first, second = await in_parts(_halves(text), ask, join, name)
        return [join(first, second)]


def _halves(text: str) -> tuple[str, str]:
    """The text cut at the blank that is nearest to its middle from the left, or there where it has none."""
    middle = len(text) // 2
    at = text.rfind(" ", middle // 2, middle)
    return (text[:at], text[at:]) if at > 0 else (text[:middle], text[middle:])


def most_tokens(texts: Sequence[str]) -> int:
    """The most tokens that texts can be: one for each byte, and a few that mark where a text begins and ends."""
    return sum(len(text.encode()) + 8 for text in texts)


def sendable(text: str) -> str:
    """The text as endpoints take it: half a surrogate pair replaced, and never empty, which most turn down."""
    return text.encode(errors="replace").decode() if text.strip() else "."


def by_index(items: Any, count: int) -> list[Mapping[str, Any]]:
    """The `count` objects of a reply in the order of their `index`, however they came; ValueError when they are not these."""
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise ValueError("no list of results")
    at = [item.get("index") for item in items]
    if any(isinstance(place, bool) or not isinstance(place, int) for place in at) or sorted(
        at
    ) != list(range(count)):
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
    """Post once, with the money for it reserved; what it took is booked however it ends."""
    amount, expected = caller.price.of(Usage(most)), most // 4
    client = place.client
    async with place.gate.enter(expected):
        hold = await reserved(caller, amount)
        started, usage, cost = time.monotonic(), Usage(), amount
        try:
            async with asyncio.timeout(caller.patience.timeout):
                said = await client.post(path, cast_to=object, body=dict(body))
            took = _tokens(said)
            if 0 < took <= MOST_TOKENS and sent <= took * LEAST_BYTES:
                usage = Usage(took)
                cost = caller.price.of(usage)
                place.gate.used(expected, took)
            try:
                return read(said)
            except (ValueError, TypeError, KeyError) as error:
                return Failure(
                    "again", str(error), True, None, _READING, time.monotonic() - started
                )
        except Exception as error:
            cost = Decimal(0)
            failure = failure_of(_as_known(error, caller.name), place.address)
            if failure.billed:
                cost = amount
            else:
                place.gate.used(expected, 0)
            return replace(failure, seconds=time.monotonic() - started)
        finally:
            caller.ledger.settle(hold, usage, cost, time.monotonic() - started)


def _tokens(said: Any) -> int:
    """The tokens that a reply reports, as OpenAI and Jina (usage) or Cohere (meta.tokens) do; 0 when none."""
    if not isinstance(said, Mapping):
        return 0
    usage, meta = said.get("usage"), said.get("meta")
    tokens = meta.get("tokens") if isinstance(meta, Mapping) else None
    given = [part for part in (usage, tokens) if isinstance(part, Mapping)]
    found = [
        part.get(name)
        for part in given
        for name in ("prompt_tokens", "input_tokens", "total_tokens")
    ]
    return next(
        (
            count_found
            for count_found in found
            if isinstance(count_found, int)
            and not isinstance(count_found, bool)
            and count_found > 0
        ),
        0,
    )


def _as_known(error: Exception, name: str) -> Exception:
    """An exception of the client in the terms of pydantic-ai, which `failure_of` reads."""
    import openai
    from pydantic_ai import exceptions

    known = error
    match error:
        case openai.APIStatusError():
            status, code = error.status_code, error.code
            category: Any = {
                401: exceptions.ModelAuthenticationError, 403: exceptions.ModelAuthenticationError,
                402: exceptions.ModelQuotaExceededError, 404: exceptions.ModelNotFoundError,
            }.get(status)  # fmt: skip
            if code == "insufficient_quota":
                category = exceptions.ModelQuotaExceededError
            body = error.body if error.body is not None else error.response.text
            headers = dict(error.response.headers)
            known = exceptions.ModelHTTPError.for_category(
                category, status_code=status, model_name=name, body=body, headers=headers
            )
        case openai.APITimeoutError():
            known = TimeoutError()
        case openai.APIConnectionError():
            cause = error.__cause__
            never_sent = type(cause).__name__ in ("ConnectError", "ConnectTimeout", "PoolTimeout")
            known = exceptions.ModelConnectionError(
                name, str(cause or error.message), phase="connect" if never_sent else None
            )
    if known is not error:
        known.__cause__ = error
    return known
