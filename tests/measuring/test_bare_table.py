"""A bare table and its paragraphs as passages, and answers as items with a scale."""

from decimal import Decimal

from benchmarks.measuring.bare_table import document_of, items_and_scale, table_of
from pincite.lines.reading import best_of
from pincite.question.understanding import understand
from pincite.types import Query
from tests.lines.tables import SALES, sales


def said(text, passages):
    found = best_of(understand(Query(text)), passages)
    return items_and_scale(found[0])


def test_headers_and_scale_are_guessed():
    table = table_of(SALES, [])
    assert (table.header_rows, table.header_columns, table.scale) == (2, 1, Decimal(1000))
    assert next(c for c in table.cells if c.text.startswith("Year ended")).column_span == 3


def test_a_merged_header_covers_its_columns():
    rows = [
        ["", "Men", "", "Women", ""],
        ["", "2019", "2018", "2019", "2018"],
        ["Age", "86.8", "87.3", "88.9", "89.3"],
    ]
    spans = {c.text: (c.column, c.column_span) for c in table_of(rows, []).cells if c.row == 0}
    assert spans == {"Men": (1, 2), "Women": (3, 2)}


def test_a_paragraph_declares_the_scale_but_an_amount_in_it_does_not():
    rows = [["", "2019", "2018"], ["Rent", "40", "80"]]
    assert table_of(rows, ["The table shows costs (in millions):"]).scale == 10**6
    assert table_of(rows, ["Expressed in US $000's except per share amounts"]).scale == 1000
    assert table_of(rows, ["We paid $7 million to settle in 2000."]).scale == 1


def test_cells_that_agree_with_the_text_show_the_scale():
    rows = [["", "2019", "2018"], ["Rent", "40.7", "80.3"]]
    assert table_of(rows, ["Rent fell to $40.7 million."]).scale == 10**6


def test_items_and_scale():
    assert said("What was the rent in 2018?", sales()) == (["80"], "thousand")
    assert said("What was the percentage change in wages from 2018 to 2019?", sales()) == (
        ["20"],
        "percent",
    )
    assert said("What were wages in 2018 and 2017 respectively?", sales()) == (
        ["500", "400"],
        "thousand",
    )


def test_text_answers_from_the_paragraphs():
    passages = sales(
        "Rent fell because the depot was closed. Capital leases reflect office equipment."
    )
    assert said("Why did rent fall?", passages)[0][0].endswith("the depot was closed")
    assert said("What do capital leases reflect?", passages) == (["office equipment"], "")


def test_no_table_and_no_text_give_no_answer():
    assert best_of(understand(Query("What was the rent?")), document_of([], [])) == []
