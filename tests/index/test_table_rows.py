from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.errors import UsageError
from pincite.lab.testsets.gold_rows import row_anchor
from pincite.search.index.table_rows import SERIALIZERS, Rows, row_pairs, table_name
from pincite.types import Anchor, Cell, Document, Node, Table

BOX = (10.0, 20.0, 60.0, 30.0)
TABLE = Table(
    cells=(
        Cell(0, 0, "Site"), Cell(0, 1, "2023"), Cell(0, 2, "2022"), Cell(0, 3, ""),
        Cell(1, 0, "Nordic plants"),
        Cell(2, 0, "Tampere"), Cell(2, 1, "12", box=BOX), Cell(2, 2, "1,250"), Cell(2, 3, "0.50"),
        Cell(3, 0, "Lund"), Cell(3, 1, ""), Cell(3, 2, "-7"),
        Cell(4, 0, "Oslo"), Cell(4, 1, ""), Cell(4, 2, ""),
    ),
    caption="Energy use",
    scale=Decimal(1000),
    unit="MWh",
    page=4,
)  # fmt: skip
NODE = Node("t", "table", "", Anchor("sha", ((4, None),), path="2 Results > Energy"), table=TABLE)
DOCUMENT = Document("report.pdf", "v1", title="Report", nodes=(NODE,))


def test_a_row_is_named_by_its_headers_and_label():
    assert row_pairs(TABLE) == [
        (
            2,
            (
                ("Site", "Nordic plants > Tampere"),
                ("2023", 12),
                ("2022", "1,250"),
                ("Column 4", "0.50"),
            ),
        ),
        (3, (("Site", "Nordic plants > Lund"), ("2023", None), ("2022", -7), ("Column 4", None))),
    ]


def test_rows_as_sentences_with_unit_and_scale():
    assert [(entry.node, entry.at, entry.text) for entry in Rows()(DOCUMENT)] == [
        (
            "t", 2,
            "Item in Energy use (MWh, in thousands) where Site is Nordic plants > Tampere and 2023 is 12 and 2022 is 1,250"
            " and Column 4 is 0.50.\n",
        ),
        (
            "t", 3,
            "Item in Energy use (MWh, in thousands) where Site is Nordic plants > Lund and 2023 is Null and 2022 is -7"
            " and Column 4 is Null.\n",
        ),
    ]  # fmt: skip


def test_the_place_of_a_row_does_not_depend_on_the_serializer():
    places = {
        name: [(entry.node, entry.at) for entry in Rows(name)(DOCUMENT)] for name in SERIALIZERS
    }
    assert set(map(tuple, places.values())) == {(("t", 2), ("t", 3))}


def test_headings_that_come_twice_stay_apart():
    table = Table(
        (
            Cell(0, 0, ""),
            Cell(0, 1, "kg"),
            Cell(0, 2, "kg"),
            Cell(1, 0, "x"),
            Cell(1, 1, "1"),
            Cell(1, 2, "2"),
        )
    )
    assert row_pairs(table) == [(1, (("Item", "x"), ("kg", 1), ("kg (3)", 2)))]


def test_a_cell_merged_over_rows_holds_for_each():
    table = Table(
        (Cell(0, 0, "a"), Cell(0, 1, "b"), Cell(0, 2, "c"), Cell(1, 0, "x"), Cell(1, 1, "5", row_span=2), Cell(1, 2, "6"),
         Cell(2, 0, "y"), Cell(2, 2, "7"), Cell(3, 0, "z"), Cell(3, 1, "8", column_span=2)),
    )  # fmt: skip
    assert [pairs[1:] for _, pairs in row_pairs(table)] == [
        (("b", 5), ("c", 6)), (("b", 5), ("c", 7)), (("b", 8), ("c", None)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ("Energy use in thousands of MWh", "Energy use in thousands of MWh"),
        ("Energy,  in MWh:", "Energy, in MWh (in thousands)"),
        ("", "Energy (MWh, in thousands)"),
    ],
)
def test_a_table_says_what_its_numbers_are_in_once(caption, name):
    assert table_name(replace(NODE, table=replace(TABLE, caption=caption)), DOCUMENT) == name


def test_without_caption_and_heading_the_document_names_the_table():
    bare = replace(
        NODE, anchor=Anchor("sha"), table=replace(TABLE, caption="", unit="", unscaled="per share")
    )
    assert table_name(bare, DOCUMENT) == "Report (in thousands, except per share)"


def test_the_cells_of_a_row_can_be_cited():
    assert row_anchor(NODE, 2) == Anchor(
        "sha", ((4, BOX),), ((2, 0), (2, 1), (2, 2), (2, 3)), "2 Results > Energy"
    )
    assert row_anchor(NODE, 3).spots == ((4, None),)


def test_an_unknown_serializer_is_named():
    with pytest.raises(UsageError, match="'toml'; known: json, yaml, html"):
        list(Rows("toml")(DOCUMENT))
