"""Statements computed again in Python give what SQLite gives, and know the rows that every value comes from."""

import sqlite3
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.statements.replay import replay
from pincite.database.statements.result_lines import agrees, equal
from pincite.database.statements.scalars import Unreplayable

ALLOYS = [
    (1, "Anker 10", "steel", 310.0, 0.12, "2019-04-01"),
    (2, "Anker 20", "steel", 450.5, 0.35, "2020-01-15"),
    (3, "Brisa 5", "aluminium", 95.0, None, "2020-06-30"),
    (4, "Brisa 7", "aluminium", None, 0.01, None),
    (5, "Cobre", "copper", 70.0, 0.0, "2018-11-11"),
    (6, "Anker 30", "steel", 450.5, 0.6, "2021-12-24"),
]
MILLS = [(10, 1, "Norrby"), (11, 2, "Norrby"), (12, 2, "Vik"), (13, 3, "Vik"), (14, None, "Odda")]
DATABASE = Database(
    "plant",
    (
        Relation(
            "alloy",
            tuple(map(Column, ("id", "name", "family", "strength", "carbon", "tested"))),
            key=("id",),
        ),
        Relation("mill", tuple(map(Column, ("id", "alloy", "place"))), key=("id",)),
    ),
)


def filled():
    db = sqlite3.connect(":memory:")
    db.execute(
        "CREATE TABLE alloy (id INTEGER PRIMARY KEY, name TEXT, family TEXT, strength REAL, carbon REAL, tested TEXT)"
    )
    db.execute("CREATE TABLE mill (id INTEGER PRIMARY KEY, alloy INTEGER, place TEXT)")
    db.executemany("INSERT INTO alloy VALUES (?, ?, ?, ?, ?, ?)", ALLOYS)
    db.executemany("INSERT INTO mill VALUES (?, ?, ?)", MILLS)
    return db


def reader(db, asked=None):
    def read(relation, columns, alias, condition):
        if asked is not None:
            asked.append((relation.name, condition))
        return db.execute(f"SELECT {', '.join(columns)} FROM {relation.name}").fetchall()

    return read


