"""What of a question a statement leaves out, brings in or turns around."""

import pytest

from pincite.database.relations.model import Column, Database, Link, Relation
from pincite.database.relations.near_values import ValueMatch
from pincite.rows.drafting.doubts import doubts
from pincite.rows.drafting.draft_check import settled
from pincite.rows.programs.linking import link
from pincite.rows.programs.scheme import scheme

ORDERS = (
    Column("orderId", "integer"),
    Column("custId", "integer"),
    Column("Total", "number", unit="EUR"),
)
CUSTOMER = (
    Column("id", "integer"),
    Column("name", values=("Ann", "Bo")),
    Column("town"),
    Column("land", distinct=1),
)
OWNED = (Link(("custId",), "customer", ("id",)),)
SHOP = Database("shop", (Relation("Orders", ORDERS, links=OWNED), Relation("customer", CUSTOMER)))
TOWN = ValueMatch("customer", "town", "New Town", 1.0, 1)
LAND = ValueMatch("customer", "land", "Norland", 1.0, 9)


class Towns:
    """A value index that holds a town, and the one country that there is."""

    def lookup(self, phrase):
        return [one for one in (TOWN, LAND) if one.value.lower() == phrase.lower()]

    def near(self, phrase, k=10):
        return []


def doubted(statement, question):
    pieces = link(question, scheme(SHOP), Towns()).cuts[0]
    return " | ".join(
        one.problem for one in doubts(settled(statement, SHOP), SHOP, pieces, question)
    )


@pytest.mark.parametrize(
    ("statement", "question", "doubt"),
    [
        (
            "SELECT name FROM customer WHERE town = 'New Town'",
            "names of customers in New Town",
            "",
        ),
        (
            "SELECT name FROM customer WHERE lower(town) LIKE '%new town%'",
            "names of customers in New Town",
            "",
        ),
        ("SELECT name FROM customer", "names of customers in New Town", "'New Town'"),
        (
            "SELECT name FROM customer WHERE town = 'Oldham'",
            "names of customers in New Town",
            "looks for 'Oldham'",
        ),
        (
            "SELECT name FROM customer WHERE town = 'New Town'",
            "names of customers in New Town in Norland",
            "",
        ),
        ("SELECT name FROM customer WHERE name = 'Ann'", "customers with the name of Anne", ""),
        ("SELECT orderid FROM orders WHERE total > 400", "orders with a total above 400", ""),
        ("SELECT orderid FROM orders WHERE total > 0.4", "orders with a total above 400", ""),
        ("SELECT orderid FROM orders WHERE total > 4", "orders with a total above 400", ""),
        (
            "SELECT orderid FROM orders WHERE total > 500",
            "orders with a total above 400",
            "400 is not in",
        ),
        ("SELECT name FROM customer", "the town of each customer", "'town'"),
        ("SELECT * FROM customer", "the town of each customer", ""),
        ("SELECT count(DISTINCT custid) FROM orders", "how many customers have orders", ""),
        ("SELECT count(DISTINCT name) FROM customer", "how many names of customers are there", ""),
        (
            "SELECT name FROM customer",
            "how many names of customers are there",
            "does nothing for 'how many'",
        ),
        ("SELECT sum(total) FROM orders", "the average total of orders", "does nothing for"),
        ("SELECT avg(total) FROM orders", "the average total of orders", ""),
        ("SELECT sum(total) / count(*) FROM orders", "the average total of orders", ""),
        (
            "SELECT orderid FROM orders WHERE total < 400",
            "orders with a total above 400",
            "the other way round",
        ),
        ("SELECT orderid FROM orders WHERE 400 < total", "orders with a total above 400", ""),
        (
            "SELECT orderid FROM orders WHERE total BETWEEN 400 AND 9e9",
            "orders with a total above 400",
            "",
        ),
        (
            "SELECT orderid FROM orders ORDER BY total DESC LIMIT 1",
            "the order with the highest total",
            "",
        ),
        (
            "SELECT orderid FROM orders WHERE total = (SELECT max(total) FROM orders)",
            "the order with the highest total",
            "",
        ),
        (
            "SELECT orderid FROM orders ORDER BY total LIMIT 1",
            "the order with the highest total",
            "the other end",
        ),
        (
            "SELECT orderid FROM orders ORDER BY total LIMIT 1",
            "the order with the lowest total",
            "",
        ),
        ("SELECT name FROM customer WHERE strftime('%Y', 'now') > '1'", "names of customers", ""),
    ],
)
def test_doubts(statement, question, doubt):
    said = doubted(statement, question)
    assert doubt in said if doubt else said == ""
