"""Cells found by what their headers say."""

from decimal import Decimal

import pytest

from benchmarks.measuring.bare_table import document_of
from pincite.document.cell_text import is_number
from pincite.document.cell_values import binding
from pincite.document.labelled_cells import labels
from pincite.lines.reading import best_of
from pincite.question.understanding import understand
from pincite.types import Cell, Quantity, Query, Table
from tests.lines.tables import sales


def best(text, passages):
    return best_of(understand(Query(text)), passages)[0]


@pytest.mark.parametrize(
    ("text", "written", "amount"),
    [
        ("What were net sales in the North in 2018?", "$1,000", 1_000_000),
        ("What were net sales in the South in 2018?", "(50)", -50_000),
        ("What was the rent in 2017?", "—", 0),
        ("What were the total net sales in 2019?", "1,500", 1_500_000),
        ("How much were wages in fiscal 2017?", "400", 400_000),
    ],
)
def test_row_and_period_find_the_cell(text, written, amount):
    found = best(text, sales())
    assert found.evidence[0].quote == written
    assert isinstance(found.value, Quantity)
    assert found.value.amount == Decimal(amount)


def test_the_rows_own_unit_stands_before_the_scale_of_the_table():
    margin = best("What was the gross margin in 2018?", sales()).value
    assert (margin.value, margin.scale, margin.unit) == (Decimal("38.9"), Decimal(1), "%")
    assert best("What were the earnings per share in 2019?", sales()).value.scale == 1


def test_a_column_of_units_binds_them_to_its_rows():
    grid = [
        ["Indicator", "Unit", "2023"],
        ["Water used", "million m3", "3.1"],
        ["Waste", "tonnes", "40"],
    ]
    cells = tuple(Cell(r, c, text) for r, row in enumerate(grid) for c, text in enumerate(row))
    table = Table(cells, header_columns=2, scale=Decimal(1000), unit="EUR")
    water, waste = labels(table).cells
    assert binding(table, water) == (Decimal(1_000_000), "m3")
    assert binding(table, waste) == (Decimal(1), "t")


def test_a_column_that_begins_with_the_whole_is_of_shares_of_it():
    rows = [
        ["", "2019", "2018"],
        ["Sales", "100.0 %", "$ 80"],
        ["Gross profit", "40.0", "32"],
        ["Tax paid", "$ 7", "6"],
    ]
    table = document_of(rows, [])[0].node.table
    found = {(cell.label, cell.column): binding(table, cell)[1] for cell in labels(table).cells}
    assert found["Gross profit", 1] == "%"
    assert found["Gross profit", 2] == ""
    assert found["Tax paid", 1] == ""


def test_a_currency_in_a_cell_stands_before_a_percentage_over_it():
    rows = [
        ["(in millions)", "Percent Change 2019"],
        ["Interest expense", "$2,082"],
        ["Sales", "12"],
    ]
    table = document_of(rows, [])[0].node.table
    assert [binding(table, cell)[0] for cell in labels(table).cells] == [10**6, 1]


def test_the_part_that_a_question_names_stands_before_its_total():
    parts = [
        ["", "2019", "2018"],
        ["Jam", "40", "30"],
        ["Honey", "60", "50"],
        ["Total net sales", "100", "80"],
    ]
    passages = document_of(parts, ["Net sales of our products were as follows:"])
    for text, value in (
        ("What were net sales of honey in 2019?", 60),
        ("What were net sales in 2019?", 100),
    ):
        found = best_of(understand(Query(text)), passages)[0].value
        assert isinstance(found, Quantity)
        assert found.value == value


def test_subject_period_and_place_are_filled():
    found = best("What was the rent in 2018?", sales())
    assert (found.subject, found.period) == ("Costs Rent", "December 31, 2018")
    assert found.evidence[0].cells == ((8, 2),)


def test_sections_headers_and_blocks_are_resolved():
    rows = {c.row: c for c in labels(sales()[0].node.table).cells}
    assert rows[3].sections == ("Net sales:",)
    assert rows[7].sections == ("Costs:",)
    assert rows[3].header == ("Year ended December 31,", "2017")


def test_a_header_may_start_again_in_the_middle():
    grid = [["", "High", "Low"], ["A", "5", "4"], ["", "2018", "2017"], ["B", "3", "2"]]
    cells = tuple(
        Cell(r, c, text) for r, row in enumerate(grid) for c, text in enumerate(row) if text
    )
    found = labels(Table(cells)).cells
    assert [(c.label, c.header) for c in found] == [
        ("A", ("High",)),
        ("A", ("Low",)),
        ("B", ("2018",)),
        ("B", ("2017",)),
    ]


@pytest.mark.parametrize("text", ["1,234", "$ (5.1)", "12%", "-3", "1 234 567", "7.5x"])
def test_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize(
    "text",
    ["2019", "FY 2019", "2019 $’000", "$000", "", "—", "n/a", "Level 2 inputs", "June 30, 2019"],
)
def test_labels_and_units_are_no_numbers(text):
    assert not is_number(text)


def test_a_percentage_over_several_columns_is_not_of_the_one_in_money():
    rows = [
        ["(in millions)", "2024", "Percent Change", "Percent Change", "Percent Change"],
        ["(in millions)", "2024", "Actual", "Constant", "2023"],
        ["North", "$18", "2", "3", "$17"],
        ["South", "9", "0", "4", "8"],
    ]
    table = document_of(rows, [])[0].node.table
    south = [binding(table, cell)[1] for cell in labels(table).cells if cell.label == "South"]
    assert south == ["", "%", "%", ""]