STATEMENTS = [
    "SELECT name FROM alloy WHERE strength > 400",
    "SELECT name FROM alloy WHERE strength > 400 AND carbon < 0.5 OR family = 'copper'",
    "SELECT name FROM alloy WHERE NOT strength > 400",
    "SELECT name FROM alloy WHERE carbon IS NULL OR tested IS NOT NULL AND strength BETWEEN 90 AND 310",
    "SELECT name FROM alloy WHERE family IN ('steel', 'copper') AND name LIKE 'anker%'",
    "SELECT name FROM alloy WHERE name NOT LIKE '%0' AND lower(name) != 'cobre'",
    "SELECT COUNT(*) FROM alloy",
    "SELECT COUNT(carbon), COUNT(DISTINCT family), AVG(strength), SUM(strength), MIN(carbon), MAX(tested) FROM alloy",
    "SELECT COUNT(*), AVG(strength) FROM alloy WHERE family = 'tin'",
    "SELECT family, COUNT(*) AS n FROM alloy GROUP BY family HAVING COUNT(*) > 1 ORDER BY n DESC",
    "SELECT DISTINCT family FROM alloy ORDER BY family DESC LIMIT 2",
    "SELECT name, strength FROM alloy ORDER BY strength DESC, name LIMIT 2 OFFSET 1",
    "SELECT name FROM alloy ORDER BY carbon LIMIT 3",
    "SELECT name FROM alloy WHERE strength = (SELECT MAX(strength) FROM alloy)",
    "SELECT a.name, m.place FROM alloy AS a JOIN mill AS m ON m.alloy = a.id WHERE m.place = 'Vik'",
    "SELECT a.name, COUNT(m.id) FROM alloy a LEFT JOIN mill m ON m.alloy = a.id GROUP BY a.id, a.name ORDER BY a.id",
    "SELECT a.name FROM alloy a, mill m WHERE a.id = m.alloy AND m.place = 'Norrby'",
    "SELECT name FROM alloy WHERE id IN (SELECT alloy FROM mill WHERE place = 'Vik')",
    "SELECT name FROM alloy WHERE id NOT IN (SELECT alloy FROM mill WHERE alloy IS NOT NULL)",
    "SELECT name FROM alloy WHERE id NOT IN (SELECT alloy FROM mill)",
    "SELECT name FROM alloy a WHERE EXISTS (SELECT 1 FROM mill m WHERE m.alloy = a.id AND m.place = 'Norrby')",
    "SELECT place FROM mill WHERE alloy IN (SELECT id FROM alloy WHERE strength > (SELECT AVG(strength) FROM alloy))",
    "SELECT (SELECT strength FROM alloy WHERE name = 'Anker 20') - (SELECT strength FROM alloy WHERE name = 'Cobre')",
    "SELECT ROUND(AVG(strength), 1), CAST(COUNT(*) AS FLOAT) / NULLIF(COUNT(DISTINCT family), 0) FROM alloy",
    "SELECT COUNT(*) / 4, SUM(CASE WHEN carbon > 0.1 THEN 1 ELSE 0 END) FROM alloy",
    "SELECT AVG(CASE WHEN typeof(strength) <> 'text' THEN strength END) FROM alloy",
    "SELECT strftime('%Y', tested) AS year, COUNT(*) FROM alloy GROUP BY strftime('%Y', tested)",
    "SELECT name FROM alloy WHERE tested > '2020-01-01' AND substr(name, 1, 1) = 'B'",
    "SELECT n FROM (SELECT family, COUNT(*) AS n FROM alloy GROUP BY family) AS f WHERE n > 1",
    "WITH s AS (SELECT id, name FROM alloy WHERE family = 'steel') SELECT s.name FROM s JOIN mill ON mill.alloy = s.id",
    "SELECT name FROM alloy WHERE strength > 400 UNION SELECT place FROM mill ORDER BY name",
    "SELECT family FROM alloy EXCEPT SELECT 'steel'",
    "SELECT family FROM alloy WHERE carbon > 0 INTERSECT SELECT family FROM alloy WHERE strength < 400",
    "SELECT name || ' of ' || family, COALESCE(carbon, -1), ABS(strength - 400) FROM alloy",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_gives_what_sqlite_gives(statement):
    db = filled()
    rows = db.execute(statement).fetchall()
    made = replay(statement, DATABASE, reader(db))
    assert agrees(made, rows)
    for at, row in enumerate(rows):
        for value in (None, "else", 123456):
            if not equal(value, row[0]):
                assert not agrees(made, [*rows[:at], (value, *row[1:]), *rows[at + 1 :]])
    assert not agrees(made, [*rows, (None,) * len(made.columns)])


def test_ties_at_a_limit_may_break_either_way_but_not_beyond():
    made = replay(
        "SELECT name FROM alloy ORDER BY strength DESC LIMIT 1", DATABASE, reader(filled())
    )
    assert agrees(made, [("Anker 20",)]) and agrees(made, [("Anker 30",)])
    assert not agrees(made, [("Anker 10",)])
    ordered = replay("SELECT name FROM alloy ORDER BY id LIMIT 2", DATABASE, reader(filled()))
    assert not agrees(ordered, [("Anker 20",), ("Anker 10",)])


def origins(line):
    return [(one.relation, one.key) for one in line.origins]


def test_rows_that_a_value_comes_from():
    read = reader(filled())
    made = replay(
        "SELECT a.name, m.place FROM alloy a JOIN mill m ON m.alloy = a.id WHERE m.id = 12",
        DATABASE,
        read,
    )
    assert origins(made.rows[0]) == [("alloy", (2,)), ("mill", (12,))]
    assert made.sources == ((("a", "name"),), (("m", "place"),))
    assert made.functions == ("", "")
    mean = replay("SELECT AVG(strength) FROM alloy WHERE family = 'steel'", DATABASE, read)
    assert origins(mean.rows[0]) == [("alloy", (1,)), ("alloy", (2,)), ("alloy", (6,))]
    assert mean.functions == ("avg",)


def test_a_largest_value_comes_from_the_rows_that_have_it():
    made = replay("SELECT MAX(strength) FROM alloy", DATABASE, reader(filled()))
    assert origins(made.rows[0]) == [("alloy", (2,)), ("alloy", (6,))]


def test_a_difference_comes_from_both_rows():
    statement = "SELECT (SELECT strength FROM alloy WHERE id = 2) - (SELECT strength FROM alloy WHERE id = 5)"
    made = replay(statement, DATABASE, reader(filled()))
    assert made.rows[0].values == (380.5,)
    assert origins(made.rows[0]) == [("alloy", (2,)), ("alloy", (5,))]


def test_the_tests_that_are_about_one_relation_alone_are_passed_on():
    asked = []
    replay(
        "SELECT a.name FROM alloy a JOIN mill m ON m.alloy = a.id WHERE a.strength > 300 AND m.place = 'Vik' AND a.id < m.id",
        DATABASE,
        reader(filled(), asked),
    )
    assert asked == [("alloy", '("a"."strength" > 300)'), ("mill", '("m"."place" = \'Vik\')')]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT name, ROW_NUMBER() OVER (ORDER BY id) FROM alloy",
        "SELECT julianday(tested) FROM alloy",
        "SELECT name FROM alloy a RIGHT JOIN mill m ON m.alloy = a.id",
        "SELECT name FROM elsewhere",
        "SELECT weight FROM alloy",
        "SELECT name + 1 FROM alloy",
        "DELETE FROM alloy",
    ],
)
def test_says_what_it_cannot_compute(statement):
    with pytest.raises(Unreplayable):
        replay(statement, DATABASE, reader(filled()))


