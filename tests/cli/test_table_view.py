"""Rows on the terminal: side by side where they fit, one under the other where not, and as CSV."""

from decimal import Decimal
from io import StringIO

from rich.console import Console

from pincite.cli.views.table_view import SHOWN, as_csv, print_table
from pincite.records.answer_record import table_of
from pincite.types import Cell, Quantity, Table


def printed(columns, rows, width=60):
    out = StringIO()
    print_table(Console(file=out, width=width), columns, rows)
    return out.getvalue().splitlines()


def test_rows_stand_side_by_side_with_numbers_to_the_right():
    lines = printed(
        ["name", "yield strength (MPa)"], [["Anker 20", 450.5], ["Brisa", 95], ["none", None]]
    )
    assert lines == [
        "  name      yield strength (MPa)",
        "  Anker 20                 450.5",
        "  Brisa                       95",
        "  none",
    ]


def test_many_rows_are_cut_and_counted():
    lines = printed(["n"], [[n] for n in range(SHOWN + 1)])
    assert len(lines) == SHOWN + 2 and "and 1 more row:" in lines[-1]


def test_rows_that_do_not_fit_stand_one_under_the_other_without_their_empty_cells():
    columns = [f"a rather long heading {n}" for n in range(4)]
    lines = printed(columns, [["x", None, "line\nbreak", "y" * 100]])
    assert lines[0] == "  row 1" and len(lines) == 4
    assert lines[2] == "  a rather long heading 2  line break"
    assert lines[3].endswith("…") and len(lines[3]) <= 60


def test_wide_characters_and_long_division_digits():
    lines = printed(["name", "mean"], [["日本", 1 / 3], ["ab", 2.5]])
    assert lines[1] == "  日本  0.333333"
    assert lines[2] == "  ab         2.5"


def test_a_cell_cannot_steer_the_terminal():
    assert printed(["n"], [["a\x1b[31mred\x1b]0;title\x07\u202eb"]])[1] == "  a[31mred]0;titleb"


def test_csv_quotes_what_must_be_quoted():
    assert (
        as_csv(["a", "b, c"], [[1.0, 'say "x"'], [None, True]])
        == 'a,"b, c"\n1,"say ""x"""\n,yes\n'
    )


def test_any_value_is_a_table():
    amount = Quantity(Decimal("4.5"), "MPa", Decimal(1000))
    assert table_of(amount, "strength (GPa)") == (["strength (MPa)"], [[4500]])
    assert table_of(("a", "b"), "name") == (["name"], [["a"], ["b"]])
    assert table_of(None, "answer") == (["answer"], [])
    table = Table(
        (Cell(0, 0, "n"), Cell(0, 1, "t"), Cell(1, 0, "1.50"), Cell(1, 1, "007")),
        header_rows=1,
        header_columns=0,
    )
    assert table_of(table, "") == (["n", "t"], [[1.5, "007"]])
