"""Columns put under their tables, and tables joined along links."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.rows.drafting.joins import route, steps
from pincite.rows.drafting.statement_tree import Mendable
from tests.rows.drafting.stores import joined, opened

ORDER = '"sales_order" JOIN "customer" ON "sales_order"."customer_id" = "customer"."id"'


@pytest.mark.parametrize("database", ["shop", "loose"])
@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("SELECT region FROM sales_order", f'SELECT "customer"."region" FROM {ORDER}'),
        (
            "SELECT customer.name FROM shipment",
            'SELECT "customer"."name" FROM "shipment" JOIN "sales_order" ON "shipment"."order_id" = "sales_order"."id" '
            'JOIN "customer" ON "sales_order"."customer_id" = "customer"."id"',
        ),
        (
            "SELECT o.id FROM sales_order o WHERE o.region = 'North'",
            'SELECT "o"."id" FROM "sales_order" AS o JOIN "customer" ON "o"."customer_id" = "customer"."id" '
            "WHERE \"customer\".\"region\" = 'North'",
        ),
        (
            "SELECT MAX(placed_on) FROM customer",
            'SELECT MAX("sales_order"."placed_on") FROM "customer" JOIN "sales_order" '
            'ON "customer"."id" = "sales_order"."customer_id"',
        ),
        (
            "SELECT name, COUNT(*) AS n FROM sales_order GROUP BY name ORDER BY n",
            f'SELECT "customer"."name", COUNT(*) AS n FROM {ORDER} GROUP BY "customer"."name" ORDER BY n',
        ),
    ],
    ids=["one link", "two links", "under an alias", "against a link", "grouped"],
)  # fmt: skip
def test_a_column_of_another_table_is_joined(request, database, written, made):
    assert joined(request.getfixturevalue(database), written) == made


@pytest.mark.parametrize(
    ("written", "made"),
    [
        (
            "SELECT c.name FROM sales_order o JOIN customer c ON o.id = c.id",
            'SELECT "c"."name" FROM "sales_order" AS o JOIN "customer" AS c ON "o"."customer_id" = "c"."id"',
        ),
        (
            "SELECT c.name FROM sales_order o JOIN customer c ON o.client = c.id",
            'SELECT "c"."name" FROM "sales_order" AS o JOIN "customer" AS c ON "o"."customer_id" = "c"."id"',
        ),
        (
            "SELECT c.name FROM customer c, sales_order o",
            'SELECT "c"."name" FROM "customer" AS c JOIN "sales_order" AS o ON "c"."id" = "o"."customer_id"',
        ),
    ],
    ids=["columns that do not belong together", "a column that is not there", "nothing said"],
)
def test_a_wrong_join_is_made_along_the_link(shop, written, made):
    assert joined(shop, written) == made


@pytest.mark.parametrize(
    ("written", "made"),
    [
        ("SELECT SHIPPED_ON FROM Shipment", 'SELECT "shipment"."shipped_on" FROM "shipment"'),
        ("SELECT id FROM sales_orders", 'SELECT "sales_orders"."id" FROM "sales_order" AS sales_orders'),
        ("SELECT COUNT(carier) FROM shipment", 'SELECT COUNT("shipment"."carrier") FROM "shipment"'),
        ("SELECT amount FROM sales_order", 'SELECT "sales_order"."order_amount_eur" FROM "sales_order"'),
        ("SELECT id FROM main.sales_order", 'SELECT "sales_order"."id" FROM "sales_order"'),
        ("SELECT x.name FROM customer", 'SELECT "customer"."name" FROM "customer"'),
        ("SELECT customer.name FROM customer c", 'SELECT "c"."name" FROM "customer" AS c'),
        ("SELECT customer.name FROM product",
         'SELECT "customer"."name" FROM "product" JOIN "order_line" ON "product"."id" = "order_line"."product_id" '
         'JOIN "sales_order" ON "order_line"."order_id" = "sales_order"."id" '
         'JOIN "customer" ON "sales_order"."customer_id" = "customer"."id"'),
    ],
)  # fmt: skip
def test_names_are_those_of_the_database(shop, written, made):
    assert joined(shop, written) == made


@pytest.mark.parametrize(
    "written",
    [
        "SELECT t.n FROM (SELECT COUNT(*) AS n FROM \"shipment\" GROUP BY \"shipment\".\"order_id\") AS t",
        "SELECT \"sales_order\".\"id\" FROM \"sales_order\" WHERE \"sales_order\".\"customer_id\" IN "
        "(SELECT \"customer\".\"id\" FROM \"customer\" WHERE \"customer\".\"region\" = 'North')",
        "WITH x AS (SELECT \"shipment\".\"order_id\" FROM \"shipment\") SELECT order_id FROM x",
        "SELECT \"c\".\"name\" FROM \"customer\" AS c WHERE EXISTS(SELECT 1 FROM \"sales_order\" AS o "
        "WHERE \"o\".\"customer_id\" = c.id)",
        "SELECT \"a\".\"id\" FROM \"sales_order\" AS a JOIN \"sales_order\" AS b "
        "ON \"a\".\"customer_id\" = \"b\".\"customer_id\"",
        "SELECT \"customer\".\"name\" AS region FROM \"customer\" ORDER BY region",
        "SELECT \"customer\".\"id\" FROM \"customer\" UNION SELECT \"product\".\"id\" FROM \"product\"",
        "SELECT \"c\".\"name\" FROM \"customer\" AS c LEFT JOIN \"sales_order\" AS o ON \"c\".\"id\" = \"o\".\"customer_id\" "
        "WHERE \"o\".\"id\" IS NULL",
    ],
    ids=["derived", "in", "with", "correlated", "itself", "alias as a column", "union", "left"],
)  # fmt: skip
def test_what_is_right_stays(shop, written):
    assert joined(shop, written) == written


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("SELECT id FROM planet",
         "there is no table planet; there are customer, order_line, product, sales_order, shipment"),
        ("SELECT colour FROM sales_order", "there is no column colour; near it are category"),
        ("SELECT zzz FROM sales_order", "there is no column zzz"),
        ("SELECT a.id FROM sales_order a JOIN sales_order b ON a.nothing = b.customer_id",
         "say by which columns sales_order is joined to itself"),
    ],
)  # fmt: skip
def test_what_cannot_be_put_right_is_said(shop, written, said):
    with pytest.raises(Mendable) as told:
        joined(shop, written)
    assert str(told.value) == said


def test_tables_without_a_link_are_not_joined(tmp_path):
    apart = opened(tmp_path, "CREATE TABLE moon (size INTEGER); CREATE TABLE tide (height REAL);")
    with pytest.raises(Mendable, match=r"there is no column height; near it are height"):
        joined(apart, "SELECT height FROM moon")
    with pytest.raises(Mendable, match="nothing links tide to moon"):
        joined(apart, "SELECT size, height FROM moon, tide")


def test_a_column_that_two_tables_have_is_taken_from_the_nearer(supply):
    assert joined(supply, "SELECT name FROM batches") == (
        'SELECT "suppliers"."name" FROM "batches" JOIN "suppliers" ON "batches"."supplier_id" = "suppliers"."id"'
    )
    assert joined(supply, "SELECT countries.name FROM batches").endswith(
        'JOIN "countries" ON "suppliers"."country" = "countries"."code"'
    )


def test_the_way_between_tables(shop):
    def way(*ends):
        found = route(shop.database, ends[:1], ends[1])
        return None if found is None else [(step.other, step.repeats) for step in found]

    assert way("shipment", "customer") == [("sales_order", False), ("customer", False)]
    assert way("customer", "shipment") == [("sales_order", True), ("shipment", True)]
    assert way("customer", "customer") == []
    assert way("customer", "elsewhere") is None
    assert len(list(steps(shop.database))) == 8  # four links, there and back


def test_columns_that_name_one_row(shop):
    relation = shop.database.relation("shipment")
    assert relation.is_unique(("id",)) and relation.is_unique(("id", "carrier"))
    assert relation.is_unique(("shipped_on",))  # seven days of seven shipments
    assert not relation.is_unique(("order_id",)) and not relation.is_unique(())


COLUMNS = (
    "name",
    "region",
    "placed_on",
    "order_amount_eur",
    "quantity",
    "category",
    "carrier",
    "customer.name",
    "o.id",
    "id",
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    shown=st.lists(st.sampled_from(COLUMNS), min_size=1, max_size=3),
    table=st.sampled_from(("customer", "product AS o", "sales_order o", "order_line", "shipment")),
    where=st.sampled_from(("", " WHERE region = 'North'", " WHERE id IN (SELECT order_id FROM shipment)")),
    order=st.sampled_from(("", " ORDER BY placed_on DESC LIMIT 2")),
)  # fmt: skip
def test_what_is_completed_is_complete(shop, shown, table, where, order):
    try:
        once = joined(shop, f"SELECT {', '.join(shown)} FROM {table}{where}{order}")
    except Mendable:
        return
    assert joined(shop, once) == once
    shop.run(once)


@pytest.mark.parametrize("wrong", ["c.id = o.cust_id", "c.id = o.id"])
def test_an_outer_join_stays_one(shop, wrong):
    made = joined(shop, f"SELECT c.name FROM customer c LEFT JOIN sales_order o ON {wrong}")
    assert "LEFT JOIN" in made


def test_a_join_without_a_condition_is_made_along_the_link(shop):
    made = joined(shop, "SELECT c.name FROM customer c JOIN sales_order o")
    assert made.endswith('ON "c"."id" = "o"."customer_id"')


@pytest.mark.xfail(
    strict=True, reason="only a direct link shows that the columns do not belong together"
)
def test_tables_that_only_a_third_links_are_not_joined_by_other_columns(shop):
    made = joined(
        shop, "SELECT customer.name FROM customer JOIN shipment ON customer.id = shipment.order_id"
    )
    assert '"customer"."id" = "shipment"."order_id"' not in made
