from hypothesis import given
from hypothesis import strategies as st

from pincite.search.enclosing_text import Expand
from pincite.types import Anchor, Hit, Node, Query, Ranking

NODES = {
    one.id: one
    for one in (
        Node("root", "document", "A", Anchor("s")),
        Node("sec", "section", "1", Anchor("s", ((1, None),)), "root"),
        Node("sub", "section", "1.1", Anchor("s", ((1, None),)), "sec"),
        Node("p", "paragraph", "a b", Anchor("s", ((1, None),)), "sub"),
        Node("a", "sentence", "a", Anchor("s", ((1, None),)), "p"),
        Node("b", "sentence", "b", Anchor("s", ((1, None),)), "p"),
        Node("l", "list", "c", Anchor("s", ((2, None),)), "sec"),
        Node("c", "sentence", "c", Anchor("s", ((2, None),)), "l"),
        Node("t", "table", "1 2", Anchor("s", ((2, None),)), "root"),
        Node("pg1", "page", "a b", Anchor("s", ((1, None),)), "root"),
        Node("pg2", "page", "c", Anchor("s", ((2, None),)), "root"),
    )
}


class Tree:
    """A corpus of one document."""

    def nodes(self, ids):
        return [NODES[one] for one in ids if one in NODES]

    def nodes_by_id(self, ids):
        return {node.id: node for node in self.nodes(list(ids))}

    def places(self, ids):
        return {one: ("v", NODES[one].anchor.page) for one in ids if one in NODES}

    def page(self, version, page):
        return [
            one for one in NODES.values() if one.anchor.page == page and one.kind != "sentence"
        ]


def ranking(*hits):
    return Ranking(Query("q"), tuple(Hit(node, score, at) for node, score, at in hits))


def expanded(given, **how):
    return [(hit.node, hit.score, hit.at) for hit in Expand(Tree(), **how)(given).hits]


FOUND = ranking(
    ("c", 0.9, 0),
    ("a", 0.8, 0),
    ("t", 0.7, 3),
    ("p", 0.65, 0),
    ("b", 0.6, 0),
    ("t", 0.5, 1),
    ("root", 0.1, 0),
)


def test_sentences_become_their_blocks():
    assert expanded(FOUND) == [
        ("l", 0.9, 0),
        ("p", 0.8, 0),
        ("t", 0.7, 3),
        ("t", 0.5, 1),
        ("root", 0.1, 0),
    ]


def test_the_mean_of_what_was_found_inside():
    found = ranking(("a", 0.875, 0), ("c", 0.75, 0), ("b", 0.5, 0))
    assert expanded(found, score="mean") == [("l", 0.75, 0), ("p", 0.6875, 0)]


def test_the_nearest_section():
    assert expanded(FOUND, to="section") == [
        ("sec", 0.9, 0), ("sub", 0.8, 0), ("t", 0.7, 3), ("t", 0.5, 1), ("root", 0.1, 0),
    ]  # fmt: skip


def test_pages_each_once():
    assert expanded(FOUND, to="page") == [("pg2", 0.9, 0), ("pg1", 0.8, 0), ("root", 0.1, 0)]
    assert expanded(ranking(("pg1", 3.0, 2), ("pg1", 2.0, 5)), to="page") == [("pg1", 3.0, 0)]


def test_parts_are_the_best_of_each_search():
    found = Ranking(
        Query("q"),
        (
            Hit("a", 2.0, parts=(("words", 3, 5.0), ("meaning", 1, 0.9))),
            Hit("b", 1.0, parts=(("words", 1, 7.0),)),
        ),
    )
    (hit,) = Expand(Tree())(found).hits
    assert hit.parts == (("words", 1, 7.0), ("meaning", 1, 0.9))


def test_a_node_that_is_gone_stays():
    assert expanded(ranking(("gone", 1.0, 0)), to="section") == [("gone", 1.0, 0)]


HITS = st.lists(
    st.tuples(st.sampled_from(sorted(NODES)), st.integers(0, 99), st.integers(0, 2)),
    max_size=12,
    unique_by=lambda hit: (hit[0], hit[2]),
)


@given(
    hits=HITS,
    to=st.sampled_from(["paragraph", "section", "page"]),
    score=st.sampled_from(["best", "mean"]),
)
def test_each_once_best_first_and_again_the_same(hits, to, score):
    once = Expand(Tree(), to, score)(ranking(*sorted(hits, key=lambda hit: -hit[1])))
    assert len({(hit.node, hit.at) for hit in once.hits}) == len(once.hits)
    assert [hit.score for hit in once.hits] == sorted(
        (hit.score for hit in once.hits), reverse=True
    )
    if to == "page":
        assert Expand(Tree(), to, score)(once) == once
    if hits and score == "best":
        assert once.hits[0].score == max(score for _, score, _ in hits)
