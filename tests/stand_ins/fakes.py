"""Models for tests: deterministic, instant, and realistic enough for searches to work.

`ScriptedServer`, a model endpoint whose replies are scripted, is public here with its scripts, faults and bill.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar
from zlib import crc32

import numpy as np

from pincite.errors import ReplyInvalid
from pincite.ports import Completion, Prompt, Side, T

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tests.stand_ins.bill import Bill, Billed
    from tests.stand_ins.faults import FAULTS, USUAL, faulty
    from tests.stand_ins.scripted_server import ScriptedServer
    from tests.stand_ins.scripts import (
        HANG,
        OVERFLOWS,
        Asked,
        Reply,
        Script,
        altered,
        constant,
        delayed,
        failure,
        known,
        minimal,
        oracle,
        overflowing,
        sequence,
        strict,
    )

__all__ = [
    "Asked", "Bill", "Billed", "FAULTS", "HANG", "HashEncoder", "OVERFLOWS", "Reply", "Script",
    "ScriptedModel", "ScriptedServer", "USUAL", "altered", "constant", "delayed", "failure", "faulty", "known", "minimal",
    "oracle", "overflowing", "sequence", "strict",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """The server's names, imported when they are asked for."""
    from importlib import import_module

    for home in ("scripts", "faults", "bill", "scripted_server") if name in __all__ else ():
        module = import_module(f"tests.stand_ins.{home}")
        if hasattr(module, name):
            return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True, slots=True)
class HashEncoder:
    """Bags of words hashed into `dims` signed counts, as unit rows: texts that share words are near each other.

    Feature hashing, Weinberger et al. 2009 (arXiv:0902.2206). A text without words gives the first unit vector.
    """

    dims: int = 64
    max_tokens: int = 256
    revision: ClassVar[str] = "1"

    @property
    def name(self) -> str:
        """Tells apart vectors that the parameters make different."""
        return f"hash-{self.dims}-{self.max_tokens}"

    @property
    def window(self) -> int:
        """How many words of a text are read."""
        return self.max_tokens

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode the first `max_tokens` words of each text as the unit rows of an (n, dims) array."""
        rows = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower())[: self.max_tokens]:
                bucket = crc32(word.encode())
                row[(bucket >> 1) % self.dims] += 1 if bucket & 1 else -1
            if not row.any():
                row[0] = 1
            row /= np.linalg.norm(row)
        return rows

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the words of `text` stand: its tokens."""
        return [match.span() for match in re.finditer(r"\w+", text)]


@dataclass(frozen=True, slots=True)
class ScriptedModel:
    """A model in the process: `script` gives the fields of a form (a mapping, or the form itself) for a prompt and a form.

    A reply that does not fit its form is ReplyInvalid, an exception that the script raises is the endpoint's. `window` is how
    many pieces of context it sees. `stream` gives the script's reply for no form, a text, word by word.
    """

    script: Callable[[Prompt, Any], Any] = field(repr=False)
    name: str = "scripted"
    window: int | None = None

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Fill in `form` with what the script says."""
        from pydantic import ValidationError

        shown = (
            len(prompt.context) if self.window is None else min(self.window, len(prompt.context))
        )
        try:
            value = form.model_validate(
                self.script(replace(prompt, context=prompt.context[:shown]), form)
            )
        except ValidationError as error:
            raise ReplyInvalid(
                f"the reply of {self.name} does not fit {form.__name__}: {error}"
            ) from error
        return Completion(value, value.model_dump_json(), shown=shown)

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The script's text, word by word."""
        for word in re.findall(r"\S+\s*|\s+", str(self.script(prompt, None))):
            yield word

    def spelled(self) -> str:
        """Its name, as every model spells itself."""
        return self.name
