"""Headings of results, statements made readable, and the keys of the rows that a statement shows."""

from decimal import Decimal

import pytest

from pincite.database.relations.model import Column, Database, Link, Relation
from pincite.database.statements.result_columns import headings
from pincite.database.statements.row_keys import keyed
from pincite.database.statements.tidying import tidied

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
    ("statement", "tidy"),
    [
        (
            "SELECT DISTINCT alloy_1.name AS c1 FROM alloy AS alloy_1 WHERE alloy_1.ys > 4",
            "SELECT DISTINCT name FROM alloy WHERE ys > 4",
        ),
        (
            "SELECT alloy_1.name AS c1 FROM alloy AS alloy_1 JOIN mill AS mill_1 ON alloy_1.mill_id = mill_1.id",
            "SELECT alloy.name FROM alloy JOIN mill ON alloy.mill_id = mill.id",
        ),
        (
            "SELECT alloy_1.name AS c1 FROM alloy AS alloy_1 WHERE alloy_1.ys = (SELECT MAX(alloy_2.ys) FROM alloy AS alloy_2)",
            "SELECT alloy_1.name FROM alloy AS alloy_1 WHERE alloy_1.ys = (SELECT MAX(alloy_2.ys) FROM alloy AS alloy_2)",
        ),
        (
            "SELECT a.name AS c1 FROM alloy AS a ORDER BY c1",
            "SELECT a.name AS c1 FROM alloy AS a ORDER BY c1",
        ),
        ('SELECT "Odd_1"."A b" AS c1 FROM "Odd" AS "Odd_1"', 'SELECT "A b" FROM "Odd"'),
        ("SELEC nothing", "SELEC nothing"),
    ],
)
def test_names_that_nobody_needs_are_left_out(statement, tidy):
    assert tidied(statement, "sqlite") == tidy


def test_the_keys_of_the_rows_that_a_statement_shows():
    relation, columns, statement = keyed(
        "SELECT DISTINCT name FROM alloy WHERE ys > 4 ORDER BY ys DESC LIMIT 2", DATABASE
    )
    assert (relation.name, columns) == ("alloy", ("name", "ys"))
    assert statement == 'SELECT "alloy"."id" FROM alloy WHERE ys > 4 ORDER BY ys DESC LIMIT 2'
    for other in (
        "SELECT COUNT(*) FROM alloy", "SELECT name FROM alloy GROUP BY name", "SELECT 1", "SELECT name FROM elsewhere",
        "SELECT a.name FROM alloy a JOIN mill m ON m.id = a.mill_id", "SELECT n FROM (SELECT name AS n FROM alloy) AS t",
        "SELECT (SELECT MAX(ys) FROM alloy) FROM alloy", "SELECT name FROM alloy UNION SELECT place FROM mill", "SELEC",
    ):  # fmt: skip
        assert keyed(other, DATABASE) is None, other
