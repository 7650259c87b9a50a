"""Words as they are compared."""

import pytest

from pincite.document.sentences import read
from pincite.text.words import stems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the U.S. and the UK", ["the", "us", "and", "the", "uk"]),
        ("an M.D. or Ph.D. degree", ["an", "md", "or", "phd", "degre"]),
        ("St. Gallen, no. 5", ["st", "gallen", "no", "5"]),
    ],
)
def test_letters_with_points_are_one_word_where_they_stand(text, expected):
    assert stems(text) == expected
    assert list(read(text).stems) == expected


def test_such_a_word_stands_with_its_points():
    assert read("the U.S. and the UK").raw(1) == "U.S."
