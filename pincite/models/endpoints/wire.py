"""Requests and replies in the terms of pydantic-ai, which speaks the OpenAI chat protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from pincite.models.endpoints.exchange import Request, with_schema_in_prompt
from pincite.models.endpoints.replies import KeptReply
from pincite.types import Usage

if TYPE_CHECKING:
    from pydantic_ai import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings

Heard = Callable[[str], None]
"""Takes the pieces of a reply as they come."""
LEAST_BYTES, MOST_TOKENS = 16, 10**9
"""An endpoint that counts fewer tokens than one per so many bytes, or so many, is not believed: no tokenizer does that."""


def sender(
    model: OpenAIChatModel, request: Request, refused: frozenset[str], telemetry: bool, heard: Heard | None
) -> Callable[[], Coroutine[Any, Any, ModelResponse]]:
    """What sends a request once, without the features that the endpoint has `refused`; with `heard` as a stream."""
    from pydantic_ai.direct import model_request, model_request_stream
    from pydantic_ai.models.instrumented import InstrumentationSettings

    messages, parameters = _put(request, native="response_format" not in refused)
    settings: OpenAIChatModelSettings = {"max_tokens": request.max_tokens}
    if "temperature" not in refused:
        settings["temperature"] = request.temperature
    spans = telemetry and InstrumentationSettings(include_content=False, include_binary_content=False)
    asked: dict[str, Any] = {"model_settings": settings, "model_request_parameters": parameters, "instrument": spans}
    if heard is None:
        return partial(model_request, model, messages, **asked)

    async def streamed() -> ModelResponse:
        async with model_request_stream(model, messages, **asked) as stream:
            async for event in stream:
                if piece := _piece(event):
                    heard(piece)
            return stream.get()

    return streamed


def reply_of(response: ModelResponse, request: Request) -> KeptReply:
    """A response as a reply; without usage when none was reported or it cannot be true."""
    from pydantic_ai.messages import TextPart, ToolCallPart

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    text = text.encode(errors="replace").decode()
    called = any(isinstance(part, ToolCallPart) for part in response.parts)
    ended = "tool_call" if called else response.finish_reason or "stop"
    took = response.usage
    usage = Usage(
        took.input_tokens or 0, took.output_tokens or 0, min(took.cache_read_tokens or 0, took.input_tokens or 0)
    )
    said = sum(len(message.text.encode()) for message in request.messages)
    believed = (
        usage.input
        and said <= usage.input * LEAST_BYTES
        and len(text.encode()) <= usage.output * LEAST_BYTES
        and max(usage.input, usage.output) < MOST_TOKENS
    )
    return KeptReply(text, ended, usage if believed else Usage())


def _put(request: Request, native: bool) -> tuple[list[ModelMessage], ModelRequestParameters]:
    """A request in pydantic-ai's terms; the schema beside the messages when the endpoint takes it there."""
    from pydantic_ai import BinaryContent, ModelRequest, ModelResponse
    from pydantic_ai.messages import SystemPromptPart, TextPart, UserPromptPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    parameters, messages = ModelRequestParameters(), request.messages
    if request.schema and native:
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", str(request.schema.get("title", "reply")))[:64]
        form = OutputObjectDefinition(dict(request.schema), name=name, strict=True)
        parameters = ModelRequestParameters(output_mode="native", output_object=form)
    elif request.schema:
        messages = with_schema_in_prompt(messages, request.schema)
    put: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            put.append(ModelResponse([TextPart(message.text)]))
        elif message.role == "system":
            put.append(ModelRequest([SystemPromptPart(message.text)]))
        else:
            pictures = [BinaryContent(png, media_type="image/png") for png in message.images]
            put.append(ModelRequest([UserPromptPart([message.text, *pictures] if pictures else message.text)]))
    return put, parameters


def _piece(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
    return ""
