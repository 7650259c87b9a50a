"""Which models there are and how they may be used: the table `[models]` of pincite.toml as a value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated

from pincite.errors import UsageError
from pincite.formats.bounds import Bounds, check
from pincite.storage.ledger import MONEY, Price

ROLES = ("large", "small", "judge", "vision")
"""What models are asked for, each with a setting of its name; where only `large` is set it does everything."""


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """Where the model of a role is asked, and what is set for all its replies.

    `base_url` mostly ends in /v1; `key` is the name of the environment variable that holds the API key, "" for none.
    `headers` and `query` go with every request; a value that begins with "$" is read from the environment variable of that
    name. `max_tokens` is the longest reply, thoughts included, in the place of what each prompt asks for. With
    `own_temperature` none is sent, so that the model's own holds. `reasoning_effort` and the fields of the JSON object
    `extra_body` are sent as they are.
    """

    base_url: str = "https://api.openai.com/v1"
    key: str = "OPENAI_API_KEY"
    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    max_tokens: Annotated[int | None, Bounds(16, 10_000_000)] = None
    temperature: Annotated[float | None, Bounds(0, 2)] = None
    own_temperature: bool = False
    reasoning_effort: str = ""
    extra_body: str = "{}"

    def __post_init__(self) -> None:
        """Raise UsageError for a number that is not within its bounds."""
        check(self)


@dataclass(frozen=True, slots=True)
class ModelSettings(RoleSettings):
    """The models of OpenAI-compatible endpoints, and those that run here, whose names begin with "local:". With no model named,
    nothing of the package asks any.

    What it says of addresses and replies holds for every role that `roles` does not name. `large`, `small`,
    `judge` and `vision` are names of models, and `prices` what each costs per million tokens. `concurrency` is how many
    requests are sent at once; 0 requests or tokens per minute is no limit. `budget` is the most that one run may cost, in
    the money of the prices; `timeout` the seconds a reply may take; `telemetry` sends OpenTelemetry spans, without content.
    `context` is how many tokens, prompt and reply together, a model that runs here has room for: memory grows with it.
    `encoder` takes the place of the built-in one, as in "onnx:FOLDER" (`models.named` lists what may stand there); `encoders`
    and `scorers` say what the names are that recipes ask for, as in "BAAI/bge-m3" = "hf:BAAI/bge-m3@COMMIT".
    """

    large: str = ""
    small: str = ""
    judge: str = ""
    vision: str = ""
    prices: Mapping[str, Price] = field(default_factory=dict)
    concurrency: Annotated[int, Bounds(1, 10_000)] = 25
    requests_per_minute: Annotated[int, Bounds(0, 1_000_000_000)] = 0
    tokens_per_minute: Annotated[int, Bounds(0, 1_000_000_000_000)] = 0
    budget: Annotated[Decimal | None, MONEY] = None
    timeout: Annotated[float, Bounds(0.001, 86_400)] = 120.0
    telemetry: bool = False
    context: Annotated[int, Bounds(512, 10_000_000)] = 8192
    roles: Mapping[str, RoleSettings] = field(default_factory=dict)
    encoder: str = ""
    encoders: Mapping[str, str] = field(default_factory=dict)
    scorers: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """The model of each role that has one; `large` stands in for the others."""
        given = {role: str(getattr(self, role)) or self.large for role in ROLES}
        return {role: name for role, name in given.items() if name}

    def role(self, name: str) -> RoleSettings:
        """The settings of a role; those of `large` where that stands in for it."""
        return self.roles.get(name if getattr(self, name) else "large", self)


def is_url(text: str) -> bool:
    """Whether a text is the address of an endpoint."""
    return re.fullmatch(r"https?://[^\s/]\S*", text) is not None


def is_variable(text: str) -> bool:
    """Whether a text is the name of an environment variable."""
    return re.fullmatch(r"[A-Z_][A-Z0-9_]*", text) is not None


def refuse_unpriced(models: ModelSettings, names: Sequence[str]) -> None:
    """Raise UsageError where a budget is to hold over models without a price."""
    unpriced = [name for name in names if name not in models.prices]
    if models.budget is not None and unpriced:
        raise UsageError(
            f"a budget needs the price of {', '.join(unpriced)}: add [models.prices.{unpriced[0]!r}] with input and output "
            "(per million tokens; 0 where it is free) to pincite.toml, or leave out the budget"
        )
