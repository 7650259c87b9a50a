"""How the honest oracle sorts: what stands where the question is spoken of, and how a gold follows from numbers on its pages."""

from dataclasses import replace
from decimal import Decimal

import pytest

from benchmarks.oracle.computed import Wanted, as_asked, from_rows, written
from benchmarks.oracle.derivation import calculated
from benchmarks.oracle.figures import numbers
from benchmarks.oracle.gold import sorted_by_text, typed, wattbot

ROW = {
    "question": "How many cranes does the harbour of Tarn have?", "answer": "12", "answer_type": "integer",
    "unit": "", "scale": "", "doc_ids": ["tarn.pdf"], "evidence_pages": [1],
}  # fmt: skip


def wanted(text, percent=False):
    return Wanted(replace(numbers(text)[0], percent=percent))


def sort(row, text):
    return sorted_by_text(typed(1, {**ROW, **row}), [("tarn", 1, text)]).sort


@pytest.mark.parametrize(
    ("row", "text", "sorted_as"),
    [
        ({}, "Tarn froze on 12 May.\nThe harbour has 12 cranes.", "stands"),
        ({}, "Tarn froze on 12 May.\nIt was cold.", "not in the text"),
        ({"answer": "1,204"}, "In all: 1,204.", "stands"),
        (
            {"answer": "XL", "answer_type": "text"},
            "It is an excellent harbour.",
            "not in the text",
        ),
        ({"answer": "XL", "answer_type": "text"}, "Cranes of the harbour: XL.", "stands"),
        ({"task_type": "count"}, "The harbour has 12 cranes.", "not in the text"),
    ],
)
def test_what_is_short_stands_where_its_sentence_speaks_of_the_question(row, text, sorted_as):
    assert sort(row, text) == sorted_as


TABLE = "Port | Cranes | Berths\nTarn | 24 | 7\nFerrow | 12 | 5\nOld Quay | 3 | 2"


def test_a_difference_that_the_question_asks_for_is_derived_from_two_rows():
    asks = "How many more cranes has Tarn than Ferrow?"
    row = {"question": asks, "answer": "12", "task_type": "derive"}
    gold = sorted_by_text(typed(1, {**ROW, **row}), [("tarn", 1, TABLE)])
    assert (gold.sort, gold.derivation.operation) == ("derived", "difference")
    assert gold.derivation.operands == (24, 12)


def test_what_two_pairs_of_numbers_give_is_left_out():
    held = [("tarn", 1, "Tarn | 24 | 7\nFerrow | 12 | 5\nTarn and Ferrow | 30 | 18")]
    assert as_asked("How many more cranes has Tarn than Ferrow?", wanted("12"), held) is None


@pytest.mark.parametrize(
    ("told", "gold", "operands"),
    [
        ("It must be calculated (75-20)", "55", ["75", "20"]),
        ("Large 48.66 Wh / small 5.58 Wh", "8.72", ["48.66", "5.58"]),
        ("0.009\u21920.004=55.6%", "55.6%", ["0.004", "0.009"]),
        ("hours: 30,000 h \u00f7 96 = 312.5; days: 312.5 \u00f7 24", "13", ["30000", "96"]),
    ],
)
def test_a_computation_is_read_as_the_set_writes_it(told, gold, operands):
    assert list(written(told, wanted(gold, "%" in gold)).operands) == list(map(Decimal, operands))


@pytest.mark.parametrize(
    ("question", "gold", "formula"),
    [
        ("Revenue over average equipment?", "24.26", "a / ((b + c) / 2)"),
        ("The 2 year average of equipment to revenue?", "3.8%", "(a / b + c / d) / 2"),
    ],
)
def test_rows_that_the_set_names_give_the_gold(question, gold, formula):
    held = [("f", 1, "Net revenues $ 6,489 $ 7,500\nEquipment, net 253 282")]
    made = from_rows(question, ["Net revenues", "Equipment, net"], wanted(gold, "%" in gold), held)
    assert made.formula == formula
    assert Wanted(None, Decimal("0.0379"), Decimal("24.5")).is_reached(calculated(made))


def test_a_range_of_a_computed_gold_is_what_the_result_may_lie_in():
    row = {
        "question": "How many times the energy of Ferrow does Tarn use?", "answer_value": "[3.9,4.1]",
        "answer_unit": "multiplier", "ref_id": "a,b", "flags": "MC",
    }  # fmt: skip
    held = [
        ("a", 1, "The port of Tarn uses an energy of 412 MWh."),
        ("b", 1, "Energy of Ferrow: 103 MWh."),
    ]
    gold = sorted_by_text(wattbot(1, row), held)
    assert (gold.sort, gold.derivation.operands) == ("derived", (412, 103))
