"""What speaks for a value that a model took from a line, and how likely that makes it."""

import math
from decimal import Decimal

import pytest

from pincite.evidence.candidate import Candidate, Passage
from pincite.generate.line_reading import TakenLine
from pincite.lexicon import data_table
from pincite.lines.line import Line
from pincite.lines.ranking import RankedLine
from pincite.ports import TokenChoice
from pincite.reconcile.line_agreement import WEIGHTS, confidence, features
from pincite.types import Anchor, Answer, Check, Draft, Node, Quantity, Query

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
