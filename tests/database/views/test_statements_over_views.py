"""Statements over views: what stands before them, and that the guard lets them through."""

import pytest

from pincite.database.database_errors import StatementRefused
from pincite.database.statements.statement_guard import guarded
from pincite.database.views.clean_view import clean_views, view_database, with_views
from tests.database.views.sources import duck_source, sqlite_source

SCRIPT = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, "cust id" INTEGER, amt DOUBLE, "order" TEXT);
INSERT INTO orders VALUES (1, 10, 5.5, 'a'), (2, 10, 4.5, 'b'), (3, 20, 1, 'a');
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO customers VALUES (10, 'Ada'), (20, 'Bo');
"""


@pytest.fixture(params=[sqlite_source, duck_source], ids=["sqlite", "duckdb"])
def source(request, tmp_path):
    with request.param(tmp_path, SCRIPT) as opened:
        yield opened


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("SELECT sum(amount) FROM orders", [(11.0,)]),
        ("SELECT * FROM orders ORDER BY id LIMIT 1", [(1, 10, 5.5, "a")]),
        ("SELECT count(*) FROM orders AS o WHERE o.order_column = 'a'", [(2,)]),
        (
            "SELECT name, sum(amount) FROM orders JOIN customers ON customer_id = customers.id GROUP BY name ORDER BY name",
            [("Ada", 10.0), ("Bo", 1.0)],
        ),
        ("WITH big AS (SELECT * FROM orders WHERE amount > 2) SELECT count(*) FROM big", [(2,)]),
        ("WITH orders AS (SELECT id FROM orders WHERE amount > 5) SELECT id FROM orders", [(1,)]),
        ("SELECT id FROM orders WHERE id = 1 UNION SELECT id FROM customers ORDER BY id", [(1,), (10,), (20,)]),
    ],
)  # fmt: skip
def test_a_statement_over_views_runs_over_the_source(source, statement, rows):
    views = clean_views(source)
    guarded(statement, view_database(views, source.database))
    assert list(source.run(with_views(statement, views)).rows) == rows


def test_only_what_a_statement_names_stands_before_it(source):
    written = with_views("SELECT sum(amount) FROM orders", clean_views(source))
    assert written == (
        'WITH "orders" AS (SELECT "id" AS "id", "amt" AS "amount" FROM "main"."orders") SELECT SUM(amount) FROM orders'
    )


def test_what_is_no_query_is_refused(source):
    for text in ("DELETE FROM orders", "SELECT 1; SELECT 2", "SELECT FROM WHERE"):
        with pytest.raises(StatementRefused):
            with_views(text, clean_views(source))


def test_links_say_which_side_is_many(source):
    orders, customers = sorted(clean_views(source), key=lambda view: view.name, reverse=True)
    (link,) = orders.links
    assert (link.columns, link.to, link.to_columns) == (("customer_id",), "customers", ("id",))
    assert (link.many, link.to_many, link.declared) == (True, False, False)
    assert customers.links == ()


def test_views_are_kept(source):
    assert clean_views(source) is clean_views(source)
