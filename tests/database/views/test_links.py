"""Links between views: which side of each is many."""

import pytest

from pincite.database.views.clean_view import clean_views
from tests.database.views.sources import duck_source, sqlite_source

DECLARED = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE passport (customer_id INTEGER PRIMARY KEY REFERENCES customer (id), number TEXT);
CREATE TABLE sales_order (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), amount REAL);
CREATE TABLE product (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE order_product (order_id INTEGER REFERENCES sales_order (id), product_id INTEGER REFERENCES product (id),
  PRIMARY KEY (order_id, product_id));
INSERT INTO customer VALUES (1, 'Ada'), (2, 'Bo');
INSERT INTO passport VALUES (1, 'P1'), (2, 'P2');
INSERT INTO sales_order VALUES (10, 1, 5), (11, 1, 6), (12, 2, 7);
INSERT INTO product VALUES (5, 'mortar'), (6, 'cork');
INSERT INTO order_product VALUES (10, 5), (10, 6), (11, 5);
"""


@pytest.mark.parametrize("made", [sqlite_source, duck_source], ids=["sqlite", "duckdb"])
def test_declared_links(made, tmp_path):
    with made(tmp_path, DECLARED) as source:
        told = {
            (view.name, link.columns[0]): (link.to, link.many, link.to_many)
            for view in clean_views(source)
            for link in view.links
        }
        assert told == {
            ("passport", "customer_id"): ("customer", False, False),
            ("sales_order", "customer_id"): ("customer", True, False),
            ("order_product", "order_id"): ("sales_order", True, False),
            ("order_product", "product_id"): ("product", True, False),
        }


def test_codes_that_stand_in_several_rows_on_both_sides(tmp_path):
    script = """
    CREATE TABLE price (fare_code TEXT, amount REAL);
    CREATE TABLE basis (basis_name TEXT, fare_code TEXT);
    INSERT INTO price VALUES ('Y1', 5), ('Y1', 6), ('Q2', 7);
    INSERT INTO basis VALUES ('a', 'Y1'), ('b', 'Y1'), ('c', 'Q2');
    """
    with sqlite_source(tmp_path, script) as source:
        (link,) = [link for view in clean_views(source) for link in view.links]
        assert (link.many, link.to_many, link.declared) == (True, True, False)


def test_linked_columns_stay_as_they_are(tmp_path):
    script = """
    CREATE TABLE site (site_code TEXT PRIMARY KEY, name TEXT);
    CREATE TABLE reading (site_code TEXT REFERENCES site (site_code), value TEXT);
    INSERT INTO site VALUES ('1', 'a'), ('2', 'b'), ('3', 'c');
    INSERT INTO reading VALUES ('1', '1,5'), ('1', '2,5'), ('2', '3,5');
    """
    with sqlite_source(tmp_path, script) as source:
        reading, site = clean_views(source)
        assert (reading.column("site_code").type, site.column("site_code").type) == (
            "text",
            "text",
        )
        assert (reading.column("site_code").kind, site.column("site_code").kind) == ("link", "key")
