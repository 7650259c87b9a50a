"""Which editions a question is put to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.versions.series import (
    Edition,
    Series,
    in_force,
    kept_out,
    left_out,
    series_from,
    series_to,
)

STEEL = Series(
    "en 10025 2", ("en", "10025", "2"),
    (Edition("a", "1993", "1993", "b"), Edition("b", "2004", "2004", "c"), Edition("c", "2019", "2019-08")),
)  # fmt: skip
PUMP = Series(
    "pump manual",
    ("pump", "manual"),
    (Edition("p", "Rev A", "2018", "q"), Edition("q", "Rev B", "2020")),
)
YEARS = Series(
    "acme 10k",
    ("acme", "10k"),
    (Edition("x", "2021", "2021-12-31"), Edition("y", "2022", "2022-12-31")),
)


@pytest.mark.parametrize(
    ("question", "as_of", "gone"),
    [
        ("What is the yield strength?", "", "abp"),
        ("What is the yield strength?", "2019-07", "acqxy"),
        ("What is the yield strength?", "2019-08", "abqxy"),
        ("What is the yield strength?", "2021", "abpy"),
        ("What is the yield strength?", "2000", "bcpqxy"),
        ("What is the yield strength in EN 10025-2:2004?", "", "acp"),
        ("What is the yield strength in SS-EN 10025-2:2004?", "", "acp"),
        ("What is the yield strength in EN 10025-3:2004?", "", "ap"),
        ("What was it in 2004?", "", "ap"),
        ("What is the flow in Rev A of the pump manual?", "", "abq"),
        ("What is the flow in revision B?", "", "abp"),
        ("What was revenue in 2021?", "", "abp"),
    ],
)
def test_left_out(question, as_of, gone):
    assert set(left_out([STEEL, PUMP, YEARS], question, as_of)) == set(gone)


def test_no_series_leaves_nothing_out():
    assert left_out([], "What is it in Rev A?", "2001") == ()


DATES = st.sampled_from(["", "2019", "2019-05", "2019-05-01", "2020-01-01", "2021"])


@given(DATES, DATES)
def test_what_is_out_stays_out(date, as_of):
    if in_force(date, as_of) and as_of:
        assert in_force(date, "2030")
    assert in_force(date, "")


def test_what_replaced_what():
    assert [one.document for one in STEEL.before("c")] == ["b", "a"]
    assert [one.document for one in STEEL.before("b")] == ["a"]
    assert STEEL.newest("a").document == "c"
    assert STEEL.newest("c") is None
    assert YEARS.before("y") == () and not YEARS.replaces


def test_a_filter_that_names_an_edition_asks_it_and_one_that_names_all_the_newest():
    series, gone = [STEEL, YEARS], ("a", "b")
    assert kept_out(gone, {"a"}, series) == ("b",)
    assert kept_out(gone, {"a", "b", "c", "x"}, series) == ("a", "b")
    assert kept_out(gone, {"x"}, series) == ("a", "b")


def test_what_is_ordered():
    assert STEEL.ordered("b") == {"a", "b", "c"}
    same = Series("rules", ("rules",), (Edition("1/rules"), Edition("2/rules")))
    assert same.ordered("1/rules") == {"1/rules"}


def test_series_to_json_and_back():
    assert series_from(series_to(STEEL)) == STEEL
