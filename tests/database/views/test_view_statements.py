"""Statements over a source taken back to the views that they begin with."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.database.views.clean_view import clean_views, with_views
from pincite.database.views.view_statements import asked, headed, over_views
from tests.database.views.sources import duck_source, sqlite_source

SCRIPT = """
CREATE TABLE orders (id INTEGER PRIMARY KEY, "cust id" INTEGER, amount_eur DOUBLE, placed TEXT);
INSERT INTO orders VALUES (1, 10, 5.5, '31.01.2023'), (2, 10, 4.5, '02.02.2023'), (3, 20, 1, '28.02.2023');
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO customers VALUES (10, 'Ada'), (20, 'Bo');
"""


@pytest.fixture(params=[sqlite_source, duck_source], ids=["sqlite", "duckdb"], scope="module")
def source(request, tmp_path_factory):
    with request.param(tmp_path_factory.mktemp("views"), SCRIPT) as opened:
        yield opened


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT SUM(amount) FROM orders",
        "SELECT COUNT(*) FROM orders AS o",
        "SELECT * FROM customers",
        "WITH big AS (SELECT id FROM orders WHERE amount > 2) SELECT COUNT(*) FROM big",
        "SELECT id FROM orders UNION SELECT id FROM customers",
        "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders)",
    ],
)
def test_there_and_back(source, statement):
    views = clean_views(source)
    assert over_views(with_views(statement, views), views) == statement
    over, database = asked(with_views(statement, views), source)
    assert over == statement
    assert {relation.name for relation in database.relations} == {"orders", "customers"}


PARTS = st.tuples(
    st.lists(st.sampled_from(["o.id", "o.amount_eur", "o.placed", "c.name", "COUNT(*)", "MAX(o.amount_eur) AS most", "1"]),
             min_size=1, max_size=4),
    st.sampled_from(["", " WHERE o.placed > '2023-01-31'", " WHERE o.id IN (SELECT id FROM customers)",
                     " WHERE c.name = 'with \"orders\" as'"]),
    st.sampled_from(["", " GROUP BY c.name", " GROUP BY c.name HAVING COUNT(*) > 1"]),
    st.sampled_from(["", " ORDER BY 1 LIMIT 3"]),
    st.sampled_from(["", "WITH mine AS (SELECT id FROM orders) "]),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(PARTS)
def test_what_is_put_over_views_comes_back(source, parts):
    """The law of views: the statement over the source holds the one that was asked."""
    shown, where, group, order, before = parts
    statement = (
        f"{before}SELECT {', '.join(shown)} FROM orders AS o JOIN customers AS c ON c.id = o.customer_id"
        f"{where}{group}{order}"
    )
    views = clean_views(source)
    once = over_views(with_views(statement, views), views)
    assert once == statement
    assert with_views(once, views) == with_views(statement, views)


def test_what_begins_with_no_view_is_over_the_source(source):
    views = clean_views(source)
    for statement in (
        "SELECT amount_eur FROM orders",
        "WITH q AS (SELECT 1) SELECT * FROM q",
        "SELECT (((",
        "",
    ):
        assert over_views(statement, views) == ""
    statement = "SELECT amount_eur FROM orders"
    assert asked(statement, source) == (statement, source.database)


def test_columns_have_the_names_and_units_of_views(source):
    statement = "SELECT customer_id, SUM(amount_eur), MAX(placed) FROM orders GROUP BY customer_id"
    headings = headed(with_views(statement, clean_views(source)), source)
    assert [(h.name, h.unit, h.function, h.column) for h in headings] == [
        ("customer id", "", "", "customer_id"), ("total amount eur", "EUR", "sum", "amount_eur"),
        ("largest placed", "", "max", "placed"),
    ]  # fmt: skip
    assert headed("SELECT (((", source) == ()


def test_a_table_of_its_own_named_as_a_view(source):
    views = clean_views(source)
    statement = "WITH orders AS (SELECT * FROM orders WHERE id > 1) SELECT COUNT(*) FROM orders"
    rows = source.run(with_views(statement, views)).rows
    back = over_views(with_views(statement, views), views)
    assert source.run(with_views(back, views)).rows == rows == ((2,),)
