"""The package that only the extra `models` installs: what language models are asked with."""

from __future__ import annotations

from importlib.util import find_spec

from pincite.errors import UsageError

_CLIENT = ("openai", "pydantic_ai")


def require_client() -> None:
    """Raise UsageError with the line that installs it where the client of language models is missing."""
    if any(find_spec(module) is None for module in _CLIENT):
        raise UsageError(
            "a language model is set, and what asks it is not installed: pip install 'pincite[models]', or answer without a "
            "model (--no-model)"
        )


def is_client(module: str | None) -> bool:
    """Whether a module that could not be imported is of that client."""
    return (module or "").partition(".")[0] in _CLIENT
