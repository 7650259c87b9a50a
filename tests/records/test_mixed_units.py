"""Several numbers in JSON: one unit for all, or each with its own."""

from decimal import Decimal

from pincite.records.answer_record import clean, table_of, unit_of
from pincite.types import Quantity


def amounts(*units):
    return tuple(Quantity(Decimal(number), unit) for number, unit in enumerate(units, 1))


def test_numbers_of_one_unit_have_it_beside_them():
    assert (clean(amounts("EUR", "EUR")), unit_of(amounts("EUR", "EUR"))) == ([1, 2], "EUR")


def test_numbers_of_several_units_have_each_its_own():
    told = [{"value": 1, "unit": "EUR"}, {"value": 2, "unit": "JPY"}]
    assert (clean(amounts("EUR", "JPY")), unit_of(amounts("EUR", "JPY"))) == (told, "")
    rows = [[1, "EUR"], [2, "JPY"]]
    assert table_of(amounts("EUR", "JPY"), "total") == (["total", "unit"], rows)
