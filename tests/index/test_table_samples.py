from pincite.index.table_samples import Sampled, lines_of
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
