"""The protocols that engines and models implement, and the Kit of models that a machine has.

Each port has one to three methods. An implementation is a frozen dataclass whose fields are its parameters, so that it
compares by value and spells itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar, runtime_checkable

from pincite.errors import ModelMissing
from pincite.types import Document, Entry, Usage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pydantic import BaseModel

T = TypeVar("T", bound="BaseModel")

Side = Literal["query", "document"]
Role = Literal["small", "large", "judge", "vision"]
"""What a model is asked for."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One row of an index, counted from 0 in the order of the entries that it was built from, and its score: more is nearer."""

    row: int
    score: float


class View(Protocol):
    """One way to see a document: the texts about its nodes that one index holds."""

    def __call__(self, document: Document) -> Iterable[Entry]:
        """Yield the entries of `document` in reading order."""


class Searcher(Protocol):
    """An open index."""

    def search(
        self, texts: Sequence[str], k: int, only: NDArray[np.bool_] | None = None
    ) -> list[list[Scored]]:
        """For each text the best `k` rows, best first, fewer where the index holds fewer.

        `only` has one truth value a row: those that may be found.
        """


@runtime_checkable
class ScoresAll(Protocol):
    """An open index that can score every row, not only find the best."""

    def score_all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The score of every row for each text, (texts, rows); 0 where a row has nothing of the text."""


@runtime_checkable
class HoldsTerms(Protocol):
    """An open index of words that says which rows hold a term; `languages` are those that its rows are written in."""

    @property
    def size(self) -> int:
        """How many rows there are."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages."""

    def holding(self, term: str, beside: str = "") -> NDArray[np.int32]:
        """The rows that hold a term, or that hold it and `beside` right after it where the index has pairs of neighbours."""


class Index(Protocol):
    """A way to index entries, as a hashable value: `Lexical(k1, b)`, `Dense(encoder)`."""

    def __hash__(self) -> int: ...

    def build(self, entries: Sequence[Entry], folder: Path) -> None:
        """Write the index of `entries` into the new folder `folder`. Raises OSError when that cannot be written."""

    def open(self, folder: Path) -> Searcher:
        """Open what `build` wrote, without reading more than a search needs.

        Raises OSError, ValueError or CorpusError when it is damaged or missing; a Shelf raises CorpusError for all of them.
        """


@runtime_checkable
class Cuts(Protocol):
    """An index whose rows hold no more than so much text."""

    def cut(self, entries: Iterable[Entry]) -> list[Entry]:
        """The entries with each that is too long in its parts, which have its node, view and number."""


@runtime_checkable
class Grows(Protocol):
    """An index of which a part need not be worked out again when the rest has changed."""

    def grow(
        self, entries: Sequence[Entry], folder: Path, before: Path, rows: NDArray[np.int64]
    ) -> None:
        """Write what `build` would write of new `entries` and of rows that the index in the folder `before` holds.

        `rows[i]` is the row there that row i is, or -1 where it is the next of `entries`.
        """


@runtime_checkable
class InEngine(Protocol):
    """An index whose rows a server holds by document; `build` and `grow` are also given `owners`, which tells the documents of
    the rows apart.
    """

    def drop(self, tables: Iterable[str]) -> None:
        """Remove tables of which no generation needs a row, where the server has them. Raises EngineError."""


class Tokenizer(Protocol):
    """Cuts texts into the tokens of an encoder."""

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where every token of `text` starts and ends, in characters from 0, in order; nothing is cut off or added."""


class Encoder(Tokenizer, Protocol):
    """A text encoder, a hashable value, which counts texts in its own tokens."""

    def __hash__(self) -> int: ...

    @property
    def name(self) -> str:
        """What the encoder is called; with `revision` it identifies vectors in caches."""

    @property
    def revision(self) -> str:
        """Which weights these are: other weights make other vectors."""

    @property
    def dims(self) -> int:
        """How many numbers a vector has."""

    @property
    def window(self) -> int:
        """How many tokens of a text are read at once, beside the encoder's own marks and prompts."""

    def encode(self, texts: Sequence[str], *, side: Side = "document") -> NDArray[np.float32]:
        """Encode n texts as the rows of an (n, dims) array, each of length 1.

        A text that is longer than the window is read in parts, and has the mean of their vectors; an index of vectors has a
        row for each part instead. An encoder behind an endpoint raises ModelError when that gives no vectors, BudgetSpent
        before money runs out.
        """


