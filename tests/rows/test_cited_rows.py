"""The cells that a result rests on, cited by key."""

import pytest

from pincite.database.statements.pins import read_pin
from pincite.rows.row_citations import APART, KEYS, citations
from tests.rows.drafting.stores import LEDGER, SHOP, opened


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    return opened(tmp_path_factory.mktemp("shop"), SHOP, "shop")


def cited(source, asked):
    found = citations(asked, source.over_source(asked), source, None, "")
    assert [each.label for each in found] == [str(at) for at in range(1, len(found) + 1)]
    return found, [read_pin(each.anchor.sql) for each in found]


def test_each_row_is_cited_by_itself(shop):
    found, pins = cited(shop, "SELECT name FROM customer WHERE region = 'North'")
    assert [each.quote for each in found] == [
        "name = Adler Bau, region = North",
        "name = Brook Homes, region = North",
    ]
    assert {each.document for each in found} == {"shop/customer"}
    assert [(pin.key, pin.rows, pin.columns) for pin in pins] == [
        (("id",), ((1,),), ("name", "region")),
        (("id",), ((2,),), ("name", "region")),
    ]


def test_the_pinned_statement_finds_the_rows_again(shop):
    asked = "SELECT name FROM customer WHERE region = 'South'"
    _, (pin,) = cited(shop, asked)
    assert shop.source.run(pin.statement).rows == shop.run(asked).rows == (("Cato Interiors",),)


def test_rows_of_a_join_are_cited_by_table_and_once(shop):
    asked = (
        "SELECT customer.name, sales_order.order_amount_eur FROM sales_order "
        "JOIN customer ON customer.id = sales_order.customer_id WHERE region = 'North'"
    )
    _, pins = cited(shop, asked)
    assert sorted((pin.relation, pin.rows) for pin in pins) == [
        ("customer", ((1,),)), ("customer", ((2,),)), ("sales_order", ((101,),)), ("sales_order", ((102,),)),
        ("sales_order", ((103,),)),
    ]  # fmt: skip


def test_what_is_added_is_cited_together(shop):
    asked = (
        "SELECT SUM(sales_order.order_amount_eur) FROM sales_order "
        "WHERE sales_order.id IN (SELECT sales_order.id FROM sales_order "
        "JOIN shipment ON sales_order.id = shipment.order_id WHERE shipment.carrier = 'Fjordline')"
    )
    (one,), (pin,) = cited(shop, asked)
    assert pin.rows == ((101,), (103,), (104,)) and pin.columns == ("order_amount_eur",)
    assert one.quote == "order amount = 1000 EUR; order amount = 2500 EUR; order amount = 600 EUR"


def test_what_is_counted_says_by_what(shop):
    (one,), (pin,) = cited(shop, "SELECT COUNT(*) FROM shipment WHERE carrier = 'Fjordline'")
    assert pin.rows == ((1,), (2,), (4,), (6,))
    assert one.quote.startswith("carrier = Fjordline; ") and one.quote.endswith("and 1 more row")


@pytest.mark.parametrize(
    "asked",
    [
        "SELECT n FROM (SELECT COUNT(*) AS n FROM customer) AS t",
        "SELECT name FROM customer WHERE region = 'East'",
        "SELECT name FROM customer UNION SELECT name FROM product",
    ],
)
def test_where_rows_cannot_be_told_the_statement_is_cited(shop, asked):
    (one,), (pin,) = cited(shop, asked)
    assert one.quote == "what the statement finds" and one.document == "shop"
    assert (pin.relation, pin.rows) == ("", ()) and shop.source.run(
        pin.statement
    ).rows == shop.run(asked).rows


def test_cells_are_quoted_as_they_are_stored(tmp_path):
    """The view has an ISO date; the citation leads to what stands in the table."""
    ledger = opened(tmp_path, LEDGER, "ledger")
    found, pins = cited(ledger, "SELECT supplier FROM invoice WHERE issued_on > '2023-11-01'")
    assert [each.quote for each in found] == [
        "supplier = Vellinge Glas, issued on = 15.11.2023",
        "supplier = Kitamura Seiki, issued on = 05.12.2023",
    ]
    assert [pin.rows for pin in pins] == [(("R-1006",),), (("R-1007",),)]


def test_many_rows_are_one_citation_and_very_many_none(tmp_path):
    script = "CREATE TABLE dice (throw INTEGER PRIMARY KEY, eyes INTEGER);" + "".join(
        f"INSERT INTO dice VALUES ({at}, {at % 6 + 1});" for at in range(KEYS + 1)
    )
    dice = opened(tmp_path, script, "dice")
    assert len(cited(dice, f"SELECT eyes FROM dice WHERE throw < {APART}")[0]) == APART
    _, (pin,) = cited(dice, f"SELECT eyes FROM dice WHERE throw <= {APART}")
    assert len(pin.rows) == APART + 1
    _, (pin,) = cited(dice, f"SELECT SUM(eyes) FROM dice WHERE throw < {KEYS}")
    assert len(pin.rows) == KEYS
    (one,), (pin,) = cited(dice, "SELECT SUM(eyes) FROM dice")
    assert pin.rows == () and one.quote == "what the statement finds"


@pytest.mark.xfail(strict=True, reason="a key is taken for a number that says nothing")
def test_a_key_that_is_shown_is_quoted(tmp_path):
    ledger = opened(tmp_path, LEDGER, "ledger")
    (one,), _ = cited(ledger, "SELECT invoice_no FROM invoice WHERE issued_on > '2023-12-01'")
    assert "R-1007" in one.quote
