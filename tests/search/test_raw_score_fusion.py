"""Joins of scores as they are, and less of a ranking: by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.formats.spell import spell
from pincite.search.cutoffs import AtLeast, First
from pincite.search.fusion import Behind, Highest
from pincite.types import Hit, Query, Ranking

QUERY = Query("q")


def ranking(name, **scores):
    return Ranking(
        QUERY,
        tuple(
            Hit(node, score, 0, ((name, at, score),))
            for at, (node, score) in enumerate(scores.items(), 1)
        ),
    )


def scores(made):
    return {hit.node: round(hit.score, 9) for hit in made.hits}


TEXT, BOTH = ranking("text", a=9.0, b=6.0, c=3.0), ranking("both", c=10.0, a=5.0, d=4.0)


def test_highest_takes_the_best_weighted_score():
    made = Highest((1.0, 0.8))([TEXT, BOTH])
    assert scores(made) == {"a": 9.0, "c": 8.0, "b": 6.0, "d": 3.2}
    assert list(scores(made)) == ["a", "c", "b", "d"]
    assert made.hits[1].parts == (("text", 3, 3.0), ("both", 1, 10.0))


def test_behind_keeps_the_first_ranking_and_puts_the_rest_below():
    assert scores(Behind()([TEXT, BOTH])) == {"a": 9.0, "b": 6.0, "c": 3.0, "d": 3.0}
    tall = ranking("tall", x=20.0, y=15.0, a=1.0)
    assert list(scores(Behind()([TEXT, tall])).items())[3:] == [("x", 3.0), ("y", -2.0)]


def test_weights_must_be_as_many_as_rankings():
    with pytest.raises(UsageError, match="as many weights"):
        Highest((1.0,))([TEXT, BOTH])


NODES = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.floats(-5, 5)),
    max_size=6,
    unique_by=lambda one: one[0],
)


@given(st.lists(NODES, min_size=1, max_size=3), st.sampled_from([Highest(), Behind()]))
def test_joins_permute_the_union(given_rankings, join):
    rankings = [
        Ranking(
            QUERY,
            tuple(Hit(node, score) for node, score in sorted(one, key=lambda pair: -pair[1])),
        )
        for one in given_rankings
    ]
    made = join(rankings)
    assert sorted(hit.node for hit in made.hits) == sorted(
        {hit.node for one in rankings for hit in one.hits}
    )
    assert [hit.score for hit in made.hits] == sorted(
        (hit.score for hit in made.hits), reverse=True
    )
    assert made.query == QUERY and len(made.hits) <= sum(len(one.hits) for one in rankings)


def test_cuts():
    assert First(2)(TEXT).hits == TEXT.hits[:2] and First(0)(TEXT).hits == ()
    assert scores(AtLeast()(ranking("r", a=0.5, b=0.0, c=-0.1))) == {"a": 0.5, "b": 0.0}
    assert spell(First(3) >> AtLeast(0.5)) == "First(k=3) >> AtLeast(least=0.5)"
