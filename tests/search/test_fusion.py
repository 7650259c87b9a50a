import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.search.fusion import (
    RRF,
    DistributionScore,
    DomainSoftmax,
    FrequencyScore,
    Planned,
    RelativeScore,
    WeightedSum,
)
from pincite.stage import PlanResults
from pincite.types import Hit, Query, Ranking

QUERY = Query("q")


def ranking(view, **scores):
    pairs = sorted(scores.items(), key=lambda pair: -pair[1])
    return Ranking(
        QUERY,
        tuple(
            Hit(node, score, parts=((view, rank, score),))
            for rank, (node, score) in enumerate(pairs, 1)
        ),
    )


def scores(fused):
    return {hit.node: hit.score for hit in fused.hits}


TEXT = ranking("text", a=9.0, b=5.0, c=1.0)
TABLE = ranking("table", b=0.8, d=0.2)


def test_rrf_by_hand():
    fused = RRF(k=60)([TEXT, TABLE])
    assert scores(fused) == pytest.approx(
        {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62}
    )
    assert [hit.node for hit in fused.hits] == ["b", "a", "d", "c"]
    assert fused.hits[0].parts == (("text", 2, 5.0), ("table", 1, 0.8))


def test_rrf_weighs_by_view():
    assert scores(RRF(k=60, by_view={"table": 2.0})([TEXT, TABLE]))["b"] == pytest.approx(
        1 / 62 + 2 / 61
    )


def test_relative_score_by_hand():
    fused = RelativeScore(weights=(0.25, 0.75))([TEXT, TABLE])
    assert scores(fused) == pytest.approx({"a": 0.25, "b": 0.25 * 0.5 + 0.75, "c": 0.0, "d": 0.0})


def test_distribution_score_by_hand():
    # text: mean 5, deviation sqrt(32 / 3); a stands 4 above the mean.
    deviation = math.sqrt(32 / 3)
    assert scores(DistributionScore()([TEXT]))["a"] == pytest.approx(
        (4 + 3 * deviation) / (6 * deviation)
    )


def test_zscore_sum_gives_the_absent_the_lowest():
    deviation = math.sqrt(32 / 3)
    fused = scores(WeightedSum(weights=(2.0, 1.0))([TEXT, TABLE]))
    assert fused["a"] == pytest.approx(2 * 4 / deviation - 1)
    assert fused["b"] == pytest.approx(0 + 1)
    assert fused["d"] == pytest.approx(2 * -4 / deviation - 1)


def test_domain_softmax_by_hand():
    rows, pages = ranking("row", a=0.9, b=0.1), ranking("page", c=0.5)
    fused = scores(DomainSoftmax(top=1, temperature=0.5)([rows, pages]))
    weight = math.exp(0.9 / 0.5) / (math.exp(0.9 / 0.5) + math.exp(0.5 / 0.5))
    assert fused == pytest.approx({"a": weight * 0.9, "b": weight * 0.1, "c": (1 - weight) * 0.5})


def test_domain_softmax_over_logits_lowers_what_is_negative():
    """As the thesis writes it: scores in R, where the weight of a good domain makes its bad hits worse."""
    rows, pages = ranking("row", a=0.9, b=0.2), ranking("page", c=0.5)
    logit = {
        name: math.log(score / (1 - score))
        for name, score in {"a": 0.9, "b": 0.2, "c": 0.5}.items()
    }
    mean = (logit["a"] + logit["b"]) / 2
    weight = math.exp(mean) / (math.exp(mean) + math.exp(logit["c"]))
    fused = scores(DomainSoftmax(top=2, logits=True)([rows, pages]))
    assert fused == pytest.approx({"a": weight * logit["a"], "b": weight * logit["b"], "c": 0.0})
    ends = scores(
        DomainSoftmax(logits=True)([ranking("row", a=1.0, b=0.0), ranking("page", c=1.0)])
    )
    assert all(map(math.isfinite, ends.values()))


def test_raw_sums_need_scores_in_0_1():
    with pytest.raises(UsageError, match=r"\[0, 1\], but a hit has 9: take the sigmoid"):
        DomainSoftmax()([TEXT, TABLE])


def test_weights_must_match():
    with pytest.raises(UsageError, match="2 rankings .* got 3"):
        RRF(weights=(1, 2, 3))([TEXT, TABLE])


JOINS = [RRF(), RelativeScore(), DistributionScore(), WeightedSum(), DomainSoftmax()]
RANKINGS = st.lists(
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 1024).map(lambda n: n / 1024)).map(
        lambda one: ranking("v", **one)
    ),
    max_size=4,
)


@pytest.mark.parametrize("join", JOINS)
@given(rankings=RANKINGS)
def test_a_join_is_a_permutation_of_the_union(join, rankings):
    fused = join(rankings)
    nodes = [hit.node for hit in fused.hits]
    assert len(nodes) == len(set(nodes))
    assert set(nodes) == {hit.node for one in rankings for hit in one.hits}
    assert [hit.score for hit in fused.hits] == sorted(
        (hit.score for hit in fused.hits), reverse=True
    )


@pytest.mark.parametrize("join", [join for join in JOINS if not isinstance(join, DomainSoftmax)])
@given(one=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.1, 0.2, 0.4, 0.8])))
def test_one_ranking_keeps_its_order(join, one):
    alone = ranking("v", **one)
    assert [hit.node for hit in join([alone]).hits] == [hit.node for hit in alone.hits]


@pytest.mark.parametrize("join", [RRF(), RelativeScore(), DistributionScore(), WeightedSum()])
@given(
    rankings=RANKINGS.filter(lambda some: all(one.hits for one in some)),
    scale=st.sampled_from([0.5, 2.0, 4.0]),
)
def test_joins_do_not_see_the_scale_of_scores(join, rankings, scale):
    def scaled(one):
        return Ranking(
            QUERY, tuple(Hit(hit.node, hit.score * scale, parts=hit.parts) for hit in one.hits)
        )

    before, after = join(rankings), join([scaled(one) for one in rankings])
    assert scores(after) == pytest.approx(scores(before), abs=1e-6)


def test_by_node_keeps_the_best_window_of_each():
    windows = Ranking(QUERY, (Hit("a", 3.0, 1), Hit("a", 2.0, 0), Hit("b", 1.0, 4)))
    fused = RRF(k=60, by="node")([windows, ranking("text", b=1.0)])
    assert scores(fused) == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61})
    assert [(hit.node, hit.at) for hit in fused.hits] == [("b", 4), ("a", 1)]


def test_equal_scores_have_no_spread():
    same = ranking("v", a=0.1, b=0.1, c=0.1)
    assert scores(WeightedSum()([same])) == {"a": 0.0, "b": 0.0, "c": 0.0}


def test_frequency_and_score_over_planned_queries():
    first = Ranking(Query("a"), (Hit("x", 0.8), Hit("y", 0.6), Hit("x", 0.5, at=1)))
    second = Ranking(Query("b"), (Hit("y", 0.4), Hit("z", 0.9)))
    joined = Planned(FrequencyScore())(PlanResults(Query("asked"), (first, second)))
    assert joined.query == Query("asked")
    # y: 2 of 2 and 1.0 of 1.0; z: 1 of 2 and .9; x: 1 of 2 and .8
    assert [(hit.node, round(hit.score, 6)) for hit in joined.hits] == [
        ("y", 1.0),
        ("z", 0.74),
        ("x", 0.68),
    ]
    with pytest.raises(UsageError, match="negative"):
        FrequencyScore()((Ranking(Query("a"), (Hit("x", -1.0),)),))
    assert FrequencyScore()((Ranking(Query("a"), ()),)).hits == ()
