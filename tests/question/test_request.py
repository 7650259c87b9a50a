"""What is asked once the courtesy is taken off."""

import pytest

from pincite.question.request import bare
from pincite.question.understanding import understand
from pincite.types import Query


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        (
            "Could you tell me what Halvorsen paid for Lindqvist, please?",
            "what Halvorsen paid for Lindqvist?",
        ),
        ("Would you list our Austrian clients?", "list our Austrian clients?"),
        ("Can you please give me Halvorsen's 2022 revenue", "Halvorsen's 2022 revenue"),
        ("I'd like to know the headcount of Halvorsen", "the headcount of Halvorsen"),
        ("Hi there, can I have the density of Velan 10? Thanks!", "the density of Velan 10?!"),
        ("Do you know how many people work there?", "how many people work there?"),
        ("please list the directors", "list the directors"),
    ],
)
def test_courtesy_is_taken_off(said, asked):
    assert bare(said) == asked


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Plot the strength over the density of steels", "the strength and the density of steels"),
        ("Could you show me a chart of price against weight?", "price and weight?"),
        ("draw a scatter plot of price vs. weight", "price and weight"),
        ("Please plot revenue over the last five years", "revenue over the last five years"),
        ("Chart revenue over time", "revenue over time"),
        ("Which plot is the largest?", "Which plot is the largest?"),
        ("Draw up a list of directors", "Draw up a list of directors"),
    ],
)
def test_a_request_for_a_plot_asks_for_what_is_drawn(said, asked):
    assert bare(said) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Do you pay a dividend?",
        "Can the plant run on hydrogen?",
        "Will Halvorsen pay a dividend in 2023?",
        "Can I recycle the packaging?",
        "What did Please Foods earn in 2022?",
        "please",
        "",
    ],
)
def test_what_is_no_request_stays(question):
    assert bare(question) == question


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("Could you tell me how many people Halvorsen employs?", "number"),
        ("Can you tell me who chairs the board?", "name"),
        ("Can you tell me whether Halvorsen paid a dividend?", "boolean"),
        ("Could the plant run on hydrogen?", "boolean"),
    ],
)
def test_a_request_wants_what_it_requests(question, expects):
    assert understand(Query(question)).expects == expects


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("What was the revenue in 2022? And who is the CEO?", True),
        ("What was the revenue and how many people work there?", True),
        ("When was it founded, and who leads it?", True),
        ("When training runs longer, how often is it paused?", False),
        ("What did the study find for Altoona, in USD, when training there?", False),
        ("What is the top of the range, which is reached by one task?", False),
    ],
)
def test_when_opens_a_clause_as_well_as_a_question(question, several):
    assert understand(Query(question)).instructs("several questions") == several
