"""Cells, sentences and claims as the judge of evidence is shown them."""

from decimal import Decimal

import pytest

from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.candidate_places import placed
from pincite.evidence.drafted_answer import cited
from pincite.evidence.judge_input import CellPlace, SentencePlace
from pincite.evidence.judged_evidence import candidate_pairs, claim_pairs, sort_of
from pincite.question.understanding import understand
from pincite.types import Anchor, Cell, Claim, Node, Quantity, Query, Table

ROWS = [["", "2023", "2022"], ["Assets", "", ""], ["Cash", "12", "10"], ["Stock", "7", "8"]]
CELLS = tuple(Cell(r, c, text) for r, row in enumerate(ROWS) for c, text in enumerate(row) if text)
TABLE = Node(
    "t",
    "table",
    "",
    Anchor("5f" * 32, path="Report > Balance sheet"),
    table=Table(CELLS, caption="in millions"),
)
TEXT = Node(
    "p",
    "paragraph",
    "Fuel was dear. We had 1,284 people. None left.",
    Anchor("5f" * 32, path="Report > People"),
)


def test_a_cell_with_its_labels_and_what_stands_beside():
    made = placed(Evidence(TABLE, ((2, 1),), document="Velmo_AR_2023.pdf"))
    beside = ("2022: 10", "Stock: 7")
    assert made == CellPlace(
        ("Assets", "Cash"), ("2023",), "12", "Velmo AR 2023 - in millions", beside
    )


def test_a_header_is_shown_with_its_row():
    assert placed(Evidence(TABLE, ((2, 0),))) == CellPlace(
        (), (), "Cash", "in millions", ("2023: 12", "2022: 10")
    )


def test_a_number_is_marked_in_its_sentence_under_the_last_heading():
    start = TEXT.text.index("1,284")
    made = placed(Evidence(TEXT, (), start, start + 5, document="0a61a353b1ea9fd9b8f6"))
    assert made == SentencePlace("People", "We had 1,284 people.", 7, 12)


def test_a_long_value_is_its_sentence_unmarked():
    text = "The board decided to close the mill because its boiler had failed for the third time."
    node = Node("p", "paragraph", text, Anchor(""))
    assert placed(Evidence(node, (), 0, len(text))) == SentencePlace("", text, 0, 0)


@pytest.mark.parametrize(
    ("value", "operation", "sort"),
    [
        (Quantity(Decimal(1)), "", "quoted"),
        (Quantity(Decimal(1)), "difference", "computed"),
        (Quantity(Decimal(1)), "a / b", "formula"),
        (True, "", "truth"),
        ("Cash", "argmax", "picked"),
        (("a", "b"), "", "list"),
    ],
)
def test_how_a_value_comes_about(value, operation, sort):
    assert sort_of(value, operation) == sort


def test_an_operand_is_judged_for_what_is_asked_of_it_at_its_own_time():
    ask = understand(Query("What was the change in cash from 2022 to 2023?"))
    value = Candidate(
        Quantity(Decimal(2)),
        (Evidence(TABLE, ((2, 1),)), Evidence(TABLE, ((2, 2),))),
        operation="difference",
    )
    assert [asked for asked, _ in candidate_pairs(ask, value)] == [
        f"{ask.subject} 2023",
        f"{ask.subject} 2022",
    ]


def test_a_metric_by_its_formula_is_not_judged():
    ask = understand(Query("What was the quick ratio in 2023?"))
    value = Candidate(
        Quantity(Decimal(2)),
        (Evidence(TABLE, ((2, 1),)), Evidence(TABLE, ((3, 1),))),
        operation="a / b",
    )
    assert candidate_pairs(ask, value) == []


def test_a_claim_is_judged_where_its_candidate_was():
    ask = understand(Query("How many people worked there?"))
    start = TEXT.text.index("1,284")
    evidence = Evidence(
        TEXT, (), start, start + len("1,284 people"), "We had 1,284 people.", "Velmo"
    )
    citation = cited(evidence, "1")
    claim = Claim("1,284", Quantity(Decimal(1284), "person"), ("1",))
    candidate = Candidate(claim.value, (evidence,))
    assert claim_pairs(ask, claim, [citation], {"p": TEXT}) == candidate_pairs(ask, candidate)
