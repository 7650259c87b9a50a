"""Whether a candidate can be an answer of the kind asked for: its type, what its unit measures, one value where one is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.evidence.candidate import Candidate
from pincite.quantity import canonical_unit
from pincite.quantity.dimensions import measure
from pincite.quantity.noise import last_word
from pincite.quantity.units import Unit, is_counted, units
from pincite.question import wording
from pincite.question.ask import Ask
from pincite.question.cues import says
from pincite.question.metrics import asks_quotient
from pincite.question.named_unit import counted_unit
from pincite.text.lexicon import pattern
from pincite.text.words import stems, words
from pincite.types import Quantity, Value

_WORDS = re.compile(r"[^\W\d_]{2,}")
_CENTS = re.compile(r"\d[.,]\d\d\b")
_TOTALS = frozenset(words("total"))
_POST = pattern("lines", "post")
"""What a post in a company is called."""


def fits(ask: Ask, candidate: Candidate) -> bool:
    """Whether the type of a value, and what it measures, are what the caller and the question ask for."""
    if candidate.operation and ask.query.derived == "forbid":
        return False
    if "boolean" in (ask.expects, ask.query.expects):
        return isinstance(candidate.first, bool)
    if not _numbers_fit(ask, candidate):
        return False
    if ask.query.expects == "number" or ask.query.unit:
        return isinstance(candidate.first, Quantity)
    if isinstance(candidate.first, str):
        return _words_fit(ask, candidate.first, candidate.values)
    return ask.query.expects is None


def asked_unit(ask: Ask) -> str:
    """The unit that the caller asks for, else the question."""
    return canonical_unit(ask.query.unit or ask.unit)


def _words_fit(ask: Ask, first: str, values: Sequence[Value]) -> bool:
    """Whether words can be what is asked for: a reason has two or more, a post is one, and a total has no name."""
    if ask.asks_reason and len(_WORDS.findall(first)) < 2:
        return False
    if ask.expects not in ("name", "names"):
        return True
    if ask.says("post"):
        return all(isinstance(value, str) and _POST.search(value) for value in values)
    return not _TOTALS.issuperset(words(first))


def _numbers_fit(ask: Ask, candidate: Candidate) -> bool:
    """Whether the numbers of a candidate, where it has any, can be what is asked for."""
    held = [value for value in candidate.values if isinstance(value, Quantity)]
    if held and (_in_words(ask, held[0]) or _in_name(ask, candidate)):
        return False
    return all(_of_kind(ask, candidate, quantity) for quantity in held)


def _in_words(ask: Ask, value: Quantity) -> bool:
    """Whether words alone answer: a reason, a person or a firm is no number, and what has a name is no money or percentage."""
    if ask.asks_reason:
        return ask.operation == "lookup"
    return (
        ask.expects in ("name", "names")
        and ask.query.expects is None
        and (_money(value.unit) or value.unit == "%")
    )


def _in_name(ask: Ask, candidate: Candidate) -> bool:
    """Whether a number is a name that the question says, or part of one: 3M, the 12 of "How heavy is the Model 12?"."""
    if len(candidate.evidence) != 1 or candidate.in_cells or candidate.operation:
        return False
    (where,) = candidate.evidence
    number = where.node.text[where.start : where.end]
    return ask.has_name(number, last_word(where.node.text, where.start))


def _of_kind(ask: Ask, candidate: Candidate, value: Quantity) -> bool:
    """Whether a quantity can be what is asked for.

    No range where a caller wants a number and the question names none, an amount for each share where it is asked per share,
    and in a unit that can be the asked one.
    """
    if value.low is not None and ask.query.expects == "number" and not ask.says("range"):
        return False
    each = wording.each_of(ask.subject)
    if each and not _per(candidate, value, each):
        return False
    return _in_unit(ask, candidate, value.unit)


def _in_unit(ask: Ask, candidate: Candidate, held: str) -> bool:
    """Whether the unit that a quantity has can be the asked one.

    It is of the currency that is named, measures what the asked one does, is a proportion for a percentage, and counts things
    for a count, no money and no time; and a ratio of two amounts is none.
    """
    if _money(held) and "/" not in held and asks_quotient(ask):
        return False
    asked = asked_unit(ask)
    if _money(asked) or _has_dimension(asked):
        return _base(held) == _base(asked) or (not held and _may_be_bare(candidate, asked))
    if (asked == "%" or ask.says("share of")) and not _pure(held):
        return False
    if ask.says("count of things") and (_money(held) or held == "%" or _measures(held)):
        return False
    counts = says(ask.subject, "count") or counted_unit(ask)
    return bool(asked) or not counts or _is_count(ask, candidate, held)


def _has_dimension(unit: str) -> bool:
    """Whether a unit measures what other units measure too."""
    known = units().by_name.get(unit)
    return known is not None and known.dimension not in ("", "proportion", "multiple", known.name)


def _measures(unit: str) -> bool:
    """Whether a unit is one of measurement, of which no things are counted."""
    return _has_dimension(unit) and not is_counted(unit)


def _may_be_bare(candidate: Candidate, unit: str) -> bool:
    """Whether a number may leave its unit unsaid: money in a table, anything else where its unit is written near."""
    return candidate.in_cells if _money(unit) else _named_near(candidate, units().by_name[unit])


def _is_count(ask: Ask, candidate: Candidate, unit: str) -> bool:
    """Whether a number may count what the question counts: it is no time, no money and no percentage, and of the same thing."""
    if _base(unit) == "time" or _money(unit) or unit == "%":
        return False
    return not (_other_thing(ask, unit) or _other_count(ask, candidate.subject))


def _pure(held: str) -> bool:
    """Whether a unit is none, or one of proportions: a share is no amount of money, things or anything else."""
    unit = units().by_name.get(held)
    return not held or (unit is not None and unit.dimension in ("", "proportion", "multiple"))


def _other_count(ask: Ask, row: str) -> bool:
    """Whether a row is a "number of" things of which the question, that asks for a number of others, names none."""
    counted, wanted = wording.things_counted(row), wording.things_counted(ask.subject)
    return bool(counted and wanted) and set(stems(counted)).isdisjoint(stems(wanted))


def _other_thing(ask: Ask, held: str) -> bool:
    """Whether a counted unit ("share") is of another thing than the question counts ("patents")."""
    unit = units().by_name.get(held)
    if unit is None or not is_counted(held) or _base(held) == _base(counted_unit(ask)):
        return False
    asked = set(stems(ask.subject))
    return asked.isdisjoint(stems(" ".join((unit.name, *unit.symbols, *unit.words))))


def _per(candidate: Candidate, value: Quantity, each: str) -> bool:
    """Whether a value is an amount for each of something: its unit says so, or its row or table does and it has no scale.

    So may an amount without a scale be that is printed with its cents, as prices are, and so is the ratio of two bare numbers.
    """
    if "/" in value.unit:
        return each in value.unit.split("/")
    if candidate.operation == "ratio" and not value.unit:
        return True
    table = candidate.evidence[0].node.table if candidate.in_cells else None
    if table is None or value.scale != 1:
        return False
    with_cents = _money(value.unit) and _CENTS.search(value.text) is not None
    return with_cents or each in f"{candidate.subject} {table.caption}".lower()


def _named_near(candidate: Candidate, unit: Unit) -> bool:
    """Whether a unit is written where a bare number stands: in its table, its caption or its paragraph."""
    symbols = "|".join(map(re.escape, (unit.name, *unit.symbols)))
    words = "|".join(re.escape(word.replace("(s)", "")) for word in unit.words)
    either = f"{symbols}|(?i:{words})" if words else symbols  # symbols differ by their capitals
    named = re.compile(rf"(?<![A-Za-z])(?:{either})s?(?![A-Za-z])")
    nodes = [where.node for where in candidate.evidence]
    captions = [node.table.caption for node in nodes if node.table is not None]
    return any(map(named.search, (*captions, *(node.text for node in nodes))))


def _money(unit: str) -> bool:
    """Whether a unit is one of money, or of money for each of something: its sign stands before the number."""
    known = units().by_name.get(_base(unit))
    return known is not None and known.before


def _base(unit: str) -> str:
    """The base dimension of a unit's numerator: "USD" of USD/share, "time" of days; empty for a bare number."""
    bases = measure(unit)[1]
    return next((name for name, power in bases if power > 0), "")
