from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.relation_card import text
from pincite.database.relations.relation_rows import document_of
from pincite.search.index.plain_descriptions import Plainly
from pincite.search.index.table_samples import Sampled, lines_of
from pincite.search.index.told_texts import META, Told
from pincite.types import Anchor, Cell, Document, Node, Table


def document(rows=20, caption="Trades"):
    texts = [("Id", "Last\nprice"), *((f"r{row}", str(row)) for row in range(rows))]
    cells = tuple(
        Cell(row, column, text)
        for row, pair in enumerate(texts)
        for column, text in enumerate(pair)
    )
    node = Node(
        "t",
        "table",
        "",
        Anchor("s", ((3, None),), path="Markets"),
        table=Table(cells, caption=caption),
    )
    return Document("d", "v", "Exchange book", nodes=(node,))


def test_a_table_in_short():
    (entry,) = Sampled(rows=2)(document(2))
    assert (entry.node, entry.view) == ("t", "table")
    assert entry.text.split("\n") == [
        "Database name: d | Exchange book",
        "Table name: Trades",
        "Table content:",
        "| Id | Last price |",
        "| --- | --- |",
        "| r0 | 0 |",
        "| r1 | 1 |",
    ]


def test_rows_are_drawn_by_the_seed_and_keep_their_order():
    drawn = {
        seed: next(iter(Sampled(seed=seed)(document()))).text.split("\n")[5:] for seed in range(8)
    }
    assert all(len(rows) == 5 for rows in drawn.values())
    assert all(
        rows == sorted(rows, key=lambda row: int(row.split("|")[2])) for rows in drawn.values()
    )
    assert len({tuple(rows) for rows in drawn.values()}) == 8
    assert drawn[0] == next(iter(Sampled()(document()))).text.split("\n")[5:]


def test_a_table_without_a_caption_is_named_by_its_section():
    nameless = document(1, "")
    assert lines_of(nameless, nameless.nodes[0])[0][1] == "Table name: Markets"


def relation():
    """A table of a database as it is stored, of which three rows were drawn."""
    columns = (
        Column("sec_id", "integer", "sec id"),
        Column("px", "number", "last price", guessed=False, unit="EUR", scale=Decimal(1000)),
        Column("img", "binary", "img"),
        Column("on_dt", "date", "on"),
    )
    rows = ((1, 2.5, b"x", date(2024, 5, 1)), (7, None, None, None), (9, 3.0, None, "a | b"))
    held = Relation(
        "SECMST", columns, "securities", schema="mkt", key=("sec_id",), rows=60, sample=rows
    )
    return document_of(
        Database("exchange", (held,), "postgresql", "postgresql://h/x"), held, text(held), ()
    )


def test_a_table_of_a_database_in_short():
    stored = relation()
    (entry,) = Sampled()(stored)
    assert entry.node == stored.nodes[1].id
    assert entry.text.split("\n") == [
        "Database name: exchange",
        "Table name: mkt.SECMST (securities)",
        "Table content:",
        "| sec id | last price (1,000 EUR) | on |",
        "| --- | --- | --- |",
        "| 1 | 2.5 | 2024-05-01 |",
        "| 7 |  |  |",
        "| 9 | 3 | a \\| b |",
    ]
    assert len(next(iter(Sampled(rows=2)(stored))).text.split("\n")) == 7
    with pytest.raises(ValueError, match="carries no table"):
        lines_of(stored, stored.nodes[0])


def test_kinds_of_objects_may_be_left_out():
    stored, held = relation(), document()
    assert list(Sampled(of=("table",))(stored)) == list(Sampled(of=("relation",))(held)) == []
    (card,) = Plainly()(stored)
    assert card.text == stored.nodes[1].text and "60 rows" in card.text
    assert list(Plainly(kinds=("page", "table"))(stored)) == []
    told = tuple(replace(node, meta={**node.meta, META: {"qa": ["x"]}}) for node in stored.nodes)
    entries = list(Told("qa")(replace(stored, nodes=told)))
    assert [entry.node for entry in entries][-1] == stored.nodes[1].id
    left = list(Told("qa", of=("page",))(replace(stored, nodes=told)))
    assert stored.nodes[1].id not in {entry.node for entry in left}
