"""What a question asks for by its noun."""

from __future__ import annotations

import pytest

from pincite.question.focus import count_asked, focus, kind_of


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who led the survey?", "who"),
        ("The remark was made by the chairman of which company?", "org"),
        ("When a product is cheap, what is the effect called?", "term"),
        ("What is the maturity date of the loan?", "when"),
        ("How many people used a card when sales rose?", "many"),
        ("What do the obligations consist of?", "do"),
        ("Why did sales fall?", "why"),
    ],
)
def test_the_class_of_a_question_is_that_of_what_it_asks(question: str, kind: str) -> None:
    assert kind_of(question) == kind


def test_focus_is_the_asked_noun() -> None:
    assert focus("Which small lake model is best?") == "small lake model"
    assert focus("What is the name of the survey tool used here?") == "survey tool"


def test_how_many_words_are_asked_for() -> None:
    assert (
        count_asked("Answer with a single word."),
        count_asked("which two-word term?"),
        count_asked("which term?"),
    ) == (1, 2, 0)
