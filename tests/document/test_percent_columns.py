"""Columns of percentages that print the sign at their ends only."""

from __future__ import annotations

import pytest

from benchmarks.measuring.bare_table import document_of
from pincite.document.cell_values import quantity_of
from pincite.document.labelled_cells import labels

RATES = [
    ["", "2023"],
    ["Statutory rate", "21.0%"],
    ["State taxes", "3.7"],
    ["Credits", "(0.4)"],
    ["Effective rate", "24.3%"],
]
MIXED = [
    ["", "2023"],
    ["Gross margin", "41.5%"],
    ["Staff", "1,204"],
    ["Operating margin", "12.3%"],
]
OPEN = [["", "2023"], ["Gross margin", "41.5%"], ["Growth", "3.1"], ["Orders", "2.4"]]
PRICED = [
    ["", "2023"],
    ["Gross margin", "41.5%"],
    ["Price", "$3.1"],
    ["Operating margin", "12.3%"],
]


@pytest.mark.parametrize(
    ("rows", "units"),
    [
        (RATES, ["%", "%", "%", "%"]),
        (MIXED, ["%", "", "%"]),
        (OPEN, ["%", "", ""]),
        (PRICED, ["%", "USD", "%"]),
    ],
)
def test_the_sign_at_both_ends_holds_for_what_is_written_alike_between(rows, units):
    node = document_of(rows, [])[0].node
    assert [quantity_of(node, cell).unit for cell in labels(node.table).cells] == units


def test_a_column_of_counts_is_in_no_per_cent():
    rows = [
        ["", "Shares, % of total", "Shares, % of total"],
        ["", "Number of holders", "Issued"],
        ["1 to 1,000", "43", "0.01"],
        ["Less than a parcel", "414", "0.20"],
    ]
    node = document_of(rows, [])[0].node
    assert [quantity_of(node, cell).unit for cell in labels(node.table).cells] == ["", "%"] * 2
