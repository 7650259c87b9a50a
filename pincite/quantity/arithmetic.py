"""Operations over the numbers that an answer rests on: by name, or by a formula over letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from pincite.quantity.dimensions import compatible
from pincite.quantity.formula import formula_value, is_formula
from pincite.quantity.units import canonical_unit, is_currency
from pincite.types import Quantity


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operation does to its operands, in the order of the citations, and its formula in words."""

    run: Callable[[Sequence[Decimal]], Decimal]
    formula: str


def _difference(values: Sequence[Decimal]) -> Decimal:
    first, second = values
    return first - second


def _ratio(values: Sequence[Decimal]) -> Decimal:
    first, second = values
    return first / second


class Operations(dict[str, Operation]):
    """Operations by name. A formula over the operands as letters, "(a + b) / 2 / c", is an operation too and names itself."""

    def __missing__(self, name: str) -> Operation:
        if not is_formula(name):
            raise KeyError(name)
        return Operation(lambda values: formula_value(name, values), name)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (isinstance(name, str) and is_formula(name))


OPERATIONS: Mapping[str, Operation] = Operations({
    "difference": Operation(_difference, "a - b"),
    "percentage_change": Operation(lambda v: (v[0] - v[1]) / v[1] * 100, "(a - b) / b x 100"),
    "ratio": Operation(_ratio, "a / b"),
    "proportion": Operation(lambda v: abs(v[0] / v[1]) * 100, "|a / b| x 100"),
    "sum": Operation(lambda v: sum(v, Decimal(0)), "a + b + ..."),
    "average": Operation(lambda v: sum(v, Decimal(0)) / len(v), "(a + b + ...) / n"),
    "count": Operation(lambda v: Decimal(len(v)), "n"),
    "max": Operation(max, "max(a, b, ...)"),
    "min": Operation(min, "min(a, b, ...)"),
    "product": Operation(lambda v: v[0] * v[1], "a x b"),
})  # fmt: skip
"""How each operation is computed; a change is the later value less the earlier one."""

_WRITTEN = {
    "a-b": "difference",
    "(a-b)/b": "percentage_change",
    "(a-b)/b*100": "percentage_change",
    "((a-b)/b)*100": "percentage_change",
    "a/b": "ratio",
    "a*b": "product",
}


def named(operation: str) -> str:
    """The operation that a formula over letters is, where it has a name: "a + b" is a sum; else as it is."""
    bare = "".join(operation.split())
    letters = bare.split("+")
    if len(letters) > 1 and all(len(letter) == 1 and letter.isalpha() for letter in letters):
        return "sum"
    return _WRITTEN.get(bare, operation)


FORMULAS: Mapping[str, str] = {
    "difference": "a - b",
    "ratio": "a / b",
    "proportion": "(a / b) * 100",
    "product": "a * b",
}
"""Operations over two operands as formulas."""

WITH_SIGN = ("difference", "sum", "average")
"""Operations whose result has the other sign when all their operands have."""


def rate_unit(operands: Sequence[Quantity]) -> str:
    """The unit of one thing for each of another, "USD/employee", where two operands measure nothing alike; else "".

    Two currencies make no rate, nor does a share, a multiple or what is for each of something already.
    """
    units = [canonical_unit(operand.unit) for operand in operands]
    alike = len(units) != 2 or not all(units) or compatible(*units) or all(map(is_currency, units))
    return "" if alike or any(map(_makes_no_rate, units)) else "/".join(units)


def _makes_no_rate(unit: str) -> bool:
    return "/" in unit or unit in ("%", "pp", "bp", "x")


def with_fractions(operation: str, operands: Sequence[Quantity]) -> list[Quantity]:
    """The operands with percentages as the shares of something that they are: 53% of 200 is .53 times 200.

    So they are in a product with something else, and below something else in a ratio: where 20 are 10%, all are 20 over .1.
    """
    others = [operand for operand in operands if operand.unit != "%"]
    below = operation == "ratio" and operands[0].unit not in ("", "%")
    if not others or not (operation == "product" or below):
        return list(operands)
    return [
        replace(operand, value=operand.value / 100, unit="") if operand.unit == "%" else operand
        for operand in operands
    ]


UNCOMPUTABLE = (ArithmeticError, ValueError, LookupError)
"""What an operation raises over operands that it has no value for, or that are too few or too many."""

PICKS = ("argmax", "argmin", "filter")
"""Operations that name rows or columns rather than compute a number."""
