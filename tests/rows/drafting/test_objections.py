"""What a statement leaves out of its question."""

import pytest

from tests.rows.drafting.stores import put_right


@pytest.mark.parametrize(
    ("question", "written", "against"),
    [
        ("What did Adler Bau order from Fjordline?", "SUM(order_amount_eur) FROM sales_order",
         {"nothing in the statement is about 'Adler Bau'", "nothing in the statement is about 'Fjordline'"}),
        ("amounts of the orders of Adler Bau",
         "order_amount_eur FROM sales_order JOIN customer ON customer.id = customer_id WHERE region = 'North'",
         {"nothing in the statement is about 'Adler Bau'"}),
        ("orders above 700 EUR", "id FROM sales_order", {"the number 700 is not in the statement"}),
        ("orders above 1,250.50 EUR", "id FROM sales_order WHERE order_amount_eur > 1250",
         {"the number 1,250.50 is not in the statement"}),
        ("amount of order 103", "order_amount_eur FROM sales_order", {"the number 103 is not in the statement"}),
        ("products of 2022", "id FROM product", {"the number 2022 is not in the statement"}),
        ("How much did Adler Bau pay?", "SUM(quantity) FROM order_line",
         {"the question asks for money, and the statement uses no column of it",
          "nothing in the statement is about 'Adler Bau'"}),
        ("What did Andreas order?", "id FROM sales_order", {"nothing in the statement is about 'Andreas'"}),
        ("Which customer has the highest bill?", "name FROM customer ORDER BY region DESC LIMIT 1",
         {"the question asks for money, and the statement uses no column of it"}),
        ("How many orders are above 700 EUR?", "placed_on FROM sales_order WHERE order_amount_eur > 700",
         {"the statement does nothing for 'How many'"}),
        ("What is the average order amount?", "order_amount_eur FROM sales_order",
         {"the statement does nothing for 'average'"}),
        ("What is the latest order?", "id FROM sales_order", {"the statement does nothing for 'latest'"}),
        ("What share of the orders is from the North?",
         "COUNT(*) FROM sales_order JOIN customer ON customer.id = customer_id WHERE region = 'North'",
         {"the statement does nothing for 'share of'"}),
        ("orders placed on 1999-01-01", "id FROM sales_order WHERE placed_on = '1999-01-01'",
         {"the statement finds nothing"}),
        ("total order amount above 9000 EUR", "SUM(order_amount_eur) FROM sales_order WHERE order_amount_eur > 9000",
         {"the statement finds nothing"}),
    ],
)  # fmt: skip
def test_what_is_left_out_is_said(shop, question, written, against):
    made = put_right(shop, question, f"SELECT {written}")
    assert set(made.against) == against
    assert made.result is not None and made.tried == (
        (f"SELECT {written}", "; ".join(made.against)),
    )


@pytest.mark.parametrize(
    ("database", "question", "written"),
    [
        ("shop", "How many orders were above 700 EUR in 2023?",
         "COUNT(*) FROM sales_order WHERE order_amount_eur > 700 AND placed_on LIKE '2023%'"),
        ("shop", "orders above 1,000 EUR", "id FROM sales_order WHERE order_amount_eur > 1000"),
        ("shop", "orders of the North and the South", "region, COUNT(*) FROM sales_order JOIN customer "
         "ON customer.id = customer_id GROUP BY region"),
        ("shop", "What is the mean order amount?", "SUM(order_amount_eur) / COUNT(*) FROM sales_order"),
        ("shop", "What is the latest order?", "id FROM sales_order ORDER BY placed_on DESC LIMIT 1"),
        ("shop", "Wie viele Bestellungen wurden im Jahr 2023 von allen Kunden aufgegeben?",
         "COUNT(*) FROM sales_order WHERE placed_on LIKE '2023%'"),
        ("shop", "How much money came in?", "SUM(order_amount_eur) FROM sales_order"),
        ("shop", "What is the total order amount in 5 orders?", "SUM(order_amount_eur) FROM sales_order"),
        ("shop", "category of the cork board", "category FROM product WHERE name = 'cork board'"),
        ("supply", "total weight kg of B-04", "weight_kg FROM batches WHERE batch_no = 'B-04'"),
        ("garage", "payload of KI-A 100", "payload_kg FROM vehicles WHERE plate = 'KI-A 100'"),
        ("garage", "vehicles that carry over 20 t", "plate FROM vehicles WHERE payload_kg > 20"),
        ("supply", "How many kg does B-04 weigh?", "weight_kg FROM batches WHERE batch_no = 'B-04'"),
        ("supply", "Which suppliers are in NA?", "name FROM suppliers WHERE country = 'NA'"),
        ("supply", "Which suppliers are in Namibia (NA)?", "name FROM suppliers WHERE country = 'NA'"),
    ],
)  # fmt: skip
def test_nothing_speaks_against_a_statement_that_says_all(request, database, question, written):
    made = put_right(request.getfixturevalue(database), question, f"SELECT {written}")
    assert made.against == () and made.tried == () and made.result is not None


@pytest.mark.xfail(strict=True, reason="a code is not known to say what its linked table says")
def test_a_code_says_its_name(supply):
    made = put_right(
        supply,
        "Which suppliers are in Namibia?",
        "SELECT name FROM suppliers WHERE country = 'NA'",
    )
    assert made.against == ()


@pytest.mark.xfail(strict=True, reason="an id is taken for an amount")
def test_an_id_does_not_say_how_many(shop):
    written = "SELECT id FROM sales_order WHERE order_amount_eur > 700"
    assert put_right(shop, "How many orders are above 700 EUR?", written).against


@pytest.mark.parametrize(
    ("question", "order", "said"),
    [
        ("What was the amount of the most recent order?", "order_amount_eur DESC",
         ("the question asks for the most recent, and the statement is ordered by order_amount_eur",)),
        ("What was the amount of the most recent order?", "placed_on DESC", ()),
        ("What was the amount of the highest of the last orders?", "order_amount_eur DESC", ()),
        ("What was the highest amount?", "order_amount_eur DESC", ()),
    ],
)  # fmt: skip
def test_the_newest_is_not_the_largest(shop, question, order, said):
    written = f"SELECT order_amount_eur FROM sales_order ORDER BY {order} LIMIT 1"
    assert put_right(shop, question, written).against == said
