"""A model that is never asked: it records what it would be asked, and replies with as little as a form allows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from pincite.models.endpoints.exchange import request_of, schema_of, with_schema_in_prompt
from pincite.models.endpoints.replies import key_of
from pincite.ports import Completion, Prompt, T

BYTES = 4
"""Bytes of text that are taken for one token."""


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
    """The model `name` for a dry run; `calls` are what it was asked, in order.

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
        from pincite.models.least_value import least_value

        request = request_of(prompt, schema_of(form))
        messages = request.messages
        if request.schema and self.described:
            messages = with_schema_in_prompt(messages, request.schema)
        said = sum(len(message.text.encode()) for message in messages) + len(str(request.schema))
        key = key_of([self.name, request.content()])
        self.calls.append(
            Call(
                key,
                self.name,
                form.__name__,
                prompt.question.partition("\n")[0],
                -(-said // BYTES),
            )
        )
        filled: dict[str, Any] = least_value(schema_of(form))
        if "value" in form.model_fields:
            filled["value"] = "N/A"
        if "judgements" in form.model_fields:
            filled["judgements"] = [
                {"piece": at, "relevance": 0.0} for at in range(1, len(prompt.context) + 1)
            ]
        return Completion(form.model_validate(filled), shown=len(prompt.context))

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """Nothing."""
        return
        yield
