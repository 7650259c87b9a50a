"""What a reader works on and what it proposes: passages of the pages that were found, and candidate answers with features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.types import Node, Value


@dataclass(frozen=True, slots=True)
class Passage:
    """A node that the reader is shown, with what stands around it.

    `rank` is the 0-based rank of its page, `score` the page's retrieval score, `heading` the section path above the node
    ("3 Results > Revenue"), `document` the document's id, `title` its title, `languages` the codes of its page's. `apart` says
    that the question names other documents: what stands here alone does not answer it; `named` is how surely it names this one,
    beside the surest, 1 where it names none. `part` is what a model is shown of the
    node where that is not all of it: the characters [start, end) of its text, or rows of its table.
    """

    node: Node
    rank: int = 0
    score: float = 0.0
    heading: str = ""
    document: str = ""
    title: str = ""
    languages: tuple[str, ...] = ()
    apart: bool = False
    part: tuple[int, int] | None = None
    named: float = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place that a candidate rests on: table cells of a node, or the characters [start, end) of its text."""

    node: Node
    cells: tuple[tuple[int, int], ...] = ()
    start: int = 0
    end: int = 0
    quote: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: its value, the evidence it rests on, and named features in [0, 1] for the ranker.

    `operation` is empty for a quoted value and names how code computed it otherwise, over the evidence in order.
    `subject` says what the value is of ("Total revenue"), `period` when ("2019").
    """

    value: Value
    evidence: tuple[Evidence, ...]
    subject: str = ""
    period: str = ""
    operation: str = ""
    score: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)

    @property
    def values(self) -> tuple[Value, ...]:
        """The values of a list, or the one value alone."""
        return self.value if isinstance(self.value, tuple) else (self.value,)

    @property
    def in_cells(self) -> bool:
        """Whether it rests on cells of a table first."""
        return bool(self.evidence and self.evidence[0].cells)

    @property
    def first(self) -> Value:
        """The value, of several the first."""
        return self.value[0] if isinstance(self.value, tuple) and self.value else self.value
