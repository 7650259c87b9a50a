"""Which model answers where the user has set none: one whose file is on this machine, else none, and how to get one."""

from __future__ import annotations

from dataclasses import replace

from pincite.agreements import digest_of
from pincite.extras import has_engine
from pincite.models.local.weights import LOCAL, chosen
from pincite.models.model_settings import ModelSettings

HINT = digest_of("told how to get a model")
"""The mark by which a user is told once how to get a model."""


def with_local(models: ModelSettings) -> ModelSettings:
    """The settings with a model of this machine, where they name none and there is one that can run."""
    if models.names or not has_engine():
        return models
    found = chosen()
    return replace(models, large=f"{LOCAL}{found.name}") if found else models


def how_to_get_one() -> str:
    """What is missing for a model to answer here, as commands."""
    install = "" if has_engine() else "pip install 'pincite[local]'"
    get = "" if chosen() else "pincite models get"
    return " && ".join(command for command in (install, get) if command)
