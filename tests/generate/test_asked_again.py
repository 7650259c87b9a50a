"""A reply that is not taken is asked for once more over HTTP, with what was wrong and what to write instead."""

import re
from contextlib import contextmanager
from decimal import Decimal

import pytest

from pincite.check.claims import DOUBTED, verified
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import READ
from pincite.generate.reading import Read
from pincite.generate.rules import Rules
from pincite.generate.shown_pages import ShownPieces
from pincite.ingest.tree import build
from pincite.ingest.web.htmlfile import html_pages
from pincite.ledger import Price
from pincite.models.endpoints.chat import ChatModel
from pincite.question.understanding import understand
from pincite.types import Query
from tests.generate.reading import shown_of
from tests.stand_ins.fakes import Bill, ScriptedServer, sequence

TABLE = """# Income statement

| | 2023 | 2022 |
|---|---|---|
| Revenue | 41,260 | 39,811 |
| Cost of sales | (30,118) | (29,450) |
| Wages | 5,120 | 4,833 |
"""
PROSE = """# Board and staff

Velmo employed 1,284 people at the end of 2023. Jana Holm has been Chief Executive Officer since 2019.
No acquisition was completed in 2023. The canteen serves soup on Mondays.
"""
SEEN = shown_of(TABLE, PROSE)
REVENUE = "What was the revenue in 2023?"
CHANGE = "What was the change in revenue from 2022 to 2023?"
CEO = "Who is the Chief Executive Officer of Velmo?"
BOUGHT = "Was an acquisition completed in 2023?"
TOLD = re.compile(r"<<(not found|not accepted): (.+)>>\n(.+)", re.S)


def cell(handle):
    return {"page": 1, "cell": handle, "quote": ""}


def words(quote):
    return {"page": 2, "cell": "", "quote": quote}


@contextmanager
def asking(question, *forms, expects=None, seen=SEEN, **settings):
    """The answer to a question whose model fills in these forms in turn, and the requests that it was sent."""
    forms = [
        {"step_by_step_analysis": "So it is.", "relevant_pages": [], **form} for form in forms
    ]
    with ScriptedServer(sequence(*forms), bill=Bill(price=("1", "2"))) as server:
        model = ChatModel("scripted", server.url, price=Price(Decimal(1), Decimal(2)))
        draft = Read(model, None, **settings).read(
            understand(Query(question, expects=expects)), seen
        )
        nodes = {passage.node.id: passage.node for passage in seen.passages}
        yield verified(draft, nodes), server.asked


def number(value, *sources, **more):
    return {
        "value": value,
        "sources": list(sources),
        "operation": "",
        "scale": "",
        "unit": "",
        **more,
    }


@pytest.mark.parametrize(
    ("question", "expects", "form", "kind", "what", "remedy"),
    [
        (REVENUE, "number", number("much", cell("T1!B2")), "not found", "'much'", "in digits"),
        (REVENUE, "number", number("77", words("It was 77.")), "not found", "77", "as it is printed"),
        (REVENUE, "number", number("41,620", cell("T1!B2")), "not accepted", "41,620", "prints it"),
        (REVENUE, "number", number("39,811", cell("T1!C2")), "not accepted", "39,811", "of the time"),
        (REVENUE, "number", number("5,120", cell("T1!B4")), "not accepted", "Wages", "Cite the cell"),
        (CHANGE, "number", number("1", cell("T1!B2"), operation="cube"), "not found", "'cube'", "difference"),
        (CHANGE, "number", number("N/A", cell("T1!Z9"), cell("T1!C2"), operation="difference"),
         "not found", "T1!Z9", "for each operand"),
        (CHANGE, "number", number("1449", cell("T1!C2"), cell("T1!B2"), operation="difference"),
         "not accepted", "earlier to the later", "later time first"),
        (CEO, "name", {"value": "Mia Berg", "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")]},
         "not found", "'Mia Berg'", "Copy the name"),
        (CEO, "name", {"value": "Jana Holm", "sources": [words("She reigns.")]}, "not found", "'She reigns.'", "word for word"),
        (CEO, "name", {"value": "Jana Holm", "sources": []}, "not found", "no place", "handle"),
        (BOUGHT, "boolean", {"value": "yes", "sources": [words("No acquisition was completed in 2023.")]},
         "not accepted", "denies", "Answer no"),
        (BOUGHT, "boolean", {"value": "no", "sources": []}, "not accepted", "silent", "Cite the sentence"),
        (CEO, "text", {"value": "Jana Holm has earned 9 medals.", "sources": [words("Jana Holm has been Chief")]},
         "not found", "9 does not stand", "number"),
    ],
)  # fmt: skip
def test_what_was_wrong_comes_with_what_to_write_instead(
    question, expects, form, kind, what, remedy
):
    with asking(question, form, expects=expects) as (answer, heard):
        assert answer.value is None and len(heard) == 2
        again = heard[1].messages[-1]["content"]
        found = TOLD.search(again)
        assert found, again
        assert found[1] == kind and what in found[2] and remedy in found[3]
        assert len(re.findall(r"[.!?](?:\s|$)", found[3])) <= 3
        assert "Cite" not in answer.reason  # what a model should do is not told to people
        assert what in answer.reason or kind == "not found"


