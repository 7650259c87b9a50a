"""The answer to a question that compares several things, by code, from the answers to one question about each.

It only compares, subtracts or adds the values, in one unit, and reads no document: the check decides once more from the values
that it has checked (`check/decision.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from pincite.document.times import when
from pincite.evidence.value_in_words import worded
from pincite.quantity import UnitError, canonical_unit, convert
from pincite.quantity.arithmetic import OPERATIONS, UNCOMPUTABLE
from pincite.question.contest import OF_VALUE, OVER_BOTH, Contest
from pincite.types import Quantity, Value

Pair = tuple[str, Value]
Number = tuple[str, Quantity]
CHOICE = "choice"
"""The operation of a claim that a model made by choosing between parts, which code cannot repeat."""


@dataclass(frozen=True, slots=True)
class ContestOutcome:
    """The value and the names that it was computed from, in the order of its formula; a value None has its reason."""

    value: Value
    names: tuple[str, ...] = ()
    reason: str = ""


def decide(asked: Contest, values: Sequence[Pair]) -> ContestOutcome:
    """The answer from each thing's name and value, in the order of the question; N/A with the reason where there is none."""
    missing = [name for name, value in values if value is None]
    held = [(name, value) for name, value in values if value is not None]
    if not asked.operation:
        if not held:
            return _none("nothing was found for any part of the question")
        told = tuple("N/A" if value is None else value for _, value in values)
        return ContestOutcome(told, tuple(name for name, _ in held))
    if asked.kind == "boolean":
        return _truth(asked, held, missing)
    if asked.kind == "number":
        numbers, others = _in_one_unit(asked, held)
    else:
        numbers, others = _parted((name, _moment(value)) for name, value in held)
    return _compared(asked, values, numbers, missing + others)


def _compared(
    asked: Contest, values: Sequence[Pair], numbers: Sequence[Number], missing: Sequence[str]
) -> ContestOutcome:
    """The answer from the values that can be compared; N/A where others are `missing` that the question does not leave out."""
    if not numbers:
        names = ", ".join(name for name, _ in values)
        return _none(f"nothing comparable was found for any of {names}")
    if missing and not asked.excludes:
        return _none(f"nothing comparable was found for {', '.join(missing)}")
    if asked.operation == "filter":
        return _beyond(asked, numbers)
    if asked.operation in OVER_BOTH:
        return _computed(asked, numbers)
    return _best(asked, numbers, dict(values))


def _none(reason: str, names: Sequence[str] = ()) -> ContestOutcome:
    return ContestOutcome(None, tuple(names), reason)


def _parted(values: Iterable[tuple[str, Quantity | None]]) -> tuple[list[Number], list[str]]:
    """The names that have a number, each with it, and those that have none."""
    pairs = list(values)
    numbers = [(name, quantity) for name, quantity in pairs if quantity is not None]
    return numbers, [name for name, quantity in pairs if quantity is None]


def _truth(asked: Contest, held: Sequence[Pair], missing: Sequence[str]) -> ContestOutcome:
    """The names of which it is true, or whether it is of every one or of some: one answer may settle that, else all must be
    known. Silence about one leaves open whether it belongs to those of which it is true.
    """
    filters, settles = asked.operation == "filter", asked.operation == "some"
    decided = next((name for name, value in held if value is settles), None)
    if not filters and decided is not None:
        return ContestOutcome(settles, (decided,))
    left_out = filters and asked.excludes
    if (missing and not left_out) or not all(isinstance(value, bool) for _, value in held):
        return _none(f"it is not known for {', '.join(missing) or 'all of them'}")
    names = tuple(name for name, _ in held)
    if filters:
        return _those(asked, [name for name, value in held if value], names)
    return ContestOutcome(not settles, names)


def _beyond(asked: Contest, numbers: Sequence[Number]) -> ContestOutcome:
    """The names whose numbers lie beyond the threshold."""
    assert asked.ask.threshold is not None
    limit, sign = asked.ask.threshold.amount, 1 if asked.most else -1
    found = [name for name, quantity in numbers if sign * quantity.amount > sign * limit]
    return _those(asked, found, [name for name, _ in numbers])


def _those(asked: Contest, found: Sequence[str], names: Sequence[str]) -> ContestOutcome:
    """Those of the names of which something is true; a single one alone, unless names are asked for."""
    if not found:
        return _none("it is true of none of them", names)
    alone = len(found) == 1 and asked.ask.query.expects != "names"
    return ContestOutcome(found[0] if alone else tuple(found), tuple(names))


