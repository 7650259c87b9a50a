"""A question to one source without a model, or with one that gives no reply: what is refused, and what is said."""

from dataclasses import replace

import pytest

from pincite.database.database_errors import StatementRefused
from pincite.errors import ModelError
from pincite.rows.reading_rows import interpreted
from pincite.rows.row_answers import ask
from pincite.types import Query
from tests.rows.drafting.stores import SHOP, opened, put_right


class Silent:
    """Stands in for an endpoint that gives no reply."""

    name = "silent"

    async def complete(self, prompt, form):
        raise ModelError("no reply came within 30 s")


def test_without_a_model_the_reason_says_how_to_get_one(tmp_path, monkeypatch):
    shop = opened(tmp_path, SHOP)
    monkeypatch.setattr("pincite.rows.reading_rows.how_to_get_one", lambda: "pincite models get")
    found = interpreted("How many orders are there?", shop)
    assert found.refused and found.reason == (
        "without a language model only what names its row and its column is looked up: get one with `pincite models get`"
    )
    monkeypatch.setattr("pincite.rows.reading_rows.how_to_get_one", lambda: "")
    assert interpreted("How many orders are there?", shop).reason.endswith("leave out --no-model")


def test_where_no_model_replies_what_can_be_looked_up_still_is(tmp_path):
    shop = opened(tmp_path, SHOP)
    told = ask(Query("What is the region of Adler Bau?"), shop, model=Silent())
    assert told.draft.value == "North" and told.interpretation.confidence == 0.9
    told = ask(Query("How many orders are there?"), shop, model=Silent())
    assert told.draft.value is None and "language model" in told.draft.reason


def test_a_follow_up_is_asked_with_the_question_before_it(tmp_path):
    shop = opened(tmp_path, SHOP)
    query = Query("and in 2023?", refines=("order amount of Brook Homes", "in 2023"))
    told = ask(query, shop)
    assert told.interpretation.question == "order amount of Brook Homes; in 2023"
    assert told.draft.value.value == 2500 and told.draft.value.unit == "EUR"


def test_what_only_some_tables_may_be_asked_of(tmp_path):
    shop = opened(tmp_path, SHOP)
    some = replace(shop, only=frozenset({"product", "order_line"}))
    assert [relation.name for relation in some.database.relations] == ["order_line", "product"]
    assert [link.to for link in some.view("order_line").links] == ["product"]
    assert interpreted("category of cork board", some).result.rows == (("insulation",),)
    assert interpreted("region of Adler Bau", some).refused
    assert some.near("Adler Bau") == [] or all(
        v.relation != "customer" for v in some.near("Adler Bau")
    )


def test_a_hidden_table_is_not_read_under_any_name(tmp_path):
    some = replace(opened(tmp_path, SHOP), only=frozenset({"product"}))
    for written in (
        "SELECT name FROM customer",
        "SELECT name FROM main.customer",
        "SELECT * FROM sqlite_master",
    ):
        assert put_right(some, "names", written).result is None
    for written in ("SELECT name FROM main.customer", 'SELECT name FROM "main"."customer"'):
        with pytest.raises(StatementRefused):
            some.run(written)
