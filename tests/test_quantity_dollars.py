"""Whose dollar "$" is."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pincite.quantity.dollars import dollar_of, in_own_dollars
from pincite.types import Quantity


@pytest.mark.parametrize(
    ("text", "dollar"),
    [
        (
            "The financial report is presented in Australian dollars, which is the functional currency.",
            "AUD",
        ),
        ("All figures are in Canadian dollars unless otherwise stated.", "CAD"),
        ("The presentation currency is the New Zealand dollar.", "NZD"),
        (
            "Amounts are in U.S. dollars. Figures are in US dollars. Some amounts are in Canadian dollars.",
            "",
        ),
        ("Our notes are denominated in Hong Kong dollars, to which the pataca is pegged.", ""),
        ("Revenue was $5 million.", ""),
    ],
)
def test_a_document_says_in_which_dollars_it_is(text, dollar):
    assert dollar_of([text, text]) == dollar


def test_what_is_said_once_may_be_of_a_loan():
    assert dollar_of(["The debentures are stated in Canadian dollars."]) == ""


def dollars(unit: str) -> Quantity:
    return Quantity(Decimal(5), unit, Decimal(1000))


def test_a_bare_dollar_is_the_documents_own():
    assert in_own_dollars(dollars("USD"), "AUD", "$5 thousand") == dollars("AUD")
    assert in_own_dollars(dollars("USD/share"), "AUD", "$5") == dollars("AUD/share")


def test_dollars_of_the_united_states_stay_what_they_are():
    for said in ("US$5 thousand", "U.S.$5", "USD 5", "5 thousand U.S. dollars"):
        assert in_own_dollars(dollars("USD"), "AUD", said) == dollars("USD")
    assert in_own_dollars(dollars("USD"), "", "$5") == dollars("USD")
    assert in_own_dollars(dollars("EUR"), "AUD", "EUR 5") == dollars("EUR")