class PairScorer(Protocol):
    """Scores texts against a query in [0, 1]: a cross-encoder or a judging model."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        """A score in [0, 1] for each text, in their order.

        A scorer behind an endpoint raises ModelError when that gives no scores, BudgetSpent before money runs out.
        """


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked.

    `system` sets the rules and `examples` show them in use, the most telling first; these are the same for every question of a
    kind and stand first, so that what an engine has read of them serves again. `context` are the pieces it may draw on, best
    first. What overflows the model's window is left out: of the examples the last, then of the context the last, down to a
    piece of which some lines are shown. `question` is the task. `turns` are earlier replies with what was wrong with each,
    oldest first. `temperature` 0 asks for the likeliest reply, `max_tokens` bounds how long a reply may be. `run` tells apart
    repeated readings of the same prompt, which a cache would otherwise make one. `images` are PNG files. With `logprobs` the
    endpoint is asked how likely it found the tokens of its reply. `unit` is what a piece of the context is called.
    """

    system: str
    question: str
    context: tuple[str, ...] = ()
    context_first: bool = True
    turns: tuple[tuple[str, str], ...] = ()
    temperature: float = 0.0
    max_tokens: int = 2048
    run: int = 0
    images: tuple[bytes, ...] = ()
    logprobs: bool = False
    unit: str = "piece"
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a model is with a prompt.

    `what` is what it reads, as in "14 pages". Of the `prompt` tokens `read` are read, so far as the endpoint says that, and
    `reply` tokens are written. `seconds` have passed since the request was sent, and about `left` are left; None when no
    earlier request says how fast the model is. `before` is what is known already, "" where nothing is.
    """

    model: str
    what: str = ""
    read: int = 0
    prompt: int = 0
    reply: int = 0
    seconds: float = 0.0
    left: float | None = None
    before: str = ""

    def __str__(self) -> str:
        about = "" if self.left is None else f", about {max(self.left, 1):.0f} s"
        before = f"{self.before}; " if self.before else ""
        if self.reply:
            return f"{before}{self.model} writes its reply{about}"
        share = f", {self.read / self.prompt:.0%} read" if self.read and self.prompt else ""
        what = f" {self.what}" if self.what else ""
        return f"{before}reading{what} with {self.model}{share}{about}"


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """A token of a reply, and the log-probability of it and of its likeliest rivals at its place."""

    token: str
    logprobs: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Completion(Generic[T]):
    """A reply in its form, and what it took.

    `shown` is how many pieces of the prompt's context the model saw, `asked` how many requests were sent (re-asks
    included), `cost` what they cost in the currency of the prices, `text` the reply as it came. A reply from the cache has used
    and cost nothing. `tokens` are those of the text, where the prompt asks for them and the endpoint gives them.
    """

    value: T
    text: str = ""
    usage: Usage = Usage()
    cost: Decimal = Decimal(0)
    shown: int = 0
    asked: int = 1
    tokens: tuple[TokenChoice, ...] = ()


class Model(Protocol):
    """A language model behind some endpoint."""

    @property
    def name(self) -> str:
        """What identifies the model in spellings, caches and the ledger."""

    async def complete(self, prompt: Prompt, form: type[T]) -> Completion[T]:
        """Fill in `form`; raises ModelError when no valid form came back, BudgetSpent before money runs out."""

    def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """The reply as prose, piece by piece as it comes. Raises as `complete` does, also in the middle of a reply."""


@runtime_checkable
class Windowed(Protocol):
    """A model that says how many tokens prompt and reply may have together; None where it does not know yet."""

    @property
    def context_length(self) -> int | None:
        """The tokens."""


@dataclass(frozen=True, slots=True)
class Kit:
    """The models that a machine has. A stage that needs one which is missing raises and names the setting.

    `encoders`, `scorers` and `readers` are further ones under the names that recipes ask for ("BAAI/bge-m3"). With `stand_ins`
    what is missing is replaced by what works without it: `encoder`, its cosines for a cross-encoder, the reader without a model.
    """

    encoder: Encoder
    scorer: PairScorer | None = None
    small: Model | None = None
    large: Model | None = None
    judge: Model | None = None
    vision: Model | None = None
    encoders: Mapping[str, Encoder] = field(default_factory=dict)
    scorers: Mapping[str, PairScorer] = field(default_factory=dict)
    readers: Mapping[str, Model] = field(default_factory=dict)
    stand_ins: bool = False

    def model(self, role: Role) -> Model:
        """The model for a role; raises ModelMissing, which names the setting, when there is none."""
        found: Model | None = getattr(self, role)
        if found is None:
            raise ModelMissing(role)
        return found
