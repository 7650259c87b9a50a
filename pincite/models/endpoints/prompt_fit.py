"""What of a prompt is shown where a model's window does not hold all of it: the best of it, in the order of rank.

System and question are kept whole. Worked examples go, the last first, where they would take more than a third of the room for
what is read; then the pieces of context, the last first. The last that fits only in part ends at a line. Tokens are counted by
llama.cpp's server, or about, by no tokenizer.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pincite.errors import WindowTooSmall
from pincite.models.endpoints.dialect import Dialect
from pincite.models.endpoints.endpoint import Endpoint
from pincite.models.endpoints.exchange import (
    ModelMessage,
    ReplySettings,
    request_of,
    with_schema_in_prompt,
)
from pincite.models.endpoints.token_counts import approximate_spans
from pincite.ports import Prompt
from pincite.text.wording import counted

LEAST_REPLY = 256
"""Tokens of the shortest room for a reply: a short form with a quoted sentence has about 150."""
LEAST_SHOWN = 512
"""Where fewer tokens than these are left to show, the reply gets only its shortest room."""
REPLY_SHARE = 4
"""One part of so many of a window is left for the reply, where that asks for so much."""
EXAMPLES_SHARE = 3
"""One part of so many of what is left for examples and context may be examples."""
MOST = 2
"""A prompt has at most so many times the tokens that it has about: of a number each digit may be one."""
JOINED = 3
"""Tokens between two pieces at most, and what the counts of parts differ from the count of the whole."""

Counted = Callable[[Prompt], Awaitable[int]]
"""Counts the tokens of a prompt as it is sent: with its schema, and with what the model's template adds."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt as it is shown, and the longest reply that fits beside it, as far as that is known."""

    prompt: Prompt
    room: int | None


def reply_room(max_tokens: int, window: int) -> int:
    """The tokens that are kept free for a reply that may have `max_tokens`."""
    return min(max_tokens, max(LEAST_REPLY, window // REPLY_SHARE))


async def fitted(
    prompt: Prompt, window: int, about: Counted | None, count: Counted, name: str
) -> Fitted:
    """The prompt with as much of its examples and context as a window of so many tokens holds beside the reply.

    With `about` only a prompt that may be too long by that is counted by `count`, which may ask a server.
    Raises WindowTooSmall when the window does not hold system and question with a line of context and a short reply.
    """
    reply = reply_room(prompt.max_tokens, window)
    if about is not None:
        most = await about(prompt) * MOST
        if most + reply <= window:
            return Fitted(prompt, window - most)
    whole = await count(prompt)
    if whole + reply <= window:
        return Fitted(prompt, window - whole)
    bare = await count(replace(prompt, context=(), examples=()))
    free = window - reply - bare
    if free < LEAST_SHOWN:
        free = window - min(reply, LEAST_REPLY) - bare

    async def alone(*context: str) -> int:
        return await count(Prompt("", "", context)) + JOINED * len(context)

    examples = list(prompt.examples)
    taken = [await alone(text) for text in examples]
    while taken and sum(taken) > (free // EXAMPLES_SHARE if prompt.context else free):
        examples.pop()
        taken.pop()
    pieces = await _first_pieces(prompt.context, free - sum(taken), alone)
    if free < 0 or prompt.context and not pieces:
        raise WindowTooSmall(
            f"{name} reads {window:,} tokens, and the rules, the question and the least of a reply have "
            f'{window - free:,}: give it a longer context (num_ctx, --ctx-size, max_model_len), or set forms = "short"'
        )
    shown = replace(prompt, context=tuple(pieces), examples=tuple(examples))
    return Fitted(shown, window - await count(shown))


async def _first_pieces(
    context: tuple[str, ...], free: int, alone: Callable[..., Awaitable[int]]
) -> list[str]:
    """The first pieces that have at most `free` tokens, the last of them perhaps in part."""
    pieces: list[str] = []
    for piece in context:
        size = await alone(piece)
        if size > free:
            part = await _lines_that_fit(piece, free, alone)
            return [*pieces, part] if part else pieces
        pieces.append(piece)
        free -= size
    return pieces


async def _lines_that_fit(piece: str, free: int, alone: Callable[..., Awaitable[int]]) -> str:
    """As many of a piece's lines as have at most `free` tokens, between its own outer lines; "" when none has."""
    lines = piece.split("\n")
    framed = len(lines) > 2 and lines[0].startswith("===") and lines[-1].startswith("===")
    head, body, tail = (lines[:1], lines[1:-1], lines[-1:]) if framed else ([], lines, [])
    least, most = 0, len(body) - 1
    while least < most:
        middle = (least + most + 1) // 2
        if await alone("\n".join([*head, *body[:middle], *tail])) <= free:
            least = middle
        else:
            most = middle - 1
    return "\n".join([*head, *body[:least], *tail]) if least else ""


def left_out(prompt: Prompt, shown: Prompt, name: str) -> str:
    """What of a prompt was not shown, in words; "" when all was."""
    said = []
    in_part = bool(shown.context) and shown.context[-1] not in prompt.context
    if less := len(prompt.examples) - len(shown.examples):
        said.append(f"{counted(less, 'worked example')} left out")
    if len(shown.context) < len(prompt.context) or in_part:
        last = ", the last in part," if in_part else ""
        pieces = counted(len(shown.context), "piece")
        said.append(f"context shrunk from {len(prompt.context)} to {pieces}{last}")
    return f"{' and '.join(said)} to fit {name}" if said else ""


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
            if body is None:
                said = await client.get(url, cast_to=object)
            else:
                said = await client.post(url, cast_to=object, body=dict(body))
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
