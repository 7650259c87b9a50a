from decimal import Decimal

import pytest

from pincite.ingest.given_tables import is_value, table_of
from pincite.types import Cell


def table(rows, **given):
    cells = [
        Cell(at, column, text) for at, row in enumerate(rows) for column, text in enumerate(row)
    ]
    return table_of(cells, **given)


@pytest.mark.parametrize(
    "text", ["1,234", "(4.5)", "12.5%", "$3", "€ 40", "1.2e9", "-7", "1:19:56", "3.5 km", "1 234"]
)
def test_numbers_are_values(text):
    assert is_value(text)


@pytest.mark.parametrize("text", ["2023", "FY 2023", "Revenue", "", "-", "2023-12-31", "Q1"])
def test_labels_and_years_are_none(text):
    assert not is_value(text)


@pytest.mark.parametrize(
    ("rows", "headers", "sides"),
    [
        ([["", "2023", "2022"], ["Sales", "5", "4"]], 1, 1),
        ([["", "2023", "2023"], ["", "EUR m", "%"], ["Sales", "5", "4"]], 2, 1),
        ([["Sales", "5"], ["Costs", "4"]], 0, 1),
        ([["Player", "Won", "100s"], ["Ann", "5", "1"], ["Bo", "6", "2"]], 1, 1),
        ([["Rank", "Name", "Time"], ["", "Ann", "1:59"], ["2", "Bo", "2:01"]], 1, 2),
        ([["No", "Name", "Price"], ["1", "Saw", "20"], ["2", "Axe", "30"]], 1, 2),
        (
            [
                ["Region", "Plant", "MW"],
                ["North", "A", "1"],
                ["North", "B", "2"],
                ["South", "A", "3"],
                ["South", "C", "4"],
            ],
            1,
            2,
        ),
        ([["Year", "Sales"], ["2022", "5"], ["2023", "6"]], 1, 1),
        ([["Name", "Town"], ["Ann", "Lund"], ["Bo", "Umeå"]], 1, 1),
    ],
)
def test_headers_are_told_from_what_cells_hold(rows, headers, sides):
    made = table(rows)
    assert (made.header_rows, made.header_columns) == (headers, sides)


def test_scale_and_unit_come_from_the_caption_and_the_corner():
    rows = [["", "2023"], ["Sales", "5"]]
    assert (
        table(rows, caption=["(in thousands of euro)"]).scale,
        table(rows, caption=["(in thousands of euro)"]).unit,
    ) == (
        Decimal(1000),
        "EUR",
    )
    assert table([["(in millions)", "2023"], ["Sales", "5"]]).scale == Decimal(1_000_000)


def test_nothing_makes_no_table():
    assert table([["", " "], ["", ""]]) is None


def test_cells_merged_beyond_all_sense_stand_alone():
    held = [Cell(0, 0, "a", 60_000, 1000), Cell(0, 1000, "b", 60_000, 1000)]
    made = table_of(held)
    assert all((cell.row_span, cell.column_span) == (1, 1) for cell in made.cells)
