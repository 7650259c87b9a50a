"""Formulas over letters, with blanks around their signs or without."""

from decimal import Decimal

import pytest

from pincite.quantity.arithmetic import OPERATIONS


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("(a - b) / b", ".5"),
        ("(a-b)/b", ".5"),
        ("-(a+b)/2", "-5"),
        ("- (a + b) / 2", "-5"),
        ("a / b - 1", ".5"),
        ("a - -b", "10"),
    ],
)
def test_a_formula_is_computed_however_it_is_spaced(formula, value):
    assert OPERATIONS[formula].run([Decimal(6), Decimal(4)]) == Decimal(value)
