"""Headings of results, and the keys of the rows that a statement rests on."""

from decimal import Decimal

import pytest

from pincite.database.relations.model import Column, Database, Link, Relation
from pincite.database.statements.result_columns import headings
from pincite.database.statements.row_keys import keyed

DATABASE = Database(
    "plant",
    (
        Relation(
            "alloy",
            (
                Column("id", "integer"),
                Column("name"),
                Column("ys", "number", "yield strength", unit="MPa"),
                Column("cost", "number", "cost", unit="EUR", scale=Decimal(1000)),
                Column("first_year", "integer", "first year", low=1950, high=2020),
                Column("mill_id", "integer"),
                Column("welds", "boolean"),
            ),
            key=("id",),
            links=(Link(("mill_id",), "mill", ("id",)),),
        ),
        Relation("mill", (Column("id", "integer"), Column("place")), rowid="rowid"),
    ),
)


@pytest.mark.parametrize(
    ("statement", "titles", "functions"),
    [
        ("SELECT name, ys, cost FROM alloy", ["name", "yield strength (MPa)", "cost (1,000 EUR)"], ["", "", ""]),
        ("SELECT a.ys AS c1 FROM alloy AS a", ["yield strength (MPa)"], [""]),
        ("SELECT COUNT(*), COUNT(DISTINCT name) FROM alloy", ["number of rows", "number of different name"], ["count"] * 2),
        ("SELECT AVG(ys), MAX(cost) FROM alloy", ["average yield strength (MPa)", "largest cost (1,000 EUR)"], ["avg", "max"]),
        ("SELECT MAX(ys) - MIN(ys) FROM alloy", ["largest yield strength - smallest yield strength (MPa)"], ["expression"]),
        ("SELECT ys - cost FROM alloy", ["yield strength - cost"], ["expression"]),
        ("SELECT ys / cost FROM alloy", ["yield strength / cost"], ["expression"]),
        ("SELECT ys * 0.001 FROM alloy", ["yield strength (1,000 MPa)"], ["expression"]),
        ("SELECT SUM(CASE WHEN typeof(ys) <> 'text' THEN ys END) FROM alloy", ["total yield strength (MPa)"], ["sum"]),
        (
            "SELECT (SELECT ys FROM alloy WHERE id = 1) - (SELECT ys FROM alloy WHERE id = 2)",
            ["yield strength - yield strength (MPa)"], ["expression"],
        ),
        ("SELECT best FROM (SELECT MAX(ys) AS best FROM alloy) AS t", ["largest yield strength (MPa)"], ["max"]),
        ("SELECT * FROM mill", ["id", "place"], ["", ""]),
        ("not a statement", [], []),
    ],
)  # fmt: skip
def test_what_a_column_of_a_result_is(statement, titles, functions):
    made = headings(statement, DATABASE)
    assert [one.titled for one in made] == titles
    assert [one.function for one in made] == functions


def test_numbers_that_name_something_are_no_amounts():
    types = [
        one.type
        for one in headings("SELECT id, mill_id, first_year, welds, ys FROM alloy", DATABASE)
    ]
    assert types == ["identifier", "identifier", "year", "boolean", "number"]


@pytest.mark.parametrize(
    ("statement", "rows", "keys", "single"),
    [
        (
            "SELECT DISTINCT name FROM alloy WHERE ys > 4",
            [("alloy", ("name", "ys"))], 'SELECT DISTINCT "alloy"."id" FROM alloy WHERE ys > 4', False,
        ),
        (
            "SELECT name FROM alloy ORDER BY ys DESC LIMIT 2",
            [("alloy", ("name", "ys"))], 'SELECT "alloy"."id" FROM alloy ORDER BY ys DESC LIMIT 2', True,
        ),
        (
            "SELECT AVG(ys) FROM alloy WHERE name = 'A' LIMIT 1",
            [("alloy", ("ys", "name"))], """SELECT DISTINCT "alloy"."id" FROM alloy WHERE name = 'A'""", False,
        ),
        (
            "SELECT a.name, m.place FROM alloy AS a JOIN mill AS m ON m.id = a.mill_id",
            [("alloy", ("name",)), ("mill", ("place",))],
            'SELECT "a"."id", "m"."rowid" FROM alloy AS a JOIN mill AS m ON m.id = a.mill_id', True,
        ),
    ],
)  # fmt: skip
def test_the_keys_of_the_rows_that_a_statement_rests_on(statement, rows, keys, single):
    made = keyed(statement, DATABASE)
    assert [(relation.name, columns) for relation, columns in made.relations] == rows
    assert (made.statement, made.single) == (keys, single)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1", "SELECT name FROM elsewhere", "SELECT n FROM (SELECT name AS n FROM alloy) AS t",
        "SELECT name FROM alloy UNION SELECT place FROM mill", "SELEC",
    ],
)  # fmt: skip
def test_of_what_is_no_select_from_tables_no_keys_are_asked(statement):
    assert keyed(statement, DATABASE) is None
