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
