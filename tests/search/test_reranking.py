from dataclasses import dataclass

import pytest

from pincite.errors import UsageError
from pincite.search.reranking import Rerank
from pincite.types import Anchor, Hit, Node, Query, Ranking


class Pages:
    """A corpus of one document: paragraph "1a" stands on page 1, whose node is "p1"."""

    def places(self, ids):
        return {one: ("v", int(one[1] if one[0] == "p" else one[0])) for one in ids}

    def page(self, version, page):
        return [
            Node(f"p{page}", "page", f"page {page}", Anchor("s")),
            Node(f"{page}a", "paragraph", "one", Anchor("s")),
        ]

    def nodes(self, ids):
        return [Node(one, "paragraph", f"node {one}", Anchor("s")) for one in ids]

    def nodes_by_id(self, ids):
        return {node.id: node for node in self.nodes(list(ids))}


@dataclass(frozen=True)
class Scores:
    """Scores by text; keeps what it was shown."""

    by_text: tuple[tuple[str, float], ...]
    shown = []

    def score(self, query, texts):
        self.shown[:] = [query, *texts]
        return [dict(self.by_text)[text] for text in texts]


FOUND = Ranking(
    Query("q"), (Hit("1a", 9.0), Hit("2a", 7.0), Hit("1b", 6.0), Hit("3a", 5.0), Hit("4a", 1.0))
)


def test_pages_are_judged_once_and_weighed_with_the_first_stage():
    scorer = Scores((("page 1", 0.2), ("page 2", 0.9), ("page 3", 0.2)))
    ranked = Rerank(scorer, Pages(), depth=3, weight=0.7)(FOUND)
    assert scorer.shown == ["q", "page 1", "page 2", "page 3"]
    # first stage of pages 1, 2, 3: 9, 7, 5 -> 1, .5, 0
    assert [(hit.node, round(hit.score, 6)) for hit in ranked.hits] == [
        ("2a", 0.78),  # .3 x .5 + .7 x .9
        ("1a", 0.44),  # .3 x 1 + .7 x .2
        ("3a", 0.14),  # .3 x 0 + .7 x .2
        ("4a", 0.14),  # not judged: behind, and no higher than the last that was
    ]


def test_equal_scores_stay_in_the_order_of_the_first_stage():
    found = Ranking(Query("q"), (Hit("1a", 1.0), Hit("2a", 1.0), Hit("3a", 1.0)))
    ranked = Rerank(Scores((("page 1", 0.5), ("page 2", 0.5), ("page 3", 0.5))), Pages())(found)
    assert [hit.node for hit in ranked.hits] == ["1a", "2a", "3a"]


def test_nodes_can_be_shown_instead_of_pages():
    scorer = Scores(
        tuple((f"node {one}", score) for one, score in (("1a", 0.0), ("2a", 0.0), ("1b", 1.0)))
    )
    assert Rerank(scorer, Pages(), depth=3, weight=1.0, show="node")(FOUND).hits[0] == Hit(
        "1b", 1.0
    )


def test_nothing_found_stays_nothing():
    nothing = Ranking(Query("q"), ())
    assert Rerank(Scores(()), Pages())(nothing) == nothing


@pytest.mark.parametrize("score", [1.5, -0.1, float("nan")])
def test_scores_outside_zero_and_one_are_refused(score):
    with pytest.raises(UsageError, match="sigmoid"):
        Rerank(Scores((("page 1", score),)), Pages())(Ranking(Query("q"), (Hit("1a", 1.0),)))