def _computed(asked: Contest, numbers: Sequence[Number]) -> ContestOutcome:
    """An operation over the amounts, in the order of mention; a difference "between" two is a distance."""
    ordered = list(numbers)
    if asked.operation == "difference" and asked.ask.says("distance"):
        ordered.sort(key=lambda pair: -pair[1].amount)
    try:
        with localcontext(prec=28):
            value = OPERATIONS[asked.operation].run([quantity.amount for _, quantity in ordered])
    except UNCOMPUTABLE:
        return _none(f"{asked.operation} cannot be computed over {len(ordered)} values")
    own_units = {"percentage_change": "%", "proportion": "%", "ratio": ""}
    unit = own_units.get(asked.operation, ordered[0][1].unit)
    return ContestOutcome(Quantity(value, unit), tuple(name for name, _ in ordered))


def _best(asked: Contest, numbers: Sequence[Number], held: Mapping[str, Value]) -> ContestOutcome:
    """The extreme of the values, the yes or no about the first, or the name of the one that has it.

    Of losses or outflows the most is the one furthest below zero.
    """
    below = all(quantity.amount <= 0 for _, quantity in numbers)
    outward = below and asked.kind == "number" and asked.ask.says("outward")
    sign = 1 if asked.most is not outward else -1
    ordered = sorted(numbers, key=lambda pair: -sign * pair[1].amount)
    names = tuple(name for name, _ in ordered)
    compares = asked.operation == "compare"
    if compares and len(ordered) == 1:
        return _none("a single value cannot be compared", names)
    first = ordered[0][1]
    if compares and first.low is None and first.amount == ordered[1][1].amount:
        return ContestOutcome(False, names)
    if asked.operation in OF_VALUE:
        return ContestOutcome(held[names[0]], names)
    if not _is_apart(ordered, sign):
        both = f"{worded(held[names[0]])} and {worded(held[names[1]])}"
        return _none(f"{names[0]} and {names[1]} are tied: {both}", names)
    return ContestOutcome(names[0] == numbers[0][0] if compares else names[0], names)


def _is_apart(ordered: Sequence[Number], sign: int) -> bool:
    """Whether the first value is beyond all others, wherever in their ranges they lie."""
    near, *others = (quantity for _, quantity in ordered)
    last = min(sign * end for end in near.ends) * near.scale
    return all(last > sign * end * other.scale for other in others for end in other.ends)


def _in_one_unit(asked: Contest, held: Sequence[Pair]) -> tuple[list[Number], list[str]]:
    """The numbers in the unit asked for, else in the first one's; and the names of what cannot be brought to it.

    A bare number is taken to be in the unit of the others. Without a unit in the question, numbers in different ones are
    all of them not comparable: none of them is the odd one.
    """
    numbers = ((name, value if isinstance(value, Quantity) else None) for name, value in held)
    found, others = _parted(numbers)
    named = asked.ask.query.unit or asked.ask.unit
    units = filter(None, (quantity.unit for _, quantity in found))
    wanted = canonical_unit(named or next(units, ""))
    known, foreign = _parted((name, _in_unit(quantity, wanted)) for name, quantity in found)
    if foreign and not named:
        return [], [name for name, _ in held]
    return known, others + foreign


def _in_unit(value: Quantity, unit: str) -> Quantity | None:
    """A quantity in a unit, which a bare one is taken to be in; None for one that measures something else."""
    try:
        return convert(value, unit) if value.unit and unit else replace(value, unit=unit)
    except UnitError:
        return None


def _moment(value: Value) -> Quantity | None:
    """A time as a range of numbers that grow with it: year, month and day as digits; None for what is no time."""
    year, month, day = _time(value)
    if not year:
        return None
    low, high = (
        Decimal(year * 10000 + (month or m) * 100 + (day or d)) for m, d in ((1, 1), (12, 31))
    )
    return Quantity(low, low=low, high=high)


def _time(value: Value) -> tuple[int, int, int]:
    """Year, month and day of a value, 0 for what it does not say."""
    if isinstance(value, Quantity):
        whole = value.amount == value.amount.to_integral_value()
        is_year = value.unit in ("", "year") and whole and 1000 <= value.amount <= 2200
        return (int(value.amount) if is_year else 0, 0, 0)
    times = when(value) if isinstance(value, str) else ()
    return next(((time.year, time.month, time.day) for time in times if time.year), (0, 0, 0))
