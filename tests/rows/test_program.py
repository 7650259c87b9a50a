"""Programs in words, and the fields and queries inside them."""

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
    explain,
    fields,
)

TO_REGION = Step(("region",), "regions", ("name",))
LARGE = RowQuery("regions", (Field("name"),), best=Best(Field("area")))


def test_a_query_is_said_in_words():
    query = RowQuery(
        "villages",
        (Field("name"),),
        (Test(Field("people"), ">=", 300),),
        order=((Field("people"), True),),
        limit=2,
    )
    assert (
        explain(query) == "name of villages, where people at least 300, by people falling, first 2"
    )


def test_groups_and_measures_are_said():
    query = RowQuery(
        "villages", (Field("region"), Aggregate("avg", Field("people"))), group=(Field("region"),)
    )
    assert explain(query) == "region, average of people of villages, for each region"


def test_nested_sets_are_said_inside():
    query = RowQuery("villages", (Aggregate("count"),), (Test(Field("region"), "in", LARGE),))
    assert (
        explain(query)
        == "number of rows of villages, where region among (name of regions, with the largest area)"
    )


def test_related_rows_are_said():
    assert (
        explain(Related((TO_REGION,), (Test(Field("area"), "<", 9),), negated=True))
        == "no regions where area below 9"
    )


def test_fields_are_those_of_the_query_itself():
    half = RowQuery("regions", (Aggregate("avg", Field("area")),))
    query = RowQuery(
        "villages",
        (Field("name"), Combined("-", Field("people"), Nested(half))),
        (Test(Field("region"), "in", LARGE),),
        best=Best(Field("area", (TO_REGION,))),
    )
    assert [one.column for one in fields(query)] == ["name", "people", "area", "region"]
