"""What clean views make of columns: read by SQLite and by DuckDB, and compared with what a person reads there."""

import pytest

from pincite.database.views.clean_view import clean_views, with_views
from tests.database.views.sources import duck_source, sqlite_source

SOURCES = pytest.mark.parametrize("made", [sqlite_source, duck_source], ids=["sqlite", "duckdb"])


def table(made, folder, heading, cells, kind="TEXT"):
    """A source of one table whose rows are numbered and hold these cells under a heading."""
    rows = ", ".join(f"({n}, {cell})" for n, cell in enumerate(map(sql, cells)))
    script = (
        f'CREATE TABLE t (n INTEGER PRIMARY KEY, "{heading}" {kind}); INSERT INTO t VALUES {rows};'
    )
    return made(folder, script)


def sql(cell):
    if cell is None:
        return "NULL"
    return str(cell) if isinstance(cell, int | float) else "'" + cell.replace("'", "''") + "'"


def read(source, statement="SELECT * FROM t ORDER BY n"):
    views = clean_views(source)
    return [tuple(row[1:]) for row in source.run(with_views(statement, views)).rows]


@SOURCES
@pytest.mark.parametrize(
    ("heading", "cells", "unit", "values"),
    [
        ("amount", ["12.480,75-", "1.150,00", "450,00-", ""], "", [-12480.75, 1150, -450, None]),
        ("amount", ["(4,521)", "1,234", "12", "-7"], "", [-4521, 1234, 12, -7]),
        ("amount", ["1 234,5", "2\u00a0100,0", "7,25"], "", [1234.5, 2100, 7.25]),
        ("amount", ["4.711-", "3.200-"], "", [-4711, -3200]),
        ("amount", ["1,234.50", "−2.5", "3"], "", [1234.5, -2.5, 3]),
        ("amount", ["1'234.50", "12"], "", [1234.5, 12]),
        ("price", ["€ 12", "€ 13,50", "-€ 2"], "EUR", [12, 13.5, -2]),
        ("price", ["12 EUR", "EUR 13", None], "EUR", [12, 13, None]),
        ("share", ["12%", "9 %", "n/a"], "%", [12, 9, None]),
        ("Rm [MPa]", ["350", "420.5"], "MPa", [350, 420.5]),
        ("strength", ["12 MPa", "0.5 GPa", "7 MPa"], "MPa", [12, 500, 7]),
        ("sales", ["1.2 million", "3 million", "750,000"], "", [1200000, 3000000, 750000]),
        ("emissions (t CO2e)", ["1,250", "980"], "t CO2e", [1250, 980]),
        ("mass_kg", ["1,5", "2,25"], "kg", [1.5, 2.25]),
        ("salary", ["€52.000", "€48.500"], "EUR", [52000, 48500]),
        ("tonnes", ["1.250", "980", "2.230"], "", [1250, 980, 2230]),
        ("change", ["12.5%", "n.m.", "-3.9%"], "%", [12.5, None, -3.9]),
    ],
)  # fmt: skip
def test_numbers_kept_as_text_are_numbers(made, tmp_path, heading, cells, unit, values):
    with table(made, tmp_path, heading, cells) as source:
        (view,) = clean_views(source)
        column = view.columns[1]
        assert (column.type in ("integer", "number"), column.unit) == (True, unit)
        assert [row[0] for row in read(source)] == values
        filled = [value for value in values if value is not None]
        assert (column.low, column.high) == (min(filled), max(filled))


@SOURCES
def test_what_is_no_part_of_a_number_is_its_note(made, tmp_path):
    cells = [
        "210 max",
        "< 5",
        "~30",
        "195",
        "ca. 12",
        "see below",
        "-",
        "180 (est.)",
        "7*",
        "8",
        "9",
        "10",
    ]
    with table(made, tmp_path, "strength", cells) as source:
        assert [c.name for c in clean_views(source)[0].columns] == [
            "n",
            "strength",
            "strength_note",
        ]
        assert clean_views(source)[0].column("strength").note == "strength_note"
        assert read(source) == [
            (210, "max"), (5, "<"), (30, "~"), (195, None), (12, "ca."), (None, "see below"), (None, None), (180, "est."),
            (7, "*"), (8, None), (9, None), (10, None),
        ]  # fmt: skip


