"""What a model took beside what the reader without one found, and how likely that makes each."""

from dataclasses import replace
from decimal import Decimal

import pytest

from pincite.evidence.candidate import Candidate, Evidence
from pincite.generate.line_reading import TakenLine
from pincite.lines.reading import Contest, best
from pincite.ports import Progress, TokenChoice
from pincite.recipes.line_agreement import (
    LEAST,
    UNKNOWN,
    UNSURE,
    WEIGHTS,
    features,
    line_odds,
    says_same,
    weighed,
)
from pincite.storage.ledger import listened, tell
from pincite.text.lexicon import data_table
from pincite.types import Anchor, Draft, Node, Quantity, Query
from tests.stand_ins.fakes import ScriptedModel

TEN, ELEVEN = Quantity(Decimal(10), "EUR"), Quantity(Decimal(11), "EUR")


def tokens(*said):
    return tuple(TokenChoice(each, {each: chance, "9": -7.0}) for each, chance in said)


TOKENS = tokens(('{"lines":', -0.1), (" [", 0.0), ("1", -0.2), ("0", -0.4), ("]", -3.0))


def taken(value=TEN):
    return TakenLine(Draft(Query("q"), "", value), Candidate(value, ()), TOKENS)


def at(value, quote):
    return Candidate(value, (Evidence(Node("n", "paragraph", quote, Anchor("a")), quote=quote),))


def test_the_line_counts_by_its_number_alone():
    assert line_odds(taken()) == pytest.approx(-0.6)
    assert line_odds(replace(taken(), tokens=())) == UNKNOWN
    far = tokens(("[", 0.0), ("1", -3.0), ("2", -3.0))
    assert line_odds(replace(taken(), tokens=far)) == LEAST


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        (TEN, Quantity(Decimal("0.01"), "EUR", Decimal(1000)), True), (TEN, ELEVEN, False),
        ("Ms Nova Taylor", "Nova Taylor", True), ("Nova", "Nova Taylor", True), ("Nova Tay", "Nova Taylor", False),
        ((TEN, ELEVEN), (ELEVEN, TEN), True),
    ],
)  # fmt: skip
def test_what_says_the_same(value, other, same):
    assert says_same(Candidate(value, ()), Candidate(other, ())) == same


def test_yes_is_the_same_in_one_place_alone():
    assert says_same(at(True, "It pays."), at(True, "It pays."))
    assert not says_same(at(True, "It pays."), at(True, "It may."))
    assert not says_same(at(True, "It pays."), at(False, "It pays."))


def test_the_model_speaks_for_what_it_says():
    said = features(Candidate(TEN, ()), 1.5, taken())
    assert said == {"reader": 1.5, "model, number": 1.0, "line": pytest.approx(-0.6)}
    assert features(Candidate(ELEVEN, ()), 1.5, taken()) == {"reader": 1.5}
    assert features(Candidate(ELEVEN, ()), 1.5, TakenLine(Draft(Query("q"), "", None))) == {
        "reader": 1.5
    }
    sure = features(at(True, "It pays."), 0.5, replace(taken(), candidate=at(True, "It pays.")))
    assert set(sure) == {"reader, truth", "model, truth", "line"}


def test_the_odds_are_weighted_sums():
    held = Contest([Candidate(TEN, ()), Candidate(ELEVEN, ())], [1.0, 2.0], 0.5)
    made = weighed(held, taken(), {"reader": 0.5, "model, number": 3.0, "line": 1.0, "none": 0.25})
    assert (made.odds, made.none) == ([pytest.approx(2.9), pytest.approx(1.0)], pytest.approx(0.5))


def test_every_weight_is_of_a_feature_and_every_feature_has_one():
    every = {"none"}
    for value in (True, TEN, "Nova", (TEN, ELEVEN)):
        every |= set(features(at(value, "x"), 1.0, replace(taken(), candidate=at(value, "x"))))
    assert set(data_table(WEIGHTS)["weights"]) == every


def test_what_both_say_is_surer_than_what_one_says():
    held = Contest([Candidate(TEN, ()), Candidate(ELEVEN, ())], [0.0, 0.0], 0.0)
    first, second = best(weighed(held, taken(), data_table(WEIGHTS)["weights"]))
    assert first.value == TEN and first.score > second.score
    assert first.score > best(held)[0].score


DROPPED = "the model's reply was dropped:"
ASKED = "How much energy in Wh does a request to Fjord-1.3B need at 4 bit?"
UNSAID = "How many patents did Halvorsen Maritime hold at the end of 2023?"


def answering(library, *values, asked=ASKED):
    """The draft, and the prompts, where a model names for each prompt the line that holds the next of these values."""
    prompts = []

    def script(prompt, form):
        value = values[min(len(prompts), len(values) - 1)]
        prompts.append(prompt)
        numbers = [at for at, piece in enumerate(prompt.context, 1) if value and value in piece]
        return {"lines": numbers[:1] or [1] if value else [], "value": value}

    kit = replace(library.kit, large=ScriptedModel(script, name="qwen2.5:1.5b"))
    reader = library.recipe.line_reader(
        library.corpus, kit, replace(library.settings, threshold=1.0)
    )
    return reader(library.recipe.find(library.corpus, kit)(Query(asked))), prompts


def test_a_value_that_stands_in_its_line_is_drafted_with_its_cell(library):
    draft, prompts = answering(library, "0.26")
    assert (draft.value.amount, draft.value.unit) == (Decimal("0.26"), "Wh")
    assert draft.citations[0].quote == "0.26"
    assert draft.confidence >= data_table(WEIGHTS)["threshold"]
    assert len(prompts) == 1 and len(prompts[0].context) > 5


def test_what_stands_in_no_line_is_asked_for_once_more_and_then_dropped(library):
    draft, prompts = answering(library, "0.777", asked=UNSAID)
    assert (draft.value, draft.reason) == (
        None,
        f"{DROPPED} '0.777' stands in no line that was shown",
    )
    assert len(prompts) == 2 and "0.777" in prompts[1].turns[0][1]
    mended, _ = answering(library, "0.777", "0.26")
    assert mended.value is None or mended.value.amount == Decimal("0.26")


def test_what_was_found_first_is_told_while_the_model_reads(library):
    heard = []

    def script(prompt, form):
        tell(Progress("m"))
        return {"lines": [], "value": ""}

    kit = replace(library.kit, large=ScriptedModel(script, name="qwen2.5:1.5b"))
    settings = replace(library.settings, threshold=1.0)
    reader = library.recipe.line_reader(library.corpus, kit, settings)
    with listened(heard.append):
        reader(library.recipe.find(library.corpus, kit)(Query(ASKED)))
    assert str(heard[0]) == "perhaps 0.26 Wh on page 1; reading with m"


def test_no_line_is_a_refusal(library):
    draft, prompts = answering(library, "", asked=UNSAID)
    assert draft.value is None and len(prompts) == 1


def test_what_is_not_certain_is_a_possible_answer(library):
    draft, _ = answering(library, "0.62")
    assert draft.value is None
    assert draft.reason == UNSURE
    assert {str(each.value.amount) for each in draft.possible} >= {"0.26", "0.42"}


def test_words_are_no_number(library):
    draft, prompts = answering(library, "Halvorsen", asked=UNSAID)
    assert (draft.value, len(prompts)) == (None, 2)
    assert draft.reason == f"{DROPPED} 'Halvorsen' is no number of its line"