def test_values_of_other_databases_compare_as_they_do_there():
    rows = [(1, Decimal("0.10"), date(2020, 5, 1)), (2, Decimal("0.20"), date(2021, 5, 1))]
    relation = Relation("part", tuple(map(Column, ("id", "share", "made"))), key=("id",))

    def read(relation, columns, alias, condition):
        names = ("id", "share", "made")
        return [tuple(row[names.index(one)] for one in columns) for row in rows]

    database = Database("parts", (relation,), "postgresql")
    made = replay(
        "SELECT id FROM part WHERE share > 0.15 AND made >= '2021-01-01'", database, read
    )
    assert [line.values for line in made.rows] == [(2,)]
    total = replay("SELECT SUM(share), EXTRACT(YEAR FROM MAX(made)) FROM part", database, read)
    assert total.rows[0].values == (Decimal("0.30"), 2021)
    assert replay("SELECT id FROM part WHERE id LIKE '2'", database, read).rows[0].values == (2,)


numbers = st.one_of(
    st.none(), st.integers(-5, 5), st.floats(-5, 5, allow_nan=False).map(lambda x: round(x, 1))
)
words = st.one_of(st.none(), st.sampled_from(["a", "b", "A", "ab", ""]))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(numbers, numbers, words), max_size=8),
    st.sampled_from(["x > y", "x = 1 OR w = 'a'", "NOT (x < 0 AND w LIKE 'a%')", "x IN (1, 2, NULL)", "w <> 'b'", "x - y > 0.5"]),
    st.sampled_from([
        "SELECT id FROM t WHERE {}", "SELECT w, COUNT(*), SUM(x), AVG(y) FROM t WHERE {} GROUP BY w",
        "SELECT DISTINCT w FROM t WHERE {} ORDER BY w LIMIT 2", "SELECT MAX(x), MIN(w), COUNT(DISTINCT y) FROM t WHERE {}",
        "SELECT id FROM t WHERE x = (SELECT MIN(x) FROM t WHERE {})",
    ]),
)  # fmt: skip
def test_any_rows_and_tests_agree_with_sqlite(rows, test, form):
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x, y, w TEXT)")
    db.executemany("INSERT INTO t (x, y, w) VALUES (?, ?, ?)", rows)
    statement = form.format(test)
    database = Database(
        "d", (Relation("t", tuple(map(Column, ("id", "x", "y", "w"))), key=("id",)),)
    )
    assert agrees(replay(statement, database, reader(db)), db.execute(statement).fetchall())


def test_a_star_is_all_columns_but_the_hidden_number_of_rows():
    db = filled()
    relation = Relation("mill", tuple(map(Column, ("id", "alloy", "place"))), rowid="rowid")
    database = Database("plant", (relation,))

    def read(relation, columns, alias, condition):
        return db.execute(f"SELECT {', '.join(columns)} FROM mill").fetchall()

    made = replay("SELECT * FROM mill WHERE place = 'Vik'", database, read)
    assert agrees(made, db.execute("SELECT * FROM mill WHERE place = 'Vik'").fetchall())
    assert [one.origins[0].key for one in made.rows] == [(12,), (13,)]
    numbered = replay("SELECT rowid FROM mill WHERE place = 'Vik'", database, read)
    assert [one.values for one in numbered.rows] == [(12,), (13,)]
