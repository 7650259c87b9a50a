"""The period and the order of time that a question asks for, in the statement drafted for it."""

from datetime import date

import pytest

from pincite.rows.drafting.asked_time import asked_period
from tests.rows.drafting.stores import opened, put_right

MAY = "placed_on is from 2023-05-01 to 2023-05-31"


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("sales in 2024", (date(2024, 1, 1), date(2024, 12, 31))),
        ("Going by the 2025 ratings", (date(2025, 1, 1), date(2025, 12, 31))),
        ("in February 2024", (date(2024, 2, 1), date(2024, 2, 29))),
        ("the second half of 2023", (date(2023, 7, 1), date(2023, 12, 31))),
        ("Q2 2023", (date(2023, 4, 1), date(2023, 6, 30))),
        ("2021 to 2023", (date(2021, 1, 1), date(2023, 12, 31))),
        ("since 2024", None),
        ("before the end of 2021", None),
        ("since New Year 2024", None),
        ("from 2022 onwards", None),
        ("2022 and later", None),
        ("on 3 May 2023", None),
        ("in 2022 and in 2024", None),
        ("in fiscal 2022", None),
        ("last year", None),
    ],
)
def test_the_period_of_a_question(question, ends):
    assert asked_period(question) == ends


@pytest.mark.parametrize(
    ("question", "written", "rows", "notes"),
    [
        ("orders in May 2023", "id FROM sales_order WHERE placed_on = '2023-05-02'", ((103,), (104,)), (MAY,)),
        ("orders in May 2023", "id FROM sales_order WHERE placed_on > '2023-05-02'", ((103,), (104,)), (MAY,)),
        ("orders in May 2023", "id FROM sales_order WHERE placed_on LIKE '2023%' AND order_amount_eur > 700", ((103,),), (MAY,)),
        ("orders in May 2023", "id FROM sales_order WHERE placed_on >= '2023-05-01' AND placed_on < '2023-06-01'",
         ((103,), (104,)), (MAY,)),
        ("orders in 2023", "COUNT(*) FROM sales_order WHERE placed_on BETWEEN '2023-01-01' AND '2023-12-31'", ((5,),), ()),
        ("orders since May 2023", "id FROM sales_order WHERE placed_on > '2023-05-02'", ((104,), (105,)), ()),
        ("orders in May 2023", "COUNT(*) FROM sales_order", ((2,),), ("only placed_on from 2023-05-01 to 2023-05-31",)),
        ("orders from 2023 in numbers", "COUNT(*) FROM sales_order", ((5,),), ()),
    ],
)  # fmt: skip
def test_a_statement_keeps_to_the_period(shop, question, written, rows, notes):
    made = put_right(shop, question, f"SELECT {written}")
    assert (made.result.rows, made.notes) == (rows, notes)


def test_one_of_two_dates_is_not_chosen(shop):
    written = (
        "SELECT COUNT(*) FROM sales_order JOIN shipment ON shipment.order_id = sales_order.id"
    )
    made = put_right(shop, "How many shipments were there in May 2023?", written)
    assert not [note for note in made.notes if note.startswith("only")]
    assert made.against


def test_a_period_that_a_statement_excludes_is_left(shop):
    written = "SELECT id FROM sales_order WHERE NOT placed_on > '2023-05-02'"
    made = put_right(shop, "orders not made in May 2023", written)
    assert made.result.rows == ((101,), (102,), (103,))


@pytest.mark.parametrize(
    ("question", "written", "rows", "notes"),
    [
        ("Which order has been around the longest?", "ORDER BY placed_on DESC LIMIT 1", ((101,),),
         ("the oldest placed_on comes first",)),
        ("What is the latest order?", "ORDER BY placed_on LIMIT 1", ((105,),), ("the newest placed_on comes first",)),
        ("What is the latest order?", "ORDER BY placed_on DESC LIMIT 1", ((105,),), ()),
        ("What is the largest order?", "ORDER BY order_amount_eur DESC LIMIT 1", ((103,),), ()),
        ("Which was the last of the first orders?", "ORDER BY placed_on LIMIT 1", ((101,),), ()),
    ],
)  # fmt: skip
def test_the_end_of_time_that_is_asked_for_comes_first(shop, question, written, rows, notes):
    made = put_right(shop, question, f"SELECT id FROM sales_order {written}")
    assert (made.result.rows, made.notes) == (rows, notes)


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("at BETWEEN '2024-03-01' AND '2024-03-02'", ((1,), (2,), (3,))),
        ("at <= '2024-03-01'", ((1,), (2,))),
        ("at > '2024-03-01'", ((3,), (4,))),
        ("at = '2024-03-02'", ((3,),)),
        ("at < '2024-03-02'", ((1,), (2,))),
        ("at > '2024-03-01' OR id = 1", ((1,), (3,), (4,))),
        ("at <= '2024-03-01 08:00:00'", ((1,),)),
    ],
)
def test_a_day_is_over_with_its_last_moment(tmp_path, condition, rows):
    script = (
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, at DATETIME); INSERT INTO visit VALUES (1, '2024-03-01 08:00:00'), "
        "(2, '2024-03-01 23:59:59'), (3, '2024-03-02 12:00:00'), (4, '2024-03-03 00:00:00');"
    )
    question = "visits on 2024-03-01, 2024-03-02 at 08:00:00, of 1"
    made = put_right(
        opened(tmp_path, script), question, f"SELECT id FROM visit WHERE {condition} ORDER BY id"
    )
    assert made.result.rows == rows
