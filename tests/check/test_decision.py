from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evidence.contest_outcome import decide
from pincite.question.contest import beside, contest
from pincite.types import Quantity, Query


def q(digits, unit="", scale=1, **more):
    return Quantity(Decimal(digits), unit, Decimal(scale), **more)


def decided(text, expects=None, **values):
    names = tuple(values)
    return decide(contest(Query(text, expects=expects), names), tuple(values.items()))


def answer(text, expects=None, **values):
    return decided(text, expects, **values).value


MOST = "Which company had the highest revenue, A, B or C?"
ERC = (
    "Which of the companies had the lowest revenue in USD: A, B, C? If data for the company is not available, exclude it from "
    "the comparison. If only one company is left, return it."
)


def test_the_extreme_in_one_unit():
    assert answer(MOST, A=q(900, "USD", 1000), B=q(2, "USD", 10**6), C=q("1500000", "USD")) == "B"
    assert (
        answer(MOST.replace("highest", "lowest"), A=q(900, "USD", 1000), B=q(2, "USD", 10**6))
        == "A"
    )
    assert answer("Which has the larger site, A or B?", A=q(900, "kWh"), B=q(1, "MWh")) == "B"
    # a bare number is in the unit of the others
    assert answer(MOST, A=q(5), B=q(3, "USD")) == "A"


def test_the_value_of_the_extreme_when_that_is_asked_for():
    assert answer(
        "What was the highest revenue among A, B and C?", A=q(1, "USD"), B=q(7, "USD")
    ) == q(7, "USD")


def test_what_is_missing_is_left_out_only_where_the_question_says_so():
    assert answer(ERC, A=q(5, "USD"), B=None, C=q(3, "USD")) == "C"
    assert answer(ERC, A=None, B=q(3, "USD"), C=None) == "B"
    assert answer(ERC, A=None, B=None, C=None) is None
    lacking = decided(MOST, A=q(5, "USD"), B=None)
    assert (lacking.value, lacking.reason) == (None, "nothing comparable was found for B")


def test_a_change_needs_two_values():
    alone = decided("What was the percentage change in revenue from A to B?", A=q(5))
    assert (alone.value, alone.reason) == (
        None,
        "percentage_change cannot be computed over 1 values",
    )


def test_another_currency_is_left_out_or_makes_it_incomparable():
    assert answer(ERC, A=q(5, "USD"), B=q(1, "EUR"), C=q(3, "USD")) == "C"
    assert answer(ERC, A=q(5, "EUR"), B=q(1, "EUR"), C=q(3, "USD")) == "C"
    assert answer(MOST, A=q(5, "USD"), B=q(1, "EUR")) is None


def test_what_cannot_be_told_apart_has_no_winner():
    tie = decided(MOST, A=q(5, "USD"), B=q("5.0", "USD"), C=q(1, "USD"))
    assert tie.value is None and "A and B are tied" in tie.reason
    assert answer(MOST, A=q(5, low=Decimal(4), high=Decimal(6)), B=q("5.5")) is None
    assert answer(MOST, A=q(5, low=Decimal(4), high=Decimal(6)), B=q("3.5")) == "A"


def test_losses_written_as_negative_numbers_are_compared_by_size():
    assert (
        answer("Which company had the largest net loss, A or B?", A=q(-5, "USD"), B=q(-9, "USD"))
        == "B"
    )
    assert (
        answer("Which company had the highest net income, A or B?", A=q(-5, "USD"), B=q(-9, "USD"))
        == "A"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Did A have a higher headcount than B?", True),
        ("Did A have a lower headcount than B?", False),
        ("Is the headcount of A smaller than that of B?", False),
    ],
)
def test_yes_or_no_is_about_the_first(text, value):
    assert answer(text, A=q(10), B=q(9)) is value
    assert answer(text, A=q(10), B=None) is None


def test_equal_is_not_more():
    assert answer("Did A have a higher headcount than B?", A=q(10), B=q(10)) is False


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("How much more revenue did A have than B?", q(-4, "USD")),
        ("What is the difference in revenue between A and B?", q(4, "USD")),
        ("What was the combined revenue of A and B?", q(16, "USD")),
        ("What was the average revenue of A and B?", q(8, "USD")),
    ],
)
def test_arithmetic_over_all(text, value):
    made = answer(text, A=q(6, "USD"), B=q(10, "USD"))
    assert (made.amount, made.unit) == (value.amount, value.unit)
    assert answer(text, A=q(6, "USD"), B=None) is None


@pytest.mark.parametrize(
    ("text", "values", "value"),
    [
        ("Which of A and B was founded earliest?", ("12 May 1998", q(2003, "year")), "A"),
        ("Which was founded first, A or B?", (q(1998), "2003"), "A"),
        ("Which company is older, A or B?", (q(2003, "year"), q(1998, "year")), "B"),
        ("Which was listed most recently, A or B?", ("2 March 2020", "1 March 2020"), "A"),
        ("Which was founded first, A or B?", (q(1998, "year"), "12 May 1998"), None),
        ("Which was founded first, A or B?", ("long ago", "1998"), None),
    ],
)
def test_times(text, values, value):
    assert answer(text, A=values[0], B=values[1]) == value


def test_the_names_of_which_it_is_true():
    text = "Which of the companies announced a share buyback: A, B, C?"
    assert answer(text, A=True, B=False, C=True) == ("A", "C")
    assert answer(text, A=False, B=True, C=False) == "B"
    assert answer(text, "names", A=False, B=True, C=False) == ("B",)
    assert answer(text, A=False, B=False, C=False) is None
    assert answer(text, A=True, B=None, C=False) is None
    assert answer(text + " If data is not available, exclude it.", A=True, B=None, C=False) == "A"


def test_true_of_all_or_of_some():
    assert answer("Did A and B both pay a dividend?", A=True, B=False) is False
    assert answer("Did A and B both pay a dividend?", A=False, B=None) is False
    assert answer("Did A and B both pay a dividend?", A=True, B=None) is None
    assert answer("Did either A or B pay a dividend?", A=None, B=True) is True
    assert answer("Did either A or B pay a dividend?", A=False, B=False) is False


def test_the_names_beyond_a_threshold():
    text = "Which of A, B and C had revenue over 5 million USD?"
    assert answer(text, A=q(6, "USD", 10**6), B=q(5, "USD", 10**6), C=q(7, "USD", 1000)) == "A"


def test_parts_stand_side_by_side():
    made = decide(
        beside(Query("What is x and who is y?")), (("x", q(3)), ("y", "Ada"), ("z", None))
    )
    assert (made.value, made.names) == ((q(3), "Ada", "N/A"), ("x", "y"))
    assert decide(beside(Query("What is x and who is y?")), (("x", None),)).value is None


@given(
    st.dictionaries(st.sampled_from("ABCDEF"), st.integers(-(10**6), 10**6), min_size=2),
    st.sampled_from([1, 1000]),
)
def test_the_winner_is_no_less_than_any_and_scale_does_not_matter(values, scale):
    made = answer(
        MOST,
        **{name: Quantity(Decimal(one), "USD", Decimal(scale)) for name, one in values.items()},
    )
    best = max(values.values())
    assert (made is None) == (sum(one == best for one in values.values()) > 1)
    assert made is None or values[made] == best
