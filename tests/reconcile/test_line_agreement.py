"""What speaks for a value that a model took from a line, and how likely that makes it."""

import math
from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.evidence.candidate import Candidate, Passage
from pincite.generate.line_reading import TakenLine
from pincite.lexicon import data_table
from pincite.lines.line import Line
from pincite.lines.ranking import RankedLine
from pincite.ports import TokenChoice
from pincite.reconcile.line_agreement import UNSURE, WEIGHTS, confidence, features
from pincite.types import Anchor, Answer, Check, Draft, Node, Quantity, Query
from tests.stand_ins.fakes import ScriptedModel

TEN, ELEVEN = Quantity(Decimal(10), "EUR"), Quantity(Decimal(11), "EUR")
LINE = RankedLine(
    Line(Passage(Node("n", "paragraph", "x", Anchor("s")))), 1.5, 0.6, 0.4, -2.0, 1.0
)
TOKENS = tuple(TokenChoice(each, {each: chance}) for each, chance in (("1", -0.1), ("0", -0.4)))


def known(value=TEN, other=ELEVEN):
    query = Query("q")
    draft = Draft(query, "", value)
    told = Draft(query, "", other, confidence=0.3)
    taken = TakenLine(draft, Candidate(value, ()), LINE, 1, TOKENS, False)
    checks = (Check("c", "supported", "1", "it stands there", answers=0.7),)
    checked = Answer(query, "", value, (), checks)
    return features(taken, checked, told, Answer(query, "", other, (), ()))


def test_another_value_of_the_other_reader_differs():
    said = known()
    assert (said["agrees"], said["other stands, differs"], said["other's chance, differs"]) == (
        0,
        1,
        0.3,
    )
    assert (said["judge of the value"], said["first line"]) == (0.7, 0)
    assert said["whole reply"] == pytest.approx(-0.05)


def test_the_same_value_agrees_in_any_scale():
    said = known(other=Quantity(Decimal("0.01"), "EUR", Decimal(1000)))
    assert (said["agrees"], said["other stands, differs"], said["other's chance, agreed"]) == (
        1,
        0,
        0.3,
    )


@pytest.mark.parametrize(
    ("value", "other", "agrees"),
    [("Ms Nova Taylor", "Nova Taylor", 1), ("Nova", "Nova Taylor", 1), ("Nova Tay", "Nova Taylor", 0), (True, False, 0)],
)  # fmt: skip
def test_names_agree_where_one_holds_the_other(value, other, agrees):
    assert known(value, other)["agrees"] == agrees


def test_the_chance_is_the_logistic_of_the_weighted_sum():
    table = data_table(WEIGHTS)
    said = known()
    whole = table["constant"] + sum(table["weights"][name] * value for name, value in said.items())
    assert confidence(said) == pytest.approx(1 / (1 + math.exp(-whole)))


def test_every_weight_is_of_a_feature_and_every_feature_has_one():
    assert set(data_table(WEIGHTS)["weights"]) == set(known())


def test_agreement_makes_surer():
    assert confidence(known(other=TEN)) > confidence(known())


DROPPED = "the model's reply was dropped:"
ASKED = "How much energy in Wh does a request to Fjord-1.3B need at 4 bit?"


def answering(library, *values):
    """The draft, and the prompts, where a model names for each prompt the line that holds the next of these values."""
    prompts = []

    def script(prompt, form):
        value = values[min(len(prompts), len(values) - 1)]
        prompts.append(prompt)
        numbers = [at for at, piece in enumerate(prompt.context, 1) if value and value in piece]
        return {"lines": numbers[:1] or [1] if value else [], "value": value}

    kit = replace(library.kit, large=ScriptedModel(script, name="qwen2.5:1.5b"))
    reader = library.recipe.line_reader(library.corpus, kit, library.settings)
    return reader(library.recipe.find(library.corpus, kit)(Query(ASKED))), prompts


def test_a_value_that_stands_in_its_line_is_drafted_with_its_cell(library):
    draft, prompts = answering(library, "0.26")
    assert (draft.value.amount, draft.value.unit) == (Decimal("0.26"), "Wh")
    assert draft.citations[0].quote == "0.26"
    assert draft.confidence >= data_table(WEIGHTS)["threshold"]
    assert len(prompts) == 1 and len(prompts[0].context) > 5


def test_what_stands_in_no_line_is_asked_for_once_more_and_then_dropped(library):
    draft, prompts = answering(library, "0.777")
    assert (draft.value, draft.reason) == (
        None,
        f"{DROPPED} '0.777' stands in no line that was shown",
    )
    assert len(prompts) == 2 and "0.777" in prompts[1].turns[0][1]
    mended, _ = answering(library, "0.777", "0.26")
    assert mended.value is None or mended.value.amount == Decimal("0.26")


def test_no_line_is_a_refusal(library):
    draft, prompts = answering(library, "")
    assert draft.value is None and len(prompts) == 1


def test_what_is_not_certain_is_a_possible_answer(library):
    draft, _ = answering(library, "0.62")
    assert draft.value is None
    assert draft.reason == UNSURE
    assert draft.possible[0].value.amount == Decimal("0.47")


def test_words_are_no_number(library):
    draft, prompts = answering(library, "1.3")
    assert (draft.value, len(prompts)) == (None, 2)
    assert draft.reason == f"{DROPPED} '1.3' is no number of its line"
