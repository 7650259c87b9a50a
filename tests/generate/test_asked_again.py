"""A reply that is not taken is asked for once more over HTTP, with what was wrong and what to write instead."""

from contextlib import contextmanager
from decimal import Decimal

import pytest

from pincite.check.claims import DOUBTED, verified
from pincite.evidence.candidate import Passage
from pincite.evidence.gathering import READ
from pincite.generate.line_reading import ReadLines
from pincite.generate.rules import Rules
from pincite.ingest.tree import build
from pincite.ingest.web.htmlfile import html_pages
from pincite.models.endpoints.chat import ChatModel
from pincite.question.understanding import understand
from pincite.storage.ledger import Price
from pincite.types import Query
from tests.generate.reading import seen_of
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
SEEN = seen_of(TABLE, PROSE)
"""1 revenue, 2 cost, 3 wages, 4 people, 5 chief, 6 acquisition, 7 soup."""
REVENUE = "What was the revenue in 2023?"
CHANGE = "What was the change in revenue from 2022 to 2023?"
CEO = "Who is the Chief Executive Officer of Velmo?"
BOUGHT = "Was an acquisition completed in 2023?"


def reply(value, *lines):
    return {"analysis": "So it is.", "lines": list(lines), "value": value}


@contextmanager
def asking(question, *replies, expects=None, seen=SEEN, **settings):
    """The answer to a question whose model makes these replies in turn, and the requests that it was sent."""
    with ScriptedServer(sequence(*replies), bill=Bill(price=("1", "2"))) as server:
        model = ChatModel("scripted", server.url, price=Price(Decimal(1), Decimal(2)))
        read = ReadLines(model, None, None, form="full", **settings)
        draft = read.read(understand(Query(question, expects=expects)), seen)
        nodes = {passage.node.id: passage.node for page in seen for passage in page}
        yield verified(draft, nodes), server.asked


@pytest.mark.parametrize(
    ("question", "expects", "made", "what", "remedy"),
    [
        (REVENUE, "number", reply("much", 1), "'much' stands in no line", ""),
        (REVENUE, "number", reply("77", 1), "'77' stands in no line", ""),
        (REVENUE, "number", reply("5,120", 3), "Wages", "Name the row"),
        (CHANGE, "number", reply("39,811 - 41,260", 1), "earlier to the later", "later time first"),
        (CEO, "name", reply("Mia Berg", 5), "'Mia Berg' stands in no line", ""),
        (BOUGHT, "boolean", reply("yes", 6), "denies it", ""),
        (BOUGHT, "boolean", reply("no"), "silent", "Name the line that says no"),
        (CEO, "number", reply("Jana Holm", 5), "is no number of its line", ""),
    ],
)  # fmt: skip
def test_what_was_wrong_comes_with_what_to_write_instead(question, expects, made, what, remedy):
    with asking(question, made, expects=expects) as (answer, heard):
        assert answer.value is None and len(heard) == 2
        again = heard[1].messages[-1]["content"]
        assert what in again and remedy in again and again.endswith("Reply again.")
        assert what in answer.reason
        assert (
            not remedy or remedy not in answer.reason
        )  # what a model should do is not told to people


def test_a_rule_that_is_broken_says_what_would_keep_it():
    rules = Rules(derived="forbid")
    with asking(CHANGE, reply("41,260 - 39,811", 1), expects="number", rules=rules) as (
        answer,
        heard,
    ):
        assert "without a calculation" in heard[1].messages[-1]["content"]
        assert answer.value is None


SOUP, NOTHING = reply("soup", 7), reply("")


@pytest.mark.parametrize("second", [SOUP, NOTHING])
def test_what_the_judge_doubts_is_asked_once_more_and_then_only_a_possible_answer(second):
    with asking(CEO, SOUP, second, expects="name") as (answer, heard):
        assert len(heard) == 2 and DOUBTED in heard[1].messages[-1]["content"]
        assert answer.value is None and answer.text == "" and answer.citations == ()
        (near,) = answer.possible
        assert near.value == "soup" and near.confidence < 0.02
        assert "does not seem to answer the question" in answer.reason


def test_a_doubted_reply_that_is_put_right_is_the_answer():
    with asking(CEO, SOUP, reply("Jana Holm", 5), expects="name") as (answer, heard):
        assert answer.value == "Jana Holm" and len(heard) == 2 and answer.possible == ()


def test_what_is_not_doubted_is_asked_once():
    with asking(REVENUE, reply("41,260", 1), expects="number") as (answer, heard):
        assert answer.value.amount == 41260 and len(heard) == 1
        assert answer.model_explanation == "So it is."


SPANNING = """<table>
<tr><th rowspan="2">Item</th><th colspan="2">2023</th></tr>
<tr><th>Gross</th><th>Net</th></tr>
<tr><td>Sales of slate</td><td>41,260</td><td>37,015</td></tr>
</table>
"""


def test_a_cell_below_a_merged_header_is_shown_with_all_of_it(tmp_path):
    path = tmp_path / "slate.html"
    path.write_text(SPANNING, encoding="utf-8")
    document = build("a" * 64, "slate.html", "html", list(html_pages(path)))
    read = [node for node in document.nodes if node.kind in READ]
    seen = (tuple(Passage(node, document="slate.html") for node in read),)
    asked = "What were the net sales of slate in 2023?"
    with asking(asked, reply("37,015", 1), expects="number", seen=seen) as (answer, heard):
        assert "1 Sales of slate: 2023 Gross = 41,260; 2023 Net = 37,015" in heard[0].said("user")
        assert answer.value.amount == 37015 and answer.citations[0].anchor.cells == ((2, 2),)
