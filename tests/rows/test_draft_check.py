"""What a drafted statement must pass before it is run: it parses, reads only, and names what there is."""

import pytest

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Column, Database, Link, Relation
from pincite.rows.drafting.draft_check import Mendable, settled

RELATIONS = (
    Relation("Orders", (Column("orderId", "integer"), Column("custId", "integer"), Column("Total", "number", unit="EUR")),
             links=(Link(("custId",), "customer", ("id",)),), schema="sales"),
    Relation("customer", (Column("id", "integer"), Column("name", values=("Ann", "Bo")), Column("town")), schema="sales"),
)  # fmt: skip


def database(dialect="postgresql"):
    relations = (
        RELATIONS
        if dialect == "postgresql"
        else tuple(Relation(r.name, r.columns, links=r.links) for r in RELATIONS)
    )
    return Database("shop", relations, dialect)


@pytest.mark.parametrize(
    ("written", "settled_as"),
    [
        ("select ORDERID from orders", 'SELECT "orderId" FROM "Orders"'),
        ("SELECT o.total FROM sales.Orders o;", 'SELECT o."Total" FROM sales."Orders" AS o'),
        ("select count(*) as total from orders order by total", 'SELECT COUNT(*) AS "Total" FROM "Orders" ORDER BY "Total"'),
        ("with big as (select custid as c from orders) select c from big",
         'WITH big AS (SELECT "custId" AS c FROM "Orders") SELECT c FROM big'),
    ],
)  # fmt: skip
def test_names_are_written_as_the_database_spells_them(written, settled_as):
    assert settled(written, database()) == settled_as


@pytest.mark.parametrize("dialect", ["postgresql", "sqlite", "duckdb"])
@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("SELECT nme FROM customer", "no column nme"),
        ("SELECT c.nme FROM customer c", "no column nme in c; near it are name"),
        (
            "SELECT c.total FROM customer c JOIN orders o ON o.custid = c.id",
            "no column total in c",
        ),
        ("WITH a AS (SELECT nme FROM customer) SELECT nme FROM a", "no column nme"),
        ("SELECT name FROM customers", "no table customers; near it are customer"),
        ("SELECT name FROM customer WHERE", "not valid in"),
        ("SELECT name FROM customer WHERE (id = 1", "not valid in"),
        ("", "no statement"),
    ],
)
def test_slips_can_be_put_right(dialect, written, problem):
    with pytest.raises(Mendable, match=problem):
        settled(written, database(dialect))


@pytest.mark.parametrize("dialect", ["postgresql", "sqlite", "duckdb"])
@pytest.mark.parametrize(
    "written",
    [
        "DELETE FROM customer",
        "DELETE FROM customers WHERE (",
        "SELECT name FROM customer; DROP TABLE customer",
        "SELECT name INTO other FROM customer",
        "SELECT * FROM pg_catalog.pg_authid",
        "SELECT * FROM pg_shadow",
        "SELECT * FROM information_schema.tables",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM duckdb_settings()",
        "SELECT * FROM read_csv('x.csv')",
        "SELECT * FROM other.customer",
        "SELECT pg_sleep(10)",
        "SELECT pg_read_file('x') FROM customers",
        "SELECT xmin FROM customer",
        "SELECT oid FROM customer",
        "SET statement_timeout = 0",
        "COPY customer TO 'x'",
        "VACUUM",
        "PRAGMA database_list",
        "ATTACH 'x' AS y",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT n FROM t",
        "SELECT " + "(" * 400 + "1" + ")" * 400,
    ],
)
def test_what_does_more_than_read_listed_tables_is_refused_for_good(dialect, written):
    with pytest.raises(StatementRefused):
        settled(written, database(dialect))