def test_a_rule_that_is_broken_says_what_would_keep_it():
    form = number("1449", cell("T1!B2"), cell("T1!C2"), operation="difference")
    with asking(CHANGE, form, expects="number", rules=Rules(derived="forbid")) as (answer, heard):
        assert "without an operation" in heard[1].messages[-1]["content"]
        assert answer.value is None


SOUP = {"value": "soup", "sources": [words("The canteen serves soup on Mondays.")]}
CANTEEN = {"value": "yes", "sources": [words("The canteen serves soup on Mondays.")]}
NOTHING = {"value": "N/A", "sources": []}


@pytest.mark.parametrize("second", [SOUP, NOTHING])
def test_what_the_judge_doubts_is_asked_once_more_and_then_only_a_possible_answer(second):
    with asking(CEO, SOUP, second, expects="name") as (answer, heard):
        assert len(heard) == 2 and heard[1].messages[-1]["content"].endswith(DOUBTED)
        assert answer.value is None and answer.text == "" and answer.citations == ()
        (near,) = answer.possible
        assert near.value == "soup" and near.confidence < 0.02
        assert near.citation.quote == "The canteen serves soup on Mondays"
        assert "does not seem to answer the question" in answer.reason


def test_a_doubted_reply_that_is_put_right_is_the_answer():
    right = {
        "value": "Jana Holm",
        "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")],
    }
    with asking(CEO, SOUP, right, expects="name") as (answer, heard):
        assert answer.value == "Jana Holm" and len(heard) == 2 and answer.possible == ()


def test_what_is_not_doubted_is_asked_once():
    with asking(REVENUE, number("41,260", cell("T1!B2")), expects="number") as (answer, heard):
        assert answer.value.amount == 41260 and len(heard) == 1


SPANNING = """<table>
<tr><th rowspan="2">Item</th><th colspan="2">2023</th></tr>
<tr><th>Gross</th><th>Net</th></tr>
<tr><td>Sales of slate</td><td>41,260</td><td>37,015</td></tr>
</table>
"""


def test_a_cell_below_a_merged_header_is_shown_in_html_and_cited_by_its_handle(tmp_path):
    path = tmp_path / "slate.html"
    path.write_text(SPANNING, encoding="utf-8")
    document = build("a" * 64, "slate.html", "html", list(html_pages(path)))
    read = [node for node in document.nodes if node.kind in READ]
    seen = ShownPieces((tuple(Passage(node, document="slate.html") for node in read),))
    form = number("37,015", {"page": 1, "cell": "T1!C3", "quote": "37,015"})
    asked = "What were the net sales of slate in 2023?"
    with asking(asked, form, expects="number", seen=seen) as (answer, heard):
        sent = heard[0].said("user")
        assert "<th id=B1 colspan=2>2023\n" in sent and "<td id=C3>37,015\n" in sent
        assert answer.value.amount == 37015 and answer.citations[0].anchor.cells == ((2, 2),)
