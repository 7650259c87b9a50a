"""Questions to rows, without a model."""

import sqlite3
from dataclasses import replace
from itertools import chain, repeat
from types import SimpleNamespace

import pytest

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.models.encoder import MiniLM
from pincite.rows.programs import interpretation
from pincite.rows.programs.interpretation import interpret, nearest
from pincite.rows.programs.linking import link
from pincite.rows.programs.scheme import scheme
from tests.rows.land import alloys, land


@pytest.fixture(scope="module")
def country(tmp_path_factory):
    source, values = land(tmp_path_factory.mktemp("land"))
    with source:
        yield source, values, MiniLM()


@pytest.fixture(scope="module")
def metals(tmp_path_factory):
    source, values = alloys(tmp_path_factory.mktemp("alloys"))
    with source:
        yield source, values, MiniLM()


def answers(question, place):
    found = interpret(question, *place)
    assert found.result is not None, found.reason
    return sorted(row if len(row) > 1 else row[0] for row in found.result.rows)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("what is the population of Elm", [2500]),
        ("how many people live in Brum", [4000]),
        ("which villages are in Midland", ["Brum", "Furt", "Garn"]),
        ("how many villages are in Midland", [3]),
        ("what is the largest region", ["Norland"]),
        ("what is the longest river in Midland", ["Ister"]),
        ("which regions does the Glan run through", ["Norland", "Sudland"]),
        ("what regions border Midland", ["Norland", "Ostland", "Sudland"]),
        ("which region has the most villages", ["Midland"]),
        ("what is the capital of the region with the smallest area", ["Dorn"]),
        ("what villages are in the largest region", ["Alvik", "Elm"]),
        ("which rivers do not run through Norland", ["Blau"]),
        (
            "number of villages for each region",
            [("Midland", 3), ("Norland", 2), ("Ostland", 1), ("Sudland", 1)],
        ),
        ("villages with more than two thousand people", ["Brum", "Elm"]),
    ],
)
def test_a_land(country, question, rows):
    assert answers(question, country) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("yield strength of Alpha 20", [450]),
        ("What is the elastic modulus of Beta 7 in GPa?", [210]),
        ("Which alloys have a yield strength above 0.4 GPa?", ["Alpha 20", "Beta 7"]),
        ("alloys with a density between 2 and 3 g/cm3", ["Beta 5", "Beta 7"]),
        ("alloys with a density of at least 3 and at most 8 g/cm3", ["Alpha 10", "Alpha 20"]),
        ("What is the average density of cast alloys?", [5.25]),
        ("Which alloy is the lightest?", ["Beta 5"]),
        ("Which alloys have no ultimate tensile strength?", ["Gamma X2"]),
        (
            "What are the top 2 alloys by density? Return the alloy and the density.",
            [("Gamma X1", 8.4), ("Gamma X2", 8.9)],
        ),
        ("how much denser is Alpha 20 than Beta 5", [5.2]),
        ("How many different states are there?", [3]),
        ("What is the highest density?", [8.9]),
        ("Which alloy has the highest density?", ["Gamma X2"]),
        ("What is the highest density alloy?", ["Gamma X2"]),
        ("Compare the density of Alpha 20 and Beta 5", [("Alpha 20", 7.9), ("Beta 5", 2.7)]),
    ],
)
def test_a_table_of_materials(metals, question, rows):
    found = answers(question, metals)
    assert [round(one, 6) if isinstance(one, float) else one for one in found] == rows


def test_a_reading_that_says_no_more_than_the_question_is_no_answer(country):
    found = interpret("what is Elm", *country)
    assert found.said == "village_name of village, where village_name is Elm"
    assert found.refused and "only repeat the question" in found.reason


@pytest.mark.parametrize("question", ["is Elm in Norland", "is there a village called Elm"])
def test_whether_something_is_so_is_answered_by_the_rows_that_say_it(country, question):
    found = interpret(question, *country)
    assert not found.refused and found.result.rows == (("Elm",),)


def test_every_word_is_explained(country):
    found = interpret("which villages are in Midland", *country)
    assert ("Midland", "a value of village.region_name") in found.mapping
    assert found.unmapped == ()
    assert found.said == "village_name of village, where region_name is Midland"
    assert not found.refused


def test_what_a_row_is_chosen_by_is_said_in_words(tmp_path):
    path = tmp_path / "heights.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE region (region_name TEXT, area REAL)")
        db.execute(
            "CREATE TABLE highlow (region_name TEXT, highest_point TEXT, highest_elevation TEXT)"
        )
        db.executemany("INSERT INTO region VALUES (?, ?)", [("Norland", 900), ("Midland", 400)])
        db.executemany(
            "INSERT INTO highlow VALUES (?, ?, ?)",
            [("Norland", "Tor", "812"), ("Midland", "Knoll", "97")],
        )
    db.close()
    with open_source(path) as source:
        found = interpret("which region has the highest elevation", source, build(source))
    said = dict(found.mapping)["highest elevation"]
    assert "Field(" not in said and "highest_elevation" in said


def test_a_bar_that_nobody_tells_is_asked_for(country):
    found = interpret("what are the major villages in Midland", *country)
    assert found.refused and "major" in found.reason


def test_what_a_question_says_itself_is_no_answer_to_it(metals):
    found = interpret("what is the melting point of Alpha 20", *metals)
    assert found.refused and "point" in found.reason
    assert not interpret("yield strength of Alpha 20", *metals).refused


def test_a_plot_is_of_the_rows_under_their_names(metals):
    for question in ("Plot the yield strength", "Could you show me a chart of yield strength?"):
        assert ("Alpha 20", 450) in answers(question, metals)
    drawn = answers("plot yield strength against density", metals)
    assert all(len(row) == 3 for row in drawn) and len(drawn) == len(answers("alloys", metals))


def test_what_a_database_does_not_hold_is_refused_by_name(country):
    found = interpret("which wizard invented the telescope for astronomy", *country)
    assert found.refused
    assert "wizard" in found.reason and "nearest" in found.reason


def test_the_nearest_columns_are_offered(country):
    assert nearest("lenght", scheme(country[0].database))[0] == "river.length"


def test_a_question_changes_nothing(metals):
    found = interpret("alloys; DROP TABLE alloy; -- with density above 8", *metals)
    assert found.refused or found.result is not None
    assert answers("how many alloys are there", metals) == [6]


@pytest.mark.parametrize(
    ("rows", "seconds", "ended"), [(1000, 0.5, False), (1000, 1.5, True), (1_000_000, 0.5, True)]
)
def test_reading_ends_early_only_where_a_table_is_large_or_much_time_is_gone(
    country, monkeypatch, rows, seconds, ended
):
    source, values, _ = country
    relations = tuple(replace(relation, rows=rows) for relation in source.database.relations)
    made = replace(source, database=replace(source.database, relations=relations))
    clock = chain([0.0], repeat(seconds))  # what it says first, and ever after
    monkeypatch.setattr(interpretation, "time", SimpleNamespace(perf_counter=lambda: next(clock)))
    held = scheme(source.database)
    found = interpretation.read(
        link("how many villages are in Midland", held, values, None), held, None
    )
    run = interpretation.tried(found, made, 100, 5.0)
    assert len(run) == len(found) > 1
    assert any(result is None for *_, result, _ in run) == ended
