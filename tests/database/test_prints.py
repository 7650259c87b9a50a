import sqlite3

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.relations.row_fingerprints import Prints, difference, load, prints
from pincite.database.relations.value_index import digest
from pincite.database.sources.connection import open_source

SCRIPT = """
CREATE TABLE parts (id INTEGER PRIMARY KEY, name TEXT, size REAL);
INSERT INTO parts VALUES (1, 'bolt', 2.5), (2, 'nut', NULL), (3, 'bolt', 1), (4, NULL, 1);
CREATE TABLE lines (name TEXT, size INTEGER);
INSERT INTO lines VALUES ('a', 1), ('a', 1), ('b', 2), ('a', 1);
"""
CHANGES = """
UPDATE parts SET name = 'gear' WHERE id = 1;
UPDATE parts SET size = 7 WHERE id = 3;
DELETE FROM parts WHERE id = 2;
INSERT INTO parts VALUES (5, 'nut', 1), (6, 'nut', 1);
DELETE FROM lines WHERE name = 'b';
INSERT INTO lines VALUES ('a', 1), ('c', 2);
"""


def of(keys, rows, names):
    return Prints(
        *(np.array(one, np.int64) for one in (keys, rows)), {"name": np.array(names, np.int64)}
    )


def test_the_difference_of_two_states():
    old, now = (
        of([1, 2, 3, 4], [10, 20, 30, 40], [7, 8, 7, 0]),
        of([1, 3, 4, 5], [11, 30, 40, 50], [8, 7, 0, 9]),
    )
    found = difference(old, now)
    assert (found.new, found.changed, found.deleted) == (1, 1, 1)
    assert found.names == {"name": {7: -1, 9: 1}}  # 8 moved from row 2 to row 1
    assert difference(None, now).new == 4


def test_prints_survive_their_file(tmp_path):
    made = of([1, 2], [3, 4], [5, 0])
    made.save(tmp_path / "prints.npz")
    found = difference(made, load(tmp_path / "prints.npz"))
    assert (found.new, found.changed, found.deleted, found.names) == (0, 0, 0, {"name": {}})


rows = st.dictionaries(
    st.integers(0, 50), st.tuples(st.integers(1, 5), st.integers(0, 4)), max_size=12
)


@given(rows, rows)
def test_shifts_lead_from_one_state_to_the_other(before, after):
    old, now = (
        of(
            sorted(one),
            [one[key][0] for key in sorted(one)],
            [one[key][1] if one[key][0] % 2 else one[key][0] for key in sorted(one)],
        )
        for one in (before, after)
    )
    found = difference(old, now)
    assert len(old.keys) + found.new - found.deleted == len(now.keys)
    for value in range(1, 6):
        held = int((old.names["name"] == value).sum()) + found.names["name"].get(value, 0)
        if all(
            before[key][0] != after[key][0] or before[key] == after[key]
            for key in before.keys() & after.keys()
        ):
            assert held == int((now.names["name"] == value).sum())


def counted(source, name):
    return prints(source.engine, source.database.relation(name))


def check(url, change):
    with open_source(url, name="made") as source:
        before = {name: counted(source, name) for name in ("parts", "lines")}
    change()
    with open_source(url, name="made") as source:
        after = {name: counted(source, name) for name in ("parts", "lines")}
    parts, lines = (difference(before[name], after[name]) for name in ("parts", "lines"))
    assert (parts.new, parts.changed, parts.deleted) == (2, 2, 1)
    assert sorted(parts.names["name"].values()) == [-1, 1, 1]  # a bolt less, a gear and a nut more
    assert (lines.new, lines.changed, lines.deleted) == (
        2,
        0,
        1,
    )  # a row without a key that changes is another row
    assert sorted(lines.names["name"].values()) == [-1, 1, 1]
    assert all(
        len(set(one.keys.tolist())) == len(one.keys) for one in (*before.values(), *after.values())
    )
    return parts


def test_rows_of_sqlite_are_followed(tmp_path):
    path = tmp_path / "made.sqlite"
    db = sqlite3.connect(path)
    db.executescript(SCRIPT)
    assert check(path, lambda: db.executescript(CHANGES)).names == {
        "name": {digest("bolt"): -1, digest("gear"): 1, digest("nut"): 1}
    }
    db.close()


def test_rows_of_postgresql_are_followed_by_its_own_digests(postgres):
    url = postgres.create(SCRIPT)

    def change():
        with postgres.connect(url.split("?")[0].rsplit("/", 1)[1]) as connection:
            connection.execute(CHANGES)

    check(url, change)


def test_rows_of_duckdb_are_followed(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "made.duckdb"

    def run(script):
        with duckdb.connect(str(path)) as connection:
            connection.execute(script)

    run(SCRIPT)
    check(path, lambda: run(CHANGES))
