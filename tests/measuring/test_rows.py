"""Rows against accepted rows: literals counted by hand."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measuring.row_sets import right, same

CELLS = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from(["a", "b", "A "]))
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[CELLS] * width), min_size=1, max_size=5)
)


@pytest.mark.parametrize(
    ("given_rows", "gold", "ordered", "expected"),
    [
        ([["Oak", 3]], [[3.004, " oak "]], False, True),
        ([["Oak", 3]], [[3.01, "oak"]], False, False),
        ([["a", 1], ["b", 2], ["a", 1]], [["b", 2], ["a", 1]], False, True),
        ([["a", 1], ["b", 2]], [["b", 2], ["a", 1]], True, False),
        ([["a", 1], ["b", 2]], [["a", 2], ["b", 1]], False, False),
        ([[1, 2, 3]], [[1, 2]], False, False),
        ([[date(2020, 5, 6), Decimal("1.50")]], [["1.5", "2020-05-06"]], False, False),
        ([[date(2020, 5, 6), Decimal("1.50")]], [[1.5, "2020-05-06"]], False, True),
        ([[None]], [[""]], False, False),
        ([], [[1]], False, False),
        ([], [], False, True),
        ([[1, 1], [1, 2]], [[1, 1], [2, 1]], False, True),
        ([[1, 1], [2, 2]], [[1, 2], [2, 1]], False, False),
    ],
)
def test_rows_are_the_same_as_sets_in_any_order_of_columns(given_rows, gold, ordered, expected):
    assert same(given_rows, gold, ordered) is expected


@given(TABLES, st.randoms(use_true_random=False))
def test_shuffled_rows_and_columns_are_the_same(table, random):
    order = list(range(len(table[0])))
    random.shuffle(order)
    shuffled = [[row[at] for at in order] for row in table]
    random.shuffle(shuffled)
    assert same(shuffled, table)


def test_any_accepted_gold_will_do_and_nothing_given_is_wrong():
    golds = [{"rows": [["x"]]}, {"rows": [[7]]}]
    assert right([[7.0]], golds)
    assert not right([[8]], golds)
    assert not right(None, golds)
