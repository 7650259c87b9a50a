"""Models that record what they are asked: one whose replies are kept too, and one that is never asked."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite.models.endpoints.exchange import request_of, schema_of, with_schema_in_prompt
from pincite.models.endpoints.replies import key_of
from pincite.ports import Completion, Model, Prompt, T, Windowed

BYTES = 4
"""Bytes of text that are taken for one token."""


@dataclass(frozen=True, slots=True)
class Overheard:
    """`model`, with each (prompt, form, completion) in `calls`, in the order of the replies; failed calls are left out."""

    model: Model
    calls: list[tuple[Prompt, str, Completion[Any]]] = field(
        default_factory=list, compare=False, repr=False
    )

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def context_length(self) -> int | None:
        """That of the model."""
        return self.model.context_length if isinstance(self.model, Windowed) else None

    def spelled(self) -> str:
        """The model's name."""
        return self.model.name

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Ask the model."""
        made = await self.model.complete(prompt, form)
        self.calls.append((prompt, form.__name__, made))
        return made

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """Ask the model."""
        return self.model.stream(prompt)


@dataclass(frozen=True, slots=True)
class Call:
    """What would have been asked: for which form, about what, and in about how many tokens. Equal requests have equal keys."""

    key: str
    model: str
    form: str
    question: str
    tokens: int


@dataclass(frozen=True, slots=True)
class DryModel:
    """The model `name` for a dry run, which replies with as little as a form allows; `calls` are what it was asked, in order.

    With `described` the schema of a form would stand in the prompt too, as `Dialect` says.
    """

    name: str
    calls: list[Call] = field(default_factory=list, compare=False, repr=False)
    described: bool = True

    def spelled(self) -> str:
        """The model's name."""
        return self.name

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Fill in `form` with N/A; pages are judged to be of no use."""
        request = request_of(prompt, schema_of(form))
        messages = request.messages
        if request.schema and self.described:
            messages = with_schema_in_prompt(messages, request.schema)
        said = sum(len(message.text.encode()) for message in messages) + len(str(request.schema))
        key = key_of([self.name, request.content()])
        question = prompt.question.partition("\n")[0]
        self.calls.append(Call(key, self.name, form.__name__, question, -(-said // BYTES)))
        filled: dict[str, Any] = least_value(schema_of(form))
        if "value" in form.model_fields:
            filled["value"] = "N/A"
        if "judgements" in form.model_fields:
            pieces = range(1, len(prompt.context) + 1)
            filled["judgements"] = [{"piece": at, "relevance": 0.0} for at in pieces]
        return Completion(form.model_validate(filled), shown=len(prompt.context))

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """Nothing."""
        return
        yield


def least_value(schema: Mapping[str, Any]) -> Any:
    """The least value that fits a JSON schema: null, zero, nothing; the first of several; required fields alone."""
    return _least(schema, schema)


def _least(part: Mapping[str, Any], whole: Mapping[str, Any]) -> Any:
    part = resolved(part, whole)
    for given in ("default", "const"):
        if given in part:
            return part[given]
    if "enum" in part:
        return part["enum"][0]
    options = part.get("anyOf") or part.get("oneOf")
    if options:
        return None if {"type": "null"} in options else _least(options[0], whole)
    kinds = part.get("type", "object")
    match kinds if isinstance(kinds, str) else "null" if "null" in kinds else kinds[0]:
        case "object":
            fields, required = part.get("properties", {}), part.get("required", ())
            return {name: _least(fields.get(name, {}), whole) for name in required}
        case "array":
            return [_least(part.get("items", {}), whole) for _ in range(part.get("minItems", 0))]
        case "integer" | "number":
            least = part.get("minimum", part.get("exclusiveMinimum", -1) + 1)
            return min(max(0, least), part.get("maximum", math.inf))
        case "string":
            return "x" * part.get("minLength", 0)
        case "boolean":
            return False
    return None


def resolved(part: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    """The part of a schema with its reference followed."""
    while "$ref" in part:
        place: Any = whole
        for step in part["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        part = place
    return part
