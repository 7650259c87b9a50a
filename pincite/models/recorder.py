"""A model whose calls are kept, to show what it was shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from pincite.ports import Completion, Model, Prompt, T, Windowed


@dataclass(frozen=True, slots=True)
class Overheard:
    """`model`, with each (prompt, form, completion) in `calls`, in the order of the replies; failed calls are left out."""

    model: Model
    calls: list[tuple[Prompt, str, Completion[Any]]] = field(
        default_factory=list, compare=False, repr=False
    )

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def context_length(self) -> int | None:
        """That of the model."""
        return self.model.context_length if isinstance(self.model, Windowed) else None

    def spelled(self) -> str:
        """The model's name."""
        return self.model.name

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Ask the model."""
        made = await self.model.complete(prompt, form)
        self.calls.append((prompt, form.__name__, made))
        return made

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """Ask the model."""
        return self.model.stream(prompt)
