"""True or false, from what the text says for and against."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.evidence.candidate import Passage
from pincite.evidence.stance import read_truth, said_in
from pincite.question.understanding import understand
from pincite.types import Anchor, Node, Query

TEXT = """The law requires operators to report the water that they withdraw from rivers.
It does not require operators to report the water that evaporates.
New kilns often rely on gas heating because of the high temperatures.
Transport accounts for more of the cost than packaging does.
The levy rose to 15% in March."""


def decide(question: str, text: str = TEXT, silence: str = "na") -> bool | None:
    query = Query(question)
    if silence == "no":
        query = replace(query, silence="no")
    ask = understand(query)
    page = Passage(Node("n", "page", text, Anchor("sha", ((1, None),))), document="d")
    found = read_truth(ask, ask.text, said_in(page) if text else [])
    assert all(0.5 <= one.score <= 1 for one in found)
    value = found[0].value if found else None
    assert value is None or isinstance(value, bool)
    return value


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        ("The law requires operators to report the water that they withdraw from rivers.", True),
        ("The law requires operators to report the water that evaporates.", False),
        ("New kilns often rely on electric heating because of the high temperatures.", False),
        ("Transport accounts for more of the cost than packaging does.", True),
        ("Packaging accounts for more of the cost than transport does.", False),
        ("The levy rose to 15% in March.", True),
        ("The levy rose to 25% in March.", False),
        ("The levy fell to 15% in March.", False),
    ],
)
def test_statements(statement: str, value: bool) -> None:
    assert decide(f"True or False: {statement}") is value


def test_a_question_is_decided_like_a_statement() -> None:
    assert (
        decide(
            "Does the law require operators to report the water that they withdraw from rivers?"
        )
        is True
    )


def test_what_says_little_of_a_question_does_not_deny_it() -> None:
    text = "We maintain controls of our kilns in all offices.\nOfferings include, but are not limited to, gas kilns."
    assert decide("Are dogs allowed in the offices?", text) is None
    assert decide("Do the offerings include gas kilns?", text) is True


def test_silence_is_no_only_when_the_question_or_the_setting_says_so() -> None:
    question = "Did the bakery announce a merger with another company?"
    assert decide(f"{question} If there is no mention, return False.") is False
    assert decide(question, silence="no") is False


def test_nothing_read_decides_nothing() -> None:
    assert decide("True or False: the levy rose.", text="") is None
