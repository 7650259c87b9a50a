"""Counts in parentheses, columns of percentages that print the sign at their ends, and what makes a rate."""

from decimal import Decimal

import pytest

from pincite.document.cell_values import quantity_of
from pincite.document.deducted_amounts import as_counted
from pincite.document.labelled_cells import labels
from pincite.quantity.arithmetic import rate_unit, with_fractions
from pincite.types import Anchor, Cell, Node, Quantity, Table


@pytest.mark.parametrize(
    ("label", "value"), [("Shares forfeited", 120), ("Growth in employees", -120)]
)
def test_a_change_keeps_the_sign_of_its_count(label, value):
    there = Quantity(Decimal(-120), "employee", text="(120)")
    assert as_counted(there, label).value == value


def units(*texts):
    cells = [Cell(0, 1, "2023")]
    for row, text in enumerate(texts, 1):
        cells += [Cell(row, 0, f"Row {row}"), Cell(row, 1, text)]
    table = Table(tuple(cells))
    node = Node("n", "table", "", Anchor("s"), table=table)
    return [quantity_of(node, cell).unit for cell in labels(table).cells]


def test_the_last_percentage_is_the_sum_of_the_others():
    assert units("21.0%", "2.5", "1.0", "24.5%") == ["%"] * 4
    assert units("12.1%", "2.3", "8.4%") == ["%", "", "%"]


def test_what_makes_a_rate():
    def of(unit):
        return Quantity(Decimal(20), unit)

    assert rate_unit([of("USD"), of("employee")]) == "USD/employee"
    assert [rate_unit([of("USD"), of(other)]) for other in ("EUR", "%", "pp", "x")] == [""] * 4
    assert with_fractions("ratio", [of(""), of("%")]) == [of(""), of("%")]
