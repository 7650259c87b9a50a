"""What can be an answer at all: the kind, the unit and the type that a question asks for."""

from decimal import Decimal

import pytest

from pincite.evidence.candidate import Candidate, Evidence
from pincite.lines.kind_fit import fits
from pincite.question.named_unit import counted_unit
from pincite.question.understanding import understand
from pincite.types import Anchor, Cell, Node, Quantity, Query, Table


def text_node(text):
    return Node("n", "paragraph", text, Anchor("sha", ((1, None),)))


def said(value, text="A sentence of the report."):
    return Candidate(value, (Evidence(text_node(text), quote=text),))


def celled(value, subject="", caption=""):
    table = Table((Cell(0, 0, subject), Cell(0, 1, value.text)), 0, 1, caption)
    node = Node(
        "t", "table", f"{subject} | {value.text}", Anchor("sha", ((1, None),)), table=table
    )
    return Candidate(value, (Evidence(node, ((0, 1),), quote=value.text),), subject=subject)


def number(value, unit="", scale=1, **more):
    return Quantity(Decimal(value), unit, Decimal(scale), text=str(value), **more)


def asked(question, **more):
    return understand(Query(question, **more))


def test_a_currency_is_that_currency():
    ask = asked("What was the largest bonus in AUD?", expects="number")
    assert fits(ask, said(number(5, "AUD")))
    assert not fits(ask, said(number(5, "USD")))
    assert not fits(ask, said(number(5)))
    assert fits(ask, celled(number(5), "Bonus")), "a table may leave its currency unsaid"


def test_a_short_name_that_is_no_currency_is_any_number():
    ask = asked("Which overhead did the operator claim?", unit="PUE")
    assert fits(ask, said(number("1.12"), "It claims a PUE of 1.12."))
    assert fits(
        asked("What is the number of GPUs?"), said(number(64, "GPU"), "It ran on 64 GPUs.")
    )


def test_an_amount_per_share_is_one():
    ask = asked("What was the dividend per share (in USD)?", expects="number")
    assert ask.unit == "USD/share"
    assert fits(ask, said(number("0.27", "USD/share/quarter")))
    assert fits(ask, said(number("0.27", "USD/share")))
    assert not fits(ask, said(number(15, "USD", 1_000_000)))
    assert fits(ask, celled(number("0.27", "USD"), "Dividends declared per share"))
    assert not fits(ask, celled(number("491", "USD", 1000), "Share units, dividend equivalents"))


def test_a_count_is_of_what_is_counted():
    ask = asked("What was the number of patents?", expects="number")
    assert ask.wants == "patents"
    assert fits(ask, said(number(1300)))
    assert not fits(ask, said(number(8, "yr")))
    assert not fits(ask, said(number(8, "USD")))
    assert not fits(ask, said(number(8, "share")))
    assert fits(
        asked("What was the number of shares?", expects="number"), said(number(8, "share"))
    )
    assert fits(asked("What was the number of years?", expects="number"), said(number(8, "yr")))


def test_a_row_that_counts_other_things_is_no_answer():
    ask = asked("What was the number of active licences at the end of the year?", expects="number")
    assert not fits(ask, celled(number(10929), "Number of customers"))
    assert fits(ask, celled(number(412), "Number of licences, active"))
    assert fits(ask, celled(number(412), "Licences"))
    assert fits(
        asked("How many customers were there?", expects="number"),
        celled(number(10929), "Number of customers"),
    )


def test_a_measured_unit_is_named_where_the_number_stands():
    ask = asked("What was the storage capacity (TB)?", expects="number")
    assert fits(ask, said(number(12, "TB")))
    assert not fits(ask, said(number("10.34"), "Exhibit 10.34"))
    assert fits(ask, said(number(12), "Capacity, terabytes: 12"))
    assert not fits(ask, said(number(12, "%")))


def test_a_range_is_no_single_number():
    spread = number(17, "%", low=Decimal(4), high=Decimal(30))
    assert not fits(asked("What was the growth rate (%)?", expects="number"), said(spread))
    assert fits(asked("In what range was the growth rate (%)?", expects="number"), said(spread))
    assert fits(asked("What was the growth rate (%)?"), said(spread)), (
        "only a caller's own type is that strict"
    )


@pytest.mark.parametrize(("title", "right"), [("Chief Supply Officer", True), ("Company", False)])
def test_a_post_is_called_one(title, right):
    ask = asked(
        "Which leadership positions changed? Give me the title of the position.", expects="names"
    )
    assert fits(ask, said((title,))) is right


def test_a_computed_value_is_forbidden_where_the_query_says_so():
    computed = Candidate(number(5), (), operation="difference")
    assert fits(asked("By how much did costs rise?"), computed)
    assert not fits(asked("By how much did costs rise?", derived="forbid"), computed)


def test_a_number_of_a_name_that_the_question_says_is_no_answer():
    text = "The Kestrel 12 holds 12 kg and 3 l."
    node = text_node(text)

    def found(start):
        one = Candidate(number("12"), (Evidence(node, start=start, end=start + 2),))
        return fits(asked("How many kg does the Kestrel 12 hold?"), one)

    assert not found(text.index("12"))
    assert found(text.index("12 kg"))


@pytest.mark.parametrize(
    ("question", "unit", "fit"),
    [
        ("How many employees did the group have in 2022?", "employee", True),
        ("How many employees did the group have in 2022?", "person", True),
        ("How many employees did the group have in 2022?", "", True),
        ("How many employees did the group have in 2022?", "h", False),
        ("How many full-time employees are there?", "USD", False),
        ("How many people work for the group?", "employee", True),
        ("How many people work for the group?", "GPU", False),
        ("How many hours did the employees train?", "h", True),
        ("What was the number of employees?", "%", False),
    ],
)
def test_people_are_counted_by_no_time_or_money_and_employees_are_people(question, unit, fit):
    assert fits(asked(question), said(number(315_000, unit))) is fit


def test_the_thing_that_is_counted_is_the_unit_that_is_asked_for():
    for question, unit in (
        ("How many employees did the group have?", "employee"),
        ("What was the number of full-time employees?", "employee"),
        ("How many tokens was it trained on?", "token"),
        ("How many patents does it hold?", ""),
        ("How many hours did the employees train?", ""),
        ("What was revenue?", ""),
    ):
        assert counted_unit(asked(question)) == unit


def test_a_share_is_no_amount_of_anything():
    for question in (
        "What share of the staff are women?",
        "What percentage of the staff are women?",
    ):
        ask = asked(question)
        assert fits(ask, said(number(34, "%"))) and fits(ask, said(number("0.34")))
        assert not fits(ask, said(number(2467, "employee")))
        assert not fits(ask, said(number(34, "USD")))
    assert fits(asked("What was its share of the profit of associates?"), said(number(34, "USD")))


@pytest.mark.parametrize(
    "question",
    ["What was the current ratio of Acme in 2020?", "Acme current ratio, 31 Dec 2020"],
)
def test_a_ratio_of_two_amounts_is_no_amount(question):
    assert not fits(asked(question), celled(number(30, "USD", 1000), "Total current assets"))
    assert fits(asked(question), said(number("1.4")))


def test_a_total_has_no_name():
    assert not fits(asked("Which site used most water?"), said("Total"))
    assert fits(asked("Which firm used most water?"), said("Total Gas"))
