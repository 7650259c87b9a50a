"""Names in the place of ids."""

import pytest

from pincite.rows.drafting.asked_groups import label_of
from tests.rows.drafting.stores import opened, put_right


@pytest.mark.parametrize(
    ("database", "question", "written", "rows"),
    [
        ("shop", "Which customers ordered in May 2023?",
         "customer_id FROM sales_order WHERE placed_on BETWEEN '2023-05-01' AND '2023-05-31'",
         (("Brook Homes",), ("Cato Interiors",))),
        ("shop", "Which customers ordered?", "DISTINCT customer_id FROM sales_order",
         (("Adler Bau",), ("Brook Homes",), ("Cato Interiors",))),
        ("shop", "Which customers are there?", "c.id FROM customer AS c",
         (("Adler Bau",), ("Brook Homes",), ("Cato Interiors",))),
        ("shop", "total order amount of each customer",
         "customer_id, SUM(order_amount_eur) FROM sales_order GROUP BY customer_id",
         (("Brook Homes", 2500), ("Cato Interiors", 1500), ("Adler Bau", 1400))),
        ("shop", "order amount of each customer's orders",
         "o.customer_id AS who, o.order_amount_eur FROM sales_order o ORDER BY 2",
         (("Adler Bau", 400), ("Cato Interiors", 600), ("Cato Interiors", 900), ("Adler Bau", 1000), ("Brook Homes", 2500))),
        ("shop", "Which product sold the most pieces?",
         "product_id FROM order_line GROUP BY product_id ORDER BY SUM(quantity) DESC LIMIT 1", (("cork board",),)),
        ("supply", "Which supplier delivered B-04?", "supplier_id FROM batches WHERE batch_no = 'B-04'", (("Umea Resins",),)),
        ("garage", "Which vehicles are in the workshop?", "vehicle_id FROM vehicles WHERE status = 'W'", (("KI-B 200",),)),
    ],
)  # fmt: skip
def test_a_name_stands_for_an_id(request, database, question, written, rows):
    made = put_right(request.getfixturevalue(database), question, f"SELECT {written}")
    assert made.result.rows == rows


def test_two_of_one_name_stay_two(tmp_path):
    script = """
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE visit (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person (id), minutes INTEGER);
    INSERT INTO person VALUES (1, 'Kim'), (2, 'Kim'), (3, 'Noa'), (4, 'Ida');
    INSERT INTO visit VALUES (1, 1, 10), (2, 2, 30), (3, 3, 5), (4, 1, 2);
    """
    made = put_right(
        opened(tmp_path, script),
        "minutes of each person",
        "SELECT person_id, SUM(minutes) FROM visit GROUP BY person_id",
    )
    assert made.result.rows == (("Kim", 30), ("Kim", 12), ("Noa", 5))


@pytest.mark.parametrize(
    ("database", "question", "written", "rows"),
    [
        ("shop", "What is the customer id of order 103?", "customer_id FROM sales_order WHERE id = 103", ((2,),)),
        ("shop", "Which orders went with Passat?", "order_id FROM shipment WHERE carrier = 'Passat'", ((102,), (103,), (105,))),
        ("supply", "Which countries do suppliers come from?", "DISTINCT country FROM suppliers", (("NA",), ("NL",), ("SE",))),
        ("ledger", "Which invoices are not paid?", "invoice_no FROM invoice WHERE paid = 'no'",
         (("R-1004",), ("R-1005",), ("R-1007",))),
        ("shop", "How many products has order 101?", "COUNT(product_id) FROM order_line WHERE order_id = 101", ((3,),)),
    ],
)  # fmt: skip
def test_an_id_that_is_asked_for_or_has_no_name_stays(request, database, question, written, rows):
    made = put_right(request.getfixturevalue(database), question, f"SELECT {written}")
    assert made.result.rows == rows


def test_the_column_that_names_rows(shop, garage, supply, ledger):
    def named(source, relation):
        found = label_of(source.database.relation(relation))
        return found and found.name

    assert named(shop, "customer") == "name" and named(garage, "depots") == "name"
    assert named(garage, "vehicles") == "plate" and named(garage, "statuses") == "meaning"
    assert named(supply, "countries") == "name"
    assert named(shop, "sales_order") is None and named(shop, "shipment") is None


def test_the_name_has_the_alias_of_the_id(shop):
    made = put_right(
        shop,
        "total order amount of each customer",
        "SELECT customer_id AS c, SUM(order_amount_eur) FROM sales_order GROUP BY c",
    )
    assert made.result is not None


@pytest.mark.xfail(strict=True, reason="an id beside its name becomes the name again")
def test_a_name_stands_once(shop):
    written = "SELECT customer_id, name FROM sales_order JOIN customer ON customer.id = customer_id WHERE sales_order.id = 103"
    assert (
        put_right(shop, "Who placed order 103?", written).result.rows[0].count("Brook Homes") == 1
    )
