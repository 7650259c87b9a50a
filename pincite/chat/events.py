"""What happens in a turn of a conversation, one value per event, in order."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.types import Answer, Span


@dataclass(frozen=True, slots=True)
class Understood:
    """The standalone question that is answered; `by` is what condensed it: "rules", a model's name, "" when left as asked.
    `refines` are the questions that it narrows (see `Query`).
    """

    asked: str
    question: str
    by: str = ""
    refines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Begun:
    """A stage has begun; `depth` is how many others it runs in."""

    stage: str
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """A stage has ended."""

    span: Span
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Sources:
    """The best (document, page) pairs found so far, best first; later stages may find better ones."""

    pages: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The checked answer, and the id under which it is kept."""

    answer: Answer
    answer_id: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of prose that passed its check, and the (document, page) pairs it cites."""

    text: str
    pages: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Withheld:
    """A sentence of the model did not pass its check and is not shown; `why` in words."""

    why: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that did not go as it should and did not stop the turn: a model away, a history that cannot be written."""

    text: str


Event = Understood | Begun | Ended | Sources | Answered | Sentence | Withheld | Notice
