"""What a page's structure answers: places pointed at, listings, their items and counts."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.candidate import Candidate, Passage
from pincite.answer.listings import listings
from pincite.answer.match import match
from pincite.answer.pointed import Pointed, ordinal, points, shift
from pincite.answer.prose import read_prose
from pincite.answer.question import understand
from pincite.answer.structure import read_listings, wanted
from pincite.corpus import Corpus
from pincite.types import Anchor, Cell, Hit, Kind, Node, Quantity, Query, Ranking, Table


def page(*parts: tuple[Kind, str], number: int = 1, rank: int = 0, heading: str = "") -> list[Passage]:
    """The passages of one page; a heading becomes the path of what follows."""
    out = []
    for at, (kind, text) in enumerate(parts):
        heading = text if kind == "heading" else heading
        node = Node(f"{number}-{at}", kind, text, Anchor("sha", ((number, None),)), order=at)
        out.append(Passage(node, rank, 1.0, heading, "d"))
    return out


def table(rows: list[list[str]], caption: str = "") -> Passage:
    cells = tuple(Cell(r, c, text) for r, row in enumerate(rows) for c, text in enumerate(row))
    text = "\n".join(" | ".join(row) for row in rows)
    return Passage(
        Node("t", "table", text, Anchor("sha", ((1, None),)), table=Table(cells, caption=caption)), document="d"
    )


def listed(question: str, passages: list[Passage]) -> list[Candidate]:
    ask = understand(Query(question))
    return read_listings(ask, match(ask.text, passages)[0], passages)


CARE = page(
    ("heading", "Care of the kettle"),
    ("list", "• Rinse the kettle after use.\n• Descale it once a month\nwith vinegar.\n• Never immerse the base."),
    ("heading", "Storage"),
    ("list", "• Keep it dry.\n• Wind up the cord."),
)
CONTENTS = page(
    ("heading", "Contents"),
    (
        "paragraph",
        "Summary ........ 1\nChapter 1: Rivers ........ 3\nChapter 2: Lakes ........ 9\nChapter 3: Ponds ........ 14",
    ),
    ("paragraph", "Appendix A: Maps ........ 20\nAppendix B: Sources ........ 22"),
)
BOARD = [
    table(
        [
            ["Member", "Role", "Meetings"],
            ["Ada Brandt", "Non-executive", "7"],
            ["Ben Okoro", "Executive", "6"],
            ["Cleo Varga", "Non-executive", "5"],
        ],
        "Members of the board",
    )
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is shown on page 9?", [("page", "9")]),
        ("Compare pages 3 and 4.", [("page", "3"), ("page", "4")]),
        ("Which date stands on the second page?", [("nth", "2")]),
        ("Who is named on the last slide?", [("nth", "-1")]),
        ("What does Table 2 list?", [("table", "2")]),
        ("How do Figures 5 and 6 differ?", [("figure", "5"), ("figure", "6")]),
        ("What does Section 3.3 say?", [("section", "3.3")]),
        ("How many threats does Appendix C name?", [("appendix", "C")]),
        ("What must a tenant do under the Quiet Hours section?", [("titled", "Quiet Hours")]),
        ("How many tables are on offer?", []),
        ("Which figure is higher?", []),
    ],
)
def test_where_a_question_points(text: str, expected: list[tuple[str, str]]) -> None:
    assert points(text) == expected


@given(st.text(max_size=200))
def test_no_question_is_too_odd_to_read(text: str) -> None:
    assert all(kind and label for kind, label in points(text))
    assert wanted(text) is None or wanted(text + " ") is not None


@given(st.lists(st.text("aZ1 ,;:•.()\n", max_size=80), min_size=1, max_size=4))
def test_every_item_is_quoted_from_its_place(texts: list[str]) -> None:
    for listing in listings(page(*(("paragraph", text) for text in texts))):
        for item in listing.items:
            where = item.where
            assert " ".join(where.node.text[where.start : where.end].split()) == where.quote


def test_ordinals() -> None:
    assert [ordinal(word) for word in ("first", "Third", "12th", "last")] == [1, 3, 12, -1]


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


def test_bullets_keep_their_wrapped_lines_and_the_heading_leads_to_them() -> None:
    care, storage = listings(CARE)
    assert [item.text for item in care.items][1] == "Descale it once a month with vinegar."
    assert (care.lead, storage.lead) == ("Care of the kettle", "Storage")
    assert care.items[2].where.quote == "Never immerse the base."


def test_a_series_behind_a_colon_is_a_listing() -> None:
    (one,) = listings(page(("paragraph", "We sell in three regions: Norwood (north, east), Sudbury, and Westmere.")))
    assert [item.text for item in one.items] == ["Norwood (north, east)", "Sudbury", "Westmere"]
    where = one.items[1].where
    assert where.node.text[where.start : where.end] == "Sudbury"


def test_the_items_that_a_lead_in_names_answer() -> None:
    pages = page(
        ("paragraph", "Our plants run on two fuels: peat and straw."),
        ("paragraph", "We sell in three regions: Norwood, Sudbury, and Westmere."),
    )
    assert listed("What are the regions in which the company sells?", pages)[0].value == (
        "Norwood",
        "Sudbury",
        "Westmere",
    )


def test_an_item_by_its_place() -> None:
    assert listed("What is the second bullet point under care of the kettle?", CARE)[0].value == (
        "Descale it once a month with vinegar."
    )
    assert listed("What is the last bullet point under storage?", CARE)[0].value == "Wind up the cord."


def test_the_last_entries_of_the_contents() -> None:
    best = listed("What are the last two chapters listed in the table of contents?", CONTENTS)[0]
    assert best.value == ("Chapter 2: Lakes", "Chapter 3: Ponds")


@pytest.mark.parametrize(("what", "count"), [("chapters", 3), ("appendices", 2)])
def test_parts_are_counted_and_each_is_cited(what: str, count: int) -> None:
    best = listed(f"How many {what} does the report have?", CONTENTS)[0]
    assert best.value == Quantity(Decimal(count))
    assert best.operation == "count"
    assert len(best.evidence) == count


def test_a_column_is_filtered_by_the_words_beside_it() -> None:
    assert listed("Who are the non-executive members of the board?", BOARD)[0].value == ("Ada Brandt", "Cleo Varga")
    counted = listed("How many non-executive members are on the board?", BOARD)[0]
    assert counted.value == Quantity(Decimal(2))
    assert [where.cells for where in counted.evidence] == [((1, 0),), ((3, 0),)]


@pytest.mark.parametrize(
    "question",
    [
        "What is the height of the dam?",
        "How many days did the survey take?",
        "Which member attended more than 6 meetings?",
    ],
)
def test_what_asks_for_no_listing(question: str) -> None:
    assert listed(question, BOARD + CARE) == []


def test_the_wanted_noun_phrase() -> None:
    assert wanted("Who wrote it?") is None
    some = wanted("What are the key risks of the plan?")
    assert some is not None
    assert (some.stems, some.count) == (("risk",), False)


def test_candidates_where_the_question_points_come_first() -> None:
    text = "The reserve of the mill was 40 sacks."
    near = page(("paragraph", text), number=7, rank=0)
    far = page(("paragraph", text.replace("40", "90")), number=2, rank=2)
    given = read_prose(understand(Query("How many sacks was the reserve of the mill on page 7?")), near + far)
    assert given[0].evidence[0].node.anchor.page == 7
    assert given[0].score > 2 * next(one.score for one in given if one.evidence[0].node.anchor.page == 2)


def test_yes_or_no_is_answered_so() -> None:
    pages = page(("paragraph", "The Linden bridge is part of the harbour route."))
    ask = understand(Query("In the guide, is the Linden bridge part of the harbour route? Answer 'yes' or 'no'."))
    assert isinstance(read_prose(ask, pages)[0].value, bool)
