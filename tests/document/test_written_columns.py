"""Numbers as their column writes them, and which of them the scale of a table leaves alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from pincite.document.cell_values import value_of
from pincite.document.labelled_cells import labels
from pincite.ingest.page_languages import with_commas
from pincite.ingest.raw_page import Block, Page
from pincite.types import Anchor, Cell, Node, Quantity, Table


def values(rows, scale=1, unit="", path="", codes=()):
    cells = tuple(Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row))
    block = Block("table", "", table=Table(cells, scale=Decimal(scale), unit=unit), path=path)
    table = with_commas(Page(1, blocks=(block,)), codes).blocks[0].table
    node = Node("n", "table", "", Anchor("s"), table=table)
    made = [value_of(node, cell) for cell in labels(table).cells]
    return [
        (float(each.value), int(each.scale), each.unit) if isinstance(each, Quantity) else each
        for each in made
    ]


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        (["12.480,75-", "4.711-", "1.150"], [-12480.75, -4711, 1150]),
        (["4.711-", "980"], [-4711, 980]),
        (["1,046,293.65 -", "839,274.40"], [-1046293.65, 839274.4]),
        (["1 024,6", "9,7534", "10 204 318"], [1024.6, 9.7534, 10204318]),
        (["1\u202f024,6", "1\u2009250"], [1024.6, 1250]),
        (["1'250'000.50", "1’250"], [1250000.5, 1250]),
        (["1,234", "567", "12,34"], [1234, 567, 12.34]),  # a slip of the pen decides nothing
        (["1,234", "12.5"], [1234, 12.5]),
        (["(1,250.00)", "12,-"], [-1250, 12]),
        (["1,250.00", "980.50 CR"], [1250, -980.5]),
    ],
)
def test_a_column_says_how_its_numbers_are_written(column, numbers):
    rows = [["", "Amount"], *([f"item {n}", text] for n, text in enumerate(column))]
    assert [value for value, _, _ in values(rows)] == numbers


def test_where_both_sides_of_a_ledger_are_marked_neither_is_negative_for_sure():
    rows = [["", "Balance"], ["Cash", "1,250.00 DR"], ["Payables", "980.50 CR"]]
    assert values(rows) == ["1,250.00 DR", "980.50 CR"]


@pytest.mark.parametrize(
    ("column", "are_codes"),
    [
        (["00417", "20431"], True),
        (["4400", "47A0"], True),
        (["12", "X-7"], True),
        (["4400", "4710"], False),
        (["0", "12"], False),
        (["A7 of them", "12"], False),
        (["1,234", "A12"], False),
    ],
)
def test_a_column_of_codes_holds_no_number(column, are_codes):
    rows = [["", "Site"], *([f"item {n}", text] for n, text in enumerate(column))]
    texts = [value for value in values(rows) if isinstance(value, str)]
    assert (texts == column) is are_codes


def test_one_column_of_a_table_may_say_it_for_the_others():
    rows = [
        ["", "Amount", "Change"],
        ["Rent", "12.480,75", "4.711"],
        ["Power", "1.150,5", "3.980"],
    ]
    assert [value for value, _, _ in values(rows)] == [12480.75, 4711, 1150.5, 3980]


def test_the_numbers_of_a_workbook_have_a_point_in_every_language():
    rows = [["Werk", "Strom"], ["Linz", "9,410"], ["Graz", "12,480"]]
    assert [value for value, _, _ in values(rows, codes=["de"])] == [9.41, 12.48]
    of_sheet = values(rows, codes=["de"], path="Energie!A1:B3")
    assert [value for value, _, _ in of_sheet] == [9410, 12480]


def test_rates_amounts_per_share_and_counts_keep_theirs():
    rows = [
        ["", "2023"],
        ["Revenue", "10 204"],
        ["Interest rate (%)", "9,75"],
        ["Headline earnings per share (cents)", "1 024,6"],
        ["Ergebnis je Aktie (ZAR)", "10,2"],
        ["Cane crushed (tons)", "3 990"],
        ["Number of employees", "812"],
        ["Employees at year end", "840"],
        ["Employee benefits", "311"],
        ["Number of shares", "500"],
    ]
    assert values(rows, 1000, "ZAR") == [
        (10204, 1000, "ZAR"),
        (9.75, 1, "%"),
        (1024.6, 1, "cent"),
        (10.2, 1, "ZAR"),
        (3990, 1, "t"),
        (812, 1, ""),
        (840, 1, ""),
        (311, 1000, "ZAR"),
        (500, 1000, "ZAR"),
    ]
