from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from pincite.formats.spell import spell
from pincite.lab.experiments.shared_rankings import (
    Rankings,
    Shared,
    leftmost,
    share,
    taking,
    times_used,
)
from pincite.stage import Stage, Then, Together
from pincite.storage.ledger import Ledger
from pincite.types import Hit, Query, Ranking, Usage

CALLS = []


@dataclass(frozen=True, slots=True)
class Seek(Stage[Query, Ranking]):
    """Finds itself, and counts."""

    name: str
    ledger: Ledger | None = field(default=None, repr=False, compare=False)

    def run(self, given):
        CALLS.append((self.name, given.text))
        if self.ledger is not None:
            self.ledger.settle(
                self.ledger.reserve("m", Decimal(1)), Usage(100, 10), Decimal("0.5"), 0.1
            )
        return Ranking(
            given, (Hit(f"{self.name} of {given.text}", 0.1, 2, ((self.name, 1, 0.1),)),)
        )


@dataclass(frozen=True, slots=True)
class Top(Stage[Ranking, Ranking]):
    """Passes on."""

    n: int

    def run(self, given):
        CALLS.append(("top", self.n))
        return given


@dataclass(frozen=True, slots=True)
class Say(Stage[Query, Query]):
    """Changes a question."""

    def run(self, given):
        return Query(given.text.upper(), given.where)


def both(rankings):
    return Ranking(rankings[0].query, tuple(hit for one in rankings for hit in one.hits))


@pytest.fixture
def rankings(tmp_path):
    CALLS.clear()
    made = Rankings(tmp_path / "kept.sqlite")
    yield made
    made.close()


def bind(stages, rankings, corpus="c1"):
    used = times_used(stages)
    return [share(one, used, rankings, lambda spelling: f"{corpus} {spelling}") for one in stages]


def test_a_line_is_grouped_from_the_left():
    line = Then(Seek("a"), Then(Top(1), Top(2)))
    assert leftmost(line) == Then(Then(Seek("a"), Top(1)), Top(2))
    assert spell(leftmost(line)) == spell(line)


def test_what_two_pipelines_begin_with_runs_once(rankings):
    stages = [Seek("a") >> Top(1) >> Top(n) for n in (2, 3)] + [Seek("a") >> Top(9)]
    bound = bind(stages, rankings)
    query = Query("q", (("document", ("d",)),), "number")
    made = [one(query) for one in bound]
    assert made == [one.run(query) for one in stages]
    CALLS.clear()
    again = [one.map([query]) for one in bound]
    assert again == [[one] for one in made]
    assert CALLS == [("top", 2), ("top", 3), ("top", 9)]
    # of the two that share `Seek >> Top(1)` the second took it, the third took `Seek` alone
    assert (rankings.made, rankings.found) == (2, 2 + 3)


def test_only_what_is_shared_is_kept(rankings):
    alone = Together((Seek("a"), Seek("b")), join=both)
    (bound,) = bind([alone], rankings)
    assert bound == alone
    left, right = bind([alone, Together((Seek("b"), Seek("c")), join=both)], rankings)
    assert (
        left.stages[0] == Seek("a")
        and isinstance(left.stages[1], Shared)
        and isinstance(right.stages[0], Shared)
    )
    assert spell(left) == spell(alone)
    # what stands only inside a shared stage is not kept a second time
    outer, _ = bind([alone >> Top(1), alone >> Top(2)], rankings)
    assert isinstance(outer.first, Shared) and outer.first.stage == alone


def test_rankings_come_back_as_they_were_for_other_processes_and_not_for_another_corpus(
    rankings, tmp_path
):
    query = Query("q", (("document", ("d", "e")),), "number", "kg", "forbid", "no")
    pair = [Seek("a") >> Top(1), Seek("a") >> Top(2)]
    first = bind(pair, rankings)[0](query)
    other = Rankings(tmp_path / "kept.sqlite")
    CALLS.clear()
    assert bind(pair, other)[1](query) == first == pair[0].run(query)
    assert CALLS.count(("a", "q")) == 1  # the line that is run here to compare
    bind(pair, other, corpus="c2")[0](query)
    assert CALLS.count(("a", "q")) == 2
    other.close()


def test_other_queries_and_other_outputs(rankings):
    pair = [Say() >> Seek("a") >> Top(n) for n in (1, 2)]
    bound = bind(pair, rankings)
    made = [one.map([Query("q"), Query("r"), Query("q")]) for one in bound]
    assert [hit.node for one in made[1] for hit in one.hits] == ["a of Q", "a of R", "a of Q"]
    assert CALLS.count(("a", "Q")) == 1 and CALLS.count(("a", "R")) == 1
    assert made[0] == made[1]


def test_who_takes_a_ranking_is_told_what_it_took(rankings):
    ledger = Ledger()
    pair = [Seek("a", ledger) >> Top(n) for n in (1, 2)]
    first, second = bind(pair, rankings)
    queries = [Query("q"), Query("r")]
    with taking() as taken:
        first.map(queries)
    assert taken == []
    with taking() as taken:
        second.map(queries)
    assert (
        sum(one.usage.input for one in taken) == 200
        and sum(one.usage.output for one in taken) == 20
    )
    assert sum(one.cost for one in taken) == 1
    assert all(one.seconds > 0 for one in taken)
