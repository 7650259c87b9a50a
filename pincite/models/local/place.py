"""Where a model is asked that runs here, as a text that stays the same whichever engine serves it: it is part of the keys of
kept replies.
"""

from __future__ import annotations

from dataclasses import dataclass

from pincite.models.local.weights import LOCAL, Weights, weights_here
from pincite.models.model_settings import ModelSettings

CONTEXT = ModelSettings().context
"""Tokens of prompt and reply together that an engine has room for, where nothing else is set."""


def context_of(weights: Weights, models: ModelSettings) -> int:
    """The context of the engine of a file: what is set, or less where the model reads no more."""
    return min(models.context, weights.context or models.context)


@dataclass(frozen=True, slots=True)
class LocalPlace:
    """A model by its name, and the context of its engine in tokens: "local:NAME", or "local:NAME?context=4096"."""

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
