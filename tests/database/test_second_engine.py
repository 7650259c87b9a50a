"""Statements over views computed a second time by another engine."""

import datetime
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.statements import second_engine
from pincite.database.statements.second_engine import Uncomputed, agree, recomputed
from pincite.database.views.clean_view import clean_views, with_views
from tests.database.views.sources import duck_source, sqlite_source

SCRIPT = """
CREATE TABLE run (id INTEGER PRIMARY KEY, made INTEGER, lost INTEGER, rate REAL, shift TEXT, day DATE,
  ok BOOLEAN, ended TIMESTAMP);
INSERT INTO run VALUES
  (1, 7, 2, 1.5, 'Alpha', '2023-01-31', TRUE, '2023-01-31 10:00:00'),
  (2, -7, 2, NULL, 'beta', '2023-02-01', FALSE, '2023-02-01 00:30:00'),
  (3, 5, 0, 2.5, NULL, NULL, NULL, NULL), (4, 9, 4, 0.1, 'Alpha', '2024-12-31', TRUE, '2024-12-31 23:59:59');
CREATE TABLE part (run_id INTEGER REFERENCES run (id), name TEXT, price DOUBLE);
INSERT INTO part VALUES (1, 'bolt', 0.25), (1, 'nut', 0.1), (4, 'bolt', 0.3), (2, 'cap', NULL);
"""
STATEMENTS = [
    "SELECT SUM(made), AVG(rate), COUNT(rate), COUNT(*), MIN(made), MAX(shift) FROM run",
    "SELECT made % 4 FROM run",
    "SELECT 1.0 * made / lost FROM run WHERE lost > 0",
    "SELECT CAST(made AS REAL) / lost FROM run WHERE lost > 0",
    "SELECT id FROM run WHERE rate IS NULL",
    "SELECT COALESCE(rate, 0) FROM run",
    "SELECT SUM(rate) FROM run WHERE id = 99",
    "SELECT id FROM run WHERE day > '2023-01-31'",
    "SELECT COUNT(*) FROM run WHERE day BETWEEN '2023-01-01' AND '2023-12-31'",
    "SELECT MAX(day), MIN(ended) FROM run",
    "SELECT strftime('%Y', day) AS year, COUNT(*) FROM run GROUP BY year",
    "SELECT COUNT(*) FROM run WHERE ok",
    "SELECT ok, COUNT(*) FROM run GROUP BY ok",
    "SELECT 100.0 * SUM(ok) / COUNT(*) FROM run",
    "SELECT SUM(made > 5) FROM run",
    "SELECT id FROM run WHERE shift LIKE 'Al%'",
    "SELECT CASE WHEN made > 6 THEN 'much' ELSE 'little' END, COUNT(*) FROM run GROUP BY 1",
    "SELECT DISTINCT shift FROM run",
    "SELECT shift, SUM(made) FROM run GROUP BY shift ORDER BY 2 DESC",
    "SELECT shift FROM run GROUP BY shift HAVING COUNT(*) > 1",
    "SELECT run.shift, SUM(part.price) FROM run JOIN part ON part.run_id = run.id GROUP BY run.shift",
    "SELECT run.id, part.name FROM run LEFT JOIN part ON part.run_id = run.id",
    "SELECT id FROM run WHERE id IN (SELECT run_id FROM part WHERE name = 'bolt')",
    "SELECT id FROM run ORDER BY made DESC LIMIT 2",
    "SELECT made FROM run UNION SELECT lost FROM run",
    "WITH big AS (SELECT made FROM run WHERE made > 5) SELECT SUM(made) FROM big",
    "SELECT t.n FROM (SELECT COUNT(*) AS n FROM run GROUP BY shift) AS t",
    "SELECT * FROM run",
    "SELECT name || '!', ROUND(price, 1) FROM part",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    with sqlite_source(tmp_path_factory.mktemp("engine"), SCRIPT) as opened:
        yield opened


def twice(source, statement):
    views = clean_views(source)
    found, engine = recomputed(statement, views, source)
    return found, source.run(with_views(statement, views)).rows, engine


def without_duckdb(monkeypatch):
    monkeypatch.setattr(second_engine, "find_spec", lambda name: None)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_duckdb_agrees_with_sqlite(source, statement):
    pytest.importorskip("duckdb")
    found, rows, engine = twice(source, statement)
    assert engine == "DuckDB" and agree(found, rows)


@pytest.mark.parametrize(
    "statement",
    [
        *STATEMENTS,
        "SELECT made / 0 FROM run WHERE id = 1",
        "SELECT made / lost FROM run WHERE lost > 0",
        "SELECT SUM(made) / COUNT(*) FROM run",
        "SELECT AVG(ok) FROM run",
        "SELECT AVG(shift = 'Alpha') FROM run",
        "SELECT id FROM run WHERE shift LIKE 'al%'",
        "SELECT substr(day, 1, 4) FROM run",
        "SELECT id FROM run WHERE day LIKE '2023%'",
        "SELECT julianday(day) - julianday('2023-01-01') FROM run",
        "SELECT date(day, '+1 month') FROM run",
    ],
)
def test_another_sqlite_agrees_where_there_is_no_duckdb(source, statement, monkeypatch):
    without_duckdb(monkeypatch)
    found, rows, engine = twice(source, statement)
    assert engine == "SQLite" and agree(found, rows)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT SUM(made), COUNT(*), MAX(day) FROM run",
        "SELECT ok, COUNT(*) FROM run GROUP BY ok",
        "SELECT run.shift, SUM(part.price) FROM run JOIN part ON part.run_id = run.id GROUP BY run.shift",
        "SELECT id FROM run WHERE day > '2023-01-31'",
        "SELECT id, ended FROM run",
    ],
)
def test_a_database_of_duckdb_is_computed_again_by_sqlite(tmp_path, statement):
    pytest.importorskip("duckdb")
    with duck_source(tmp_path, SCRIPT) as source:
        found, rows, engine = twice(source, statement)
        assert engine == "SQLite" and agree(found, rows)


