"""Answers to the project's own questions are judged as a careful reader would judge them."""

import pytest

from benchmarks.measuring.answer_key import right, right_rows, same_items, same_name
from pincite.records.runfile import Cited, Record


@pytest.mark.parametrize(
    ("value", "unit", "accepted", "wanted", "verdict"),
    [
        (32765000000, "USD", 32765, "million USD", True),
        (32.9, "billion USD", 32765, "million USD", True),  # within 1%
        (32765, "USD", 32765, "million USD", False),  # the scale is lost
        (32765000000, "", 32765, "million USD", True),
        (32765000000, "EUR", 32765, "million USD", False),
        (-193000000, "USD", 193, "million USD", False),
        (15.4, "%", 15.4, "%", True),
        (0.154, "", 15.4, "%", True),
        (0.154, "%", 15.4, "%", False),
        (15.4, "", 15.4, "%", True),
        (57500, "USD", 57500, "people", False),
        (57500, "employees", 57500, "MWh", False),
        (2.5, "percentage points", 2.5, "%", True),
        (57500, "employees", 57500, "people", True),
        (31.1, "Mt CO2e", 31.1, "million tCO2e", True),
        (31100000, "tCO2e", 31.1, "million tCO2e", True),
        (12, "GWh", 12, "MWh", False),
        (0, "", 0, None, True),
        ("about 7", "", 7, None, False),
        (150000, "", 150000, "square feet", True),
        (1975, "year", 1975, None, True),
    ],
)
def test_numbers(value, unit, accepted, wanted, verdict):
    gold = {"answer": [accepted], "unit": wanted}
    assert right(Record("1", value=value, unit=unit), gold) is verdict


def test_yes_and_no():
    assert right(Record("1", value=True), {"answer": [True]})
    assert not right(Record("1", value=False), {"answer": [True]})
    assert not right(Record("1", value="Engagement"), {"answer": [True]})


def test_one_is_not_yes_and_yes_is_not_one():
    assert not right(Record("1", value=True), {"answer": [1]})


def test_alternatives_and_refusals():
    gold = {"answer": ["Acme Corporation", "Acme"]}
    assert right(Record("1", value="ACME Corp. Inc"), {"answer": ["Acme Corp"]})
    assert right(Record("1", value="Acme"), gold)
    assert not right(Record("1", refused=True), gold)
    assert not right(None, gold)
    assert not right(Record("1", value="Acme"), {"answer": None})


def test_names():
    assert same_name("Dr. Ana Núñez", "Ana Nunez")
    assert same_name("Nunez Ortiz", "Ana Nunez Ortiz")
    assert not same_name("Tinto Limited", "Jakob Stausholm")
    assert not same_name("The board is led by Ana Nunez since 2019", "Ana Nunez")
    assert not same_name("", "Ana Nunez")


def test_lists_are_whole():
    assert same_items(["Oslo", "Bergen"], ["Bergen", "Oslo"])
    assert not same_items(["Oslo"], ["Bergen", "Oslo"])
    assert not same_items(["Oslo", "Oslo"], ["Bergen", "Oslo"])
    assert right(
        Record("1", value="Oslo, Bergen and Trondheim"),
        {"answer": [["Bergen", "Oslo", "Trondheim"]]},
    )


def test_reasons_stand_in_what_is_said_or_quoted():
    gold = {"answer": [{"must": ["lower demand", "currency"]}]}
    cited = (Cited("a.pdf", 1, "as a result of lower demand in Asia and of currency effects"),)
    assert right(Record("1", value="lower demand", citations=cited), gold)
    assert not right(Record("1", value="lower demand"), gold)


@pytest.mark.parametrize(
    ("value", "rows", "verdict"),
    [
        (30, [(30,)], True),
        (["b", "a"], [("a", 1), ("b", 2)], True),
        (["a"], [("a", 1), ("b", 2)], False),
        (["a", "b", "c"], [("a", 1), ("b", 2)], False),
        ("Norrvik", [("Norrvik", 12.5)], True),
        (12.5, [("Norrvik", 12.5)], True),
        (True, [(1,)], True),
        (True, [("no",)], False),
        (99.5, [(100,)], True),
        (90, [(100,)], False),
        ("a", [(None,)], False),
    ],
)
def test_rows(value, rows, verdict):
    assert right_rows(Record("1", value=value), [rows]) is verdict


def test_any_accepted_result_will_do():
    assert right_rows(Record("1", value=5), [[(4,)], [(5,)]])
    assert not right_rows(Record("1", value=5), [])
    assert not right_rows(None, [[(5,)]])
