"""The table `[models]` of pincite.toml, read: which models there are, where each is asked, and how. A role is a name, or a
table if its model has another address or other settings:

    [models]
    provider = "openai"
    large = "gpt-5"
    judge = { name = "llama-3.3-70b", provider = "groq", max_tokens = 4096 }
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.bounds import bounded, number
from pincite.models.model_settings import ROLES, ModelSettings, RoleSettings, is_url, is_variable
from pincite.models.providers import provider
from pincite.storage.ledger import Price, money

MODEL_VARIABLES = {name: f"PINCITE_{name.upper()}" for name in (*ROLES, "encoder")} | {
    "large": "PINCITE_MODEL"
}
"""The settings of models that a variable of the environment may give, with the variable's name."""
_SHARED = tuple(field.name for field in fields(RoleSettings))
_PLACE = ("base_url", "key", "headers", "query", "extra_body")
"""What belongs to an address: a role with an address of its own takes none of it from the others, least of all the key."""


def read_models(
    table: Mapping[str, Any], environment: Mapping[str, str], path: Path
) -> ModelSettings:
    """The settings of models that hold by the table of the file at `path` and the environment. Raises UsageError."""
    given = dict(table)
    if not {"provider", "base_url"} & table.keys() and environment.get("OPENAI_BASE_URL"):
        given["base_url"] = environment["OPENAI_BASE_URL"]
    given |= {
        name: environment[variable]
        for name, variable in MODEL_VARIABLES.items()
        if environment.get(variable)
    }
    # a role that a variable names has nothing of the file, to which nobody may have agreed
    tables = {role: written for role in ROLES if isinstance(written := given.get(role), Mapping)}
    given |= {role: written.get("name", "") for role, written in tables.items()}
    models = replace(
        ModelSettings(), **_values(_with_provider(given), _TABLE, f"{path}: ", "[models]")
    )
    roles = {role: _role(role, written, models, path) for role, written in tables.items()}
    return replace(models, roles=roles)


def _role(
    role: str, written: Mapping[str, Any], models: ModelSettings, path: Path
) -> RoleSettings:
    """The settings of a role that is written as a table: its own, and those of the table around it."""
    given = _values(_with_provider(written), _ROLE, f"{path}: ", f"{role!r} of [models]")
    given.pop("name", None)
    shared = {name: getattr(models, name) for name in _SHARED}
    if "base_url" in given:
        shared |= {"key": "", "headers": (), "query": (), "extra_body": "{}"}
    return RoleSettings(**{**shared, **given})


def _with_provider(given: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with what is known of the provider that they name."""
    named = dict(given)
    if "provider" not in named:
        return named
    name = named.pop("provider")
    known = provider(name)
    if "base_url" not in {**known, **named}:
        raise UsageError(f"provider {name!r} needs `base_url`, the address of your own resource")
    return {key: known[key] for key in _PLACE if key in known} | named


def _values(
    given: Mapping[str, Any],
    known: Mapping[str, Callable[[str, Any], Any]],
    where: str,
    table: str,
) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            there = ", ".join(("provider", *known))
            raise UsageError(f"{where}unknown setting {name!r} in {table}; known: {there}")
        made[name] = known[name](f"setting {name!r} of {table}", value)
    return made


def _check(fits: bool, message: str) -> None:
    if not fits:
        raise UsageError(message)


def _url(name: str, value: Any) -> str:
    fits = isinstance(value, str) and is_url(value)
    _check(fits, f"{name} must be an address such as https://api.openai.com/v1, not {value!r}")
    return str(value).rstrip("/")


def _variable(name: str, value: Any) -> str:
    # what stands there is not repeated: it may be the key itself
    _check(
        isinstance(value, str) and (not value or is_variable(value)),
        f"{name} must be the name of the environment variable that holds the API key, as in OPENAI_API_KEY, and never "
        'the key itself; "" where none is needed',
    )
    return str(value)


def _pairs(name: str, value: Any) -> tuple[tuple[str, str], ...]:
    """A table of texts; what it holds is not repeated in a message, since it may be a secret."""
    _check(
        isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values()),
        f'{name} must be a table of texts, each a value or, for a secret, a variable as in "$AZURE_OPENAI_API_KEY"',
    )
    return tuple(value.items())


def _object(name: str, value: Any) -> str:
    wanted = "a table, as in { num_ctx = 32768 }"
    _check(isinstance(value, Mapping), f"{name} must be {wanted}, not {_said(value)}")
    return json.dumps(value, sort_keys=True, default=float)


def _word(name: str, value: Any) -> str:
    _check(isinstance(value, str), f"{name} must be a text, not {_said(value)}")
    return str(value)


def _name(name: str, value: Any) -> str:
    fits = isinstance(value, str) and value == value.strip()
    _check(fits, f"{name} must be the name of a model, not {value!r}")
    return str(value)


def _number(field: str) -> Callable[[str, Any], Any]:
    kind, bounds = bounded(ModelSettings)[field]
    return lambda name, value: number(name, value, kind, bounds)


def _switch(name: str, value: Any) -> bool:
    _check(isinstance(value, bool), f"{name} must be true or false, not {_said(value)}")
    return bool(value)


def _prices(name: str, value: Any) -> dict[str, Price]:
    wanted = (
        "a table for each model with input, output and perhaps cached, in money per million tokens"
    )
    _check(isinstance(value, dict), f"{name} must be {wanted}, not {_said(value)}")
    made = {}
    for model, price in value.items():
        kinds = set(price) if isinstance(price, dict) else set()
        fits = {"input", "output"} <= kinds <= {"input", "output", "cached"}
        _check(fits, f"{name} must be {wanted}: it is not for {model!r}")
        amounts = price.items()
        made[model] = Price(
            **{kind: money(f"{name}, {kind} of {model!r},", amount) for kind, amount in amounts}
        )
    return made


def _called(name: str, value: Any) -> dict[str, str]:
    texts = list(value.values()) if isinstance(value, dict) else [None]
    _check(
        all(isinstance(text, str) and text.strip() for text in texts),
        f'{name} must be a table of names, each with a text such as "hf:NAME@COMMIT", not {_said(value)}',
    )
    return dict(value)


def _said(value: Any) -> str:
    return str(value) if isinstance(value, Decimal) else repr(value)


_REPLIES: Mapping[str, Callable[[str, Any], Any]] = {
    "base_url": _url, "key": _variable, "headers": _pairs, "query": _pairs,
    "reasoning_effort": _word, "own_temperature": _switch, "extra_body": _object,
}  # fmt: skip
_ROLE: Mapping[str, Callable[[str, Any], Any]] = {
    "name": _name, **_REPLIES, **{name: _number(name) for name in bounded(RoleSettings)},
}  # fmt: skip
_TABLE: Mapping[str, Callable[[str, Any], Any]] = {
    **_REPLIES, **dict.fromkeys(ROLES, _name), "prices": _prices,
    **{name: _number(name) for name in bounded(ModelSettings)},
    "telemetry": _switch, "encoder": _name, "encoders": _called, "scorers": _called,
}  # fmt: skip
