"""Numbers with what they count; slips are met with what is near: names, filters, units."""

import pytest

from pincite.errors import CorpusError, UsageError
from pincite.question.named_unit import named_unit
from pincite.search.filters import held_filters, where_of
from pincite.text.wording import counted, did_you_mean, nearest


def test_names_that_contain_a_name_come_before_those_spelled_alike():
    known = ["Corning Incorporated", "Cornwall Mining", "Nike, Inc."]
    assert nearest("corn", known) == ["Corning Incorporated", "Cornwall Mining"]
    assert nearest("Cornig", known)[0] == "Corning Incorporated"
    assert nearest("xyz", known) == [] == nearest("", known)


def test_a_question_follows_a_message_only_where_something_is_near():
    assert did_you_mean("nikee", ["Nike, Inc.", "Puma"]) == " Did you mean 'Nike, Inc.'?"
    assert did_you_mean("xyz", ["Nike, Inc."]) == ""


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        ({"company": "Nike"}, (("company", ("Nike",)),)),
        ({"year": 2023}, (("year", ("2023",)),)),
        (
            {"year": [2022, "2023"], "company": ("Nike",)},
            (("year", ("2022", "2023")), ("company", ("Nike",))),
        ),
        ((("company", ("Nike",)),), (("company", ("Nike",)),)),
        ({}, ()),
    ],
)
def test_filters_are_a_mapping_or_pairs(given, pairs):
    assert where_of(given) == pairs


def test_what_is_no_filter_says_how_one_is_written():
    with pytest.raises(UsageError, match=r'\{"company": "Nike"\}'):
        where_of(("company", "Nike"))


def test_a_filter_that_no_document_fits_names_what_is_near(library):
    corpus = library.corpus
    fits = (("company", ("Solvik Energy AS",)), ("year", ("2023",)))
    assert held_filters(corpus, fits) == fits
    with pytest.raises(UsageError, match="Did you mean 'Solvik Energy AS'"):
        held_filters(corpus, (("company", ("Solvk",)),))
    with pytest.raises(CorpusError, match="Did you mean 'company'"):
        held_filters(corpus, (("compny", ("Solvik Energy AS",)),))
    with pytest.raises(UsageError, match="at once"):
        held_filters(corpus, (("company", ("Solvik Energy AS",)), ("year", ("2024",))))


@pytest.mark.parametrize(
    "unit",
    [
        "",
        "EUR",
        "million USD",
        "USD millions",
        "GWh",
        "kg/t",
        "tonnes of CO2",
        "basis points",
        "furlong",
        "%",
    ],
)
def test_units_that_are_known(unit):
    assert named_unit(unit, "What was it?") == unit


def test_a_thing_that_the_question_counts_is_a_unit():
    assert named_unit("patents", "How many patents does it hold?") == "patents"
    with pytest.raises(UsageError, match="not a known unit"):
        named_unit("patents", "What was revenue?")


@pytest.mark.parametrize(
    ("unit", "near"), [("kilowathours", "kWh"), ("florps", "FLOP"), ("euross", "EUR")]
)
def test_a_unit_that_is_not_known_names_near_ones(unit, near):
    with pytest.raises(UsageError, match=near):
        named_unit(unit, "What was it?")


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (1, "answer", "1 answer"),
        (0, "answer", "0 answers"),
        (1204, "column name", "1,204 column names"),
        (2, "index", "2 indexes"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
        (2, "person", "2 people"),
        (1, "more row", "1 more row"),
    ],
)
def test_a_noun_follows_its_number(number, noun, said):
    assert counted(number, noun) == said