@SOURCES
def test_several_currencies_in_the_cells_stand_beside_the_numbers(made, tmp_path):
    with table(made, tmp_path, "price", ["€ 12", "$ 15", "£ 7.50", "€ 3"]) as source:
        (view,) = clean_views(source)
        assert (view.column("price").unit, view.column("price").currency) == ("", "price_currency")
        assert read(source) == [(12, "EUR"), (15, "USD"), (7.5, "GBP"), (3, "EUR")]


@SOURCES
@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("ratio", ["1.234", "5.678"]),  # thousands or decimals: nothing says which
        ("ratio", ["1.5", "2,5", "3.5", "4,5"]),  # contradict one another
        ("room", ["Room 1", "Room 2", "Room 3"]),
        ("score", ["3-1", "2-0", "4-4"]),
        ("site_code", ["417", "500"]),
        ("plot", ["00417", "00500"]),
        ("acct", ["1000", "1100"]),
        ("part", ["A12", "B7", "C9"]),
        ("phone", ["0351 123456", "0301 222222"]),
        ("reached at", ["+49 351 123456", "+49 30 2222222"]),
        ("remark", ["12", "not yet", "none of these", "open"]),
        ("quarter", ["2023-Q1", "2023-Q2"]),
        ("month", ["2023-01", "2023-02"]),
        ("year range", ["1990–1995", "1998–2001"]),
    ],
)
def test_what_is_no_number_stays_text(made, tmp_path, heading, cells):
    with table(made, tmp_path, heading, cells) as source:
        assert clean_views(source)[0].columns[1].type == "text"
        assert [row[0] for row in read(source)] == cells


@SOURCES
@pytest.mark.parametrize(
    ("cells", "dates"),
    [
        (["31.01.2023", "02.10.2023", ""], ["2023-01-31", "2023-10-02", None]),
        (["3.2.2023", "28.2.2023", "01.12.2023"], ["2023-02-03", "2023-02-28", "2023-12-01"]),
        (["05/06/2020", "05/31/2020"], ["2020-05-06", "2020-05-31"]),
        (["05/06/2020", "31/05/2020"], ["2020-06-05", "2020-05-31"]),
        (["2023-02-03", "04.02.2023", "2023/02/05"], ["2023-02-03", "2023-02-04", "2023-02-05"]),
        (["3 Feb 2023", "14 March 2023"], ["2023-02-03", "2023-03-14"]),
        (["Feb 3, 2023", "March 14, 2023"], ["2023-02-03", "2023-03-14"]),
        (["03-Feb-2023", "14-Mar-2023"], ["2023-02-03", "2023-03-14"]),
        (["3. Mai 2023", "14. Dezember 2022"], ["2023-05-03", "2022-12-14"]),
        (["31.01.23", "02.10.98"], ["2023-01-31", "1998-10-02"]),
        (["31.01.2023", "30.06.2023", "not yet", "02.02.2023", "03.02.2023"],
         ["2023-01-31", "2023-06-30", None, "2023-02-02", "2023-02-03"]),
    ],
)  # fmt: skip
def test_dates_kept_as_text_are_dates(made, tmp_path, cells, dates):
    with table(made, tmp_path, "issued", cells) as source:
        column = clean_views(source)[0].column("issued")
        assert (column.type, column.kind) == ("date", "date")
        assert [row[0] and str(row[0]) for row in read(source)] == dates
        after = read(source, "SELECT n, issued FROM t WHERE issued > '2023-01-31' ORDER BY n")
        assert [str(row[0]) for row in after] == [d for d in dates if d and d > "2023-01-31"]


@SOURCES
def test_times_of_day_stay_with_their_dates(made, tmp_path):
    with table(
        made, tmp_path, "sent", ["31.01.2023 14:30", "02.10.2023 09:05:07", "03.10.2023"]
    ) as source:
        assert clean_views(source)[0].column("sent").type == "datetime"
        assert read(source) == [
            ("2023-01-31 14:30:00",),
            ("2023-10-02 09:05:07",),
            ("2023-10-03 00:00:00",),
        ]


