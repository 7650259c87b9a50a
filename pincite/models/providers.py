"""Providers of models by name: the address and request format of each, from its documentation, from `data/providers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.models.endpoints.dialect import Dialect

AZURE = "openai.azure.com"


@cache
def providers() -> Mapping[str, Mapping[str, Any]]:
    """All providers that are known, by name."""
    return tomllib.loads(files("pincite").joinpath("data/providers.toml").read_text("utf-8"))


def provider(name: object) -> Mapping[str, Any]:
    """What is known of a provider. Raises UsageError, which lists the names, for one that is not known."""
    if not isinstance(name, str) or name not in providers():
        raise UsageError(
            f"setting 'provider' must be one of {', '.join(providers())}, or left out, not {name!r}"
        )
    return providers()[name]


def dialect_at(base_url: str) -> Dialect:
    """How the endpoint at an address is spoken to; an address that is not known is asked as OpenAI documents it."""
    from pincite.models.endpoints.dialect import Dialect

    known = next((each for each in providers().values() if each.get("base_url") == base_url), None)
    if known is None and AZURE in base_url:
        known = providers()["azure"]
    if known is None:
        return Dialect()
    return Dialect(
        known["structure"],
        described=known.get("described", True),
        completion_cap=known.get("completion_cap", False),
    )
