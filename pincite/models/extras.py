"""What only the extras `models` and `local` install: the client of language models, and what runs one here."""

from __future__ import annotations

from importlib.util import find_spec

from pincite.errors import UsageError

_ENGINE = "xllamacpp"
_CLIENT = ("openai", "pydantic_ai")


def require_client() -> None:
    """Raise UsageError with the line that installs it where the client of language models is missing."""
    if any(find_spec(module) is None for module in _CLIENT):
        raise UsageError(
            "a language model is set, and what asks it is not installed: pip install 'pincite[models]', or answer without a "
            "model (--no-model)"
        )


def has_engine() -> bool:
    """Whether a model can run here: the engine and the client that asks it are installed."""
    return all(find_spec(module) is not None for module in (_ENGINE, *_CLIENT))


def require_engine() -> None:
    """Raise UsageError with the line that installs it where what runs a model here is missing."""
    if not has_engine():
        raise UsageError(
            "a model that runs on this machine is named, and what runs it is not installed: pip install 'pincite[local]', or "
            "answer without a model (--no-model)"
        )


def is_client(module: str | None) -> bool:
    """Whether a module that could not be imported is of that client."""
    return (module or "").partition(".")[0] in _CLIENT
