"""Pages that a question points at."""

from __future__ import annotations

from pathlib import Path

from pincite.corpus import Corpus
from pincite.evidence.candidate import Passage
from pincite.lines.reading import best_of
from pincite.question.understanding import understand
from pincite.search.pointed_pages import Pointed, shift
from pincite.types import Anchor, Hit, Kind, Node, Query, Ranking


def page(
    *parts: tuple[Kind, str], number: int = 1, rank: int = 0, heading: str = ""
) -> list[Passage]:
    """The passages of one page; a heading becomes the path of what follows."""
    out = []
    for at, (kind, text) in enumerate(parts):
        heading = text if kind == "heading" else heading
        node = Node(f"{number}-{at}", kind, text, Anchor("sha", ((number, None),)), order=at)
        out.append(Passage(node, rank, 1.0, heading, "d"))
    return out


def test_printed_numbers_are_shifted_by_what_the_contents_tell() -> None:
    headings = [("Rivers", "Rivers", 6), ("Lakes", "Lakes", 12), ("Appendix A", "Appendix A", 23)]
    entries = [("Rivers", 3, 2), ("Lakes", 9, 2), ("Appendix A: Maps", 20, 2), ("Ponds", 30, 2)]
    assert shift(entries, headings) == 3
    assert shift(entries[:1], headings) == 0


def test_the_page_pointed_at_is_ranked_first(example_corpus: Path) -> None:
    corpus = Corpus(example_corpus)
    document = max(corpus.documents, key=lambda one: one.pages)
    found = next(node for node in corpus.page(document.version, 1) if node.kind == "page")
    other = Ranking(Query("What is it about?"), (Hit(found.id, 1.0),))
    pointing = Ranking(Query("What is on page 2?"), (Hit(found.id, 1.0),))
    assert Pointed(corpus).run(other) == other
    placed = Pointed(corpus).run(pointing)
    places = corpus.places([hit.node for hit in placed.hits])
    assert [places[hit.node][1] for hit in placed.hits] == [2, 1]
    assert {hit.score for hit in placed.hits} == {1.0}


def test_candidates_where_the_question_points_come_first() -> None:
    text = "The reserve of the mill was 40 sacks."
    near = page(("paragraph", text), number=7, rank=0)
    far = page(("paragraph", text.replace("40", "90")), number=2, rank=2)
    given = best_of(
        understand(Query("How many sacks was the reserve of the mill on page 7?")), near + far
    )
    assert given[0].evidence[0].node.anchor.page == 7


def test_yes_or_no_is_answered_so() -> None:
    pages = page(("paragraph", "The Linden bridge is part of the harbour route."))
    ask = understand(
        Query(
            "In the guide, is the Linden bridge part of the harbour route? Answer 'yes' or 'no'."
        )
    )
    assert isinstance(best_of(ask, pages)[0].value, bool)
