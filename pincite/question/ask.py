"""A question understood: what its wording says, as fields, and what else it says, worked out when it is first wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from pincite.document.sentences import read
from pincite.document.times import When
from pincite.quantity.units import canonical_unit
from pincite.question import asking, focus, wording
from pincite.question.cues import says
from pincite.question.pointers import points
from pincite.question.proper_names import has_name
from pincite.question.request import unmeasured
from pincite.text.words import STOP, stems, words
from pincite.types import Expects, Quantity, Query

Order = Literal["", "more", "less"]


@dataclass(frozen=True)
class Ask:
    """A question understood.

    `text` is the question without instructions on how to answer. `periods` are in the order of mention and a range
    ("2017 to 2019") sets `through`. `operands` are the phrases an operation works on, in the order of its formula (for a
    ratio the numerator first, for a proportion the part first, for a difference as mentioned). `subject` is what is
    left when question words, operation and periods are taken away; `terms` are its stems. `statement` is what a True or
    False question asserts. `threshold` goes with `order`: "more than 5 million" is "more" and 5 x 1000000. `several` says
    that more than one value is asked for, in the order of mention ("respectively"). `expects` is what the caller wants, else
    what the wording says; "text" of the wording alone says only that it names no kind. `falling` says that the change asked
    for is a fall ("how much did it decrease"), so that a fall is positive.
    """

    query: Query
    text: str
    expects: Expects
    operation: wording.Operation = "lookup"
    subject: str = ""
    terms: tuple[str, ...] = ()
    wants: str = ""
    unit: str = ""
    scale: Decimal | None = None
    periods: tuple[When, ...] = ()
    through: bool = False
    operands: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    statement: str = ""
    order: Order = ""
    threshold: Quantity | None = None
    several: bool = False
    falling: bool = False

    @property
    def wanted_in_percent(self) -> bool:
        """Whether the caller wants the answer in per cent, whatever the wording says."""
        return canonical_unit(self.query.unit) == "%"

    def says(self, cue: str) -> bool:
        """Whether the question gives a cue, by its name in data/patterns/question.toml. Raises KeyError when there is none."""
        return says(self.text, cue)

    def instructs(self, cue: str) -> bool:
        """Whether the question, or an instruction beside it, gives a cue. Raises KeyError when there is none of that name."""
        return says(self.query.text, cue)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the question, its operation and periods among them."""
        return frozenset(stems(self.text))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The stems of the question's words that say something, in their order."""
        return tuple(words(self.text))

    @cached_property
    def kind(self) -> str:
        """The class of the question: who, org, when, where, why, many, how, list, term, do, is, which or other."""
        return focus.kind_of(self.text)

    @cached_property
    def focus(self) -> str:
        """The noun that says what is asked for, "" where none does."""
        return focus.focus(self.text)

    @cached_property
    def focus_stems(self) -> tuple[str, ...]:
        """The stems of the focus, without words that say nothing."""
        return tuple(stem for stem in read(self.focus).stems if stem not in STOP)

    @cached_property
    def word_count(self) -> int:
        """How many words the answer shall have; 0 when the question does not say."""
        return focus.count_asked(self.text)

    @cached_property
    def thing_count(self) -> int:
        """How many things are asked for ("which three"); 0 when the question does not say."""
        return asking.how_many(self.text)

    @cached_property
    def points(self) -> Sequence[tuple[str, str]]:
        """What the question points at, as (kind, label): ("page", "9")."""
        return points(self.query.text)

    @cached_property
    def sought(self) -> str:
        """What is looked for in a text: without the words that ask for a number, posts written out."""
        return asking.spelled(unmeasured(self.text))

    @cached_property
    def change_stems(self) -> frozenset[str]:
        """The stems of the words that say that something rose, fell or changed."""
        return frozenset(stems(" ".join(wording.words_of_change(self.text))))

    @property
    def asks_reason(self) -> bool:
        """Whether the question asks why something is so."""
        return asking.asks_reason(self.text)

    @property
    def tells(self) -> bool:
        """Whether the question opens with a verb that wants an account in sentences: "describe"."""
        return bool(set(self.text.casefold().split()[:1]) & wording.TELL)

    @property
    def asks_period(self) -> bool:
        """Whether a year, quarter or other period is asked for, or named beside what is."""
        return says(self.wants or self.text, "time")

    @property
    def asks_time(self) -> bool:
        """Whether a year may be what is asked for."""
        time = says(self.wants or self.text, "time as an answer")
        return time and not self.says("how many or much")

    def has_name(self, number: str, word: str) -> bool:
        """Whether `number` is part of a name in the question: by itself ("3M"), or with the `word` before it ("Model 12")."""
        return has_name(self.query.text, number, word)

    def is_rate(self, held: str, wanted: str) -> bool:
        """Whether a unit that is held is the wanted one for each of what the question names: "per-search energy, in kWh"."""
        return wording.is_rate_asked(self.text, held, wanted)
