"""Words of questions and what they stand for."""

import sqlite3
from contextlib import closing
from decimal import Decimal

import pytest

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.rows.programs.linking import link
from pincite.rows.programs.pieces import Amount, in_column
from pincite.rows.programs.scheme import scheme
from tests.rows.land import alloys, land


@pytest.fixture(scope="module")
def metals(tmp_path_factory):
    source, values = alloys(tmp_path_factory.mktemp("alloys"))
    with source:
        yield scheme(source.database), values


@pytest.fixture(scope="module")
def country(tmp_path_factory):
    source, values = land(tmp_path_factory.mktemp("land"))
    with source:
        yield scheme(source.database), values


def pieces(question, place):
    linked = link(question, *place)
    return [(one.kind, one.text) for one in linked.cuts[0] if one.kind != "filler"]


def test_long_names_win_over_their_words(metals):
    assert pieces("What is the ultimate tensile strength of Beta 5?", metals) == [
        ("name", "ultimate tensile strength"),
        ("value", "Beta 5"),
    ]


def test_numbers_carry_their_units(metals):
    (number,) = [
        one
        for one in link("yield strength above 0.4 GPa", *metals).cuts[0]
        if one.kind == "number"
    ]
    assert number.amount == Amount(Decimal("0.4"), "GPa")
    assert in_column(number.amount, "MPa") == 400
    assert in_column(number.amount, "g/cm3") is None


def test_numbers_in_words(country):
    (number,) = [
        one
        for one in link("villages with more than two thousand people", *country).cuts[0]
        if one.kind == "number"
    ]
    assert number.amount.value == 2000


def test_misspelled_names_are_respelled(metals):
    assert link("yeild strenght of Beta 5", *metals).text == "yield strength of Beta 5"


def test_a_superlative_says_which_quantities(country):
    (word,) = [
        one.word for one in link("the longest river", *country).cuts[0] if one.kind == "word"
    ]
    assert (word.role, word.sign, word.kinds[0]) == ("best", 1, "length")


def test_words_that_nothing_explains_stay_unknown(country):
    assert ("unknown", "dragons") in pieces("how many dragons are in Norland", country)


def test_rows_that_repeat_a_thing_are_known(country):
    assert country[0].several == frozenset(("river",))
    assert country[0].labels["village"] == "village_name"


def test_a_value_does_not_take_the_words_beside_it(tmp_path):
    path = tmp_path / "vans.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE vans (id INTEGER PRIMARY KEY, plate TEXT)")
        db.executemany("INSERT INTO vans (plate) VALUES (?)", [("HH-KT 4111",), ("L-SP 401",)])
        db.commit()
    with open_source(path) as source:
        found = pieces("renting HH-KT 4111 rather", (scheme(source.database), build(source)))
    assert found == [("unknown", "renting"), ("value", "HH-KT 4111"), ("unknown", "rather")]
