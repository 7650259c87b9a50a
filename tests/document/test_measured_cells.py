"""Cells with a unit of their own, labels with amounts in them, and columns that number the rows."""

from decimal import Decimal

import pytest

from pincite.document.cell_text import is_number, is_running
from pincite.document.cell_values import quantity_of, value_of
from pincite.document.labelled_cells import labels
from pincite.types import Anchor, Cell, Node, Table

BILL = (
    ("Pos.", "Item", "Quantity", "Amount (GBP)"),
    ("1", "Night units", "67,150 kWh", "10,643.28"),
    ("2", "Standing charge", "31 days", "127.72"),
    ("", "VAT at 20%", "", "2,154.20"),
)


@pytest.fixture
def bill():
    rows = enumerate(BILL)
    cells = tuple(Cell(row, column, text) for row, own in rows for column, text in enumerate(own))
    return Node("n", "table", "", Anchor("s", ((1, None),)), table=Table(cells, 1, 2))


def cell(node, row, column):
    (found,) = (
        each for each in labels(node.table).cells if (each.row, each.column) == (row, column)
    )
    return found


@pytest.mark.parametrize(
    "text", ["67,150 kWh", "7.81 g/cm3", "-12 %", "1,234 tCO2e", "12.5 million"]
)
def test_a_number_with_its_unit_is_one(text):
    assert is_number(text)


@pytest.mark.parametrize(
    "text", ["31 days", "12 months to March", "Level 3", "3 Denmark", "M10 x 50", "2024"]
)
def test_what_may_as_well_be_a_label_is_none(text):
    assert not is_number(text)


def test_a_cell_is_read_with_its_own_unit(bill):
    assert value_of(bill, cell(bill, 1, 2)).amount == 67150
    assert value_of(bill, cell(bill, 1, 2)).unit == "kWh"
    assert (value_of(bill, cell(bill, 2, 2)).amount, value_of(bill, cell(bill, 2, 2)).unit) == (
        31,
        "day",
    )


def test_a_percentage_in_a_label_is_not_what_its_amounts_are_in(bill):
    tax = quantity_of(bill, cell(bill, 3, 3))
    assert (tax.value, tax.unit) == (Decimal("2154.20"), "GBP")


def test_numbers_of_rows_are_no_labels(bill):
    assert [cell(bill, row, 3).label for row in (1, 2, 3)] == [
        "Night units",
        "Standing charge",
        "VAT at 20%",
    ]
    assert is_running(["1.", "2.", "3.", ""])
    assert not is_running(["1", "3"]) and not is_running(["1"])
