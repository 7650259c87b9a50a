"""How sure a model's answer is beside the one found without it."""

from decimal import Decimal

import pytest

from pincite.recipes.line_agreement import Agree, confidence
from pincite.stage import Stage
from pincite.types import Draft, Quantity, Query, Ranking

TEN, ELEVEN = Quantity(Decimal(10), "EUR"), Quantity(Decimal(11), "EUR")
SAME = Quantity(Decimal("0.01"), "EUR", Decimal(1000))


@pytest.mark.parametrize(
    ("value", "sure", "other", "likely", "expected"),
    [
        (TEN, 1.0, None, 0.0, 0.9),
        (TEN, 0.5, None, 0.0, 0.45),
        (TEN, 1.0, SAME, 0.5, 0.95),  # 1 - 0.1 * 0.5
        (TEN, 1.0, ELEVEN, 0.5, 0.45 / 0.55),
        (TEN, 0.5, ELEVEN, 0.8, 0.09 / 0.64),
        (True, 1.0, True, 0.8, 0.98),
        (True, 1.0, False, 0.8, 0.18 / 0.28),
        ("Ann Lee", 1.0, "Bo Ek", 0.8, 0.9),  # may be two ways to say it
        (TEN, 1.0, "ten", 0.8, 0.9),
        (TEN, 1.0, True, 0.8, 0.9),
    ],
)
def test_confidence(value, sure, other, likely, expected):
    assert confidence(value, sure, other, likely) == pytest.approx(expected)


def test_a_more_likely_opponent_lowers_and_a_more_likely_ally_raises():
    for low, high in ((0.1, 0.2), (0.5, 0.9)):
        assert confidence(TEN, 1.0, ELEVEN, low) > confidence(TEN, 1.0, ELEVEN, high)
        assert confidence(TEN, 1.0, TEN, low) < confidence(TEN, 1.0, TEN, high)


class Saying(Stage):
    def __init__(self, value):
        self.value = value

    def run(self, given):
        assert self.value != "never", "it was asked"
        return Draft(given.query, "", self.value, confidence=1.0)


def test_na_is_not_read_again(library):
    given = Ranking(Query("What was revenue in 2022?"), ())
    assert Agree(library.corpus, Saying(None), Saying("never")).run(given).value is None
    # what the other found is not supported by anything here, so it has no say
    assert Agree(library.corpus, Saying(TEN), Saying(ELEVEN)).run(given).confidence == 0.9
