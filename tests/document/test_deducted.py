"""Expenses that a statement deducts, and signs that say something."""

from __future__ import annotations

from decimal import Decimal

import pytest

from benchmarks.measuring.bare_table import document_of
from pincite.check.claims import verified
from pincite.document.cell_values import quantity_of
from pincite.document.labelled_cells import labels
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.drafted_answer import drafted
from pincite.question.understanding import understand
from pincite.types import Quantity, Query

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
FLOWS = [
    ["", "2023", "2022"],
    ["Operating activities", "", ""],
    ["Depreciation", "50", "45"],
    ["Impairment charges", "20", "25"],
    ["Investing activities", "", ""],
    ["Capital expenditures", "(300)", "(280)"],
    ["Proceeds from sale of assets", "7", "9"],
    ["Net cash used in investing activities", "(293)", "(271)"],
]
PARTED = [
    ["", "2023", "2022"],
    ["Operating activities", "", ""],
    ["Depreciation", "50", "45"],
    ["Impairment", "30", "25"],
    ["Restructuring costs paid", "(9)", "(8)"],
    ["Investing activities", "", ""],
    ["Purchases of equipment", "(300)", "(280)"],
    ["Payments for acquisitions", "(70)", "(60)"],
    ["Proceeds from sales", "20", "10"],
]
LONE = [
    ["", "2023", "2022"],
    ["Revenue", "900", "800"],
    ["Impairment of goodwill", "(300)", "(280)"],
]


def amounts(rows: list[list[str]], label: str) -> list[int]:
    node = document_of(rows, [])[0].node
    return [
        int(quantity_of(node, cell).amount)
        for cell in labels(node.table).cells
        if cell.label == label
    ]


@pytest.mark.parametrize(
    ("rows", "label", "expected"),
    [
        (DEDUCTS, "Income tax expense", [120, 100]),
        (DEDUCTS, "Depreciation", [50, 45]),
        (DEDUCTS, "Income tax benefit (expense)", [-7, 9]),
        (DEDUCTS, "Net finance costs", [-20, -25]),
        (ADDS, "Income tax expense", [-120, 100]),
        (LONE, "Impairment of goodwill", [300, 280]),
        (PARTED, "Purchases of equipment", [300, 280]),
        (PARTED, "Restructuring costs paid", [-9, -8]),
        (FLOWS, "Capital expenditures", [300, 280]),
        (FLOWS, "Depreciation", [50, 45]),
        (FLOWS, "Net cash used in investing activities", [-293, -271]),
    ],
)
def test_what_is_deducted_is_what_was_spent(rows, label, expected):
    assert amounts(rows, label) == expected


@pytest.mark.parametrize(("said", "verdict"), [(300, "supported"), (-300, "contradicted")])
def test_what_was_spent_is_not_negative(said, verdict):
    node = document_of(DEDUCTS, [])[0].node
    claim = Candidate(Quantity(Decimal(said)), (Evidence(node, ((2, 1),), quote="(300)"),))
    draft = drafted(
        understand(Query("What was the cost of materials in 2023?")), [claim], 1.0, (node.id,)
    )
    assert verified(draft, {node.id: node}).checks[0].verdict == verdict
