"""Requests and replies in the terms of pydantic-ai, which speaks the OpenAI chat protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.exchange import Request, with_schema_in_prompt
from pincite.models.endpoints.replies import KeptReply
from pincite.models.text_parts import encodable
from pincite.ports import TokenChoice
from pincite.types import Usage

if TYPE_CHECKING:
    from pydantic_ai import ModelMessage, ModelResponse
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings

Heard = Callable[[str], None]
"""Takes the pieces of a reply as they come."""
LEAST_BYTES, MOST_TOKENS = 16, 10**9
"""An endpoint that counts fewer tokens than one per so many bytes, or so many, is not believed: no tokenizer does that."""
NEVER = 86_400.0
"""The client's own limit of seconds between two parts of a reply: how long a request may be silent is watched in `silence.py`."""
RIVALS = 5
"""Tokens at each place whose log-probabilities are asked for: some endpoints give no more."""
CUT_BYTES, LONG_PROMPT = 10, 8192
"""A prompt of so many bytes of which fewer tokens were counted than one per ten bytes was cut on the way."""


def sender(
    model: OpenAIChatModel,
    request: Request,
    dialect: Dialect,
    telemetry: bool,
    heard: Heard | None,
) -> Callable[[], Coroutine[Any, Any, ModelResponse]]:
    """What sends a request once, in the endpoint's dialect: as a stream, unless it has none. `heard` gets its pieces."""
    from pydantic_ai.direct import model_request, model_request_stream
    from pydantic_ai.models.instrumented import InstrumentationSettings

    from pincite.models.endpoints.streamed_chat import NotStreamed, close_reader

    messages = _messages(request, dialect)
    hidden: dict[str, Any] = {"include_content": False, "include_binary_content": False}
    asked: dict[str, Any] = {
        "model_settings": _settings(request, dialect),
        "model_request_parameters": _parameters(request, dialect),
        "instrument": telemetry and InstrumentationSettings(**hidden),
    }
    if not dialect.streams:
        return partial(model_request, model, messages, **asked)

    async def streamed() -> ModelResponse:
        try:
            async with model_request_stream(model, messages, **asked) as stream:
                async for event in stream:
                    if heard is not None and (piece := _piece(event)):
                        heard(piece)
                return stream.get()
        except NotStreamed as whole:
            return whole.response
        finally:
            await close_reader()

    return streamed


def reply_of(response: ModelResponse, request: Request) -> KeptReply:
    """A response as a reply; without usage when none was reported or it cannot be true."""
    text = _reply_text(response, request)
    usage = _usage(response)
    believed = (
        usage.input
        and _bytes(request) <= usage.input * LEAST_BYTES
        and len(text.encode()) <= usage.output * LEAST_BYTES
        and max(usage.input, usage.output) < MOST_TOKENS
    )
    usage = usage if believed else Usage()
    details = response.provider_details or {}
    tokens = tuple(map(_token, details.get("logprobs") or ()))
    timed = "timings" in details
    return KeptReply(text, _end_reason(response, text), usage, tokens=tokens, timed=timed)


def _token(token: Mapping[str, Any]) -> TokenChoice:
    """One token, with its own log-probability and those of the tokens that it was chosen from."""
    rivals = (*(token["top_logprobs"] or ()), token)
    return TokenChoice(token["token"], {each["token"]: float(each["logprob"]) for each in rivals})


