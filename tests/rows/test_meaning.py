"""What words and whole questions mean where no name of the database is spelled like them."""

import sqlite3
from contextlib import closing

import pytest

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.models.encoder import MiniLM
from pincite.rows.programs.interpretation import interpret
from pincite.rows.programs.linking import link
from pincite.rows.programs.meaning import NEAR, WORTH, Meaning
from pincite.rows.programs.scheme import scheme
from tests.rows.land import alloys


@pytest.fixture(scope="module")
def metals(tmp_path_factory):
    source, values = alloys(tmp_path_factory.mktemp("alloys"))
    with source:
        yield source, values, scheme(source.database)


@pytest.fixture(scope="module")
def yard(tmp_path_factory):
    path = tmp_path_factory.mktemp("yard") / "yard.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE truck (plate TEXT PRIMARY KEY, drive TEXT, maker TEXT)")
        rows = [
            ("HH 1", "electric", "Nordwerk Motor GmbH"),
            ("HH 2", "diesel", "Alba Motor AG"),
            ("HH 3", "diesel", None),
        ]
        db.executemany("INSERT INTO truck VALUES (?, ?, ?)", rows)
        db.commit()
    with open_source(path) as source:
        yield source, build(source), scheme(source.database)


def test_a_word_stands_for_the_value_that_means_the_same(yard):
    *_, prepared = yard
    (first, *_) = Meaning(prepared, MiniLM()).near("battery-powered")
    assert (first.relation, first.column, first.value) == ("truck", "drive", "electric")
    assert NEAR * WORTH <= first.score <= WORTH


def test_a_word_stands_for_the_name_that_means_the_same(yard):
    *_, prepared = yard
    assert Meaning(prepared, MiniLM()).near("vehicle")[0].relation == "truck"
    assert Meaning(prepared, MiniLM()).near("manufacturer")[0].column == "maker"


def test_a_word_that_is_like_nothing_stands_for_nothing(metals):
    *_, prepared = metals
    assert Meaning(prepared, MiniLM()).near("birthday") == []


def test_a_whole_question_is_most_like_the_column_it_asks_for(metals):
    *_, prepared = metals
    asked = Meaning(prepared, MiniLM()).asked("how heavy is a cubic centimetre of it?")
    assert asked[0].column == "density"
    assert sorted(one.score for one in asked) == [one.score for one in reversed(asked)]


def test_columns_are_asked_for_by_meaning_only_where_an_encoder_is_at_hand(metals):
    _, values, prepared = metals
    assert link("how heavy is it?", prepared, values).meant == ()
    assert link("how heavy is it?", prepared, values, Meaning(prepared, MiniLM())).meant


def test_a_question_without_a_name_of_the_database_is_read_by_what_it_means(metals):
    source, values, prepared = metals
    read = interpret(
        "How heavy is a cubic centimetre of Beta 7?", source, values, MiniLM(), prepared=prepared
    )
    assert read.said == "density of alloy, where alloy is Beta 7"
    assert any(what == "by meaning alloy.density" for _, what in read.mapping)


def test_the_one_value_that_holds_a_word_is_meant_by_it(yard):
    _, values, prepared = yard
    assert _values("which drive has Nordwerk?", prepared, values) == ["Nordwerk Motor GmbH"]
    assert _values("which drive has Motor?", prepared, values) != [
        "Nordwerk Motor GmbH"
    ]  # two makers are called so


def _values(question, prepared, values):
    pieces = link(question, prepared, values).cuts[0]
    return [
        mention.value for piece in pieces if piece.kind == "value" for mention in piece.mentions
    ]
