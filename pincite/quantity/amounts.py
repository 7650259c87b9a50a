"""What quantities mean: the same amount or not, in another unit, as a clean number."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, localcontext

from pincite.quantity.dimensions import UnitError, compatible, factor, measure, pint_convert
from pincite.quantity.scales import split_scale
from pincite.quantity.units import canonical_unit
from pincite.types import Quantity

EXACT = Decimal("1e-9")
"""The relative difference that the rounding of a conversion may make."""
_DIGITS = 15
"""Significant digits kept of a converted value: factors are exact, quotients of them are not."""


def convert(quantity: Quantity, unit: str) -> Quantity:
    """The same amount in another unit, scale 1. `unit` may carry a scale word ("million liters").

    The table of units converts; pint, loaded on first need, what the table cannot. UnitError says both dimensions when
    the units measure different things.
    """
    target = canonical_unit(unit)
    source = canonical_unit(quantity.unit)
    ratio = factor(source, target)

    def converted(value: Decimal) -> Decimal:
        if ratio == 1 and quantity.scale == 1:
            return value
        amount = value * quantity.scale
        return _clean(pint_convert(amount, source, target) if ratio is None else amount * ratio)

    with localcontext(Context(prec=40)):
        return replace(
            quantity,
            value=converted(quantity.value),
            unit=target,
            scale=Decimal(1),
            low=None if quantity.low is None else converted(quantity.low),
            high=None if quantity.high is None else converted(quantity.high),
        )


def in_unit(quantity: Quantity, unit: str) -> Quantity:
    """A quantity as a question asks for it ("million liters", "USD millions", "percent").

    What is bare takes the unit as it is, but what is told in thousands or millions is no percentage. UnitError when the
    quantity measures something else.
    """
    if quantity.unit:
        return convert(quantity, unit)
    target = canonical_unit(unit)
    if target == "%" and quantity.scale != 1:
        raise UnitError(
            f"{quantity.text or quantity.value} is an amount in thousands or millions, not a percentage"
        )
    below, _ = split_scale(target)
    bare = convert(replace(quantity, scale=quantity.scale / below), "")
    return replace(bare, unit=target)


def _clean(value: Decimal) -> Decimal:
    """Rounded to the digits that mean something, without trailing zeros after the point."""
    rounded = Context(prec=_DIGITS).plus(value).normalize()
    return (
        rounded.quantize(Decimal(1))
        if rounded == rounded.to_integral_value() and abs(rounded) < 10**18
        else rounded
    )


def same(
    a: Quantity, b: Quantity, *, rel: Decimal = Decimal("0.001"), lenient: bool = False
) -> bool:
    """Whether two quantities mean the same amount, within `rel` of the larger.

    Both ends of a range must agree; a different sign, or a unit that measures something else, is never the same. What
    is bare goes with bare only, and CO2 not with CO2e, unless `lenient`.
    """
    pairs = _pairs(a, b, lenient)
    return pairs is not None and all(_close(x, y, rel) for x, y in pairs)


def rounded(a: Quantity, b: Quantity, *, lenient: bool = False) -> bool:
    """Whether a is b rounded to the digits in which a is written ("62 million" is 61.7 million rounded).

    Zeros at the end of a whole number count as digits, unless a is approximate.
    """
    pairs = _pairs(a, b, lenient)
    if pairs is None:
        return False
    ends = zip(a.ends, pairs, strict=True)
    return all(
        _is_rounded(value, x, y, _last_digit(value, a.approximate)) for value, (x, y) in ends
    )


def _last_digit(value: Decimal, approximate: bool) -> Decimal:
    """What the last digit that counts stands for: 0.1 of 6.2, 1 of 600, 100 of about 600."""
    whole = approximate and value and value == value.to_integral_value()
    return Decimal(1).scaleb(int((value.normalize() if whole else value).as_tuple().exponent))


def _is_rounded(value: Decimal, x: Decimal, y: Decimal, step: Decimal) -> bool:
    """Whether y, written as `value` writes x, is that value once it is rounded to `step`."""
    if x.is_zero() != value.is_zero():
        return False
    with localcontext(Context(prec=60)):
        written = y * (value / x) if x else y
        return any(
            _quantized(written, step, way) == value for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)
        )


def _quantized(value: Decimal, step: Decimal, way: str) -> Decimal:
    return (value / step).to_integral_value(rounding=way) * step


def _close(x: Decimal, y: Decimal, rel: Decimal) -> bool:
    if (x < 0) != (y < 0) and x and y:
        return False
    return abs(x - y) <= rel * max(abs(x), abs(y))


def _pairs(a: Quantity, b: Quantity, lenient: bool) -> list[tuple[Decimal, Decimal]] | None:
    """The ends of both in a's unit with scales applied, or None when they cannot be compared."""
    if (a.low is None) != (b.low is None):
        return None
    unit_a, unit_b = canonical_unit(a.unit), canonical_unit(b.unit)
    if unit_a != unit_b and not _are_comparable(unit_a, unit_b, lenient):
        return None
    ratio = factor(unit_b, unit_a) if unit_a != unit_b and unit_a and unit_b else Decimal(1)
    with localcontext(Context(prec=40)):
        ends = zip(a.ends, b.ends, strict=True)
        if ratio is None:
            return [(x * a.scale, pint_convert(y * b.scale, unit_b, unit_a)) for x, y in ends]
        return [(x * a.scale, y * b.scale * ratio) for x, y in ends]


def _are_comparable(unit_a: str, unit_b: str, lenient: bool) -> bool:
    """Whether amounts in two different units can be compared: bare ones where that is `lenient`, else those of one measure."""
    if not unit_a or not unit_b:
        return lenient
    return compatible(unit_a, unit_b) and (lenient or measure(unit_a)[2] == measure(unit_b)[2])


def render(quantity: Quantity) -> str:
    """The clean number: no separators, currency or words; a range as "[lo, hi]"; digits kept, scale applied."""
    ends = [_plain(value, quantity.scale) for value in quantity.ends]
    return ends[0] if len(ends) == 1 else f"[{ends[0]}, {ends[1]}]"


def _plain(value: Decimal, scale: Decimal) -> str:
    if scale == 1:
        return format(value, "f")
    with localcontext(Context(prec=60)):
        text = format(value * scale, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
