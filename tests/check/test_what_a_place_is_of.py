"""Places of something else than what is asked: other people, a measure of the firm's own, the figures of another firm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.check.goal_years import of_goal_year
from pincite.check.metric_operands import of_one_firm
from pincite.check.people_shares import of_other_people
from pincite.check.qualified_measures import of_qualified_measure
from pincite.document.statement_rows import book
from pincite.evidence.cited_place import CitedPlace, Failed, PlacedQuantity
from pincite.evidence.table_view import views
from pincite.quantity import find
from pincite.question.understanding import understand
from pincite.readers.bare_table import document_of
from pincite.types import Anchor, Citation, Node, Query


def sentence(text: str, number: str) -> tuple[CitedPlace, PlacedQuantity]:
    node = Node("p", "paragraph", text, Anchor("s"))
    placed = [PlacedQuantity(each.quantity, each.start, each.end) for each in find(text)]
    cited = next(each for each in placed if number in each.quantity.text)
    return CitedPlace(Citation("1", "p", Anchor("s"), text), node, text, (cited,)), cited


def refused(call, *given) -> bool:
    try:
        call(*given)
    except Failed:
        return True
    return False


WOMEN = "What share of the employees of Acme were women in 2022?"
MANAGERS = "What share of the management of Acme were women in 2022?"


@pytest.mark.parametrize(
    ("question", "text", "number", "wrong"),
    [
        (WOMEN, "Our global workforce is comprised of 62% men and 38% women.", "38%", False),
        (WOMEN, "Approximately 36% of our full-time employees are women.", "36%", False),
        (WOMEN, "Women represented 36.4% of U.S. senior leadership.", "36.4%", True),
        (MANAGERS, "Women represented 36.4% of U.S. senior leadership.", "36.4%", False),
        (WOMEN, "Four of nine Board members are women, or 44% (2021: 50%) of the Board.", "44%", True),
        (WOMEN, "We maintained 100% pay equity for women and men.", "100%", True),
        (
            WOMEN,
            "Our workforce was approximately 27% female, while management roles were approximately 44% female.",
            "27%",
            False,
        ),
        ("What share of sales was online?", "In 2022, 36% of management met online.", "36%", False),
    ],
)  # fmt: skip
def test_a_share_of_women_is_of_the_people_that_are_asked_for(question, text, number, wrong):
    place, cited = sentence(text, number)
    ask = understand(Query(question))
    assert refused(of_other_people, cited.quantity, place, ask) is wrong


@pytest.mark.parametrize(
    ("question", "text", "wrong"),
    [
        ("What was the net income in 2020?", "We generated core net income of $1,237 million.", True),
        ("What was the core net income?", "We generated core net income of $1,237 million.", False),
        ("What was the net income in 2020?", "We generated net income of $1,237 million.", False),
        (
            "What was the net income in 2020?",
            "Beside adjusted net income, net income was $1,237 million.",
            False,
        ),
    ],
)  # fmt: skip
def test_a_measure_of_the_firms_own_is_another_one(question, text, wrong):
    place, _ = sentence(text, "1,237")
    assert refused(of_qualified_measure, place, understand(Query(question))) is wrong


@pytest.mark.parametrize(
    ("text", "year", "wrong"),
    [
        ("We will achieve net-zero emissions by 2040.", "2040", False),
        ("Acme has set itself the goal of net zero for 2040.", "2040", False),
        ("We committed to the pledge in 2019, our goal to reach net zero by 2040.", "2019", True),
        ("We committed to the pledge in 2019, our goal to reach net zero by 2040.", "2040", False),
        ("Acme chose the Net Zero 2050 scenario.", "2050", True),
        ("We help our customers to reach net zero by 2050.", "2050", True),
    ],
)
def test_the_year_of_a_goal_is_set_by_the_firm_itself(text, year, wrong):
    place, _ = sentence(text, year)
    ask = understand(Query("By which year will Acme be net zero?"))
    assert refused(of_goal_year, year, place, ask) is wrong


OWN = [["", "2019"], ["Net sales", "11,503"], ["Net income", "960"]]
AFFILIATES = [["", "2019"], ["Net sales", "1,508"], ["Net income", "(102)"]]
NOTE = [["", "2019"], ["Net income", "960"], ["Dividends", "70"]]


def line(rows, label, name) -> CitedPlace:
    view = views(document_of(rows, []))[0]
    node = replace(view.node, id=name)
    cell = next(each for each in view.labels.cells if each.label == label)
    citation = Citation("1", name, Anchor("s"), cell.text)
    return CitedPlace(citation, node, cell.text, (), view, cell)


@pytest.mark.parametrize(("rows", "wrong"), [(AFFILIATES, True), (NOTE, False), (OWN, False)])
def test_the_operands_of_a_metric_are_of_one_firm(rows, wrong):
    found = [line(rows, "Net income", "a"), line(OWN, "Net sales", "b")]
    items = [book().lines["net income"], book().lines["revenue"]]
    assert refused(of_one_firm, found, items) is wrong
