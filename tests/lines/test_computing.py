"""Computed answers cite the cells of their formula, in its order."""

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from benchmarks.measuring.bare_table import document_of
from pincite.lines.reading import best_of
from pincite.quantity.arithmetic import OPERATIONS
from pincite.question.understanding import understand
from pincite.types import Quantity, Query
from tests.lines.tables import sales


def best(text):
    return best_of(understand(Query(text)), sales())[0]


def shown(candidate):
    value = candidate.value
    return (round(value.value, 2), value.scale, value.unit)


@pytest.mark.parametrize(
    ("text", "operation", "value", "scale", "unit", "quotes"),
    [
        (
            "What was the change in wages between 2018 and 2019?",
            "difference",
            "100",
            1000,
            "",
            ["600", "500"],
        ),
        (
            "What was the change in rent from 2019 to 2018?",
            "difference",
            "-40",
            1000,
            "",
            ["40", "80"],
        ),
        (
            "How much did rent decrease from 2018 to 2019?",
            "difference",
            "40",
            1000,
            "",
            ["80", "40"],
        ),
        (
            "What was the percentage change in wages from 2017 to 2019?",
            "percentage_change",
            "50",
            1,
            "%",
            ["600", "400"],
        ),
        (
            "What was the change in net sales of the South from 2018 to 2019?",
            "difference",
            "350",
            1000,
            "",
            ["300", "(50)"],
        ),
        (
            "What is the difference between rent and wages in 2019?",
            "difference",
            "560",
            1000,
            "",
            ["600", "40"],
        ),
        ("What is the ratio of wages to rent in 2019?", "ratio", "15", 1, "", ["600", "40"]),
        (
            "What were wages as a percentage of total net sales in 2019?",
            "proportion",
            "40",
            1,
            "%",
            ["600", "1,500"],
        ),
        (
            "What is the average of wages for 2018 and 2019?",
            "average",
            "550",
            1000,
            "",
            ["500", "600"],
        ),
        (
            "What is the average of wages across all three years?",
            "average",
            "500",
            1000,
            "",
            ["600", "500", "400"],
        ),
        ("What is the total rent in 2018 and 2019?", "sum", "120", 1000, "", ["80", "40"]),
        ("What is the sum of rent and wages in 2019?", "sum", "640", 1000, "", ["40", "600"]),
        (
            "What was the change in gross margin from 2018 to 2019?",
            "difference",
            "18.4",
            1,
            "%",
            ["57.3", "38.9"],
        ),
    ],
)
def test_computed(text, operation, value, scale, unit, quotes):
    found = best(text)
    assert found.operation == operation
    assert [e.quote for e in found.evidence] == quotes
    assert shown(found)[:2] == (Decimal(value), Decimal(scale))
    assert shown(found)[2] in (unit, "USD")


def test_one_row_that_is_called_by_two_things_is_one_row():
    rows = [
        ["(in thousands)", "2019", "2018"],
        ["Cash", "9", "2"],
        ["Cash and cash equivalents", "70", "50"],
    ]
    asked = understand(
        Query("What was the change in cash and cash equivalents from 2018 to 2019?")
    )
    found = best_of(asked, document_of(rows, []))[0]
    assert (found.value.value, [e.quote for e in found.evidence]) == (20, ["70", "50"])


def test_superlatives_filters_and_counts():
    assert best("In which year were wages the highest?").value == "2019"
    assert best("In which year were wages the lowest?").evidence[0].quote == "400"
    assert best("Which years did wages exceed $450 thousand?").value == ("2019", "2018")
    assert best("How many years did wages exceed $450 thousand?").value.value == 2


def test_values_asked_for_together():
    found = best("What were wages in 2018 and 2017 respectively?")
    assert [v.value for v in found.value] == [500, 400]
    both = best("What were rent and wages in 2018 respectively?")
    assert [v.value for v in both.value] == [80, 500]


def test_a_division_by_zero_computes_nothing():
    asked = understand(Query("What was the percentage change in rent from 2017 to 2018?"))
    found = best_of(asked, sales())
    assert all(c.evidence[1].quote != "—" for c in found if c.operation)


amounts = st.decimals(min_value=-(10**9), max_value=10**9, places=2)


@given(amounts, amounts)
def test_change_inverts(old, new):
    assume(old != 0)
    assert OPERATIONS["difference"].run([new, old]) == -OPERATIONS["difference"].run([old, new])
    change = OPERATIONS["percentage_change"].run([new, old])
    assert abs(old * (1 + change / 100) - new) < Decimal("0.01")


@given(st.lists(amounts, min_size=1, max_size=9))
def test_average_lies_between_and_sums_up(values):
    mean = OPERATIONS["average"].run(values)
    assert min(values) - 1 <= mean <= max(values) + 1
    assert abs(mean * len(values) - OPERATIONS["sum"].run(values)) < Decimal("0.01")
    assert isinstance(Quantity(mean).amount, Decimal)
