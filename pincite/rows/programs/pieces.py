"""The pieces of a question and what they can stand for: names, values, numbers with their units, spans of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, Protocol

from pincite.quantity import UnitError, canonical_unit, convert
from pincite.rows.programs.table_words import LexiconWord
from pincite.types import Expects, Quantity

Kind = Literal["name", "value", "word", "number", "date", "unit", "set", "filler", "unknown"]


class FoundValue(Protocol):
    """A value that stands in `count` rows of a column; `score` says how well it fits the phrase, 1 exactly."""

    @property
    def relation(self) -> str: ...  # noqa: D102
    @property
    def column(self) -> str: ...  # noqa: D102
    @property
    def value(self) -> str: ...  # noqa: D102
    @property
    def score(self) -> float: ...  # noqa: D102
    @property
    def count(self) -> int: ...  # noqa: D102


class ValueIndex(Protocol):
    """The value index of a source; see `database.relations.value_index`."""

    def lookup(self, phrase: str) -> Sequence[FoundValue]: ...  # noqa: D102
    def near(self, phrase: str, k: int = 10) -> Sequence[FoundValue]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Mention:
    """What a piece can stand for: a relation (no column), a column, or with `value` a value of a column.

    `within` says how much of its values the value is: "=" all of them, "begins" or "contains" where many share it.
    """

    relation: str
    column: str = ""
    value: str | None = None
    score: float = 1.0
    within: Literal["=", "begins", "contains"] = "="

    @property
    def place(self) -> tuple[str, str]:
        """The relation and the column."""
        return self.relation, self.column


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit ("" without one)."""

    value: Decimal
    unit: str = ""


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Days from `low` up to but not including `high`; `unit` is what was named: a year, a month, a day."""

    low: date
    high: date
    unit: str


@dataclass(frozen=True, slots=True)
class QuestionPiece:
    """Tokens [start, end) of a question, what they say, and everything they can stand for."""

    kind: Kind
    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...] = ()
    word: LexiconWord | None = None
    amount: Amount | None = None
    span: DaySpan | None = None
    gap: str = ""

    @property
    def role(self) -> str:
        """What a word does, "" for one that does nothing."""
        return self.word.role if self.word else ""

    @property
    def sign(self) -> int:
        """The direction of a word: 1 for more, -1 for less."""
        return self.word.sign if self.word else 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of quantity that a word is about."""
        return self.word.kinds if self.word else ()


@dataclass(frozen=True, slots=True)
class CutQuestion:
    """A question, its tokens as (start, end) in the text, and the ways to cut it into pieces, best first.

    `meant` are columns and relations by how like the whole question is to them, likest first; none where no encoder was
    asked. `expects` is the kind of answer that it wants.
    """

    text: str
    tokens: tuple[tuple[int, int], ...]
    cuts: tuple[tuple[QuestionPiece, ...], ...]
    meant: tuple[Mention, ...] = ()
    expects: Expects = "text"


def convertible(unit: str, target: str) -> bool:
    """Whether an amount in one unit can be said in another."""
    if canonical_unit(unit) == canonical_unit(target):
        return True
    return _factor(unit, target) is not None


def in_column(amount: Amount, unit: str) -> Decimal | None:
    """A number in the unit of a column: as it is when either has none; None when they measure different things."""
    if not amount.unit or not unit or canonical_unit(amount.unit) == canonical_unit(unit):
        return amount.value
    factor = _factor(amount.unit, unit)
    return None if factor is None else amount.value * factor


_FACTORS: dict[tuple[str, str], Decimal | None] = {}


def _factor(unit: str, target: str) -> Decimal | None:
    if (unit, target) not in _FACTORS:
        try:
            made = convert(Quantity(Decimal(1), unit=unit), target)
            _FACTORS[unit, target] = made.value
        except (UnitError, ArithmeticError):
            _FACTORS[unit, target] = None
    return _FACTORS[unit, target]


def span_of(
    year: int | None, quarter: int | None, month: int | None, day: int | None
) -> DaySpan | None:
    """The days of a year, a quarter, a month or a day; None without a year."""
    if year is None:
        return None
    try:
        if month and day:
            low = date(year, month, day)
            return DaySpan(low, date.fromordinal(low.toordinal() + 1), "day")
        if month:
            return DaySpan(
                date(year, month, 1), date(year + month // 12, month % 12 + 1, 1), "month"
            )
        if quarter:
            last = 3 * quarter
            return DaySpan(
                date(year, last - 2, 1), date(year + last // 12, last % 12 + 1, 1), "quarter"
            )
        return DaySpan(date(year, 1, 1), date(year + 1, 1, 1), "year")
    except ValueError:
        return None
