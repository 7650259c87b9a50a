"""Headers resolved for rows and columns, and tables as text."""

from __future__ import annotations

from pincite.document.table_headers import column_header, row_header
from pincite.document.table_text import body, linear, markdown
from pincite.types import Cell, Table


def at(x: float) -> tuple[float, float, float, float]:
    return (x, 0.0, x + 50, 10.0)


BALANCE = Table(
    (
        Cell(0, 1, "As of May 31,", 1, 2),
        Cell(1, 1, "2024"),
        Cell(1, 2, "2023"),
        Cell(2, 0, "ASSETS", box=at(200)),
        Cell(3, 0, "Current assets:", box=at(50)),
        Cell(4, 0, "Cash", box=at(60)),
        Cell(4, 1, "12"),
        Cell(4, 2, "9"),
        Cell(5, 0, "Inventories:", box=at(60)),
        Cell(6, 0, "Finished | goods", box=at(70)),
        Cell(6, 1, "3"),
        Cell(7, 0, "Other", box=at(60)),
        Cell(7, 1, "1"),
        Cell(7, 2, "2"),
        Cell(8, 0, "Goodwill", box=at(50)),
        Cell(8, 2, "5"),
    ),
    header_rows=2,
)


def test_column_headers_are_joined_from_the_top_with_spans_applied():
    assert [column_header(BALANCE, column) for column in range(3)] == [
        "",
        "As of May 31, 2024",
        "As of May 31, 2023",
    ]


def test_sections_hold_for_the_rows_indented_under_them():
    assert [row_header(BALANCE, row) for row in (4, 6, 7, 8)] == [
        "ASSETS > Current assets > Cash",
        "ASSETS > Current assets > Inventories > Finished | goods",
        "ASSETS > Current assets > Other",
        "ASSETS > Goodwill",
    ]


def test_sections_without_indentation_hold_up_to_the_next():
    cells = [Cell(0, 1, "Jobs")]
    for row, (label, value) in enumerate(
        (("Europe", ""), ("Spain", "3"), ("Italy", "4"), ("Asia", ""), ("India", "9")), 1
    ):
        cells += [Cell(row, 0, label), *([Cell(row, 1, value)] if value else [])]
    table = Table(tuple(cells))
    assert [row_header(table, row) for row in (2, 3, 5)] == [
        "Europe > Spain",
        "Europe > Italy",
        "Asia > India",
    ]


def test_several_columns_of_labels_and_labels_that_span_rows():
    table = Table(
        (
            Cell(0, 2, "Rate"),
            Cell(1, 0, "1991", row_span=2),
            Cell(1, 1, "Men"),
            Cell(1, 2, "11.0"),
            Cell(2, 1, "Women"),
            Cell(2, 2, "6.6"),
            Cell(3, 1, "Both"),
            Cell(3, 2, "8.9"),
        ),
        header_columns=2,
    )
    assert [row_header(table, row) for row in (1, 2, 3)] == [
        "1991 > Men",
        "1991 > Women",
        "1991 > Both",
    ]


def test_the_body_has_each_row_that_holds_values_with_its_sections_and_headers():
    rows = [
        (label, [(header, cell.text) for header, cell in cells if cell and cell.text])
        for _, label, cells in body(BALANCE)
    ]
    assert rows == [
        (
            "ASSETS > Current assets > Cash",
            [("As of May 31, 2024", "12"), ("As of May 31, 2023", "9")],
        ),
        (
            "ASSETS > Current assets > Inventories > Finished | goods",
            [("As of May 31, 2024", "3")],
        ),
        (
            "ASSETS > Current assets > Other",
            [("As of May 31, 2024", "1"), ("As of May 31, 2023", "2")],
        ),
        ("ASSETS > Goodwill", [("As of May 31, 2023", "5")]),
    ]


def test_markdown_resolves_headers_and_escapes_bars():
    lines = markdown(BALANCE).splitlines()
    assert lines[:2] == ["|  | As of May 31, 2024 | As of May 31, 2023 |", "| --- | --- | --- |"]
    assert "| Finished \\| goods | 3 |  |" in lines
    assert len(lines) == 9


def test_a_table_without_headers_or_cells():
    assert linear(Table((Cell(0, 0, "Cash"), Cell(0, 1, "7")), header_rows=0)) == "Cash, 7"
    assert linear(Table(())) == ""
    assert row_header(Table(()), 3) == column_header(Table(()), 2) == ""