@SOURCES
def test_digits_under_a_heading_that_says_so_are_dates(made, tmp_path):
    with table(made, tmp_path, "booking_date", [20230131, 20231002], "INTEGER") as source:
        assert [str(row[0]) for row in read(source)] == ["2023-01-31", "2023-10-02"]
    (tmp_path / "other").mkdir()
    with table(made, tmp_path / "other", "invoice date", [44957, 45201], "INTEGER") as source:
        assert [str(row[0]) for row in read(source)] == ["2023-01-31", "2023-10-02"]


@SOURCES
@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("lot", [20230131, 20231002]),
        ("updated_to", [44957, 45201]),
        ("hired", [20230131, 20239999]),
    ],
)
def test_other_digits_are_no_dates(made, tmp_path, heading, cells):
    with table(made, tmp_path, heading, cells, "INTEGER") as source:
        assert [row[0] for row in read(source)] == cells


@SOURCES
@pytest.mark.parametrize(
    ("heading", "cells", "values"),
    [
        ("country", ["NA", "BW", "", "NE", "MZ"], ["NA", "BW", None, "NE", "MZ"]),
        ("element", ["Na", "Fe", "C", "Cl", "O", "N"], ["Na", "Fe", "C", "Cl", "O", "N"]),
        ("grade", ["NA", "A", "B", "C"], [None, "A", "B", "C"]),
        ("name", [" Ada ", "", "n/a", "-", "Bo"], ["Ada", None, None, None, "Bo"]),
        ("test", ["+", "-", "+", "-"], ["+", "-", "+", "-"]),
        ("plan", ["None", "Basic", "None", "Full", "Basic", "None"], ["None", "Basic", "None", "Full", "Basic", "None"]),
    ],
)  # fmt: skip
def test_nothing_is_null_and_codes_stay(made, tmp_path, heading, cells, values):
    with table(made, tmp_path, heading, cells) as source:
        assert [row[0] for row in read(source)] == values
        assert set(clean_views(source)[0].columns[1].values) == {
            v for v in values if v is not None
        }


def test_cells_of_text_among_numbers_are_numbers(tmp_path):
    with table(
        sqlite_source, tmp_path, "amount", [1200, 12.5, "1,234.50", "n/a", "", 7], "NUMERIC"
    ) as source:
        assert read(source) == [(1200,), (12.5,), (1234.5,), (None,), (None,), (7,)]


def test_a_column_declared_as_dates_may_hold_other_text(tmp_path):
    with table(sqlite_source, tmp_path, "issued", ["31.01.2023", "02.10.2023"], "DATE") as source:
        assert read(source) == [("2023-01-31",), ("2023-10-02",)]


@SOURCES
def test_other_columns_say_how_a_source_writes_numbers_and_dates(made, tmp_path):
    script = """
    CREATE TABLE t (n INTEGER PRIMARY KEY, net TEXT, gross TEXT, sent TEXT, paid TEXT);
    INSERT INTO t VALUES (1, '1.234', '1.468,46', '03/04/2023', '31/05/2023'),
      (2, '5.678', '6.756,82', '05/06/2023', '01/07/2023');
    """
    with made(tmp_path, script) as source:
        rows = [tuple(map(str, row)) for row in read(source)]
        assert rows == [
            ("1234", "1468.46", "2023-04-03", "2023-05-31"),
            ("5678", "6756.82", "2023-06-05", "2023-07-01"),
        ]


@SOURCES
@pytest.mark.parametrize(
    ("heading", "cells", "kind", "expected"),
    [
        ("zip", [1067, 10115], "INTEGER", "code"),
        ("invoice_no", [17, 18], "INTEGER", "code"),
        ("number of employees", [17, 18], "INTEGER", "measure"),
        ("revenue", [17.5, 18], "DOUBLE", "measure"),
        ("year", [2019, 2020], "INTEGER", "other"),
        ("growth rate", [1.5, 2], "DOUBLE", "other"),
        ("city", ["Bonn", "Lund"], "TEXT", "label"),
    ],
)
def test_what_columns_are_for(made, tmp_path, heading, cells, kind, expected):
    with table(made, tmp_path, heading, cells, kind) as source:
        assert [c.kind for c in clean_views(source)[0].columns] == ["key", expected]
