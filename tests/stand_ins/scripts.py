"""Scripts for the scripted server: what a model is asked, what it replies, and ready-made scripts.

A script is a function from `Asked` to `Reply`. An oracle, which answers a form from the question and context it was
sent, is `oracle` around a function that gives the fields it knows:

    def answer(asked: Asked) -> dict[str, object] | None:
        return {"value": "42", "pages": [3]} if "headcount" in asked.text else None

    with ScriptedServer(oracle(answer)) as server:
        ...  # a client of server.url
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from pincite.models.recording_model import least_value, resolved
from pincite.types import Usage


@dataclass(frozen=True)
class Asked:
    """One request: its JSON `body`, the last part of its path (`kind`), and what came before it.

    `number` counts the earlier requests with this very body, `index` all earlier chat requests.
    """

    body: Mapping[str, Any]
    kind: str = "completions"
    number: int = 0
    index: int = 0

    @cached_property
    def key(self) -> str:
        """Identifies the body: requests are the same when nothing in their JSON differs."""
        canonical = json.dumps(self.body, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode(errors="surrogatepass")).hexdigest()[:32]

    @property
    def model(self) -> str:
        """The model's name."""
        return str(self.body.get("model", ""))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages as they were sent."""
        return list(self.body.get("messages", ()))

    @property
    def stream(self) -> bool:
        """Whether the reply is to come piece by piece."""
        return bool(self.body.get("stream"))

    @property
    def max_tokens(self) -> int | None:
        """The most tokens the reply may have, None for any number."""
        limit = self.body.get("max_completion_tokens") or self.body.get("max_tokens")
        return None if limit is None else int(limit)

    @property
    def temperature(self) -> float:
        """The temperature, 1 when none was sent."""
        return float(self.body.get("temperature", 1.0))

    def said(self, *roles: str) -> str:
        """The texts of all messages of these roles, of any role when none is named, a blank line between them."""
        return "\n\n".join(
            _text(message)
            for message in self.messages
            if not roles or message.get("role") in roles
        )

    @property
    def text(self) -> str:
        """The texts of all messages."""
        return self.said()

    @property
    def turns(self) -> int:
        """How many of the messages are earlier replies: 0 on the first ask, 1 on the first re-ask."""
        return sum(message.get("role") == "assistant" for message in self.messages)

    @property
    def native(self) -> dict[str, Any] | None:
        """The JSON schema of `response_format`, if there is one."""
        form = self.body.get("response_format") or {}
        if form.get("type") != "json_schema":
            return None
        schema: dict[str, Any] = form["json_schema"]["schema"]
        return schema

    @property
    def tool(self) -> tuple[str, dict[str, Any]] | None:
        """The name and the schema of the first tool, if there is one."""
        tools = self.body.get("tools") or [None]
        return (
            (tools[0]["function"]["name"], tools[0]["function"]["parameters"])
            if tools[0]
            else None
        )

    @cached_property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema the reply must fit: of `response_format`, of the tool, or the largest that stands in the messages."""
        if self.native is not None:
            return self.native
        if self.tool is not None:
            return self.tool[1]
        found = [
            schema
            for schema in _objects(self.said("system", "developer", "user"))
            if "properties" in schema
        ]
        return max(found, key=lambda candidate: len(json.dumps(candidate)), default=None)

    @cached_property
    def tokens(self) -> int:
        """The tokens of the request by the server's own rule: 4 a message, and 1 for each 4 bytes of it and of the schema."""
        texts = [
            message["content"] if isinstance(message.get("content"), str) else json.dumps(message)
            for message in self.messages
        ]
        form = self.body.get("response_format")
        return sum(4 + count(text) for text in texts) + (count(json.dumps(form)) if form else 0)


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server does with a request.

    With status 200, `content` is the assistant's text, or a value that is sent as JSON text. With any other, a mapping
    is the JSON body (`failure` makes one) and a text is the body as it is. Nothing is sent before `delay` seconds; the
    body is then spread over `pace` seconds. With `alive` a stream begins at once, and has a comment every so many seconds
    until the delay is over. The manner "cut" closes the connection in the middle of the body, "drop" before its first byte,
    and "stall" keeps it open in the middle and says no more; HANG drops never. `usage` is counted by the server's rule when it
    is None; `thoughts` go into a field of their own, `reasoning_content`; `tool_calls` are (name, arguments) pairs. `recorded`
    is the whole body of a chat reply as some server sent it, in the place of one that is made of the rest. `tokens` are the
    text's tokens with the log-probabilities of their candidates, which are sent only where they are asked for.
    """

    content: str | Mapping[str, Any] | Sequence[Any] = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0.0
    pace: float = 0.0
    alive: float = 0.0
    manner: Literal["whole", "cut", "drop", "stall"] = "whole"
    finish: str = "stop"
    refusal: str = ""
    thoughts: str = ""
    tool_calls: tuple[tuple[str, str], ...] = ()
    usage: Usage | None = field(default=None)
    recorded: Mapping[str, Any] | None = field(default=None)
    tokens: tuple[tuple[str, Mapping[str, float]], ...] = ()

    @property
    def text(self) -> str:
        """The content as text."""
        return (
            self.content
            if isinstance(self.content, str)
            else json.dumps(self.content, ensure_ascii=False)
        )

    @property
    def fields(self) -> dict[str, Any] | None:
        """The content as a JSON object, if it is one."""
        try:
            content = json.loads(self.text)
        except ValueError:
            return None
        return content if isinstance(content, dict) else None


Script = Callable[[Asked], Reply]
HANG = Reply(delay=math.inf, manner="drop")


def count(text: str) -> int:
    """Tokens of a text by the server's own rule: one for every 4 bytes of UTF-8, rounded up."""
    return -(-len(text.encode(errors="surrogatepass")) // 4)


def failure(
    status: int, message: str, code: str | None = None, param: str | None = None, **headers: str
) -> Reply:
    """An error as the OpenAI API words it; a header is given as `retry_after="2"`."""
    error = {
        "message": message,
        "type": "invalid_request_error" if status < 429 else "server_error",
    }
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply({"error": {**error, "param": param, "code": code}}, status=status, headers=named)


# scripts ------------------------------------------------------------------------------------------------------------


def constant(reply: Reply | str | Mapping[str, Any]) -> Script:
    """Always the same reply."""
    always = _reply(reply)
    return lambda asked: always


def sequence(*replies: Reply | str | Mapping[str, Any]) -> Script:
    """The first request gets the first reply, and so on; when they run out the last is repeated."""
    all_of_them = [_reply(reply) for reply in replies]
    return lambda asked: all_of_them[min(asked.index, len(all_of_them) - 1)]


def minimal(asked: Asked) -> Reply:
    """Fills the schema that was asked for with as little as it allows; "ok" when none was."""
    return Reply("ok" if asked.schema is None else least_value(asked.schema))


def oracle(answer: Callable[[Asked], Mapping[str, Any] | str | None]) -> Script:
    """Fills the schema with the fields that `answer` gives.

    The fields that the schema requires and `answer` does not give are filled as by `minimal`, and those that the schema
    does not have are left out, so one oracle serves several forms. A text is replied as it is; None is `minimal`.
    """

    def script(asked: Asked) -> Reply:
        fields = answer(asked)
        if fields is None:
            return minimal(asked)
        if isinstance(fields, str) or asked.schema is None:
            return _reply(fields)
        base, has = (
            least_value(asked.schema),
            resolved(asked.schema, asked.schema).get("properties", {}),
        )
        return Reply({**base, **{name: value for name, value in fields.items() if name in has}})

    return script


def known(answers: Mapping[str, Mapping[str, Any] | str]) -> Script:
    """An oracle that has its fields by question: those of the longest question that the user's messages hold."""
    longest_first = sorted(answers, key=len, reverse=True)

    def answer(asked: Asked) -> Mapping[str, Any] | str | None:
        text = asked.said("user")
        return next((answers[known] for known in longest_first if known in text), None)

    return oracle(answer)


def altered(
    script: Script, change: Callable[[Asked, dict[str, Any]], Mapping[str, Any]]
) -> Script:
    """The script with its JSON replies changed: `altered(right, lambda asked, it: {**it, "pages": [999]})`."""

    def altering(asked: Asked) -> Reply:
        reply = script(asked)
        fields = reply.fields
        return (
            reply
            if fields is None or reply.status != 200
            else replace(reply, content=change(asked, fields))
        )

    return altering


def delayed(script: Script, seconds: float) -> Script:
    """Every reply of the script, `seconds` later."""

    def later(asked: Asked) -> Reply:
        reply = script(asked)
        return replace(reply, delay=reply.delay + seconds)

    return later


def strict(script: Script) -> Script:
    """An endpoint that has no structured output: it refuses every request with a `response_format`."""
    no = failure(
        400,
        "'response_format' of type 'json_schema' is not supported with this model.",
        param="response_format",
    )
    return lambda asked: no if asked.body.get("response_format") else script(asked)


# (status, code, message) by endpoint
OVERFLOWS = {
    "openai": (
        400,
        "context_length_exceeded",
        "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. "
        "Please reduce the length of the messages.",
    ),
    "vllm": (
        400,
        None,
        "The decoder prompt (length {tokens}) is longer than the maximum model length of {limit}.",
    ),
    "gemini": (
        400,
        "INVALID_ARGUMENT",
        "The input token count ({tokens}) exceeds the maximum number of tokens allowed ({limit}).",
    ),
    "mistral": (
        400,
        "3051",
        "Prompt contains {tokens} tokens, too large for model with {limit} maximum context length",
    ),
    "llama.cpp": (
        400,
        "exceed_context_size_error",
        "the request exceeds the available context size, try increasing it",
    ),
    "anthropic": (400, None, "prompt is too long: {tokens} tokens > {limit} maximum"),
    "proxy": (413, None, "Request too large: {tokens} tokens, limit {limit}"),
}


def overflowing(script: Script, limit: int, spelling: str = "openai") -> Script:
    """An endpoint with a window of `limit` tokens by the server's rule, which words its refusal as one of OVERFLOWS."""
    status, code, message = OVERFLOWS[spelling]

    def script_with_window(asked: Asked) -> Reply:
        if asked.tokens <= limit:
            return script(asked)
        return failure(status, message.format(limit=limit, tokens=asked.tokens), code)

    return script_with_window


# JSON schemas -------------------------------------------------------------------------------------------------------


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects that stand in a text."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
            yield found
        except ValueError:
            end = at + 1
        at = text.find("{", end)


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return (
        content
        if isinstance(content, str)
        else "\n".join(part.get("text", "") for part in content)
    )


def _reply(reply: Reply | str | Mapping[str, Any]) -> Reply:
    return reply if isinstance(reply, Reply) else Reply(reply)
