"""What questions ask for by their words."""

from __future__ import annotations

import pytest

from pincite.question.asking import (
    asking_sentence,
    asks_reason,
    asks_several,
    headed,
    how_many,
    spelled,
)
from pincite.question.contest import contest
from pincite.question.understanding import understand
from pincite.types import Query


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("Which engineers left the harbour board in 2021?", "names"),
        ("Which sales manager leads the north?", "number"),  # "sales" is a word of amounts
        ("Which night watchman lives there?", "name"),
        ("Which three ferries carried most of the freight?", "names"),
        ("Name the permanent panels of the harbour board.", "names"),
        ("Name the harbour master.", "name"),
        ("What are the dangers of a flood?", "text"),
        ("What ferries does it run?", "names"),
        ("Can you write me a summary of 2021?", "text"),
        ("CEO of Heronbank at the time of the flood?", "name"),
        ("Auditor of Heronbank?", "name"),
        ("What lay behind the wider margin of the ferries?", "text"),
        ("How come the number of passengers jumped?", "text"),
        ("What are the total assets in 2021?", "number"),
    ],
)
def test_type_of_answer(question: str, expects: str) -> None:
    assert understand(Query(question)).expects == expects


def test_reasons_are_no_computations() -> None:
    ask = understand(Query("Why did the increase in ferry revenue slow?"))
    assert (ask.operation, ask.kind) == ("lookup", "why")
    assert asks_reason("What drove ferry revenue?") and not asks_reason(
        "What amount was due to suppliers?"
    )


def test_counts_and_plurals() -> None:
    assert how_many("Which three ferries sank?") == 3
    assert how_many("Which ferries sank?") == 0
    assert asks_several("List the ferries in Spain") and not asks_several(
        "What is the ferry called?"
    )


def test_posts_are_written_out() -> None:
    assert spelled("Who is CEO?") == "Who is CEO? chief executive officer"
    assert spelled("Who is in charge?") == "Who is in charge?"
    assert headed("CFO of Heronbank?") == "who" and headed("Revenue of Heronbank") == ""


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("What is the total equity of the Parent Company in 2023?", "Parent Company"),
        ("How many staff does Fjordline Ferries plc have?", ""),
    ],
)
def test_only_what_is_a_legal_form_and_nothing_else_is_cut_out(question: str, held: str) -> None:
    subject = understand(Query(question)).subject
    assert held in subject and "plc" not in subject


def test_the_first_question_is_the_one_that_is_compared() -> None:
    several = "Which firm has the lowest rent? Was it Ferry Alpha or Ferry Beta?"
    assert contest(Query(several), ("Ferry Alpha", "Ferry Beta")).operation == "argmin"
    assert asking_sentence(several) == "Which firm has the lowest rent?"
