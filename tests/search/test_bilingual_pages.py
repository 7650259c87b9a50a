"""Of two pages that say the same in two languages one is found, the one in the question's."""

import pytest

from pincite.corpus import Corpus, FileStatus, writing
from pincite.evidence.gathering import gather, once
from pincite.indexing import publish
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tree import build
from pincite.search.bilingual_pages import Once
from pincite.types import Hit, Query, Ranking

SV = "Stegen ska bära en last av 2,6 kN utan att den blir skadad och provas vid 23 °C i minst 24 timmar eller mer."
EN = "The ladder shall carry a load of 2.6 kN without being damaged and be tested at 23 °C for at least 24 hours."
ASKED_SV, ASKED_EN = (
    Query("Vilken last ska stegen bära?"),
    Query("What load shall the ladder carry?"),
)


def page(number, *texts):
    return Page(number, 600, 800, tuple(Block("paragraph", text, (None,), (0,)) for text in texts))


@pytest.fixture
def corpus(tmp_path):
    with writing(tmp_path) as writer:
        for name, pages in (
            ("a.pdf", [page(1, SV), page(2, EN), page(3, EN + EN)]),
            ("b.pdf", [page(1, SV, EN)]),
        ):
            document = build(name[0] * 64, name, "pdf/1", pages)
            writer.put_document(document, name[0] * 64)
            writer.put_file(
                FileStatus(f"/files/{name}", name, name[0] * 64, 1, 1, document.version)
            )
        publish(writer, ())
    return Corpus(tmp_path)


def pages(corpus, name):
    version = next(one.version for one in corpus.documents if one.id == name)
    return {
        node.anchor.page: node for node in corpus.document(version).nodes if node.kind == "page"
    }


def found(corpus, query, *nodes):
    ranking = Once(corpus).run(
        Ranking(query, tuple(Hit(node.id, 1.0 / at) for at, node in enumerate(nodes, 1)))
    )
    return [hit.node for hit in ranking.hits]


def test_the_page_in_the_questions_language_stays(corpus):
    held = pages(corpus, "a.pdf")
    assert found(corpus, ASKED_SV, held[2], held[3], held[1]) == [held[1].id, held[3].id]
    assert found(corpus, ASKED_EN, held[1], held[2], held[3]) == [held[2].id, held[3].id]


def test_where_only_the_other_one_was_found_it_gives_way(corpus):
    held = pages(corpus, "a.pdf")
    assert found(corpus, ASKED_SV, held[3], held[2]) == [held[3].id, held[1].id]


def test_a_third_language_finds_one_of_them(corpus):
    held = pages(corpus, "a.pdf")
    assert found(corpus, Query("Wie hoch ist die Last der Leiter?"), held[2], held[1]) == [
        held[1].id
    ]


def test_passages_of_a_page_in_two_languages_are_those_of_the_question(corpus):
    held = pages(corpus, "b.pdf")
    for code, text in (("sv", SV), ("en", EN)):
        assert [one.node.text for one in gather(corpus, [Hit(held[1].id, 1.0)], 3, code)] == [text]
    assert len(gather(corpus, [Hit(held[1].id, 1.0)], 3, "de")) == 2


def test_a_page_that_says_it_once_keeps_everything(corpus):
    held = pages(corpus, "a.pdf")[3]
    assert once([held], "sv") == [held]
