"""The models that this machine has: by default the built-in encoder, and nothing that needs a network."""

from __future__ import annotations

from functools import cache

from pincite.models.encoder import MiniLM
from pincite.ports import Kit


@cache
def default_kit() -> Kit:
    """The kit of the default recipe; its encoder is loaded by the first text that it encodes."""
    return Kit(encoder=MiniLM())
