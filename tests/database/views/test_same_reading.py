"""What a column's expression reads in a database is what its profile was made from in Python, whatever its cells are."""

import datetime
import sqlite3

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.statements.statement_guard import guarded
from pincite.database.views.column_cleaning import Habits, cleaned
from pincite.database.views.view_sql import ViewSql

WHOLE = st.integers(0, 9_999_999)
NUMBERS = st.builds(
    lambda n, cents, style: style(n, cents),
    WHOLE,
    st.integers(0, 99),
    st.sampled_from([
        lambda n, c: f"{n:,}.{c:02}", lambda n, c: f"{n:,}", lambda n, c: f"({n:,}.{c:02})", lambda n, c: f"-{n}.{c:02}",
        lambda n, c: f"{n}", lambda n, c: f"{n} max", lambda n, c: f"< {n}.{c:02}", lambda n, c: f"€ {n}.{c:02}",
        lambda n, c: f"{n}%", lambda n, c: "n/a", lambda n, c: "", lambda n, c: "see note",
    ]),
)  # fmt: skip
COMMAS = st.builds(
    lambda n, cents, style: style(f"{n:,}".replace(",", "."), cents),
    WHOLE,
    st.integers(0, 99),
    st.sampled_from([
        lambda n, c: f"{n},{c:02}", lambda n, c: f"{n},{c:02}-", lambda n, c: f"{n}", lambda n, c: f"{n},{c:02} EUR",
        lambda n, c: f"−{n},{c:02}", lambda n, c: f" {n},{c:02} ", lambda n, c: "-",
    ]),
)  # fmt: skip
DATES = st.builds(
    lambda d, style: d.strftime(style),
    st.dates(datetime.date(1951, 1, 1), datetime.date(2049, 12, 31)),
    st.sampled_from(
        ["%d.%m.%Y", "%Y-%m-%d", "%d.%m.%y", "%d %b %Y", "%B %d, %Y", "%d.%m.%Y %H:%M", "open", ""]
    ),
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
COLUMNS = st.one_of(
    *(st.lists(cell, min_size=1, max_size=12) for cell in (NUMBERS, COMMAS, DATES, TEXTS))
)


@settings(max_examples=150, deadline=None)
@given(COLUMNS)
def test_expressions_read_what_the_profile_says(cells):
    column = Column("c", "text", distinct=len(set(cells)))
    for dialect in ("sqlite", "duckdb"):
        clean = cleaned(ViewSql(dialect), column, cells, whole=True, usual=Habits())
        asked = f"SELECT {clean.expression} AS v FROM t ORDER BY n"
        written = guarded(asked, Database("d", (Relation("t", (Column("n"), column)),), dialect))
        found = [row[0] for row in RUN[dialect](cells, written)]
        assert [plain(value) for value in found] == [plain(value) for value in clean.values], (
            dialect
        )


def plain(value):
    if isinstance(value, datetime.date):
        return value.isoformat()
    return pytest.approx(float(value), abs=1e-6) if isinstance(value, int | float) else value


def in_sqlite(cells, statement):
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (n INTEGER, c TEXT)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", enumerate(cells))
    return connection.execute(statement).fetchall()


def in_duckdb(cells, statement):
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (n INTEGER, c TEXT)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(cells)))
        return connection.execute(statement).fetchall()


RUN = {"sqlite": in_sqlite, "duckdb": in_duckdb}
