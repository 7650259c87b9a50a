"""Names, terms, dates, options and lists from running text."""

from __future__ import annotations

import pytest

from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.lines.phrases import looks
from pincite.lines.reading import best_of, each_once
from pincite.question.offers import offered
from pincite.question.understanding import understand
from pincite.types import Anchor, Node, Query, Value

TEXT = """The Tarn Survey was led by Maria Olsen, who joined the institute in June 2014.
This effect is also known as the ratchet effect because prices rarely fall again.
At low loads the K40 accelerator is badly underused, whereas the K20 accelerator is busy.
The National Lake Research Office (NLRO) keeps the records.
Of the three levers, pricing had the largest impact, while advertising did little.
The survey covers sales of carp, perch and pike."""


def answers(question: str, text: str = TEXT) -> list[Value]:
    passages = [Passage(Node("n", "page", text, Anchor("sha", ((1, None),))), document="d")]
    return [found.value for found in best_of(understand(Query(question)), passages)]


def test_overlapping_parts_of_a_text_are_one_answer_with_their_chance_together():
    node = Node("n", "paragraph", "Issued by the Tarn Water Authority.", Anchor("s"))

    def part(text):
        start = node.text.index(text)
        return Candidate(text, (Evidence(node, (), start, start + len(text), text),))

    found = [part("Tarn Water Authority"), part("the Tarn Water Authority"), part("Issued")]
    first, second = each_once(found, [0.3, 0.25, 0.1])
    assert (first.value, first.score, second.value) == (
        "Tarn Water Authority",
        0.55,
        "Issued",
    )


def test_a_name_with_and_without_its_title_is_one_answer_with_its_chance_together():
    places = [
        Node(f"p{at}", "paragraph", text, Anchor("s"))
        for at, text in enumerate(("Ana Reis", "Ms Ana Reis"))
    ]
    found = [
        Candidate(node.text, (Evidence(node, (), 0, len(node.text), node.text),))
        for node in places
    ]
    lund = Node("p2", "paragraph", "Ana Lund", Anchor("s"))
    other = Candidate("Ana Lund", (Evidence(lund, (), 0, 8, "Ana Lund"),))
    first, second = each_once([*found, other], [0.4, 0.3, 0.2])
    assert (first.value, round(first.score, 6), second.value) == ("Ana Reis", 0.7, "Ana Lund")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who led the Tarn Survey?", "Maria Olsen"),
        ("When did Maria Olsen join the institute?", "June 2014"),
        ("Which accelerator is badly underused at low loads?", "K40"),
        ("What does NLRO stand for?", "National Lake Research Office"),
    ],
)
def test_the_phrase_that_is_asked_for_comes_first(question: str, value: str) -> None:
    assert answers(question)[0] == value


def test_a_defined_term_is_among_the_first() -> None:
    assert "ratchet effect" in answers("By what two-word term is this effect on prices known?")[:3]


def test_one_of_the_offered_options_is_chosen() -> None:
    question = (
        "Which of the following levers had the largest impact: pricing, advertising, or staffing?"
    )
    assert answers(question)[0] == "pricing"


def test_a_series_in_an_earlier_sentence_is_offered_by_which_of_the_three() -> None:
    ask = understand(
        Query(
            "The study compares three levers: pricing, store location, and staffing. Which of the three wins?"
        )
    )
    assert offered(ask) == ("pricing", "store location", "staffing")


def test_a_question_without_a_choice_offers_nothing() -> None:
    assert offered(understand(Query("Which lake is the deepest?"))) == ()


def test_form_tells_people_from_phrases() -> None:
    assert looks("Maria Olsen")["person"] == 1
    assert looks("Language Model", frozenset({"language", "model"}))["person"] == 0
    assert looks("carp")["lone"] == 1


def test_names_come_as_a_tuple() -> None:
    values = answers("Which species, by their names, does the survey cover?")
    assert all(isinstance(value, tuple | str) for value in values)
