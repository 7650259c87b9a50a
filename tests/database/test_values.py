import time

import pytest
import sqlalchemy as sa

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.value_index import LONGEST, build, digest, open_values
from pincite.database.sources.connection import OpenDatabase

PLACES = Relation(
    "places", (Column("id", "integer"), Column("name"), Column("country"), Column("remarks"))
)
MAKERS = Relation("makers", (Column("maker"), Column("founded", "date")))
DATABASE = Database("made up", (PLACES, MAKERS))


@pytest.fixture
def engine(tmp_path):
    made = sa.create_engine(f"sqlite:///{tmp_path / 'made.sqlite'}")
    with made.begin() as connection:
        connection.exec_driver_sql(
            "CREATE TABLE places (id INTEGER, name TEXT, country TEXT, remarks TEXT)"
        )
        connection.exec_driver_sql("CREATE TABLE makers (maker TEXT, founded TEXT)")
        connection.exec_driver_sql(
            "INSERT INTO places VALUES (1, 'Göteborg', 'Sweden', NULL), (2, 'Malmö', 'Sweden', ''), "
            "(3, 'New York', 'United States', 'x'), (4, 'York', 'United Kingdom', 'The \"old\" town; DROP TABLE'), "
            "(5, 'San José', 'Costa Rica', ?)",
            ("long " * LONGEST,),
        )
        connection.exec_driver_sql(
            "INSERT INTO makers VALUES ('Steel Works AB-301', '1901-01-01'), ('SWEDEN', NULL)"
        )
    yield made
    made.dispose()


@pytest.fixture
def values(engine):
    made = build(OpenDatabase(DATABASE, engine))
    yield made
    made.close()


def brief(matches):
    return [(one.relation, one.column, one.value, one.score, one.count) for one in matches]


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        (
            "sweden",
            [("places", "country", "Sweden", 1.0, 2), ("makers", "maker", "SWEDEN", 1.0, 1)],
        ),
        ("goteborg", [("places", "name", "Göteborg", 0.98, 1)]),
        ("steel work AB 301", [("makers", "maker", "Steel Works AB-301", 0.95, 1)]),
        ("ab301 steel works", []),
        ("", []),
        ("!!", []),
    ],
)
def test_values_are_looked_up_folded(values, phrase, found):
    assert brief(values.lookup(phrase)) == found


def test_a_misspelled_value_is_near(values):
    (first, *_) = values.near("Swedne")
    assert (first.value, first.column, first.count) == (
        "Sweden",
        "country",
        2,
    ) and 0.7 <= first.score < 0.95
    assert values.near("Goteburg", 1)[0].value == "Göteborg"


def test_a_part_of_a_value_is_near_and_the_whole_is_nearer(values):
    found = {one.value: one.score for one in values.near("york")}
    assert found["York"] == 1.0 > found["New York"] > 0.3
    assert values.near("ab 301", 1)[0].value == "Steel Works AB-301"
    assert values.near("ab301", 1)[0].value == "Steel Works AB-301"
    assert values.near("the united", 2)[0].value in ("United States", "United Kingdom")


def test_nothing_is_near_what_shares_nothing(values):
    assert values.near("zzz qqq") == []
    assert values.near('"; DROP TABLE held; --*', 1)[0].value == 'The "old" town; DROP TABLE'


def test_prose_numbers_and_empty_texts_are_no_names(values):
    assert values.places() == {
        ("places", "name"),
        ("places", "country"),
        ("places", "remarks"),
        ("makers", "maker"),
    }
    assert not any(len(one.value) > LONGEST for one in values.near("long", 50))


def test_again_only_what_changed_is_written(engine, tmp_path):
    path = tmp_path / "values.sqlite"
    build(OpenDatabase(DATABASE, engine), path).close()
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM places WHERE id = 5")
        connection.exec_driver_sql("UPDATE places SET country = 'Norway' WHERE id = 2")
        connection.exec_driver_sql("INSERT INTO places VALUES (6, 'York', 'Canada', NULL)")
    again = build(OpenDatabase(DATABASE, engine), path)
    assert brief(again.lookup("york")) == [("places", "name", "York", 1.0, 2)]
    assert brief(again.lookup("sweden"))[0] == ("makers", "maker", "SWEDEN", 1.0, 1)
    assert again.lookup("San Jose") == [] and again.near("costa rica") == []
    assert again.near("Norwya", 1)[0].value == "Norway"
    again_near = again.near("York")
    again.close()
    read = open_values(path)
    assert read.near("York") == again_near
    read.close()


def test_counts_are_shifted_by_digest():
    values = open_values()
    with values.changing():
        values.hold("places", "name", [(one, 2, digest(one)) for one in ("York", "Lund", "Umeå")])
        unknown = values.shift(
            "places",
            "name",
            {digest("York"): 1, digest("Lund"): -2, digest("Oslo"): 3, digest("Rome"): -1},
        )
        assert unknown == [digest("Oslo")]
        values.add("places", "name", [("Oslo", 3, digest("Oslo"))])
        values.settle()
    assert [(one.value, one.count) for phrase in ("york", "lund", "umea", "oslo", "rome") for one in values.lookup(phrase)] == [
        ("York", 3), ("Umeå", 2), ("Oslo", 3),
    ]  # fmt: skip
    assert values.near("lnud") == []


def test_what_fails_half_way_changes_nothing(tmp_path):
    path = tmp_path / "values.sqlite"
    values = open_values(path, write=True)
    with values.changing():
        values.hold("places", "name", [("York", 1, 1)])
        values.note("rows", "a")
    with pytest.raises(ZeroDivisionError), values.changing():
        values.hold("places", "name", [("Lund", 1, 2)])
        values.note("rows", "b")
        raise ZeroDivisionError
    values.close()
    read = open_values(path)
    assert [one.value for one in read.lookup("york")] == ["York"] and read.noted("rows") == "a"
    read.close()


def test_a_column_that_is_no_more_is_forgotten(engine, tmp_path):
    path = tmp_path / "values.sqlite"
    build(OpenDatabase(DATABASE, engine), path).close()
    left = build(OpenDatabase(Database("made up", (PLACES,)), engine), path)
    assert {one for one, _ in left.places()} == {"places"}
    assert [one.relation for one in left.lookup("sweden")] == ["places"]
    left.close()


def test_ten_thousand_names_are_searched_in_milliseconds():
    values = open_values()
    with values.changing():
        values.hold(
            "parts",
            "name",
            ((f"valve type {number} steel", 1, number) for number in range(10_000)),
        )
        values.settle()
    started = time.perf_counter()
    assert values.near("valve type 1234", 1)[0].value == "valve type 1234 steel"
    assert time.perf_counter() - started < 0.1
    values.close()
