"""Cells as they stand: which of a table's cells a question may mean."""

import pytest

from benchmarks.measuring.bare_table import document_of
from pincite.lines.reading import best_of
from pincite.question.understanding import understand
from pincite.types import Query
from tests.lines.tables import sales

PARTS = [
    ["Asset class", "2021", "2022"],
    ["Industrial", "478", "176"],
    ["Scope 1", "329", "122"],
    ["Scope 2", "149", "54"],
    ["Offices", "74", "180"],
    ["Scope 1", "2", "113"],
    ["Waste", "72", "67"],
]


def quoted(text, passages):
    """The texts of the cells that are proposed."""
    found = best_of(understand(Query(text)), passages)
    return [candidate.evidence[0].quote for candidate in found]


@pytest.mark.parametrize(
    ("text", "value"),
    [("What were the wages?", "600"), ("What were the wages in 2018?", "500"), ("What was the rent?", "40")],
)  # fmt: skip
def test_a_question_that_names_no_time_means_the_latest_of_a_row(text, value):
    assert quoted(text, sales())[0] == value


@pytest.mark.parametrize("asked", ["net income", "net profit", "net loss", "net result"])
def test_a_loss_is_the_result_that_is_asked_for(asked):
    rows = [["", "2023", "2022"], ["Net sales", "90", "80"], ["Net loss", "(19)", "(2)"]]
    assert quoted(f"What was the {asked} in 2023?", document_of(rows, []))[0] == "(19)"


LOSSES = [
    ["", "2023", "2022"],
    ["Freight revenue", "12,050", "11,400"],
    ["Total revenue", "60,250", "63,300"],
    ["Loss before tax", "4,310", "1,120"],
    ["Loss for the year", "4,100", "1,040"],
    ["Profit attributable to non-controlling interests", "150", "90"],
]


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("What was the profit for the year in 2023?", -4100),
        ("What was the loss for the year in 2023?", 4100),
        ("What was the profit before tax in 2022?", -1120),
        ("What was the revenue in 2023?", 60250),
        ("What was the profit attributable to non-controlling interests in 2022?", 90),
    ],
)
def test_the_rows_of_a_loss_year_without_a_minus(asked, value):
    first = best_of(understand(Query(asked)), document_of(LOSSES, []))[0]
    assert first.value.amount == value


def test_of_parts_that_are_called_the_same_none_answers():
    page = document_of(PARTS, [])
    assert {"329", "122", "2", "113"}.isdisjoint(quoted("What were the Scope 1 emissions?", page))
    assert {"329", "2"}.isdisjoint(quoted("What were the Scope 1 emissions in 2021?", page))
    assert "54" in quoted("What were the Scope 2 emissions?", page)
    assert "67" in quoted("How much waste was there?", page)


def test_rows_without_a_label_are_not_taken_for_one_another():
    page = document_of([["Name", "Staff"], ["", "12"], ["", "30"]], [])
    assert {"12", "30"} <= set(quoted("How many staff were there?", page))


def test_a_cell_with_no_time_stands_beside_those_with_one():
    page = document_of([["", "Total", "2021", "2022"], ["Wages", "9", "4", "5"]], [])
    assert {"9", "5"} <= set(quoted("What were the wages?", page))
