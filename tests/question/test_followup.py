"""Follow-ups made standalone by rules alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.question.followup import standalone

TAX = "What was the income tax expense of Harbour Lines in 2023?"
CHANGE = "By what percentage did the operating profit of Harbour Lines change from 2022 to 2023?"
SCOPE = "What were the Scope 1 emissions of Nordkraft in Denmark in 2022?"
HELD = "How many patents did Harbour Lines hold at the end of 2023?"
POSSESSED = "What was Nordkraft's revenue in 2021?"
NAMES = {"harbour lines", "nordkraft", "acme"}


def known(name):
    return name.casefold() in NAMES


@pytest.mark.parametrize(
    ("before", "text", "meant"),
    [
        (TAX, "and in 2022?", "What was the income tax expense of Harbour Lines in 2022?"),
        (TAX, "2022?", "What was the income tax expense of Harbour Lines in 2022?"),
        (TAX, "and the year before?", "What was the income tax expense of Harbour Lines in 2022?"),
        (TAX, "the following year", "What was the income tax expense of Harbour Lines in 2024?"),
        (
            TAX,
            "And what about Q3?",
            "What was the income tax expense of Harbour Lines in Q3 2023?",
        ),
        (
            TAX,
            "from 2020 to 2021?",
            "What was the income tax expense of Harbour Lines from 2020 to 2021?",
        ),
        (TAX, "what about Acme?", "What was the income tax expense of Acme in 2023?"),
        (TAX, "what about acme?", "What was the income tax expense of acme in 2023?"),
        (
            TAX,
            "same for Nordkraft in 2021",
            "What was the income tax expense of Nordkraft in 2021?",
        ),
        (TAX, "and its net income?", "What was the net income of Harbour Lines in 2023?"),
        (TAX, "and its revenue in 2021?", "What was the revenue of Harbour Lines in 2021?"),
        (TAX, "what about Acme's revenue?", "What was the revenue of Acme in 2023?"),
        (TAX, "Net income?", "What was the Net income of Harbour Lines in 2023?"),
        (
            TAX,
            "in millions of USD?",
            "What was the income tax expense of Harbour Lines in 2023 in millions of USD?",
        ),
        (TAX, "What was its net income?", "What was Harbour Lines' net income in 2023?"),
        (TAX, "Who is their auditor?", "Who is Harbour Lines' auditor?"),
        (TAX, "Who is the CEO?", "Who is the CEO of Harbour Lines?"),
        (TAX, "What was the net income?", "What was the net income of Harbour Lines in 2023?"),
        (
            TAX,
            "What was the net income in 2020?",
            "What was the net income of Harbour Lines in 2020?",
        ),
        (
            TAX,
            "How many employees did they have?",
            "How many employees did Harbour Lines have in 2023?",
        ),
        (TAX, "What did the company spend that year?", "What did Harbour Lines spend in 2023?"),
        (
            TAX,
            "How did it change from 2022?",
            "How did the income tax expense of Harbour Lines change from 2022 to 2023?",
        ),
        (
            TAX,
            "Was it higher in 2022?",
            "Was the income tax expense of Harbour Lines higher in 2022 than in 2023?",
        ),
        (
            TAX,
            "How does that compare with the year before?",
            "How does the income tax expense of Harbour Lines in 2023 compare with 2022?",
        ),
        (
            CHANGE,
            "and revenue?",
            "By what percentage did the revenue of Harbour Lines change from 2022 to 2023?",
        ),
        (
            CHANGE,
            "and Acme?",
            "By what percentage did the operating profit of Acme change from 2022 to 2023?",
        ),
        (
            CHANGE,
            "from 2020 to 2021?",
            "By what percentage did the operating profit of Harbour Lines change from 2020 to 2021?",
        ),
        (
            SCOPE,
            "and in Norway?",
            "What were the Scope 1 emissions of Nordkraft in Norway in 2022?",
        ),
        (
            SCOPE,
            "what about Norway?",
            "What were the Scope 1 emissions of Nordkraft in Norway in 2022?",
        ),
        (
            SCOPE,
            "and Scope 2?",
            "What were the Scope 2 emissions of Nordkraft in Denmark in 2022?",
        ),
        (SCOPE, "and for Acme?", "What were the Scope 1 emissions of Acme in Denmark in 2022?"),
        (HELD, "and in 2022?", "How many patents did Harbour Lines hold at the end of 2022?"),
        (
            HELD,
            "and trademarks?",
            "How many trademarks did Harbour Lines hold at the end of 2023?",
        ),
        (POSSESSED, "and Acme?", "What was Acme's revenue in 2021?"),
        (POSSESSED, "and net income?", "What was Nordkraft's net income in 2021?"),
        ("What was the revenue in 2023?", "and Acme?", "What was the revenue of Acme in 2023?"),
        (
            "How much does Tern-2B need at 4 bit?",
            "and at 8 bit?",
            "How much does Tern-2B need at 8 bit?",
        ),
    ],
)
def test_what_is_left_out_is_inherited(before, text, meant):
    assert standalone(text, [before], known) == meant


@pytest.mark.parametrize(
    "text",
    [
        SCOPE,
        POSSESSED,
        "What is the hazardous waste of Nordkraft?",
        "How much energy does a request to Tern-2B need at 4 bit?",
        "Which of Acme and Nordkraft had the higher revenue in 2020?",
        "What were the Scope 1 emissions of Nordkraft in 2022?",
        "thanks",
    ],
)
def test_an_explicit_question_passes_untouched(text):
    assert standalone(text, [TAX], known) == text


def test_the_latest_question_counts_and_a_name_is_sought_further_back():
    assert standalone("and in 2020?", [TAX, SCOPE], known) == SCOPE.replace("2022", "2020")
    assert (
        standalone("What was its revenue?", [TAX, "Who is the auditor?"], known)
        == "What was Harbour Lines' revenue in 2023?"
    )


def test_without_a_conversation_nothing_changes():
    assert standalone("  and   in 2022? ", [], known) == "and in 2022?"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_after_any_text_gives_one_line(before, text):
    made = standalone(text, [before], known)
    assert made == " ".join(made.split())
    assert bool(made) == bool(text.split())
