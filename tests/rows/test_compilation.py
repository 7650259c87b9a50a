"""Programs as statements: what they find in a small database."""

import pytest

from pincite.rows.programs.compilation import statement
from pincite.rows.programs.program import (
    Aggregate,
    Best,
    Combined,
    Field,
    Nested,
    Related,
    RowQuery,
    Step,
    Test,
)
from tests.rows.land import alloys, land

HOME = Step(("region_name",), "region", ("region_name",))
ROWS = Step(("region_name",), "village", ("region_name",))


@pytest.fixture(scope="module")
def country(tmp_path_factory):
    source, _ = land(tmp_path_factory.mktemp("land"))
    with source:
        yield source


@pytest.fixture(scope="module")
def metals(tmp_path_factory):
    source, _ = alloys(tmp_path_factory.mktemp("alloys"))
    with source:
        yield source


def found(source, query):
    return [
        row if len(row) > 1 else row[0]
        for row in source.run(statement(query, source.database)).rows
    ]


def test_a_path_joins(country):
    query = RowQuery(
        "village",
        (Field("village_name"), Field("area", (HOME,))),
        (Test(Field("population"), ">", 2000),),
    )
    assert sorted(found(country, query)) == [("Brum", 400.0), ("Elm", 900.0)]


def test_related_rows_do_not_repeat_what_is_counted(country):
    small = Related((ROWS,), (Test(Field("population"), "<", 1000),))
    assert found(country, RowQuery("region", (Aggregate("count"),), (small,))) == [3]


def test_no_related_row(country):
    query = RowQuery(
        "region",
        (Field("region_name"),),
        (Related((Step(("region_name",), "river", ("traverse",)),), (), True),),
    )
    assert found(country, query) == ["Ostland"]


def test_the_best_keeps_ties_and_tests(country):
    query = RowQuery(
        "river",
        (Field("traverse"),),
        (Test(Field("length"), "<", 600),),
        best=Best(Field("length")),
    )
    assert sorted(found(country, query)) == ["Norland", "Sudland"]


def test_the_best_group(country):
    query = RowQuery(
        "village",
        (Field("region_name"),),
        group=(Field("region_name"),),
        best=Best(Aggregate("count")),
    )
    assert found(country, query) == ["Midland"]


def test_a_nested_set_and_a_nested_value(country):
    largest = RowQuery("region", (Field("region_name"),), best=Best(Field("area")))
    assert sorted(
        found(
            country,
            RowQuery(
                "village", (Field("village_name"),), (Test(Field("region_name"), "in", largest),)
            ),
        )
    ) == ["Alvik", "Elm"]
    mean = RowQuery("village", (Aggregate("avg", Field("population")),))
    above = RowQuery(
        "village", (Field("village_name"),), (Test(Field("population"), ">", Nested(mean)),)
    )
    assert sorted(found(country, above)) == ["Brum", "Elm"]


def test_a_word_in_a_numeric_column_is_no_number(metals):
    strong = RowQuery("alloy", (Field("alloy"),), (Test(Field("yield_strength_mpa"), ">", 250),))
    assert sorted(found(metals, strong)) == ["Alpha 20", "Beta 7"]
    assert found(metals, RowQuery("alloy", (Aggregate("max", Field("yield_strength_mpa")),))) == [
        520
    ]
    yields = Field("yield_strength_mpa")
    best = RowQuery("alloy", (yields,), best=Best(yields, largest=True))
    first = RowQuery("alloy", (yields,), order=((yields, True),), limit=1)
    assert found(metals, best) == found(metals, first) == [520]


def test_empty_and_negated(metals):
    assert found(
        metals, RowQuery("alloy", (Field("alloy"),), (Test(Field("tensile"), "null"),))
    ) == ["Gamma X2"]
    assert found(
        metals,
        RowQuery("alloy", (Aggregate("count"),), (Test(Field("state"), "null", negated=True),)),
    ) == [5]
    assert found(
        metals,
        RowQuery(
            "alloy", (Aggregate("count"),), (Test(Field("state"), "=", "cast", negated=True),)
        ),
    ) == [4]


def test_letters_are_compared_without_case_and_without_wildcards(metals):
    assert sorted(
        found(
            metals,
            RowQuery("alloy", (Field("alloy"),), (Test(Field("alloy"), "begins", "alpha"),)),
        )
    ) == [
        "Alpha 10",
        "Alpha 20",
    ]
    assert (
        found(
            metals, RowQuery("alloy", (Field("alloy"),), (Test(Field("alloy"), "contains", "%"),))
        )
        == []
    )


def test_a_quotient_is_not_cut_and_nothing_over_zero(metals):
    ratio = RowQuery(
        "alloy",
        (Combined("/", Field("yield_strength_mpa"), Field("tensile")),),
        (Test(Field("alloy"), "=", "Alpha 20"),),
    )
    assert found(metals, ratio) == [0.75]


def test_values_are_bound_and_never_text_of_the_statement(metals):
    query = RowQuery(
        "alloy", (Field("alloy"),), (Test(Field("state"), "=", "x'; DROP TABLE alloy; --"),)
    )
    assert "DROP" not in str(statement(query, metals.database))
    assert found(metals, query) == []
