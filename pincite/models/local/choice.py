"""Which model of this machine is asked, where the user has set none: one whose file is here, else none, and how to get one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pincite.models.extras import has_engine
from pincite.models.local.weights import LOCAL, Weights, chosen, weights_here
from pincite.models.model_settings import ModelSettings
from pincite.untrusted import agreement_of

CONTEXT = ModelSettings().context
"""Tokens of prompt and reply together that an engine has room for, where nothing else is set."""
HINT = agreement_of("told how to get a model")
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


def context_of(weights: Weights, models: ModelSettings) -> int:
    """The context of the engine of a file: what is set, or less where the model reads no more."""
    return min(models.context, weights.context or models.context)


@dataclass(frozen=True, slots=True)
class LocalPlace:
    """A model by its name, and the context of its engine in tokens: "local:NAME", or "local:NAME?context=4096".

    The text is part of the keys of kept replies, so it is the same whichever engine serves the model.
    """

    name: str
    context: int = CONTEXT

    @classmethod
    def read(cls, base_url: str) -> LocalPlace:
        """The place that a text names."""
        name, _, context = base_url.removeprefix(LOCAL).partition("?context=")
        return cls(name, int(context or CONTEXT))

    def __str__(self) -> str:
        return f"{LOCAL}{self.name}" + f"?context={self.context}" * (self.context != CONTEXT)

    def weights(self) -> Weights:
        """The file of the model. Raises WeightsMissing where it is not there."""
        return weights_here(self.name)
