"""The protocols behind which engines and models stand, and the Kit of models that a machine has.

Each port has one to three methods. An implementation is a frozen dataclass whose fields are its parameters, so that it
compares by value and spells itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pincite.types import Document, Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Side = Literal["query", "document"]


@dataclass(frozen=True, slots=True)
class Scored:
    """One row of an index (its position among the entries it was built from) and its score."""

    row: int
    score: float


class View(Protocol):
    """One way to see a document: the texts about its nodes that one index holds."""

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the entries of `document` in reading order."""
        ...


class Searcher(Protocol):
    """An open index."""

    def search(self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None) -> list[list[Scored]]:
        """For each text the best `k` rows, best first; `only` masks the rows that may be found."""
        ...


class Index(Protocol):
    """A way to index entries, as a hashable value: `Lexical(k1, b)`, `Dense(encoder)`."""

    def __hash__(self) -> int: ...

    def build(self, entries: Sequence[Entry], folder: Path) -> None:
        """Write the index of `entries` into the new folder `folder`."""
        ...

    def open(self, folder: Path) -> Searcher:
        """Open what `build` wrote, without reading more than a search needs."""
        ...


class Encoder(Protocol):
    """A text encoder; `name` and `revision` identify its vectors in caches."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def revision(self) -> str: ...  # noqa: D102
    @property
    def dims(self) -> int: ...  # noqa: D102
    @property
    def max_tokens(self) -> int: ...  # noqa: D102

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode `texts` as unit rows of an (n, dims) array."""
        ...


class PairScorer(Protocol):
    """Scores texts against a query in [0, 1]: a cross-encoder or a judging model."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """One score in [0, 1] per text."""
        ...


@dataclass(frozen=True, slots=True)
class Kit:
    """The models that a machine has. A stage that needs one which is missing raises and names the setting."""

    encoder: Encoder
    scorer: PairScorer | None = None
