"""Places of something else than what is asked: a measure of the firm's own, the figures of another firm."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from benchmarks.measuring.bare_table import document_of
from pincite.check.objections import equal, object_to
from pincite.check.other_things import of_one_firm, of_qualified_measure
from pincite.document.labelled_cells import labels
from pincite.document.statement_rows import book
from pincite.evidence.cited_place import CitedPlace, Failed, PlacedQuantity
from pincite.quantity import find
from pincite.question.understanding import understand
from pincite.types import Anchor, Citation, Claim, Node, Quantity, Query


def sentence(text: str, number: str) -> CitedPlace:
    node = Node("p", "paragraph", text, Anchor("s"))
    placed = [PlacedQuantity(each.quantity, each.start, each.end) for each in find(text)]
    cited = next(each for each in placed if number in each.quantity.text)
    return CitedPlace(Citation("1", "p", Anchor("s"), text), node, text, (cited,))


def refused(call, *given) -> bool:
    try:
        call(*given)
    except Failed:
        return True
    return False


@pytest.mark.parametrize(
    ("question", "text", "wrong"),
    [
        ("What was the net income in 2020?", "We generated core net income of $1,237 million.", True),
        ("What was the core net income?", "We generated core net income of $1,237 million.", False),
        ("What was the adjusted net income?", "Adjusted net income was $1,237 million.", False),
        ("What was the net income in 2020?", "We generated net income of $1,237 million.", False),
        (
            "What was the net income in 2020?",
            "Beside adjusted net income, net income was $1,237 million.",
            False,
        ),
    ],
)  # fmt: skip
def test_a_measure_of_the_firms_own_is_another_one(question, text, wrong):
    place = sentence(text, "1,237")
    assert refused(of_qualified_measure, place, understand(Query(question))) is wrong


OWN = [["", "2019"], ["Net sales", "11,503"], ["Net income", "960"]]
AFFILIATES = [["", "2019"], ["Net sales", "1,508"], ["Net income", "(102)"]]
NOTE = [["", "2019"], ["Net income", "960"], ["Dividends", "70"]]


def line(rows, label, name) -> CitedPlace:
    node = replace(document_of(rows, [])[0].node, id=name)
    cell = next(each for each in labels(node.table).cells if each.label == label)
    citation = Citation("1", name, Anchor("s"), cell.text)
    return CitedPlace(citation, node, cell.text, (), cell)


@pytest.mark.parametrize(("rows", "wrong"), [(AFFILIATES, True), (NOTE, False), (OWN, False)])
def test_the_operands_of_a_metric_are_of_one_firm(rows, wrong):
    found = [line(rows, "Net income", "a"), line(OWN, "Net sales", "b")]
    items = [book().lines["net income"], book().lines["revenue"]]
    assert refused(of_one_firm, found, items) is wrong


QUARTER = "For the fourth quarter of 2018, income was $2.27 per share."
YEAR = "Income was $8.89 per share in 2018, of which $2.27 fell into the fourth quarter of 2018."


@pytest.mark.parametrize(
    ("question", "text", "number", "wrong"),
    [
        ("What was the income per share in 2018?", QUARTER, "2.27", True),
        ("What was the income per share in the fourth quarter of 2018?", QUARTER, "2.27", False),
        ("What was the income per share in 2018?", YEAR, "8.89", False),
        ("What was the income per share in the fourth quarter of 2018?", "Income was $8.89 in 2018.", "8.89", True),
    ],
)  # fmt: skip
def test_a_number_of_a_quarter_is_not_that_of_its_year(question, text, number, wrong):
    place = sentence(text, number)
    quantity = place.numbers[0].quantity
    claim = Claim("", quantity, ("1",))
    assert refused(object_to, claim, [place], understand(Query(question)), []) is wrong


LOSSES = [
    ["", "2023", "2022"],
    ["Wafer sales", "1,702", "1,764"],
    ["Total revenue", "1,793", "1,846"],
    ["Net loss", "194", "21"],
    ["Net income attributable to non-controlling interests", "6", "4"],
]


@pytest.mark.parametrize(
    ("question", "label", "value", "wrong"),
    [
        ("What was the net income in 2023?", LOSSES[4][0], "6", True),
        ("What was the net income attributable to non-controlling interests in 2023?", LOSSES[4][0], "6", False),
        ("What was the net income in 2023?", "Net loss", "-194", False),
        ("What was the revenue in 2023?", "Total revenue", "1793", False),
    ],
)  # fmt: skip
def test_the_part_of_other_owners_is_not_the_whole(question, label, value, wrong):
    place = line(LOSSES, label, "a")
    claim = Claim("", Quantity(Decimal(value)), ("1",))
    assert refused(object_to, claim, [place], understand(Query(question)), []) is wrong


@pytest.mark.parametrize(
    ("question", "value", "stands"),
    [
        ("What was the net income in 2023?", "-194", True),
        ("What was the net income in 2023?", "194", False),
        ("What was the net loss in 2023?", "194", True),
    ],
)
def test_a_loss_without_a_minus_is_a_negative_result(question, value, stands):
    place = line(LOSSES, "Net loss", "a")
    there = Quantity(Decimal(194))
    assert equal(Quantity(Decimal(value)), there, place, understand(Query(question))) is stands