@pytest.mark.parametrize("hidden", [False, True], ids=["duckdb", "sqlite"])
def test_a_fault_of_a_view_shows(source, monkeypatch, hidden):
    """The rows are right by the database; the second engine is given a view with a fault: the wrong amount, a row too few."""
    if hidden:
        without_duckdb(monkeypatch)
    views = clean_views(source)
    statement = "SELECT SUM(made) FROM run"
    rows = source.run(with_views(statement, views)).rows
    run = next(view for view in views if view.name == "run")
    wrong = tuple(
        replace(column, expression='"made" + 1') if column.name == "made" else column
        for column in run.columns
    )
    for faulty in (replace(run, columns=wrong), replace(run, totals='"id" = 4')):
        found, _ = recomputed(statement, [faulty], source)
        assert not agree(found, rows)
    assert agree(recomputed(statement, [run], source)[0], rows)


def test_what_cannot_be_computed_again_says_why(source, monkeypatch):
    views = clean_views(source)
    with pytest.raises(Uncomputed, match="it cannot be taken apart: "):
        recomputed("SELECT (((", views, source)
    with pytest.raises(Uncomputed, match="does not take it: "):
        recomputed("SELECT nothing_of_this_name(made) FROM run", views, source)
    monkeypatch.setattr(second_engine, "MOST", 3)
    with pytest.raises(Uncomputed, match="run has more than 3 rows"):
        recomputed("SELECT COUNT(*) FROM run", views, source)


def test_views_that_a_statement_does_not_name_are_not_read(source, monkeypatch):
    monkeypatch.setattr(second_engine, "MOST", 4)
    found, _ = recomputed("SELECT COUNT(*) FROM part", clean_views(source), source)
    assert found == [(4,)]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")], True),
        ([(1,)], [(1.0,)], True),
        ([(Decimal("0.10"),)], [(0.1,)], True),
        ([(True,)], [(1,)], True),
        ([(datetime.date(2023, 1, 31),)], [("2023-01-31",)], True),
        ([(datetime.datetime(2023, 1, 31, 10),)], [("2023-01-31 10:00:00",)], True),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(0.3,)], [(0.3001,)], False),
        ([(None,)], [(0,)], False),
        ([(None,)], [("",)], False),
        ([("1",)], [(1,)], False),
        ([(1,), (1,)], [(1,), (2,)], False),
        ([(1,)], [(1,), (1,)], False),
        ([(1, 2)], [(2, 1)], False),
        ([], [], True),
    ],
)
def test_the_same_rows(one, other, same):
    assert agree(one, other) is same and agree(other, one) is same


CELL = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(-2, 2),
    st.sampled_from("abc"),
    st.dates(),
)
ROWS = st.integers(1, 3).flatmap(lambda n: st.lists(st.tuples(*[CELL] * n), max_size=6))


@given(ROWS, ROWS, st.randoms(use_true_random=False))
def test_order_says_nothing_and_neither_side_is_first(one, other, random):
    shuffled = random.sample(one, len(one))
    assert agree(one, shuffled) and agree(shuffled, one)
    assert agree(one, other) is agree(other, one)
    if one:
        assert not agree(one, one[:-1])


@pytest.mark.parametrize(
    "statement",
    ["SELECT made / lost FROM run WHERE lost > 0", "SELECT SUM(made) / COUNT(*) FROM run"],
)
def test_whole_numbers_are_divided_as_the_database_does(source, statement):
    pytest.importorskip("duckdb")
    found, rows, _ = twice(source, statement)
    assert agree(found, rows)


def test_like_is_that_of_the_database(source):
    pytest.importorskip("duckdb")
    found, rows, _ = twice(source, "SELECT id FROM run WHERE shift LIKE 'al%'")
    assert agree(found, rows)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT AVG(ok) FROM run",
        "SELECT AVG(shift = 'Alpha') FROM run",
        "SELECT substr(day, 1, 4) FROM run",
        "SELECT id FROM run WHERE day LIKE '2023%'",
        "SELECT julianday(day) - julianday('2023-01-01') FROM run",
    ],
)
def test_what_duckdb_does_not_take_sqlite_computes(source, statement):
    pytest.importorskip("duckdb")
    found, rows, engine = twice(source, statement)
    assert engine == "SQLite" and agree(found, rows)
