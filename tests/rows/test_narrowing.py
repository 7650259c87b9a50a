"""Which messages go on about the rows of the answer before, and which stand for themselves."""

import pytest

from pincite.rows.narrowing import narrows


@pytest.mark.parametrize(
    "said",
    [
        "and below 0.4% carbon?",
        "only the steel ones",
        "how many of them are there?",
        "above 400 MPa",
        "what about Cobre?",
        "which of those are of 2019?",
        "How many are there?",
    ],
)
def test_a_follow_up_goes_on_about_the_rows_found(said):
    assert narrows(said)


@pytest.mark.parametrize(
    "said",
    [
        "What was the weather in Bergen?",
        "thanks",
        "who is the captain?",
        "and what is the density of copper?",
        "",
    ],
)
def test_what_stands_for_itself_does_not(said):
    assert not narrows(said)
