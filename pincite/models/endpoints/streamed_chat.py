"""Chat models of pydantic-ai that tell the request which is waited for of every sign of life in its reply, and how far the prompt
is read; and that keep the total of the tokens which an endpoint reports.

Some endpoints count a model's thoughts neither within the reply nor by themselves: only the total has them.
"""

from __future__ import annotations

import json
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from openai.types.chat import ChatCompletion
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

from pincite.models.endpoints.silence import waited_for

if TYPE_CHECKING:
    from openai import AsyncStream
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletionChunk
    from pydantic_ai import ModelResponse
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModelSettings
    from pydantic_ai.usage import RequestUsage

TOTAL = "total_tokens"
"""The detail of a usage under which the total is kept."""
TIMINGS = "timings"
"""The detail of a reply under which llama.cpp's own measures are kept."""


_readers: ContextVar[tuple[AsyncGenerator[bytes, None], ...]] = ContextVar(
    "pincite_readers", default=()
)
"""What reads the bytes of the response that a task waits for, from the outside in."""


class NotStreamed(Exception):
    """An endpoint that was asked for a stream sent its reply in one piece: here it is."""

    def __init__(self, response: ModelResponse) -> None:
        super().__init__("not streamed")
        self.response = response


class StreamedChatModel(OpenAIChatModel):
    """A chat model whose usage has the total as a detail, and whose streams are listened to."""

    def _map_usage(self, response: ChatCompletion) -> RequestUsage:
        return _with_total(super()._map_usage(response), response.usage)

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _Stream

    async def _process_streamed_response(
        self,
        response: AsyncStream[ChatCompletionChunk],
        model_request_parameters: ModelRequestParameters,
        model_settings: OpenAIChatModelSettings | None = None,
    ) -> OpenAIStreamedResponse:
        came = response.response
        # on the one response: the client makes its own class of it, which is another with each of its versions
        parts = came.aiter_bytes()
        listened = _listened(parts)
        _readers.set((listened, parts))
        setattr(came, "aiter_bytes", lambda: listened)  # noqa: B010
        if "json" in came.headers.get("content-type", ""):
            raise NotStreamed(self._process_response(_whole(await came.aread())))
        return await super()._process_streamed_response(
            response, model_request_parameters, model_settings
        )


class _Stream(OpenAIStreamedResponse):
    def _map_usage(self, response: ChatCompletionChunk) -> RequestUsage:
        return _with_total(super()._map_usage(response), response.usage)

    def _map_chunk_provider_details(self, chunk: ChatCompletionChunk) -> dict[str, Any] | None:
        beside = chunk.model_extra or {}
        waited, read = waited_for(), beside.get("prompt_progress")
        if waited is not None and isinstance(read, dict):
            names = ("processed", "total", "cache", "time_ms")
            done, total, cached, taken = (int(read.get(name, 0)) for name in names)
            waited.read(done, total, cached, taken / 1000)
        elif waited is not None and chunk.choices and (delta := chunk.choices[0].delta):
            # a piece of the reply or of the thoughts before it, and not only the role of who speaks
            if any(delta.model_dump(exclude={"role"}, exclude_none=True).values()):
                waited.wrote()
        timings = beside.get(TIMINGS)
        return {TIMINGS: timings} if isinstance(timings, dict) else None


async def close_reader() -> None:
    """Close what read the task's response: a reader that is given up halfway would be cleared away later by whatever thread
    collects garbage, which Python complains of where the loop is at it too.
    """
    for reader in _readers.get():
        with suppress(Exception):
            await reader.aclose()
        await sleep(0)  # the readers inside are closed in turn


async def _listened(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The bytes of a response, each of them a sign of life."""
    waited = waited_for()
    async for part in parts:
        if waited is not None:
            waited.sign()
        yield part


def _whole(body: bytes) -> ChatCompletion:
    held = None
    with suppress(ValueError):
        held = json.loads(body)
    if not isinstance(held, dict):
        raise UnexpectedModelBehavior("the body is no JSON object")
    return ChatCompletion.construct(**held)


def _with_total(usage: RequestUsage, reported: CompletionUsage | None) -> RequestUsage:
    if reported is not None and isinstance(reported.total_tokens, int):
        usage.details[TOTAL] = reported.total_tokens
    return usage
