from dataclasses import dataclass, field
from threading import Barrier

import pytest

from pincite.errors import ModelUnreachable, UsageError
from pincite.formats.spell import spell
from pincite.search.fusion import Planned
from pincite.stage import (
    Each,
    Escalate,
    PlanResults,
    Route,
    Stage,
    Together,
    stages,
    traced,
    unfound,
)
from pincite.types import Draft, Hit, Plan, Query, Ranking


@dataclass(frozen=True)
class Find(Stage[Query, Ranking]):
    node: str

    def run(self, given):
        return Ranking(given, (Hit(self.node, 1.0),))


@dataclass(frozen=True)
class Say(Stage[Ranking, Draft]):
    word: str = "found"

    def run(self, given):
        return Draft(given.query, f"{self.word} {given.hits[0].node}", None)


@dataclass(frozen=True)
class Fail(Stage[Query, Draft]):
    def run(self, given):
        if given.text == "bad":
            raise UsageError("no such company")
        return Draft(given, given.text, None)


def joined(rankings):
    return Ranking(rankings[0].query, tuple(hit for ranking in rankings for hit in ranking.hits))


@dataclass(frozen=True)
class Listed(Stage[PlanResults[Draft], Draft]):
    def run(self, given):
        texts = (draft.text or draft.reason for draft in given.results)
        return Draft(given.question, " / ".join(texts), None)


def long(draft):
    return len(draft.text) > 7


def test_a_pipeline_is_a_value():
    assert Find("a") >> Say() == Find("a") >> Say()
    assert hash(Find("a") >> Say()) == hash(Find("a") >> Say())
    assert spell(Find("a") >> Say("it is")) == "Find(node='a') >> Say(word='it is')"


def test_then_runs_in_order_one_or_many():
    pipeline = Find("a") >> Say()
    assert pipeline(Query("q")).text == "found a"
    assert [draft.text for draft in pipeline.map([Query("q"), Query("r")])] == [
        "found a",
        "found a",
    ]


def test_together_joins_what_each_found():
    both = Together((Find("a"), Find("b")), join=joined)
    assert [hit.node for hit in both(Query("q")).hits] == ["a", "b"]
    assert both.map([Query("q")]) == [both(Query("q"))]


@dataclass(frozen=True)
class Remote(Find):
    """It ends only while two others of its kind run."""

    meeting: Barrier = field(repr=False, compare=False)

    @property
    def waits(self):
        return True

    def run(self, given):
        self.meeting.wait(timeout=5)
        return super().run(given)


def test_together_runs_what_waits_for_a_server_at_once_and_keeps_its_order():
    meeting = Barrier(3)
    every = tuple(Remote(node, meeting) for node in "abc")
    with traced() as spans:
        found = Together(every, join=joined)(Query("q"))
    assert [hit.node for hit in found.hits] == ["a", "b", "c"]
    assert [span.stage for span in spans[:3]] == [spell(stage) for stage in every]
    assert Together(every, join=joined).map([Query("q"), Query("r")])[0] == found


def test_each_goes_on_when_one_query_fails():
    plan = Plan(Query("all"), (Query("good"), Query("bad"), Query("fine")))
    assert (Each(Fail()) >> Listed())(plan).text == "good / no such company / fine"


def test_escalate_asks_the_dear_stage_only_when_needed():
    assert Escalate(Say("x"), Say("something longer"), enough=long)(
        Ranking(Query("q"), (Hit("n", 1.0),))
    ).text == ("something longer n")
    assert Escalate(Say("long enough"), Say("dear"), enough=long)(
        Ranking(Query("q"), (Hit("n", 1.0),))
    ).text == ("long enough n")


def test_route_names_the_routes_that_there_are():
    route = Route(by=lambda query: query.text, to={"a": Find("a")})
    assert route(Query("a")).hits[0].node == "a"
    try:
        route(Query("z"))
    except UsageError as error:
        assert "'z'" in str(error) and "a" in str(error)
    else:
        raise AssertionError


def test_the_stages_of_a_pipeline_are_all_that_stand_in_it():
    fork = Route(
        by=lambda query: query.text, to={"a": Find("a"), "b": Together((Find("c"),), joined)}
    )
    assert [spell(stage).partition("(")[0] for stage in stages(Say() >> fork)] == [
        "Say", "Say", "Route", "Find", "Together", "Find",
    ]  # fmt: skip


def test_tracing_happens_where_stages_meet():
    with traced() as spans:
        (Find("a") >> Say())(Query("what"))
    assert [(span.stage, span.given, span.made) for span in spans] == [
        ("Find(node='a')", "query 'what'", "1 hits"),
        ("Say()", "1 hits", "draft 'found a'"),
    ]
    assert all(span.seconds >= 0 for span in spans)


@dataclass(frozen=True)
class Away(Stage[Query, Draft]):
    def run(self, given):
        if given.text == "away":
            raise ModelUnreachable("nobody answers")
        return Draft(given, given.text, None)


def test_each_does_not_take_what_is_away_for_missing():
    with pytest.raises(ModelUnreachable, match="nobody"):
        Each(Away())(Plan(Query("all"), (Query("away"), Query("good"))))


@dataclass(frozen=True)
class Lost(Stage[Query, Ranking]):
    def run(self, given):
        if given.text == "bad":
            raise UsageError("no such field")
        return Ranking(given, (Hit(given.text, 1.0),))


def test_each_joins_planned_searches():
    plan = Plan(Query("all"), (Query("a"), Query("bad"), Query("b")))
    assert (Each(Lost(), lost=unfound) >> Planned(joined))(plan) == Ranking(
        Query("all"), (Hit("a", 1.0), Hit("b", 1.0))
    )


@dataclass(frozen=True)
class Meet(Stage[Query, Draft]):
    """Goes on only when both of its calls are under way."""

    barrier: Barrier = field(repr=False, compare=False)

    def run(self, given):
        self.barrier.wait(timeout=5)
        return Draft(given, given.text, None)


def test_each_runs_its_queries_at_once_and_keeps_their_spans_in_order():
    with traced() as spans:
        met = Each(Meet(Barrier(2)))(Plan(Query("all"), (Query("a"), Query("b"))))
    assert [draft.text for draft in met.results] == ["a", "b"]
    assert [span.given for span in spans] == ["query 'a'", "query 'b'", "2 queries"]
