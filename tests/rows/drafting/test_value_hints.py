"""The stored values that words of a question are like."""

import pytest

from pincite.rows.drafting.value_hints import named_otherwise, value_hints
from tests.rows.drafting.stores import opened


@pytest.mark.parametrize(
    ("database", "question", "found"),
    [
        ("shop", "orders shipped by Fjordline or Passat",
         {("Fjordline", "shipment.carrier", "Fjordline", True), ("Passat", "shipment.carrier", "Passat", True)}),
        ("shop", "pieces of cork boards", {("cork boards", "product.name", "cork board", True)}),
        ("shop", "customers in the north", {("north", "customer.region", "North", True)}),
        ("shop", "What did Adler buy?", {("Adler", "customer.name", "Adler Bau", False)}),
        ("shop", "What did adler buy?", set()),
        ("shop", "order 101", set()),
        ("garage", "vehicles with status A",
         {("A", "vehicles.status", "A", True), ("A", "statuses.code", "A", True)}),
        ("garage", "is a vehicle with x or w there", set()),
        ("garage", "payload of ki-a 100", {("ki-a 100", "vehicles.plate", "KI-A 100", True)}),
        ("garage", "over 100 and 2015", set()),
        ("garage", "payload of the Volvos", {("Volvos", "vehicles.make", "Volvo", True)}),
        ("supply", "suppliers in NA", {("NA", "suppliers.country", "NA", True), ("NA", "countries.code", "NA", True)}),
        ("supply", "suppliers in na", set()),
        ("supply", "walvis salt", {("walvis salt", "suppliers.name", "Walvis Salt", True)}),
        ("supply", "Umea Risins", {("Umea Risins", "suppliers.name", "Umea Resins", False)}),
        ("supply", "batches of citric acids", {("citric acids", "batches.substance", "citric acid", True)}),
        ("ledger", "What is R-1003?", {("R-1003", "invoice.invoice_no", "R-1003", True)}),
        ("ledger", "what is this", set()),
        ("ledger", "invoices of Vellinge Iron", set()),
    ],
)  # fmt: skip
def test_words_that_are_like_a_value(request, database, question, found):
    hints = value_hints(question, request.getfixturevalue(database))
    assert {(h.words, f"{h.relation}.{h.column}", h.value, h.same) for h in hints} == found


def test_the_surest_come_first_and_no_more_than_four(ledger):
    hints = value_hints("R-1001, R-1002, R-1003, R-1004, R-1005 and Ostara", ledger)
    assert [hint.value for hint in hints] == ["R-1001", "R-1002", "R-1003", "R-1004"]
    assert [h.value for h in value_hints("R-1001 and Ostara", ledger)] == [
        "R-1001",
        "Ostara Chemie",
    ]
    first, second = value_hints("Ostara and Vellinge Glas", ledger)
    assert (first.value, first.same, second.value, second.same) == (
        "Vellinge Glas",
        True,
        "Ostara Chemie",
        False,
    )


def test_a_number_that_is_a_whole_value_is_one(tmp_path):
    script = (
        "CREATE TABLE site (code TEXT PRIMARY KEY, name TEXT);"
        "INSERT INTO site VALUES ('00417', 'Walvis'), ('417', 'Maun'), ('7', 'Beira'), ('NA12', 'Niamey');"
    )
    sites = opened(tmp_path, script)
    assert [h.value for h in value_hints("value of site 00417", sites)] == ["00417"]
    assert [h.value for h in value_hints("value of site 417", sites)] == ["417"]
    assert value_hints("site 7", sites)[0].value != "00417"


@pytest.mark.parametrize(
    ("question", "value", "name"),
    [
        ("How many batches of AX 4 are there?", "AX 40", "AX 4"),
        ("the fee of Delta Clinic", "Delta Clean", "Delta Clinic"),
        ("the fee of Delta Cleen", "Delta Clean", ""),
        ("the fee of Delta", "Delta Clean", ""),
        ("Is AX 40 better than AX 4?", "AX 40", ""),
        ("trips to New York, Chicago", "New Haven", "New York"),
        ("trips to New, Haven", "New Jersey", ""),
        ("the people of rhode island", "Rhode Island", ""),
    ],
)
def test_a_name_that_goes_on_otherwise_is_another(question, value, name):
    assert named_otherwise(question, value) == name
