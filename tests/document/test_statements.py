"""Line items and primary statements."""

import pytest

from benchmarks.measuring.bare_table import table_of
from pincite.document.statement_rows import bare_label, book, likeness, names_item, plain

BALANCE = [
    ["", "2020"],
    ["Inventories", "1"],
    ["Total current assets", "2"],
    ["Total assets", "3"],
    ["Goodwill", "4"],
]


@pytest.mark.parametrize(
    ("label", "bare"),
    [
        ("Receivables, net of allowances of 12 and 9", "Receivables"),
        ("Net income (loss)", "Net income"),
        ("Income (loss) before income taxes", "Income before income taxes"),
        ("Total assets:", "Total assets"),
        ("(1)", "(1)"),
        ("Net income attributable to Acme Corporation", "Net income"),
        (
            "Net income attributable to noncontrolling interests",
            "Net income attributable to noncontrolling interests",
        ),
    ],
)
def test_labels_without_what_stands_behind(label, bare):
    assert bare_label(label) == bare


@pytest.mark.parametrize(
    ("title", "rows", "value"),
    [
        ("Consolidated Balance Sheets", BALANCE, 1.0),
        ("", BALANCE, 0.5),
        ("Consolidated Balance Sheets", [["", "2020"], ["Rent", "1"]], 0.5),
        ("Condensed balance sheet of the parent company", BALANCE, 0.25),
        ("Inventories by class", [["", "2020"], ["Inventories", "1"]], 0.125),
    ],
)
def test_how_like_a_balance_sheet(title, rows, value):
    assert likeness(table_of(rows, []), title, "balance") == value


@pytest.mark.parametrize(
    ("label", "item", "named"),
    [
        ("Total liabilities", "total liabilities", True),
        ("Total current liabilities", "total liabilities", False),
        ("Total liabilities and equity", "total liabilities", False),
        ("Interest expense on bonds and loans", "interest expense", True),
        ("Interest and dividend expense", "interest expense", False),
        ("Accounts payable and accrued liabilities", "accounts payable", True),
        ("Rent", "accounts payable", False),
    ],
)
def test_rows_that_are_a_line_item(label, item, named):
    assert names_item(label, book().lines[item]) is named


def test_names_are_compared_without_signs():
    assert plain("The Pre-tax cash ratio, etc.") == "pre tax cash ratio etc"
