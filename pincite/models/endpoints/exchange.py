"""What is sent to a model for a prompt and a form, and how its reply is read: as the form, or as what is wrong with it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pincite.models.endpoints.replies import KeptReply
from pincite.models.text_parts import encodable
from pincite.ports import Prompt

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T", bound="BaseModel")

ECHOED = 4000
"""Characters of an unfit reply that are sent back with what is wrong with it."""
_IN_PROMPT = "Reply with one JSON object that fits the JSON schema below, and with nothing before or after it.\n"
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_THOUGHT = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What a model thought before it replied, also where the opening tag went to the prompt or was lost."""
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """One message of a chat; `images` are PNG files."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """All that decides a reply, whatever the endpoint's dialect. `schema` is None for prose.

    Without a `temperature` the endpoint's own holds; `reasoning_effort` and `extra_body` are sent as they are. `logprobs` asks
    for the log-probabilities of the reply's tokens.
    """

    messages: tuple[ModelMessage, ...]
    schema: Mapping[str, Any] | None
    temperature: float | None
    max_tokens: int
    run: int = 0
    reasoning_effort: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    logprobs: bool = False

    def content(self) -> Any:
        """The request as plain JSON values."""
        said = []
        for message in self.messages:
            images = [base64.b64encode(png).decode() for png in message.images]
            said.append([message.role, message.text, images])
        made: list[Any] = [said, self.schema, self.temperature, self.max_tokens, self.run]
        if self.reasoning_effort or self.extra_body:
            made += [self.reasoning_effort, dict(self.extra_body)]
        return [*made, "logprobs"] if self.logprobs else made

    def capped(self, most: int | None) -> Request:
        """The request for a reply of at most `most` tokens; None leaves it as it is."""
        return self if most is None or most >= self.max_tokens else replace(self, max_tokens=most)

    def most_tokens(self) -> int:
        """A bound on the tokens of the input: a token is a byte at least, and chat templates add some to each message.

        The schema counts twice, as endpoints write it out in full.
        """
        most = 64
        for message in self.messages:
            most += len(message.text.encode()) + 32
            most += sum(len(png) * 4 // 3 + 64 for png in message.images)
        if self.schema:
            most += 2 * len(json.dumps(self.schema, ensure_ascii=False).encode()) + 512
        return most


@dataclass(frozen=True, slots=True)
class ReplySettings:
    """What a user sets for all replies of one model, in the place of what each prompt asks for; None leaves it to the prompt.

    `max_tokens` is the longest reply, thoughts included. With `own_temperature` none is sent, so that the model's own holds.
    `reasoning_effort` is sent as it is, as are the fields of the JSON object `extra_body`.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    own_temperature: bool = False
    reasoning_effort: str = ""
    extra_body: str = "{}"


def request_of(
    prompt: Prompt,
    schema: Mapping[str, Any] | None,
    settings: ReplySettings = ReplySettings(),  # noqa: B008 - immutable
) -> Request:
    """The messages of a prompt: rules, then context and question, then earlier replies with what was wrong with each."""
    question, context = [prompt.question], list(prompt.context)
    blocks = context + question if prompt.context_first else question + context
    rules = "\n\n".join(filter(None, (prompt.system, *prompt.examples)))
    messages = [ModelMessage("system", encodable(rules))] if rules else []
    messages.append(ModelMessage("user", encodable("\n\n".join(blocks)), prompt.images))
    for reply, fault in prompt.turns:
        # endpoints turn down an empty message, and some a second one of the user in a row
        replied = encodable(reply) if reply.strip() else "(no reply)"
        messages += [ModelMessage("assistant", replied), ModelMessage("user", encodable(fault))]
    heat = prompt.temperature if settings.temperature is None else settings.temperature
    return Request(
        tuple(messages),
        schema,
        None if settings.own_temperature else heat,
        prompt.max_tokens,
        prompt.run,
        settings.reasoning_effort,
        json.loads(settings.extra_body),
        prompt.logprobs,
    )


def with_schema_in_prompt(
    messages: tuple[ModelMessage, ...], schema: Mapping[str, Any]
) -> tuple[ModelMessage, ...]:
    """The messages with the schema written into the rules, for an endpoint that takes none."""
    told = _IN_PROMPT + json.dumps(schema, ensure_ascii=False)
    if messages[0].role == "system":
        return (ModelMessage("system", f"{messages[0].text}\n\n{told}"), *messages[1:])
    return (ModelMessage("system", told), *messages)


@cache
def schema_of(form: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of a form."""
    return form.model_json_schema()


def read_reply(reply: KeptReply, form: type[T], max_tokens: int) -> T | str:
    """The reply as a form; or, for the model to read, what is wrong with it."""
    from pydantic import ValidationError

    if reply.ended == "tool_call":
        return "You called a tool. There are no tools here: reply with the JSON object itself."
    if reply.ended == "content_filter":
        return "Your reply was a refusal. Fill in the form from the context given; where it does not say, say so in the form."
    written = json_of(reply.text)
    if written is None and reply.ended == "length":
        return f"Your reply was cut off after {max_tokens} tokens. Reply again, much shorter, with the whole JSON object."
    if not reply.text.strip():
        return "Your reply was empty. Reply with one JSON object that fits the schema."
    if written is None:
        return "Your reply is not one valid JSON object. Reply with the object alone, complete, with no text around it."
    try:
        return form.model_validate_json(written)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(map(str, detail['loc'])) or 'the object'}: {detail['msg']}"
            for detail in error.errors()[:6]
        )
        return f"Your reply does not fit the schema: {wrong}. Reply with the whole corrected JSON object."


def json_of(text: str) -> str | None:
    """The one JSON object in a reply, through a code fence, prose around it and trailing commas; None when unclear.

    It is unclear when the first brace opens no whole object, when a second, different object follows, when a key
    stands twice in an object, or when it holds NaN or Infinity.
    """
    replied = _THOUGHT.sub("", text, count=1)
    text = replied if "{" in replied else text
    fenced = _FENCED.findall(text)
    if len(fenced) == 1 and fenced[0].lstrip().startswith("{"):
        text = fenced[0]
    start = text.find("{")
    if start < 0:
        return None
    plain = _TRAILING_COMMA.sub(lambda found: found[1] or "", text[start:])
    for candidate in (text[start:], plain):
        try:
            value, end = _DECODER.raw_decode(candidate)
        except (ValueError, RecursionError):
            continue
        return candidate[:end] if _alone(candidate[end:], value) else None
    return None


def _alone(rest: str, value: Any) -> bool:
    """Whether no other object follows."""
    start = rest.find("{")
    if start < 0:
        return True
    try:
        again, end = _DECODER.raw_decode(rest[start:])
    except (ValueError, RecursionError):
        return False
    return bool(again == value) and _alone(rest[start + end :], value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
