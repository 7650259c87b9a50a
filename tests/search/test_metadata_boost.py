import pytest

from pincite.corpus import Entryless
from pincite.errors import UsageError
from pincite.search.named_documents import Boost
from pincite.types import Anchor, Hit, Node, Query, Ranking


def entry(number, title="", **meta):
    return Entryless(f"d{number}.pdf", f"v{number}", "s", title, "", "", 9, 0, meta)


class Shelf:
    """A corpus of four papers; node "2x" is in the second, "2root" is its root."""

    documents = (
        entry(1, authors="Mara Okonjo, Li Wei", year="2019"),
        entry(2, authors="Sven Halloran", year="2023"),
        entry(3, authors="Mara Okonjo", year="2021"),
        entry(4, authors="Priya Venn", year="2020"),
    )

    def places(self, ids):
        return {one: (f"v{one[0]}", 0 if one.endswith("root") else 1) for one in ids}

    def nodes(self, ids):
        return [
            Node(one, "document" if one.endswith("root") else "section", "", Anchor("s"))
            for one in ids
        ]

    def nodes_by_id(self, ids):
        return {node.id: node for node in self.nodes(list(ids))}


CORPUS = Shelf()


def boosted(question, *hits, **how):
    found = Ranking(Query(question), tuple(Hit(node, score) for node, score in hits))
    return [(hit.node, round(hit.score, 6)) for hit in Boost(CORPUS, **how)(found).hits]


FOUND = (("2a", 0.6), ("1a", 0.5), ("3a", 0.4))


def test_the_documents_of_a_named_author_weigh_twice():
    assert boosted("What does Okonjo report?", *FOUND) == [("1a", 1.0), ("3a", 0.8), ("2a", 0.6)]
    assert boosted("What does Okonjo report?", *FOUND, metadata=3.0) == [
        ("1a", 1.5),
        ("3a", 1.2),
        ("2a", 0.6),
    ]


def test_the_year_tells_the_documents_of_one_author_apart():
    # the one of another year is meant with .3 (the paper is older than the question's year)
    assert boosted("What did Okonjo report in 2021?", *FOUND) == [
        ("3a", 0.8), ("1a", round(0.5 * 2**0.3, 6)), ("2a", 0.6),
    ]  # fmt: skip


def test_a_year_alone_is_a_hint_too():
    assert boosted("What was emitted in 2021?", *FOUND) == [("3a", 0.8), ("2a", 0.6), ("1a", 0.5)]
    assert boosted("What was emitted in 2021?", *FOUND, hints=("name",)) == list(FOUND)


def test_without_a_hint_nothing_changes():
    assert boosted("How much energy is used?", ("1a", -2.0), ("2a", -3.0)) == [
        ("1a", -2.0),
        ("2a", -3.0),
    ]


def test_negative_scores_cannot_be_multiplied():
    with pytest.raises(UsageError, match=r"-3\.5: take the sigmoid"):
        boosted("What does Okonjo report?", ("1a", 2.0), ("2a", -3.5))