def tokens_missing(response: ModelResponse, request: Request) -> tuple[int, int] | None:
    """The tokens counted of a prompt that was cut on the way, and about how many it has; None when nothing says it was."""
    counted, sent = response.usage.input_tokens or 0, _bytes(request)
    cut = counted and sent > LONG_PROMPT and counted * CUT_BYTES < sent
    return (counted, sent // 4) if cut else None


def _reply_text(response: ModelResponse, request: Request) -> str:
    """The text of a reply: its words, the form as a tool was given it, or the thoughts of a model that put all of it there."""
    from pydantic_ai.messages import TextPart, ThinkingPart, ToolCallPart

    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if request.schema and len(calls) == 1 and calls[0].tool_name == _form_name(request.schema):
        text = calls[0].args_as_json_str()
    elif not text.strip() and not calls and response.finish_reason != "length":
        text = "".join(part.content for part in response.parts if isinstance(part, ThinkingPart))
    return encodable(text)


def _end_reason(response: ModelResponse, text: str) -> str:
    """Why a reply ended; "tool_call" when it called tools and said nothing that could be read."""
    from pydantic_ai.messages import ToolCallPart

    ended = response.finish_reason or "stop"
    called = any(isinstance(part, ToolCallPart) for part in response.parts)
    if called and not text.strip():
        return "tool_call"
    return "stop" if ended == "tool_call" else ended


def _usage(response: ModelResponse) -> Usage:
    """The tokens that were counted; the thoughts are part of the output, also where the endpoint counts them apart: more of
    them than the reply has, or a total that is more than what was read and written.
    """
    took, details = response.usage, response.usage.details or {}
    read, written = took.input_tokens or 0, took.output_tokens or 0
    beside, thought = details.get("total_tokens", 0) - read, details.get("reasoning_tokens", 0)
    if beside > written:
        written = beside
    elif thought > written:
        written += thought
    return Usage(read, written, min(took.cache_read_tokens or 0, read))


def _bytes(request: Request) -> int:
    return sum(len(message.text.encode()) for message in request.messages)


def _form_name(schema: Mapping[str, Any]) -> str:
    """The title of a form as endpoints take it for a name."""
    return re.sub(r"[^A-Za-z0-9_-]+", "_", str(schema.get("title", "reply")))[:64]


def _settings(request: Request, dialect: Dialect) -> OpenAIChatModelSettings:
    """What is sent beside the messages and the form."""
    settings: OpenAIChatModelSettings = {"max_tokens": request.max_tokens, "timeout": NEVER}
    if dialect.temperature and request.temperature is not None:
        settings["temperature"] = request.temperature
    if request.reasoning_effort:
        settings["openai_reasoning_effort"] = request.reasoning_effort  # type: ignore[typeddict-item]
    if request.logprobs and dialect.logprobs:
        settings |= {"openai_logprobs": True, "openai_top_logprobs": RIVALS}
    body: dict[str, Any] = {}
    if request.schema and dialect.structure == "object":
        body["response_format"] = {"type": "json_object"}
    if dialect.llama_cpp and dialect.streams:
        body["return_progress"] = True
    if body := {**body, **request.extra_body}:
        settings["extra_body"] = body
    return settings


def _parameters(request: Request, dialect: Dialect) -> ModelRequestParameters:
    """How the form is asked for, beside the messages."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    if request.schema is None:
        return ModelRequestParameters()
    schema, name = dict(request.schema), _form_name(request.schema)
    match dialect.structure:
        case "native":
            form = OutputObjectDefinition(schema, name=name, strict=True)
            return ModelRequestParameters(output_mode="native", output_object=form)
        case "tool":
            told = "Gives the filled-in form."
            tool = ToolDefinition(
                name=name, parameters_json_schema=schema, description=told, kind="output"
            )
            return ModelRequestParameters(
                output_mode="tool", output_tools=[tool], allow_text_output=False
            )
    return ModelRequestParameters()


def _messages(request: Request, dialect: Dialect) -> list[ModelMessage]:
    """The messages in pydantic-ai's terms, with the schema among the rules where the endpoint may not heed it elsewhere."""
    from pydantic_ai import BinaryContent, ModelRequest, ModelResponse
    from pydantic_ai.messages import SystemPromptPart, TextPart, UserPromptPart

    messages = request.messages
    if request.schema and dialect.described:
        messages = with_schema_in_prompt(messages, request.schema)
    put: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            put.append(ModelResponse([TextPart(message.text)]))
        elif message.role == "system":
            put.append(ModelRequest([SystemPromptPart(message.text)]))
        else:
            pictures = [BinaryContent(png, media_type="image/png") for png in message.images]
            said = UserPromptPart([message.text, *pictures] if pictures else message.text)
            put.append(ModelRequest([said]))
    return put


def _piece(event: object) -> str:
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    match event:
        case (
            PartStartEvent(part=TextPart(content=text))
            | PartDeltaEvent(delta=TextPartDelta(content_delta=text))
        ):
            return text
    return ""
