"""How many rows of a table without marks are headers."""

import pytest

from pincite.ingest.given_tables import table_of
from pincite.types import Cell


def header_rows(*rows):
    cells = [
        Cell(at, column, text)
        for at, row in enumerate(rows)
        for column, text in enumerate(row.split("|"))
    ]
    return table_of(cells).header_rows


@pytest.mark.parametrize(
    "rows",
    [
        ("EUR million|2023|2022|", "Goodwill|–|–|a", "Inventories|55|44|b"),
        ("Budget item|Plan|Actual|", "Hiring|frozen|frozen|see memo", "Rent|400|410|"),
        ("Name|City|Age", "|Oslo|unknown", "Bob|Rome|44"),
        ("Requirement|Standard|Result", "Fire class|Standard|Pass", "Load|Standard|55"),
        ("Company|Acme|", "Seat|Oslo|Norway", "Employees|50|FTE"),
        ("No.|Task|Cost", "|Kick-off|tbd", "1|Design|500"),
    ],
)
def test_a_row_of_words_is_no_header(rows):
    assert header_rows(*rows) == 1


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (("||Fiscal|", "|2019|2018|2017", "||(in millions)|", "Pumps|5|6|7"), 3),
        (("($ in millions)||", "For the year|2019|2018", "Cost|100|82"), 2),
        (("Item|Length|Weight", "|mm|kg", "A|5|7"), 2),
        (("(in millions)|2024|Change|Change", "(in millions)|2024|Actual|Constant", "North|18|2|3"), 2),
    ],
)  # fmt: skip
def test_headers_over_each_other_are_headers(rows, count):
    assert header_rows(*rows) == count
