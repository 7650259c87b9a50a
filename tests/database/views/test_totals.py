"""Rows that are totals of others are set apart, by their labels and by their sums; rows that only look so stay."""

import pytest

from pincite.database.sources.connection import open_source
from pincite.database.views.clean_view import clean_views, view_database, with_views
from tests.database.views.sources import duck_source, sqlite_source


def one(folder, columns, rows, made=sqlite_source):
    """A source of one table of these rows, in their order."""
    filled = ", ".join(
        "(" + ", ".join("NULL" if c is None else repr(c) for c in row) + ")" for row in rows
    )
    return made(folder, f"CREATE TABLE t ({columns}); INSERT INTO t VALUES {filled};")


REVENUE = [
    ("North", "Aldon Works", 4, 412000), ("North", "Birka Foods", 2, 187500), ("North", "Corvin AG", 7, 655000),
    ("North total", None, 13, 1254500), ("South", "Delmar Pharma", 3, 298000), ("South", "Ermin Textiles", 1, 74500),
    ("South total", None, 4, 372500), ("West", "Falk & Son", 5, 521000), ("West", "Greta Line", 6, 602000),
    ("West", "Hovik Stores", 2, 150000), ("West total", None, 13, 1273000), ("Grand total", None, 30, 2900000),
]  # fmt: skip


@pytest.mark.parametrize("made", [sqlite_source, duck_source], ids=["sqlite", "duckdb"])
def test_subtotals_and_the_grand_total_are_left_out(made, tmp_path):
    with one(
        tmp_path,
        "region TEXT, customer TEXT, contracts INTEGER, revenue_eur INTEGER",
        REVENUE,
        made,
    ) as source:
        (view,) = clean_views(source)
        assert (view.total_rows, view.column("region").values) == (4, ("North", "West", "South"))
        assert (view.column("customer").nulls, view.column("revenue_eur").high) == (0, 655000)
        assert view_database([view], source.database).relations[0].rows == 8
        statement = (
            "SELECT sum(revenue_eur), avg(revenue_eur), count(*), count(DISTINCT region) FROM t"
        )
        assert source.run(with_views(statement, [view])).rows == ((2900000, 362500.0, 8, 3),)
        top = "SELECT customer FROM t ORDER BY revenue_eur DESC LIMIT 1"
        assert source.run(with_views(top, [view])).rows == (("Corvin AG",),)


def test_a_sheet_with_totals(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["Revenue by customer"])
    book.active.append([])
    book.active.append(["Region", "Customer", "Contracts", "Revenue 2023 (EUR)"])
    for row in REVENUE:
        book.active.append(row)
    book.save(tmp_path / "revenue.xlsx")
    with open_source(tmp_path / "revenue.xlsx") as source:
        (view,) = clean_views(source)
        statement = "SELECT sum(revenue_2023), count(customer) FROM revenue"
        assert source.run(with_views(statement, [view])).rows == ((2900000, 8),)
        assert (view.column("revenue_2023").unit, view.key) == ("EUR", ("row_id",))


@pytest.mark.parametrize(
    ("columns", "rows", "totals"),
    [
        ("firm TEXT, n INTEGER", [("Total Energies", 5), ("Shell", 7), ("BP", 9)], 0),
        ("firm TEXT, n INTEGER", [("Total Energies", 5), ("Shell", 7), ("BP", 9), ("Total", 21)], 1),
        ("firm TEXT, n INTEGER", [("a", 5), ("b", 7), ("Total", 99)], 0),  # no sum of anything
        ("item TEXT, n REAL", [("a", 5.25), ("b", 7.5), ("Summe", 12.75)], 1),
        ("item TEXT, n REAL", [("a", 5.25), ("b", 7.5), ("Gesamtsumme", 12.75)], 1),
        ("item TEXT, n REAL", [("a", 5.25), ("b", 7.5), ("Totalt", 12.75)], 1),
        ("item TEXT, n REAL", [("a", 5.25), ("b", 7.5), ("Total général", 12.75)], 1),
        ("item TEXT, n REAL", [("Total", 12.75), ("a", 5.25), ("b", 7.5)], 1),
        ("item TEXT, n REAL", [("a", 5), ("b", 8), ("Average", 6.5)], 1),
        ("plant TEXT, n INTEGER", [("Asker", 9410), ("Brekke", 12870), ("All plants", 22280)], 1),
        ("region TEXT, year INTEGER, n INTEGER",
         [("Chad", 2020, 1), ("Mali", 2020, 2), ("World", 2020, 3), ("Chad", 2021, 4), ("Mali", 2021, 5), ("World", 2021, 9)], 2),
        ("place TEXT, level TEXT, n INTEGER", [("Chad", "country", 1), ("Mali", "country", 2), ("Sahel", "total", 3)], 1),
        ("region TEXT, customer TEXT, n INTEGER",
         [("N", "a", 10), ("N", "b", 21), ("N", None, 31), ("S", "c", 40), ("S", "d", 51), ("S", None, 91)], 2),
        ("region TEXT, customer TEXT, n INTEGER",
         [("N", "a", 10), ("N", "b", 21), ("N", None, 30), ("S", "c", 40), ("S", "d", 51), ("S", "e", 91)], 0),
    ],
)  # fmt: skip
def test_sums_decide_what_is_a_total(tmp_path, columns, rows, totals):
    with one(tmp_path, columns, rows) as source:
        (view,) = clean_views(source)
        assert view.total_rows == totals
        assert source.run(with_views("SELECT count(*) FROM t", [view])).rows == (
            (len(rows) - totals,),
        )


def test_totals_of_a_large_table(tmp_path):
    script = """
    CREATE TABLE t (region TEXT, year INTEGER, amount INTEGER);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
    INSERT INTO t SELECT CASE i % 3 WHEN 0 THEN 'Chad' WHEN 1 THEN 'Mali' ELSE 'Niger' END, 2000 + i % 20, i FROM n;
    INSERT INTO t SELECT 'World', year, sum(amount) FROM t GROUP BY year;
    """
    with sqlite_source(tmp_path, script) as source:
        (view,) = clean_views(source)
        assert (view.total_rows, view.column("region").values) == (20, ("Chad", "Mali", "Niger"))
        assert source.run(with_views("SELECT sum(amount) FROM t", [view])).rows == ((4501500,),)
