"""Which rows a statement rests on."""

import pytest

from pincite.database.statements.row_keys import keyed
from pincite.database.views.clean_view import clean_views, view_database, with_views
from tests.database.views.sources import sqlite_source

SCRIPT = """
CREATE TABLE vessel (id INTEGER PRIMARY KEY, name TEXT, port_id INTEGER REFERENCES port (id), tonnes INTEGER);
CREATE TABLE port (id INTEGER PRIMARY KEY, town TEXT);
CREATE TABLE berth (port_id INTEGER, number INTEGER, depth REAL, PRIMARY KEY (port_id, number));
CREATE TABLE note (words TEXT);
INSERT INTO port VALUES (1, 'Brekke'), (2, 'Aalund');
INSERT INTO vessel VALUES (1, 'Alma', 1, 900), (2, 'Brisa', 1, 400), (3, 'Corva', 2, 700), (4, 'Dora', NULL, 50);
INSERT INTO berth VALUES (1, 1, 9.5), (1, 2, 7), (2, 1, 4);
INSERT INTO note VALUES ('first'), ('second');
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    with sqlite_source(tmp_path_factory.mktemp("keys"), SCRIPT) as opened:
        yield opened


def rests(source, statement):
    views = clean_views(source)
    made = keyed(statement, view_database(views, source.database))
    if made is None:
        return None
    rows = source.run(with_views(made.statement, views)).rows
    return [(each.name, columns) for each, columns in made.relations], list(rows), made.single


@pytest.mark.parametrize(
    ("statement", "relations", "rows"),
    [
        ("SELECT name FROM vessel WHERE tonnes > 500 ORDER BY tonnes", [("vessel", ("name", "tonnes"))], [(3,), (1,)]),
        ("SELECT name FROM vessel ORDER BY tonnes DESC LIMIT 1", [("vessel", ("name", "tonnes"))], [(1,)]),
        ("SELECT v.name, p.town FROM vessel v JOIN port p ON p.id = v.port_id ORDER BY v.id",
         [("vessel", ("name", "id")), ("port", ("town",))], [(1, 1), (2, 1), (3, 2)]),
        ("SELECT v.name FROM vessel v JOIN port p ON p.id = v.port_id WHERE p.town = 'Brekke'",
         [("vessel", ("name",)), ("port", ("town",))], [(1, 1), (2, 1)]),
        ("SELECT v.name FROM vessel v LEFT JOIN port p ON p.id = v.port_id WHERE v.id = 4", [("vessel", ("name", "id"))], [(4,)]),
        ("SELECT depth FROM berth WHERE depth < 8", [("berth", ("depth",))], [(1, 2), (2, 1)]),
        ("SELECT words FROM note", [("note", ("words",))], [(1,), (2,)]),
        ("SELECT name FROM vessel WHERE port_id IN (SELECT port.id FROM port WHERE port.town = 'Aalund')",
         [("vessel", ("name", "port_id"))], [(3,)]),
    ],
    ids=["filtered", "chosen", "joined", "by what is joined", "outer", "two columns of a key", "numbered rows", "nested"],
)  # fmt: skip
def test_each_row_of_a_result_has_its_keys(source, statement, relations, rows):
    found = rests(source, statement)
    assert found is not None and found[2]
    assert (found[0], found[1]) == (relations, rows)


@pytest.mark.parametrize(
    ("statement", "relations", "rows"),
    [
        ("SELECT SUM(tonnes) FROM vessel WHERE port_id = 1", [("vessel", ("tonnes", "port_id"))], [(1,), (2,)]),
        ("SELECT COUNT(*) FROM vessel", [("vessel", ())], [(1,), (2,), (3,), (4,)]),
        ("SELECT port_id, MAX(tonnes) FROM vessel WHERE tonnes > 100 GROUP BY port_id HAVING MAX(tonnes) > 0 ORDER BY 2 LIMIT 1",
         [("vessel", ("port_id", "tonnes"))], [(1,), (2,), (3,)]),
        ("SELECT p.town, SUM(v.tonnes) FROM vessel v JOIN port p ON p.id = v.port_id GROUP BY p.town",
         [("vessel", ("tonnes",)), ("port", ("town",))], [(1, 1), (2, 1), (3, 2)]),
        ("SELECT DISTINCT port_id FROM vessel", [("vessel", ("port_id",))], [(1,), (2,), (3,), (4,)]),
    ],
)  # fmt: skip
def test_what_is_computed_rests_on_all_its_rows(source, statement, relations, rows):
    found = rests(source, statement)
    assert found is not None and not found[2]
    assert (found[0], sorted(found[1])) == (relations, rows)


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT n FROM (SELECT COUNT(*) AS n FROM vessel) AS t",
        "SELECT name FROM vessel UNION SELECT town FROM port",
        "WITH big AS (SELECT * FROM vessel) SELECT name FROM big",
        "SELECT 1",
        "SELECT name FROM elsewhere",
        "SELECT DISTINCT SUM(tonnes) FROM vessel",
        "SELECT (((",
        "SELECT v.name FROM vessel v JOIN (SELECT id FROM port) AS p ON p.id = v.port_id",
    ],
)
def test_of_some_statements_it_cannot_be_asked(source, statement):
    assert rests(source, statement) is None


@pytest.mark.xfail(strict=True, reason="a table that is counted is named nowhere")
def test_a_count_rests_on_the_rows_that_are_counted(source):
    statement = (
        "SELECT p.town, COUNT(*) FROM vessel v JOIN port p ON p.id = v.port_id GROUP BY p.town"
    )
    assert [name for name, _ in rests(source, statement)[0]] == ["vessel", "port"]
