"""Learned fusion against hand-computed scores, the weighted sum that it contains, and the optimum of its loss."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.search.fusion import WeightedSum
from pincite.search.learned_weights import Learned, features, fit, merged, names_of
from pincite.spell import spell
from pincite.types import Hit, Query, Ranking


def ranking(view, **scores):
    ordered = sorted(scores.items(), key=lambda one: -one[1])
    hits = (
        Hit(node, score, parts=((view, rank, score),))
        for rank, (node, score) in enumerate(ordered, 1)
    )
    return Ranking(Query("q"), tuple(hits))


ONE, TWO = ranking("x", a=3.0, b=1.0), ranking("y", b=2.0, c=0.0)


def test_features_are_scores_over_the_lowest_ranks_and_presence():
    both = merged((ONE, TWO))
    names = ("x score", "x rank", "x found", "y score", "y rank", "y found")
    assert names_of([both]) == names
    rows = dict(zip((hit.node for hit in both.hits), features(both, names).tolist(), strict=True))
    assert rows == {
        "a": [2, 1, 1, 0, 0, 0],  # 3 and 1 are one standard deviation around their mean
        "b": [0, 0.5, 1, 2, 1, 1],
        "c": [0, 0, 0, 0, 0.5, 1],
    }


def test_hits_are_ordered_by_the_weighted_sum_of_features():
    made = Learned({"x score": 1.0, "y score": 1.5, "y found": -0.25})((ONE, TWO))
    assert [(hit.node, hit.score) for hit in made.hits] == [("b", 2.75), ("a", 2.0), ("c", -0.25)]
    assert dict((hit.node, hit.parts) for hit in made.hits)["b"] == (("x", 2, 1.0), ("y", 1, 2.0))


def test_it_spells_itself():
    assert (
        spell(Learned({"y score": 0.5, "x score": 1.0}))
        == "Learned(weights={'x score': 1.0, 'y score': 0.5})"
    )


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-50, 50).map(float), min_size=1)


@given(SCORES, SCORES, st.floats(0.1, 3), st.floats(0.1, 3))
def test_with_scores_alone_it_is_the_weighted_sum_of_z_scores(one, two, first, second):
    rankings = ranking("x", **one), ranking("y", **two)
    learned = Learned({"x score": first, "y score": second})(rankings)
    summed = WeightedSum((first, second), by="node")(rankings)
    apart = summed.hits[0].score - learned.hits[0].score
    assert {hit.node: round(hit.score + apart, 6) for hit in learned.hits} == pytest.approx(
        {hit.node: round(hit.score, 6) for hit in summed.hits}, abs=1e-5
    )


def test_the_fit_is_the_optimum_of_the_penalised_likelihood():
    # one query, one feature (1 for the relevant hit, 0 for the other), whose standard deviation is 1/2: in units of it
    # the loss is ln(1 + e^-2w) + w^2 / 2, least where w = 2 / (1 + e^2w)
    found = Ranking(Query("q"), (Hit("a", 1.0, parts=(("x", 0, 5.0),)), Hit("b", 1.0)))
    learned = fit([found], [[True, False]])
    assert list(learned.weights) == ["x found"]
    w = learned.weights["x found"] / 2
    assert w == pytest.approx(2 / (1 + math.exp(2 * w)), abs=1e-6)


def test_what_separates_the_relevant_gets_the_weight():
    rng = np.random.default_rng(0)
    rankings, wanted = [], []
    for _ in range(40):
        good = dict(zip("abcdef", rng.normal(size=6), strict=True))
        noise = dict(zip("abcdef", rng.normal(size=6), strict=True))
        both = merged((ranking("good", **good), ranking("noise", **noise)))
        rankings.append(both)
        wanted.append([hit.node == max(good, key=good.get) for hit in both.hits])
    learned = fit(rankings, wanted)
    top = [learned.ranked(one).hits[0].node for one in rankings]
    right = [one.hits[flags.index(True)].node for one, flags in zip(rankings, wanted, strict=True)]
    assert top == right
    assert learned.weights["good score"] > 5 * abs(learned.weights["noise score"])


def test_nothing_to_learn_from_is_said():
    with pytest.raises(UsageError, match="nothing to learn from"):
        fit([ONE], [[False, False]])
