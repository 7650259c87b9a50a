"""Numbers that a sentence lists in the order of its years."""

import re

import pytest

from pincite.document.times import years_in_turn

AMOUNT = re.compile(r"\$\d[\d.]* billion|\b\d\d\.\d\b")


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("It was 93.4, 91.0 and 88.2 in 2022, 2021 and 2020.", [2022, 2021, 2020]),
        ("As of May 31, 2016 and 2017, it owed $2.4 billion and $3.0 billion.", [2016, 2017]),
        (
            "It was $4.9 billion , $6.4 billion , and $8.8 billion, of it $2.7 billion, $3.8 billion, and "
            "$5.4 billion for leases, in 2015, 2016, and 2017.",
            [2015, 2016, 2017, 2015, 2016, 2017],
        ),
        ("It was 93.4 in 2022 and 91.0 in 2021.", []),
        ("In 2022 and 2021, or 2019 and 2018 before, it was 93.4 and 91.0.", []),
        ("It was 93.4, 91.0 and 88.2 in 2022 and 2021.", []),
    ],
)
def test_numbers_have_the_year_at_their_place(text, years):
    spans = [match.span() for match in AMOUNT.finditer(text)]
    assert list(years_in_turn(text, spans).values()) == years
