"""Which relations a question needs: by its words, by what joins them, each thing once, and by meaning with an encoder."""

import numpy as np
import pytest

from pincite.database.relations.model import Column, Database, Link, Relation
from pincite.rows.drafting.schema_routing import relations


def relation(name, *columns, links=(), **more):
    return Relation(name, tuple(Column(one) for one in columns), links=links, **more)


SHOP = Database(
    "shop",
    (
        relation("CUSTOMER", "CUSTOMER_ID", "FULL_NAME", "POSTAL_CODE", "LOAD_DATE"),
        relation(
            "CUSTOMER_HIST",
            "CUSTOMER_ID",
            "FULL_NAME",
            "POSTAL_CODE",
            "LOAD_DATE",
            "FISCAL_PERIOD",
        ),
        relation("ORDER_LINE", "ORDER_ID", "PRODUCT_ID", "QUANTITY", "LOAD_DATE"),
        relation("PRODUCT", "PRODUCT_ID", "PRODUCT_TITLE", "SHELF_PRICE", "LOAD_DATE"),
        relation("SALES_ORDER", "ORDER_ID", "CUSTOMER_ID", "ORDER_DATE", "LOAD_DATE"),
        relation("MAIL_LIST", "MAIL_LIST_ID", "MAIL_LIST_NAME", "LOAD_DATE"),
        relation("WAREHOUSE", "WAREHOUSE_ID", "CITY", "LOAD_DATE"),
        relation("FREIGHT", "FREIGHT_ID", "CARRIER", "LOAD_DATE"),
    ),
)


def names(question, database=SHOP, k=3, **more):
    return [name for name, _ in relations(question, database, k, **more)]


def test_names_and_columns_find_their_relation():
    assert names("What is the shelf price of each product title?", k=1) == ["PRODUCT"]
    assert names("carriers of the freight", k=1) == ["FREIGHT"]
    assert names("In which cities are our warehouses?", k=1) == ["WAREHOUSE"]


def test_camel_case_and_readable_names_are_read():
    database = Database(
        "b",
        (
            relation("tblCustAddr", "custId", "streetName"),
            Relation(
                "t7",
                (Column("c1", readable="yield strength"),),
                readable="alloys",
                also=("steel grades",),
            ),
            relation("t8", "c1"),
        ),
    )
    assert names("street names", database, 1) == ["tblCustAddr"]
    assert names("the yield strength", database, 1) == ["t7"]
    assert names("which steel grade", database, 1) == ["t7"]


def test_values_of_a_column_find_its_relation():
    colours = Relation("a", (Column("x", values=("crimson", "teal")),))
    database = Database("v", (relation("b", "y"), colours, relation("c", "z")))
    assert names("how many are teal?", database, 1) == ["a"]


def test_what_a_request_begins_with_is_no_name():
    assert "MAIL_LIST" not in names("List the full names of customers by postal code.", k=2)
    assert names("Which mail list has this name?", k=1) == ["MAIL_LIST"]


def test_a_relation_that_joins_two_found_ones_comes_with_them():
    assert set(names("the product titles and the customers' full names, with postal codes", k=5)) >= {
        "PRODUCT", "CUSTOMER", "SALES_ORDER", "ORDER_LINE",
    }  # fmt: skip


def test_a_declared_link_counts_where_no_name_is_shared():
    def database(*links):
        return Database(
            "d",
            (
                relation("plant", "town"),
                relation("x1", "q", links=links),
                relation("x2", "r"),
                relation("x3", "s"),
            ),
        )

    joined = database(Link(("q",), "plant", ("town",)))
    assert names("towns of plants", joined, 2) == ["plant", "x1"]


def test_a_history_is_found_only_when_it_is_asked_for():
    plain = names("full name and postal code of every customer", k=8)
    assert plain.index("CUSTOMER") < plain.index("CUSTOMER_HIST")
    assert names("hist of customers: full name, postal code by fiscal period", k=1) == [
        "CUSTOMER_HIST"
    ]


def test_relations_that_say_the_same_do_not_fill_the_list():
    copies = tuple(
        relation(f"reading_{one}", "reading_id", "sensor_name", "celsius") for one in "abcdef"
    )
    database = Database(
        "r",
        (
            *copies,
            relation("staff", "staff_id", "staff_name", "celsius_rights"),
            relation("z", "y"),
        ),
    )
    assert "staff" in names("readings in celsius by sensor name, and names of staff", database, 3)


class Meaning:
    """An encoder in which "course" and "subject" are near each other, and all else is far apart."""

    name, revision, dims, max_tokens = "meaning", "1", 64, 256

    def encode(self, texts, *, side="document"):
        seen = {}
        rows = np.full((len(texts), self.dims), 0.01, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                word = {"courses": "subject", "course": "subject"}.get(word, word)
                row[seen.setdefault(word, sum(map(ord, word)) % self.dims)] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_an_encoder_finds_what_no_word_names():
    database = Database(
        "u",
        (relation("a_one", "price"), relation("a_two", "weight"), relation("a_six", "subject")),
    )
    assert names("the courses", database, 1, encoder=Meaning()) == ["a_six"]


@pytest.mark.parametrize("question", ["", "???", "zzz qqq"])
def test_a_question_that_names_nothing_still_gives_the_relations(question):
    found = relations(question, SHOP, 20)
    assert sorted(name for name, _ in found) == sorted(one.name for one in SHOP.relations)
    assert relations(question, SHOP, 20) == found


def test_odd_databases():
    assert relations("anything", Database("none")) == []
    alone = Database("one", (Relation("only", ()),))
    assert names("anything", alone) == ["only"]
    assert names("anything", alone, encoder=Meaning()) == ["only"]
