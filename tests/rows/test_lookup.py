"""What is answered without a language model: a column by its name, of a row by a value that stands in it."""

import pytest

from pincite.rows.clean_source import CleanSource
from pincite.rows.reading_rows import LOOKED_UP, interpreted
from tests.rows.land import alloys, land


@pytest.fixture(scope="module")
def country(tmp_path_factory):
    source, values = land(tmp_path_factory.mktemp("land"))
    with source:
        yield CleanSource(source, values)


@pytest.fixture(scope="module")
def metals(tmp_path_factory):
    source, values = alloys(tmp_path_factory.mktemp("alloys"))
    with source:
        yield CleanSource(source, values)


def rows(question, source):
    found = interpreted(question, source)
    assert not found.refused and found.confidence == LOOKED_UP
    return found.result.rows


def test_a_column_and_a_value_are_looked_up(country, metals):
    assert rows("What is the population of Elm?", country) == ((2500,),)
    assert rows("What is the density of Alpha 20?", metals) == ((7.9,),)
    assert rows("What is the yield strength of Beta 7?", metals) == ((520,),)


def test_every_word_is_explained(metals):
    found = interpreted("What is the density of Alpha 20?", metals)
    assert ("Alpha 20", "alloy = Alpha 20") in found.mapping
    assert ("density", "density") in found.mapping and found.unmapped == ()
    assert (
        found.asked
        == """SELECT "alloy"."density" FROM "alloy" WHERE "alloy"."alloy" = 'Alpha 20'"""
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many villages are in Midland?",  # counts
        "What is the population of the villages?",  # names no row
        "What is the hardness of Alpha 20?",  # names no column
        "Does the density of Alpha 20 please the captain?",  # has words that nothing explains
        "What is Elm?",  # asks for no column
        "Which village has the highest population?",  # compares
        "alloys; DROP TABLE alloy; -- density of Alpha 20",
    ],
)
def test_what_is_no_lookup_is_refused_without_a_model(country, metals, question):
    for source in (country, metals):
        found = interpreted(question, source)
        assert found.refused and found.result is None
        assert found.reason.startswith("without a language model only")


def test_a_question_changes_nothing(metals):
    interpreted("Alpha 20; DELETE FROM alloy; density", metals)
    assert metals.source.run("SELECT COUNT(*) FROM alloy").rows == ((6,),)
