"""Numbers with what they count."""

import pytest

from pincite.plural import counted


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "answer", "1 answer"),
        (0, "answer", "0 answers"),
        (1204, "column name", "1,204 column names"),
        (2, "index", "2 indexes"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
        (2, "person", "2 people"),
        (1, "more row", "1 more row"),
    ],
)
def test_a_noun_follows_its_number(number, noun, said):
    assert counted(number, noun) == said
