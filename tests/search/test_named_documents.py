import sqlite3
from dataclasses import dataclass

import pytest

from pincite.corpus import Corpus, Generation
from pincite.indexing import Wanted
from pincite.search.document_routing import route
from pincite.search.named_documents import AlsoNamed, PreferNamed, catalogue
from pincite.stage import Stage
from pincite.types import Hit, Query, Ranking
from pincite.workbench.library import index


@dataclass(frozen=True)
class Paper:
    id: str
    title: str = ""
    meta: tuple = ()
    relation: bool = False
    declared: tuple = ()

    def __post_init__(self):
        object.__setattr__(self, "meta", dict(self.meta))
        object.__setattr__(self, "declared", dict(self.declared))


class Shelf3:
    """A corpus of three documents; pages are named document:page."""

    documents = (Paper("contoso.pdf"), Paper("fabrikam.pdf"), Paper("tailspin.pdf"))
    generation = Generation(1, "", (), {})


SCORES = {"contoso.pdf:1": 9.0, "contoso.pdf:2": 8.0, "fabrikam.pdf:1": 3.0, "tailspin.pdf:1": 7.0}


@dataclass(frozen=True)
class Best(Stage[Query, Ranking]):
    """The best k of SCORES that the query's documents let through."""

    k: int = 2

    def run(self, given):
        wanted = dict(given.where).get("document")
        hits = [
            Hit(node, score)
            for node, score in SCORES.items()
            if not wanted or node.split(":")[0] in wanted
        ]
        return Ranking(given, tuple(sorted(hits, key=lambda hit: -hit.score)[: self.k]))


def nodes(ranking):
    return [hit.node for hit in ranking.hits]


def test_a_named_document_is_looked_into_as_well():
    found = AlsoNamed(Shelf3(), Best())(Query("What does Fabrikam say?"))
    assert nodes(found) == ["contoso.pdf:1", "contoso.pdf:2", "fabrikam.pdf:1"]
    assert found.hits[2].parts == (("named", 0, 1.0),)
    assert found.query == Query("What does Fabrikam say?")
    assert nodes(PreferNamed()(found))[0] == "fabrikam.pdf:1"


def test_preference_is_in_standard_deviations():
    found = AlsoNamed(Shelf3(), Best())(
        Query("what does fabrikam say?")
    )  # no capitals: half as sure
    # 9, 8, 3: mean 20 / 3, deviation sqrt(62 / 9)
    deviation = (62 / 9) ** 0.5
    raised = {hit.node: hit.score for hit in PreferNamed(2.0)(found).hits}
    assert raised["contoso.pdf:1"] == pytest.approx((9 - 20 / 3) / deviation)
    assert raised["fabrikam.pdf:1"] == pytest.approx((3 - 20 / 3) / deviation + 2.0 * 0.5)


def test_a_document_named_for_certain_stands_before_all_others():
    found = AlsoNamed(Shelf3(), Best())(Query("What does Fabrikam say?"))
    assert nodes(PreferNamed(0.1)(found))[0] == "fabrikam.pdf:1"


@pytest.mark.parametrize(
    "query", [Query("What is said?"), Query("Fabrikam?", where=(("document", ("tailspin.pdf",)),))]
)
def test_nothing_named_or_filtered_already_changes_nothing(query):
    found = AlsoNamed(Shelf3(), Best())(query)
    assert found == Best()(query)
    assert PreferNamed()(found) == found


def test_tables_of_databases_are_not_named(tmp_path):
    path = tmp_path / "contoso.sqlite"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE halvorsen (name TEXT); INSERT INTO halvorsen VALUES ('x')")
    db.close()
    (tmp_path / "halvorsen-2023.txt").write_text("Halvorsen made 12 ships in 2023.")
    index(tmp_path / "halvorsen-2023.txt", tmp_path / "c", databases=[Wanted(path)])
    corpus = Corpus(tmp_path / "c")
    assert [one.id for one in corpus.documents] == ["contoso/halvorsen", "halvorsen-2023.txt"]
    assert {
        corpus.documents[one.position].id
        for one in route("How many ships has Halvorsen?", catalogue(corpus))
    } == {"halvorsen-2023.txt"}
