"""Grids of text as typed columns, and that nothing of them is lost."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.sources.cell_dates import day, order_of, seconds
from pincite.database.sources.connection import in_memory
from pincite.database.sources.typed_columns import column_of, relation_of, stored


@pytest.mark.parametrize(
    ("heading", "cells", "kind", "unit", "values"),
    [
        ("n", ["1", "2", "-3", ""], "integer", "", [1, 2, -3, None]),
        ("n", ["1,234", "(4,521)", "n/a", "12"], "integer", "", [1234, -4521, None, 12]),
        ("n", ["1.5", "−2", "~3", "5[2]"], "number", "", [1.5, -2.0, 3.0, 5.0]),
        ("strength", ["12 MPa", "0.5 GPa", "7 MPa"], "integer", "MPa", [12, 500, 7]),
        ("Sy (MPa)", ["235", "355.5"], "number", "MPa", [235.0, 355.5]),
        ("Sales (in millions of euro)", ["1.5", "2"], "number", "EUR", [1.5, 2.0]),
        ("price", ["$1.2 million", "$900,000"], "integer", "USD", [1_200_000, 900_000]),
        ("share", ["12%", "9 %", "–"], "integer", "%", [12, 9, None]),
        ("year", ["1999", "2004", "2010"], "integer", "", [1999, 2004, 2010]),
        ("rank", ["1st", "2nd", "DNF", "3rd", "4th"], "integer", "", [1, 2, None, 3, 4]),
        ("goals", ["5 goals", "3 goals"], "integer", "goals", [5, 3]),
        ("high", ["17.3 (63.1)", "19.5 (67.1)"], "number", "", [17.3, 19.5]),
        ("score", ["3-1", "2-0", "4-4"], "text", "", ["3-1", "2-0", "4-4"]),
        ("years", ["1990–1995", "1998–2001"], "text", "", ["1990–1995", "1998–2001"]),
        ("born", ["May 5, 2004", "12 June 1999", ""], "date", "", ["2004-05-05", "1999-06-12", None]),
        ("when", ["13.02.2020", "01.03.2021"], "date", "", ["2020-02-13", "2021-03-01"]),
        ("when", ["05/06/2020", "05/31/2020"], "date", "", ["2020-05-06", "2020-05-31"]),
        ("when", ["2020-01-02 10:30", "2020-01-03 9:05:07"], "datetime", "", ["2020-01-02 10:30:00", "2020-01-03 09:05:07"]),
        ("when", ["May 2004", "June 2004", "2005"], "date", "", ["2004-05-01", "2004-06-01", None]),
        ("when", ["May 6", "June 7"], "text", "", ["May 6", "June 7"]),
        ("code", ["001", "007", "12"], "text", "", ["001", "007", "12"]),
        ("time", ["1:23.45", "2:00.10"], "number", "s", [83.45, 120.1]),
        ("ok", ["Yes", "no", ""], "boolean", "", [1, 0, None]),
        ("name", ["a", "b", "—"], "text", "", ["a", "b", None]),
        ("Amount in EUR", ["12.480,75-", "1.150,00", "450,00-"], "number", "EUR", [-12480.75, 1150.0, -450.0]),
        ("t", ["1.250", "980", "2.230"], "integer", "", [1250, 980, 2230]),
        ("t", ["1.250", "980", "2.23"], "number", "", [1.25, 980.0, 2.23]),
        ("m", ["4.711-", "3.200-"], "integer", "", [-4711, -3200]),
        ("Rm", ["210 max", "180", "195", "200 min"], "integer", "", [210, 180, 195, 200]),
        ("a", ["1 234,5", "2\u00a0100,0"], "number", "", [1234.5, 2100.0]),
        ("country", ["NA", "BW", "", "NE"], "text", "", ["NA", "BW", None, "NE"]),
        ("element", ["Na", "Fe", "C", "Cl", "O", "N"], "text", "", ["Na", "Fe", "C", "Cl", "O", "N"]),
        ("grade", ["NA", "A", "B", "C"], "text", "", [None, "A", "B", "C"]),
        ("test", ["+", "-", "+"], "text", "", ["+", "-", "+"]),
        ("empty", ["", "", ""], "text", "", [None, None, None]),
    ],
)  # fmt: skip
def test_columns_are_typed_by_most_of_their_cells(heading, cells, kind, unit, values):
    column, read = column_of(heading, cells)
    assert (column.type, column.unit, read) == (kind, unit, values)


def test_the_scale_of_a_heading_belongs_to_the_column():
    column, values = column_of("Sales (in millions of euro)", ["1.5", "2"])
    assert column.scale == Decimal(1_000_000) and values == [1.5, 2.0]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("2004-05-06", "2004-05-06"),
        ("6 May 2004", "2004-05-06"),
        ("6th of May, 2004", "2004-05-06"),
        ("Thursday, May 6, 2004", "2004-05-06"),
        ("Sept. 2004", "2004-09"),
        ("May 6", None),
        ("30 February 2004", None),
        ("May be", None),
        ("2004", None),
    ],
)
def test_dates_are_text_that_sorts(cell, written):
    assert day(cell) == written


def test_the_order_of_day_and_month_is_the_columns():
    assert order_of(["05/06/2020", "31/05/2020"]) == "day"
    assert order_of(["05/06/2020", "05/31/2020"]) == "month"
    assert day("05/06/2020", "day") == "2020-06-05"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1:23.45", "83.45"),
        ("2:05:43", "7543"),
        ("10:30 am", "37800"),
        ("12:05 pm", "43500"),
        ("3-1", None),
    ],
)
def test_times_are_seconds(cell, value):
    assert seconds(cell) == (Decimal(value) if value else None)


def test_what_reading_loses_stands_beside():
    rows = [
        ["Name", "Mass", "Mass", ""],
        ["bolt", "1,200 g", "3", "x"],
        ["", "", "", ""],
        ["nut", "unknown", "4"],
    ]
    rows += [["pin", "5 g", "5"], ["rod", "7 g", "6"]]
    relation, typed = relation_of(rows, "stock")
    assert [c.name for c in relation.columns] == ["Name", "Mass", "Mass 2", "column 4"]
    assert stored(relation) == ("Name", "Mass", "Mass 2", "column 4", "Mass (as written)")
    assert typed[0] == ("bolt", 1200, 3, "x", "1,200 g")
    assert typed[1] == ("nut", None, 4, None, "unknown")
    with in_memory([(relation, typed)], "tables") as source:
        held = source.database.relation("stock")
        assert (held.rows, held.column("Mass").low, held.column("Mass").high) == (4, 5, 1200)
        assert (held.column("Mass").nulls, held.column("Name").values) == (
            0.25,
            ("bolt", "nut", "pin", "rod"),
        )
        found = source.run('SELECT "Mass (as written)" FROM stock WHERE rowid = 2')
        assert found.rows == (("unknown",),)


def test_grids_without_rows_or_cells():
    assert relation_of([["a", "b"]])[1] == []
    relation, rows = relation_of([], "none")
    assert (relation.columns, rows) == ((), [])
    with in_memory([relation_of([["a"]], "given")], "tables") as source:
        assert source.database.relation("given").rows == 0
        assert source.run("SELECT count(*) FROM given").rows == ((0,),)


@given(st.lists(st.lists(st.text(max_size=12), min_size=1, max_size=4), min_size=1, max_size=8))
def test_every_cell_can_be_read_again(rows):
    """A cell, its spaces made single, is the text of its typed value or stands in the column beside."""
    relation, typed = relation_of(rows)
    body = [[" ".join(cell.split()) for cell in row] for row in rows[1:]]
    body = [row for row in body if any(row)]
    names = stored(relation)
    assert len({name.casefold() for name in names}) == len(names)
    for row, values in zip(body, typed, strict=True):
        kept = dict(zip(names, values, strict=True))
        for cell, column in zip(row, relation.columns, strict=False):
            shown = kept[column.written] if column.written else kept[column.name]
            same = str(shown) == cell or (isinstance(shown, float) and f"{shown:g}" == cell)
            assert same or (shown is None and not cell)


def test_other_columns_say_what_parts_decimals():
    rows = [["Net", "Gross"], ["1.234", "1.468,46"], ["5.678", "6.756,82"]]
    _, typed = relation_of(rows)
    assert [row[:2] for row in typed] == [(1234, 1468.46), (5678, 6756.82)]
    assert column_of("Net", ["1.234", "5.678"])[1] == [1.234, 5.678]
