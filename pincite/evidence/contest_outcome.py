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
        return _side_by_side(values)
    if asked.kind == "boolean":
        return (
            _true_of(asked, held, missing)
            if asked.operation == "filter"
            else _yes_or_no(asked, held, missing)
        )
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
        return ContestOutcome(None, reason=f"nothing comparable was found for any of {names}")
    if missing and not asked.excludes:
        return ContestOutcome(
            None, reason=f"nothing comparable was found for {', '.join(missing)}"
        )
    if asked.operation == "filter":
        return _beyond(asked, numbers)
    if asked.operation in OVER_BOTH:
        return _computed(asked, numbers)
    return _best(asked, numbers, dict(values))


def _parted(values: Iterable[tuple[str, Quantity | None]]) -> tuple[list[Number], list[str]]:
    """The names that have a number, each with it, and those that have none."""
    numbers: list[Number] = []
    others: list[str] = []
    for name, quantity in values:
        if quantity is None:
            others.append(name)
        else:
            numbers.append((name, quantity))
    return numbers, others


def _side_by_side(values: Sequence[Pair]) -> ContestOutcome:
    if all(value is None for _, value in values):
        return ContestOutcome(None, reason="nothing was found for any part of the question")
    known = tuple(name for name, value in values if value is not None)
    return ContestOutcome(tuple("N/A" if value is None else value for _, value in values), known)


def _yes_or_no(asked: Contest, held: Sequence[Pair], missing: Sequence[str]) -> ContestOutcome:
    """Whether it is true of every one, or of some: one answer may settle it, else all must be known."""
    settles = asked.operation == "some"
    for name, value in held:
        if value is settles:
            return ContestOutcome(settles, (name,))
    if missing or not all(isinstance(value, bool) for _, value in held):
        return ContestOutcome(
            None, reason=f"it is not known for {', '.join(missing) or 'all of them'}"
        )
    return ContestOutcome(not settles, tuple(name for name, _ in held))


def _true_of(asked: Contest, held: Sequence[Pair], missing: Sequence[str]) -> ContestOutcome:
    """The names of which it is true. Silence about one leaves open whether it belongs to them."""
    known = all(isinstance(value, bool) for _, value in held)
    if not known or (missing and not asked.excludes):
        return ContestOutcome(
            None, reason=f"it is not known for {', '.join(missing) or 'all of them'}"
        )
    all_names = tuple(name for name, _ in held)
    names = tuple(name for name, value in held if value is True)
    if not names:
        return ContestOutcome(None, all_names, "it is true of none of them")
    return ContestOutcome(_named(asked, names), all_names)


def _beyond(asked: Contest, numbers: Sequence[Number]) -> ContestOutcome:
    """The names whose numbers lie beyond the threshold."""
    assert asked.ask.threshold is not None
    limit, sign = asked.ask.threshold.amount, 1 if asked.most else -1
    all_names = tuple(name for name, _ in numbers)
    names = tuple(name for name, quantity in numbers if sign * quantity.amount > sign * limit)
    if not names:
        return ContestOutcome(None, all_names, "it is true of none of them")
    return ContestOutcome(_named(asked, names), all_names)


def _named(asked: Contest, names: tuple[str, ...]) -> Value:
    return names[0] if len(names) == 1 and asked.ask.query.expects != "names" else names


def _computed(asked: Contest, numbers: Sequence[Number]) -> ContestOutcome:
    """An operation over the amounts, in the order of mention; a difference "between" two is a distance."""
    ordered = list(numbers)
    if asked.operation == "difference" and asked.ask.says("distance"):
        ordered.sort(key=lambda pair: -pair[1].amount)
    try:
        with localcontext(prec=28):
            value = OPERATIONS[asked.operation].run([quantity.amount for _, quantity in ordered])
    except UNCOMPUTABLE:
        return ContestOutcome(
            None, reason=f"{asked.operation} cannot be computed over {len(ordered)} values"
        )
    unit = {"percentage_change": "%", "proportion": "%", "ratio": ""}.get(
        asked.operation, ordered[0][1].unit
    )
    return ContestOutcome(Quantity(value, unit), tuple(name for name, _ in ordered))


def _best(asked: Contest, numbers: Sequence[Number], held: Mapping[str, Value]) -> ContestOutcome:
    """The extreme of the values, the yes or no about the first, or the name of the one that has it."""
    sign = 1 if asked.most is not _are_outward(asked, numbers) else -1
    ordered = sorted(numbers, key=lambda pair: -sign * pair[1].amount)
    names = tuple(name for name, _ in ordered)
    compares = asked.operation == "compare"
    if compares and len(ordered) == 1:
        return ContestOutcome(None, names, "a single value cannot be compared")
    if compares and _are_level(ordered[0][1], ordered[1][1]):
        return ContestOutcome(False, names)
    if asked.operation in OF_VALUE:
        return ContestOutcome(held[names[0]], names)
    if not _is_apart(ordered, sign):
        both = f"{worded(held[names[0]])} and {worded(held[names[1]])}"
        return ContestOutcome(None, names, f"{names[0]} and {names[1]} are tied: {both}")
    return ContestOutcome(names[0] == numbers[0][0] if compares else names[0], names)


def _are_outward(asked: Contest, numbers: Sequence[Number]) -> bool:
    """Whether the numbers are losses or outflows, of which the most is the one furthest below zero."""
    if asked.kind != "number" or not asked.ask.says("outward"):
        return False
    return all(quantity.amount <= 0 for _, quantity in numbers)


def _are_level(first: Quantity, second: Quantity) -> bool:
    """Whether the two largest are the same amount."""
    return first.low is None and first.amount == second.amount


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
    found, others = _parted(
        (name, value if isinstance(value, Quantity) else None) for name, value in held
    )
    named = asked.ask.query.unit or asked.ask.unit
    wanted = canonical_unit(
        named or next(filter(None, (quantity.unit for _, quantity in found)), "")
    )
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
    time = _time(value)
    if time is None:
        return None
    year, month, day = time
    low, high = (
        Decimal(year * 10000 + (month or m) * 100 + (day or d)) for m, d in ((1, 1), (12, 31))
    )
    return Quantity(low, low=low, high=high)


def _time(value: Value) -> tuple[int, int, int] | None:
    """Year, month and day of a value, 0 for what it does not say."""
    if isinstance(value, Quantity):
        year = value.amount
        is_year = (
            value.unit in ("", "year")
            and year == year.to_integral_value()
            and 1000 <= year <= 2200
        )
        return (int(year), 0, 0) if is_year else None
    times = when(value) if isinstance(value, str) else ()
    return next(((time.year, time.month, time.day) for time in times if time.year), None)
