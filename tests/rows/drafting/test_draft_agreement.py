"""Whether two results say the same."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.statements.execution import Result
from pincite.rows.reading_rows import same_rows


def result(*rows):
    return Result(tuple(f"c{at}" for at in range(len(rows[0]) if rows else 1)), rows, False)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([(3,)], [(3.0,)], True),
        ([(3,)], [(Decimal("3.00"),)], True),
        ([(3,)], [("3",)], True),
        ([(1 / 3,)], [(0.333333333333,)], True),
        ([(1 / 3,)], [(0.3333,)], False),
        ([("Alma",), ("Brisa",)], [("brisa ",), ("ALMA",)], True),
        ([("Alma", 1), ("Brisa", 2)], [(2, "Brisa"), (1, "Alma")], True),
        ([("Alma", 1), ("Brisa", 2)], [(1, "Brisa"), (2, "Alma")], False),
        ([("Alma",), ("Brisa",)], [("Alma", 10), ("Brisa", 20)], True),
        ([("Alma",), ("Alma",)], [("Alma",)], True),
        ([(True,)], [(1,)], True),
        ([(None,)], [(0,)], False),
        ([(None,)], [(None,)], True),
        ([(date(2023, 1, 31),)], [("2023-01-31",)], True),
        ([(1, 1), (2, 2)], [(1, 2), (2, 1)], False),
        ([], [], False),
    ],
)
def test_the_same_rows(one, other, same):
    assert same_rows(result(*one), result(*other)) is same
    assert same_rows(result(*other), result(*one)) is same


CELL = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from("abc"))


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(st.tuples(*[CELL] * width), min_size=1, max_size=6)
    ),
    st.randoms(use_true_random=False),
)
def test_order_says_nothing(rows, random):
    places = list(range(len(rows[0])))
    random.shuffle(places)
    other = [tuple(row[at] for at in places) for row in rows]
    random.shuffle(other)
    assert same_rows(result(*rows), result(*other)) and same_rows(result(*other), result(*rows))
