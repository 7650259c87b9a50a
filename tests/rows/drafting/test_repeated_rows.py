"""Rows that a join repeats under a sum, a mean or a count: each counts once, or it is said that it does not."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.rows.drafting.stores import opened, put_right

ONCE = "each row of sales_order counts once for every row of shipment"
EACH = "each thing that is counted counts once"
SHIPPED = (
    "sales_order JOIN shipment ON sales_order.id = shipment.order_id WHERE carrier = 'Fjordline'"
)
INSULATION = (
    "sales_order JOIN order_line ON sales_order.id = order_line.order_id "
    "JOIN product ON product.id = order_line.product_id WHERE category = 'insulation'"
)


@pytest.mark.parametrize("database", ["shop", "loose"])
@pytest.mark.parametrize(
    ("question", "written", "rows", "notes"),
    [  # orders 101 (1000), 103 (2500) and 104 (600) went with Fjordline, 101 twice; 101, 103 and 105 (900) hold insulation
        ("total order amount shipped by Fjordline", f"SELECT SUM(order_amount_eur) FROM {SHIPPED}", 4100, (ONCE,)),
        ("total order amount shipped by Fjordline",
         "SELECT SUM(o.order_amount_eur) AS total FROM sales_order o JOIN shipment s ON o.id = s.order_id "
         "WHERE s.carrier = 'Fjordline'",
         4100, (ONCE,)),
        ("mean order amount shipped by Fjordline", f"SELECT AVG(order_amount_eur) FROM {SHIPPED}", 4100 / 3, (ONCE,)),
        ("How many orders did Fjordline ship?", f"SELECT COUNT(sales_order.id) FROM {SHIPPED}", 3, (ONCE,)),
        ("total order amount with insulation", f"SELECT SUM(order_amount_eur) FROM {INSULATION}", 4400,
         ("each row of sales_order counts once for every row of order_line",)),
        ("How many customers bought insulation?",
         f"SELECT COUNT(customer.id) FROM {INSULATION.replace('WHERE', 'JOIN customer ON customer.id = customer_id WHERE')}",
         3, ("each row of customer counts once for every row of sales_order",)),
        ("total line amount of the orders shipped by Fjordline",  # the lines of 101, 103 and 104
         "SELECT SUM(line_amount_eur) FROM order_line JOIN shipment ON shipment.order_id = order_line.order_id "
         "WHERE carrier = 'Fjordline'",
         4100, ("each row of order_line counts once for every row of shipment",)),
    ],
    ids=["sum", "under aliases", "mean", "count", "a link table", "count over it", "beside each other"],
)  # fmt: skip
def test_each_row_counts_once(request, database, question, written, rows, notes):
    made = put_right(request.getfixturevalue(database), question, written)
    assert (made.result.rows, made.notes, made.against) == (((rows,),), notes, ())


@pytest.mark.parametrize(
    ("question", "written", "count"),
    [
        ("How many orders were shipped by Fjordline?", "COUNT(*) FROM shipment WHERE carrier = 'Fjordline'", 3),
        ("How many orders were shipped by Fjordline?", "COUNT(order_id) FROM shipment WHERE carrier = 'Fjordline'", 3),
        ("the number of orders that Fjordline shipped", f"COUNT(*) FROM {SHIPPED}", 3),
        ("How many customers placed an order?", "COUNT(*) FROM sales_order", 3),
    ],
)  # fmt: skip
def test_what_is_counted_counts_once(shop, question, written, count):
    made = put_right(shop, question, f"SELECT {written}")
    assert (made.result.rows, made.notes) == (((count,),), (EACH,))


@pytest.mark.parametrize(
    ("question", "written", "rows"),
    [
        ("How many shipments did Fjordline make?", "COUNT(*) FROM shipment WHERE carrier = 'Fjordline'", ((4,),)),
        ("How many shipments hold orders over 900 EUR?",
         "COUNT(*) FROM shipment JOIN sales_order ON sales_order.id = order_id WHERE order_amount_eur > 900", ((4,),)),
        ("How many order lines are there?", "COUNT(*) FROM order_line", ((9,),)),
        ("How many orders are there?", "COUNT(*) FROM sales_order", ((5,),)),
        ("How many orders did Fjordline ship?", f"COUNT(DISTINCT sales_order.id) FROM {SHIPPED}", ((3,),)),
        ("total quantity of insulation",
         "SUM(quantity) FROM order_line JOIN product ON product.id = product_id WHERE category = 'insulation'", ((81,),)),
        ("total order amount of the North",
         "SUM(order_amount_eur) FROM customer JOIN sales_order ON customer.id = customer_id WHERE region = 'North'", ((3900,),)),
        ("total order amount by region",
         "region, SUM(order_amount_eur) FROM sales_order JOIN customer ON customer.id = customer_id GROUP BY region",
         (("North", 3900), ("South", 1500))),
        ("largest order amount shipped by Fjordline", f"MAX(order_amount_eur) FROM {SHIPPED}", ((2500,),)),
        ("Which product is in the most order lines?",
         "product.name FROM order_line JOIN product ON product.id = product_id GROUP BY product.name "
         "ORDER BY COUNT(*) DESC LIMIT 1",
         (("cork board",),)),
        ("mean number of orders", "AVG(n) FROM (SELECT COUNT(*) AS n FROM sales_order GROUP BY customer_id) AS t", ((5 / 3,),)),
    ],
)  # fmt: skip
def test_what_repeats_nothing_stays(shop, question, written, rows):
    made = put_right(shop, question, f"SELECT {written}")
    assert (made.result.rows, made.notes, made.against) == (rows, (), ())


@pytest.mark.parametrize(
    ("written", "rows"),
    [  # both carriers shipped 103: it belongs to each of them, 101 twice to one
        ("SELECT carrier, SUM(order_amount_eur) FROM sales_order JOIN shipment ON sales_order.id = order_id GROUP BY carrier",
         (("Fjordline", 5100), ("Passat", 3800))),
        (f"SELECT customer_id, SUM(order_amount_eur) FROM {SHIPPED} AND customer_id = 1 GROUP BY customer_id, shipped_on",
         (("Adler Bau", 1000), ("Adler Bau", 1000))),
    ],
)  # fmt: skip
def test_what_shows_the_table_that_repeats_is_said_and_left(shop, written, rows):
    made = put_right(shop, "total order amount by carrier Fjordline", written)
    assert (made.result.rows, made.notes, made.against) == (rows, (), (ONCE,))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    amounts=st.lists(st.integers(-50, 900), min_size=1, max_size=6),
    parts=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("xyz")), min_size=2, max_size=12),
    declared=st.booleans(),
)
def test_a_sum_is_that_over_distinct_rows(tmp_path_factory, amounts, parts, declared):
    """The law of joins that repeat: what is added is the amount of each row that has a fitting row, once."""
    parts = [(order % len(amounts), kind) for order, kind in parts]
    link = "REFERENCES orders (id)" if declared else ""
    script = (
        "CREATE TABLE orders (id INTEGER PRIMARY KEY, amount INTEGER);"
        f"CREATE TABLE parts (id INTEGER PRIMARY KEY, order_id INTEGER {link}, kind TEXT);"
    )
    script += "".join(f"INSERT INTO orders VALUES ({at}, {a});" for at, a in enumerate(amounts))
    script += "".join(
        f"INSERT INTO parts VALUES ({at}, {order}, '{kind}');"
        for at, (order, kind) in enumerate(parts)
    )
    source = opened(tmp_path_factory.mktemp("law"), script)
    with source.source:
        held = {order for order, kind in parts if kind == "x"}
        joins = "FROM orders JOIN parts ON parts.order_id = orders.id WHERE kind = 'x'"
        question = "total amount of the orders with kind x"
        for function, right in (
            ("SUM", sum(amounts[order] for order in held) if held else None),
            ("AVG", sum(amounts[order] for order in held) / len(held) if held else None),
            ("COUNT", len(held)),
        ):
            column = "orders.id" if function == "COUNT" else "amount"
            made = put_right(source, question, f"SELECT {function}({column}) {joins}")
            assert made.result.rows[0][0] == pytest.approx(right)


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("How often was each product ordered?", "product_id, COUNT(product_id) FROM order_line GROUP BY product_id"),
        ("How many customers have more than one order?",
         "COUNT(*) FROM (SELECT customer_id FROM sales_order GROUP BY customer_id HAVING COUNT(customer_id) > 1) AS t"),
    ],
)  # fmt: skip
def test_rows_of_each_thing_are_counted(shop, question, written):
    made = put_right(shop, question, f"SELECT {written}")
    assert "DISTINCT" not in made.statement


def test_a_nested_query_that_repeats_is_said(shop):
    written = f"SELECT SUM(t.a) FROM (SELECT order_amount_eur AS a FROM {SHIPPED}) AS t"
    made = put_right(shop, "total order amount shipped by Fjordline", written)
    assert made.result.rows == ((4100,),) or made.against


def test_a_table_that_only_filters_does_not_repeat_what_is_shown(shop):
    made = put_right(
        shop, "orders with insulation", "SELECT id FROM sales_order WHERE category = 'insulation'"
    )
    assert made.result.rows == ((101,), (103,), (105,))
