"""How many tokens a prompt has, and how many a model reads: what llama.cpp's server says, or about, by no tokenizer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint import Endpoint
from pincite.models.endpoints.exchange import (
    ModelMessage,
    ReplySettings,
    request_of,
    with_schema_in_prompt,
)
from pincite.models.endpoints.prompt_fit import Counted
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.ports import Prompt

IMAGE = 1_000
"""Tokens that a picture is taken for: models with eyes take 200 to 3,000."""
TEMPLATE = 8
"""Tokens that a chat template adds to a message at most, of those that are common."""


class Windows:
    """What the server of one endpoint says of its tokens; it is asked until it fails once."""

    def __init__(self, place: Endpoint) -> None:
        self._place = place

    async def window(self) -> int | None:
        """The tokens of a prompt and its reply together; None when the server does not say."""
        said = await self._asked("props", None)
        held = said.get("default_generation_settings") if said else None
        window = held.get("n_ctx") if isinstance(held, Mapping) else None
        return window if isinstance(window, int) and window > 0 else None

    async def messages(self, messages: tuple[ModelMessage, ...]) -> int | None:
        """The tokens of a chat as the model's template has it."""
        plain = [{"role": message.role, "content": message.text} for message in messages]
        said = await self._asked("apply-template", {"messages": plain})
        prompt = said.get("prompt") if said else None
        return await self.text(prompt) if isinstance(prompt, str) else None

    async def text(self, text: str) -> int | None:
        """The tokens of a text by itself."""
        said = await self._asked("tokenize", {"content": text, "parse_special": True})
        tokens = said.get("tokens") if said else None
        return len(tokens) if isinstance(tokens, list) else None

    async def _asked(self, what: str, body: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        from openai import OpenAIError

        client = self._place.client
        url = f"{str(client.base_url).rstrip('/').removesuffix('/v1')}/{what}"
        try:
            said = await (
                client.get(url, cast_to=object)
                if body is None
                else client.post(url, cast_to=object, body=dict(body))
            )
        except OpenAIError:
            return None
        return said if isinstance(said, Mapping) else None


def counter(
    windows: Windows | None,
    schema: Mapping[str, Any] | None,
    dialect: Dialect,
    settings: ReplySettings,
) -> Counted:
    """What counts a prompt's tokens: the server that reads it, or with none about."""

    async def count(prompt: Prompt) -> int:
        if not prompt.system and not prompt.question:
            text = "\n\n".join(prompt.context)
            exact = await windows.text(text) if windows else None
            return approximate(text) if exact is None else exact
        messages = request_of(prompt, None, settings).messages
        beside = IMAGE * len(prompt.images)
        if schema and dialect.described:
            messages = with_schema_in_prompt(messages, schema)
        elif schema and dialect.structure == "tool":
            beside += approximate(json.dumps(schema))
        exact = await windows.messages(messages) if windows else None
        if exact is not None:
            return exact + beside
        return sum(approximate(message.text) + TEMPLATE for message in messages) + beside

    return count


def approximate(text: str) -> int:
    """About how many tokens a text has."""
    return len(approximate_spans(text))
