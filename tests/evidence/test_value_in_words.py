"""Values in words: no more digits than their places have."""

from decimal import Decimal

import pytest

from pincite.evidence.value_in_words import short_text, worded
from pincite.quantity import convert, parse
from pincite.types import Cell, Quantity, Table


@pytest.mark.parametrize(
    ("written", "unit", "shown"),
    [
        ("406,000 TJ", "GWh", "112,778 GWh"),  # 406,000 / 3.6 = 112,777.77...
        ("96.4 GWh", "TJ", "347 TJ"),  # 347.04: three digits are written
        ("about 3 miles", "km", "about 4.83 km"),
        ("3 to 5 miles", "km", "4.83 to 8.05 km"),
        ("2.5 kWh", "Wh", "2,500 Wh"),
        ("5 million gallons", "L", "18,927,059 L"),  # what is before the point stays
        ("412.65 million EUR", "EUR", "412,650,000 EUR"),
    ],
)
def test_a_converted_number_has_the_digits_of_the_one_written(written, unit, shown):
    assert worded(convert(parse(written), unit)) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Quantity(Decimal(14) / 3, "%"), "4.67%"),
        (Quantity(Decimal("38.9991345"), "%"), "39.0%"),
        (Quantity(Decimal(12345678) / 7, "EUR"), "1,763,668 EUR"),
        (Quantity(Decimal("6.20"), "%", text="6.20%"), "6.20%"),
        (Quantity(Decimal("1000.50"), text="1.000,50"), "1,000.50"),
        (Quantity(Decimal("0.5"), text="half"), "0.5"),
        (Quantity(Decimal("19.1234"), text="19.1234"), "19.1234"),
        (Quantity(Decimal(0)), "0"),
        (Quantity(Decimal("0.00000012"), text="0.00000012"), "0.00000012"),
        (Quantity(Decimal("321.53488372093"), "MPa"), "321.535 MPa"),
        (Quantity(Decimal(315_000), "person"), "315,000 people"),
        (Quantity(Decimal(7), "parameter", Decimal(10**9)), "7 billion parameters"),
        (Quantity(Decimal(1), "employee"), "1 employee"),
    ],
)
def test_a_number_as_written_is_left_as_it_is_and_one_without_end_is_rounded(value, shown):
    assert worded(value) == shown


def test_a_table_is_shown_with_the_digits_that_a_reader_wants():
    table = Table(
        (
            Cell(0, 0, "family"),
            Cell(0, 1, "average"),
            Cell(1, 0, "1.0.10"),
            Cell(1, 1, "288.33333333333"),
        )
    )
    assert worded(table) == "family: 1.0.10; average: 288.333"
    assert [short_text(text) for text in ("0.25", "5.2333333333", "v1.2", "")] == [
        "0.25",
        "5.23333",
        "v1.2",
        "",
    ]
