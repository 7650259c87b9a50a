"""Expenses that a statement deducts, and signs that say something."""

from __future__ import annotations

import pytest

from pincite.answer.given import document_of
from pincite.answer.tableread import quantity_of, views

DEDUCTS = [
    ["", "2023", "2022"],
    ["Revenue", "900", "800"],
    ["Cost of materials", "(300)", "(280)"],
    ["Depreciation", "(50)", "(45)"],
    ["Income tax expense", "(120)", "(100)"],
    ["Income tax benefit (expense)", "(7)", "9"],
    ["Net finance costs", "(20)", "(25)"],
]
ADDS = [
    ["", "2023", "2022"],
    ["Revenue", "900", "800"],
    ["Cost of materials", "300", "280"],
    ["Depreciation", "50", "45"],
    ["Income tax expense", "(120)", "100"],
]


def amounts(rows: list[list[str]], label: str) -> list[int]:
    view = views(document_of(rows, []))[0]
    return [int(quantity_of(view, cell).amount) for cell in view.labels.cells if cell.label == label]


@pytest.mark.parametrize(
    ("rows", "label", "expected"),
    [
        (DEDUCTS, "Income tax expense", [120, 100]),
        (DEDUCTS, "Depreciation", [50, 45]),
        (DEDUCTS, "Income tax benefit (expense)", [-7, 9]),
        (DEDUCTS, "Net finance costs", [-20, -25]),
        (ADDS, "Income tax expense", [-120, 100]),
    ],
)
def test_what_is_deducted_is_what_was_spent(rows, label, expected):
    assert amounts(rows, label) == expected
