"""Chat models of pydantic-ai that keep the total of the tokens which an endpoint reports.

Some endpoints count a model's thoughts neither within the reply nor by themselves: only the total has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_ai.models.openai import OpenAIChatModel, OpenAIStreamedResponse

if TYPE_CHECKING:
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletion, ChatCompletionChunk
    from pydantic_ai.usage import RequestUsage

TOTAL = "total_tokens"
"""The detail of a usage under which the total is kept."""


class WholeUsageModel(OpenAIChatModel):
    """A chat model whose usage has the total as a detail."""

    def _map_usage(self, response: ChatCompletion) -> RequestUsage:
        return _with_total(super()._map_usage(response), response.usage)

    @property
    def _streamed_response_cls(self) -> type[OpenAIStreamedResponse]:
        return _WholeUsageStream


class _WholeUsageStream(OpenAIStreamedResponse):
    def _map_usage(self, response: ChatCompletionChunk) -> RequestUsage:
        return _with_total(super()._map_usage(response), response.usage)


def _with_total(usage: RequestUsage, reported: CompletionUsage | None) -> RequestUsage:
    if reported is not None and isinstance(reported.total_tokens, int):
        usage.details[TOTAL] = reported.total_tokens
    return usage
