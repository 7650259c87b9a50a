"""Column headers, row labels and sections of tables, by hand."""

from pincite.document.labelled_cells import labels
from pincite.document.table_headers import column_header, headers, row_header
from pincite.document.table_text import body, linear
from pincite.types import Cell, Table


def table(*rows, header_rows=1):
    """A table of rows; a row label may come as (text, left edge in points)."""
    cells = []
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            text, edge = text if isinstance(text, tuple) else (text, None)
            box = None if edge is None else (edge, 10.0 * row, edge + 50, 10.0 * row + 8)
            if text:
                cells.append(Cell(row, column, text, box=box))
    return Table(tuple(cells), header_rows)


INDENTED = table(
    ("", "2018"),
    (("Assets", 10.0), ""),
    (("Current assets", 16.0), ""),
    (("Cash", 22.0), "5"),
    (("Total current assets", 16.0), "7"),
    (("Goodwill", 16.0), "3"),
    (("Total", 10.0), "10"),
)


def test_a_section_holds_for_what_is_indented_more():
    paths = {row: headers(INDENTED).path(row) for row in headers(INDENTED).rows}
    assert paths == {3: ("Assets", "Current assets"), 4: ("Assets",), 5: ("Assets",), 6: ()}
    assert row_header(INDENTED, 3) == "Assets > Current assets > Cash"


def test_readers_and_search_see_the_same_sections():
    seen = {cell.row: (*cell.sections, cell.label) for cell in labels(INDENTED).cells}
    assert {row: " > ".join(path) for row, path in seen.items()} == {
        row: label for row, label, _ in body(INDENTED)
    }
    assert linear(INDENTED).splitlines()[0] == "Assets > Current assets > Cash, 2018: 5"


def test_without_edges_a_section_holds_up_to_the_next_one():
    flat = table(
        ("", "2018"), ("Assets:",), ("Cash", "5"), ("Debt:",), ("Notes payable",), ("Bonds", "2")
    )
    made = headers(flat)
    assert {row: made.path(row) for row in made.rows} == {
        2: ("Assets:",), 5: ("Debt:", "Notes payable"),
    }  # fmt: skip
    assert row_header(flat, 5) == "Debt > Notes payable > Bonds"


def test_a_header_in_the_middle_starts_again_and_no_section_reaches_across_it():
    made = table(
        ("", "2018", "2017"), ("Assets",), ("Cash", "5", "4"), ("", "2016", "2015"), ("Debt", "2", "1")
    )  # fmt: skip
    assert headers(made).rows[4].columns[1:] == (("2016",), ("2015",))
    assert headers(made).path(4) == () and 3 not in headers(made).rows
    assert column_header(made, 1) == "2018"


def test_merged_headers_stand_over_every_column_that_they_cover():
    cells = (
        Cell(0, 1, "Year ended May 31", column_span=2), Cell(1, 1, "2018"), Cell(1, 2, "2017"),
        Cell(2, 0, "Cash"), Cell(2, 1, "5"), Cell(2, 2, "4"),
    )  # fmt: skip
    assert column_header(Table(cells, 2), 2) == "Year ended May 31 2017"
    assert column_header(Table(cells, 2), 7) == ""


def test_a_label_that_spans_the_row_is_a_section():
    cells = (
        Cell(0, 1, "2018"),
        Cell(1, 0, "Assets", column_span=2),
        Cell(2, 0, "Cash"),
        Cell(2, 1, "5"),
    )
    assert headers(Table(cells)).path(2) == ("Assets",)


def test_a_title_in_the_middle_opens_a_part_of_its_own():
    made = table(
        ("", "2018"), (("Assets", 10.0),), (("Cash", 16.0), "5"), (("Liabilities and equity", 60.0),),
        (("Debt", 10.0), "2"), (("Bonds", 16.0), "1"),
    )  # fmt: skip
    assert [headers(made).path(row) for row in (2, 4, 5)] == [
        ("Assets",), ("Liabilities and equity",), ("Liabilities and equity",),
    ]  # fmt: skip


def test_rows_of_years_are_values_where_no_number_follows():
    made = table(
        ("Director", "Appointed", "Term expires"), ("Ann", "2019", "2025"), ("Bo", "2020", "2026")
    )
    assert list(headers(made).rows) == [1, 2]
    assert (
        linear(made)
        == "Ann, Appointed: 2019; Term expires: 2025\nBo, Appointed: 2020; Term expires: 2026"
    )


def test_labels_without_values_are_told_too():
    made = table(("Task", "Owner"), ("Weld", ""), ("Paint", "Bo"), ("Source: the yard", ""))
    assert linear(made) == "Weld > Paint, Owner: Bo\nSource: the yard"


def test_a_value_merged_over_rows_is_that_of_each():
    cells = (
        Cell(0, 1, "Q1"),
        Cell(1, 0, "A"),
        Cell(1, 1, "5", row_span=2),
        Cell(2, 0, "B"),
        Cell(3, 0, "C"),
        Cell(3, 1, "7"),
    )
    assert linear(Table(cells)) == "A, Q1: 5\nB, Q1: 5\nC, Q1: 7"
