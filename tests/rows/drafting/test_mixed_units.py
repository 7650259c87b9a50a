"""Amounts of several currencies in one column are never added to one number."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.rows.drafting.mixed_units import named_unit
from tests.rows.drafting.stores import opened, put_right

APART = (("EUR", 45600), ("JPY", 2400000), ("USD", 18250))
ALONE = "for each currency alone"


@pytest.mark.parametrize(
    ("question", "written", "rows", "notes"),
    [
        ("total amount of all invoices", "SUM(amount) FROM invoice", APART, (ALONE,)),
        ("total amount of all invoices", "SUM(i.amount) AS total FROM invoice AS i", APART, (ALONE,)),
        ("the largest amount", "MAX(amount) FROM invoice",
         (("EUR", 19800), ("JPY", 1850000), ("USD", 11000)), (ALONE,)),
        ("total and average amount", "SUM(amount), AVG(amount) FROM invoice",
         (("EUR", 45600, 11400), ("JPY", 2400000, 1200000), ("USD", 18250, 9125)), (ALONE,)),
        ("total amount of unpaid invoices", "SUM(amount) FROM invoice WHERE paid = 'no'",
         (("EUR", 9100), ("JPY", 550000), ("USD", 11000)), (ALONE,)),
        ("total amount of each supplier", "supplier, SUM(amount) FROM invoice GROUP BY supplier",
         (("JPY", "Kitamura Seiki", 2400000), ("EUR", "Ostara Chemie", 21500), ("USD", "Pine Ridge Tools", 18250),
          ("EUR", "Vellinge Glas", 24100)), (ALONE,)),
        ("total amount in CHF", "SUM(amount) FROM invoice", APART, (ALONE,)),
    ],
)  # fmt: skip
def test_each_currency_is_added_alone(ledger, question, written, rows, notes):
    made = put_right(ledger, question, f"SELECT {written}")
    assert (made.result.rows, made.notes, made.against) == (rows, notes, ())


@pytest.mark.parametrize(
    ("question", "total", "said"),
    [
        ("total amount of the invoices in EUR", 45600, "EUR"),
        ("total amount in dollars", 18250, "USD"),
        ("What is the total amount in USD?", 18250, "USD"),
        ("total amount in yen", 2400000, "JPY"),
        ("How many € have we been invoiced in total?", 45600, "EUR"),
    ],
)
def test_the_currency_of_the_question_is_taken(ledger, question, total, said):
    made = put_right(ledger, question, "SELECT SUM(amount) FROM invoice")
    assert made.result.rows == ((total,),)
    assert made.notes == (f"only rows whose currency is {said}",)


@pytest.mark.parametrize(
    "written",
    [
        "SELECT currency, SUM(amount) FROM invoice GROUP BY currency",
        "SELECT SUM(amount) FROM invoice WHERE currency = 'EUR'",
        "SELECT COUNT(amount) FROM invoice",
        "SELECT amount, currency FROM invoice WHERE invoice_no = 'R-1003'",
        "SELECT AVG(paid = 'yes') FROM invoice",
    ],
)
def test_what_keeps_currencies_apart_stays(ledger, written):
    made = put_right(ledger, "the EUR of invoice R-1003", written)
    plain = written.replace('"', "")
    assert made.notes == ()
    shown = made.statement.replace('"', "").replace("invoice.", "")
    assert shown.removesuffix(" ORDER BY SUM(amount) DESC") == plain


def test_a_currency_that_no_row_has_is_said(ledger):
    made = put_right(
        ledger, "total amount in CHF", "SELECT SUM(amount) FROM invoice WHERE currency = 'CHF'"
    )
    assert made.against == (
        "no row has 'CHF' in invoice.currency: it holds EUR, JPY, USD",
        "the statement finds nothing",
    )


def test_one_currency_needs_no_groups(tmp_path):
    script = (
        "CREATE TABLE bill (id INTEGER PRIMARY KEY, amount REAL, currency TEXT);"
        "INSERT INTO bill VALUES (1, 5, 'EUR'), (2, 7.5, 'EUR');"
    )
    made = put_right(opened(tmp_path, script), "total amount", "SELECT SUM(amount) FROM bill")
    assert made.result.rows[0][-1] == 12.5 and len(made.result.rows) == 1


def test_the_unit_that_a_question_names(ledger):
    saying = ledger.database.relation("invoice").column("currency")
    assert named_unit("in euros, please", saying) == "EUR"
    assert named_unit("(usd)", saying) == "USD"
    assert named_unit("what do the europeans owe", saying) == ""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    st.lists(
        st.tuples(st.integers(-10_000, 10_000), st.sampled_from(("EUR", "USD", "CHF"))),
        min_size=4,
        max_size=30,
    )
)
def test_the_groups_add_up_to_the_sums(tmp_path_factory, rows):
    """The law of currencies: one sum for each that occurs, of its own rows."""
    rows = [(1, "EUR"), (2, "USD"), *rows]
    script = "CREATE TABLE bill (id INTEGER PRIMARY KEY, amount INTEGER, currency TEXT);"
    script += "".join(
        f"INSERT INTO bill VALUES ({at}, {amount}, '{currency}');"
        for at, (amount, currency) in enumerate(rows)
    )
    source = opened(tmp_path_factory.mktemp("law"), script)
    with source.source:
        made = put_right(source, "total amount", "SELECT SUM(amount) FROM bill")
        sums = {
            currency: sum(amount for amount, other in rows if other == currency)
            for currency in {currency for _, currency in rows}
        }
        assert dict(made.result.rows) == sums


def test_one_value_of_a_nested_query_stays_one(ledger):
    made = put_right(
        ledger,
        "the largest invoice",
        "SELECT invoice_no FROM invoice WHERE amount = (SELECT MAX(amount) FROM invoice)",
    )
    assert made.result is not None


@pytest.mark.xfail(strict=True, reason="amounts of a nested query are not known for amounts")
@pytest.mark.parametrize(
    "written",
    [
        "SELECT SUM(t.amount) FROM (SELECT amount FROM invoice) AS t",
        "WITH t AS (SELECT * FROM invoice) SELECT SUM(amount) FROM t",
    ],
)
def test_amounts_of_a_nested_query_are_kept_apart(ledger, written):
    made = put_right(ledger, "total amount of all invoices", written)
    assert made.result is None or made.against or made.result.rows == APART


@pytest.mark.parametrize(
    "written",
    [
        "SELECT invoice_no FROM invoice ORDER BY amount DESC LIMIT 1",
        "SELECT supplier FROM invoice GROUP BY supplier ORDER BY SUM(amount) DESC LIMIT 1",
    ],
)
def test_amounts_of_different_currencies_are_not_ranked(ledger, written):
    made = put_right(ledger, "Which supplier has the highest amount?", written)
    assert made.result is None
    assert made.reason == "amounts in EUR, USD, JPY are compared as if they were of one unit"


BATCHES = """
CREATE TABLE test_result (batch TEXT NOT NULL, property TEXT NOT NULL, result REAL NOT NULL, unit TEXT NOT NULL);
INSERT INTO test_result VALUES ('A1', 'strength', 530, 'MPa'), ('A2', 'strength', 498, 'MPa'), ('A3', 'strength', 86.0, 'ksi'),
  ('A1', 'lead', 5, 'ppm'), ('A2', 'lead', 7, 'ppm');
"""
"""A3 is the strongest: 86.0 ksi are 593 MPa."""


@pytest.mark.parametrize(
    ("order", "batch", "notes"),
    [
        ("WHERE property = 'strength' ORDER BY result DESC", "A3", ("result is compared in MPa",)),
        ("WHERE property = 'strength' ORDER BY result", "A2", ("result is compared in MPa",)),
        ("WHERE property = 'lead' ORDER BY result DESC", "A2", ()),
    ],
)
def test_amounts_of_one_dimension_are_compared_in_one_unit(tmp_path, order, batch, notes):
    source = opened(tmp_path, BATCHES)
    written = f"SELECT batch FROM test_result {order} LIMIT 1"
    made = put_right(
        source, "the batch with the highest, or the lowest, strength and lead", written
    )
    assert (made.result.rows, made.notes) == (((batch,),), notes)


def test_strength_is_not_compared_with_lead(tmp_path):
    source = opened(tmp_path, BATCHES)
    written = "SELECT batch FROM test_result ORDER BY result DESC LIMIT 1"
    assert (
        "compared as if" in put_right(source, "the batch with the highest result", written).reason
    )
