"""Arithmetic that a model writes down: code runs it over the numbers of the lines, with their units and scales."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

from pincite.evidence.candidate import Candidate, Evidence
from pincite.quantity import EXACT, UnitError, canonical_unit, convert
from pincite.quantity.arithmetic import OPERATIONS, rate_unit, with_fractions
from pincite.quantity.formula import is_formula
from pincite.types import Quantity

_PERCENT = ("percentage_change", "proportion")


def computed(
    operation: str, numbers: Sequence[Quantity], places: Sequence[Evidence]
) -> Candidate | None:
    """An operation run over numbers, in their order, that stand at these places; None when it cannot be run or the units do not
    go together.
    """
    result = _result(numbers, operation)
    return None if result is None else Candidate(result, tuple(places), operation=operation)


def _result(quantities: Sequence[Quantity], operation: str) -> Quantity | None:
    """What an operation makes of quantities; None when it cannot be run or the units do not go together."""
    of_shares = with_fractions(operation, quantities) != list(quantities)
    quantities = with_fractions(operation, quantities)
    unit = next((canonical_unit(quantity.unit) for quantity in quantities if quantity.unit), "")
    as_they_are = operation == "product" or operation == "ratio" and rate_unit(quantities)
    try:
        held = quantities if as_they_are else [_in_unit(quantity, unit) for quantity in quantities]
        scale = (
            held[0].scale
            if all(quantity.scale == held[0].scale for quantity in held)
            else Decimal(1)
        )
        with localcontext(prec=28):
            value = OPERATIONS[operation].run([quantity.amount / scale for quantity in held])
    except (ArithmeticError, ValueError, LookupError, UnitError):
        return None
    if of_shares:
        return Quantity(value, unit, scale**2 if operation == "product" else Decimal(1))
    return _measured(operation, value, unit, scale, held)


def _in_unit(quantity: Quantity, unit: str) -> Quantity:
    """A quantity in the unit of the others; one without a unit is taken to be in it."""
    return quantity if canonical_unit(quantity.unit) in ("", unit) else convert(quantity, unit)


def _measured(
    operation: str, value: Decimal, unit: str, scale: Decimal, held: Sequence[Quantity]
) -> Quantity:
    """The result in the unit that it has: that of its operands, none for a quotient of two, % for a share or a change of one."""
    if operation in _PERCENT:
        return Quantity(value, "%")
    if operation == "product":
        return Quantity(value, "", scale**2)
    if operation == "ratio" and rate_unit(held):
        return Quantity(value, rate_unit(held))
    if operation == "ratio" or is_formula(operation) and _dimensionless(operation, held):
        return Quantity(value, "%" if "100" in operation else "")
    return Quantity(value, unit, scale)


def _run(operation: str, held: Sequence[Quantity], by: int) -> Decimal:
    """What an operation makes of operands that are so many times as large."""
    return OPERATIONS[operation].run([quantity.amount * by for quantity in held])


def _dimensionless(operation: str, held: Sequence[Quantity]) -> bool:
    """Whether a formula gives the same when all its operands grow tenfold."""
    with localcontext(prec=28):
        once, tenfold = _run(operation, held, 1), _run(operation, held, 10)
    return abs(once - tenfold) <= abs(once) * EXACT
