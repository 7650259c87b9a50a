from dataclasses import dataclass, field

import pytest

from pincite.errors import BudgetSpent, ModelUnreachable, ReplyInvalid
from pincite.generate.page_judge import Judged
from pincite.storage.ledger import metered
from tests.stand_ins.fakes import ScriptedModel

TEXTS = ("alpha", "beta", "gamma", "delta", "epsilon")
TRUE = {"alpha": 0.1, "beta": 0.9, "gamma": 0.4, "delta": 1.0, "epsilon": 0.0}


def pieces(prompt):
    return [piece.split("\n")[1] for piece in prompt.context]


@dataclass
class Judge:
    """Scores from TRUE; `first` changes its replies to calls on several texts, `alone` those to calls on one."""

    first: object = None
    alone: object = None
    calls: list = field(default_factory=list)

    def __call__(self, prompt, form):
        texts = pieces(prompt)
        self.calls.append(texts)
        given = [
            {"piece": at, "reasoning": "", "relevance": TRUE[text]}
            for at, text in enumerate(texts, 1)
        ]
        change = self.alone if len(texts) == 1 else self.first
        return {"judgements": change(texts, given) if change else given}


def scored(judge, window=None, pages=3):
    with metered() as meter:
        return Judged(ScriptedModel(judge, window=window), pages).score("q", TEXTS), meter.notes


def test_several_texts_are_judged_in_one_call():
    judge = Judge()
    assert scored(judge) == ([0.1, 0.9, 0.4, 1.0, 0.0], [])
    assert sorted(judge.calls) == [["alpha", "beta", "gamma"], ["delta", "epsilon"]]


@pytest.mark.parametrize(
    "slip",
    [
        lambda texts, given: given[:-1],  # forgets the last
        lambda texts, given: [*given[:-1], given[-1] | {"relevance": 7.0}],  # out of range
        lambda texts, given: [*given, given[-1] | {"relevance": 0.5}],  # scores one twice
        lambda texts, given: [*given[:-1], given[-1] | {"piece": 9}],  # one that there is not
    ],
)
def test_what_was_not_judged_is_asked_about_alone(slip):
    judge = Judge(first=slip)
    assert scored(judge) == ([0.1, 0.9, 0.4, 1.0, 0.0], [])
    assert sorted(judge.calls[2:]) == [["epsilon"], ["gamma"]]


def test_what_overflows_the_window_is_not_taken_from_the_reply():
    def all_three(texts, given):
        return [{"piece": at, "relevance": 0.8} for at in (1, 2, 3)]

    assert scored(Judge(first=all_three), window=2)[0] == [0.8, 0.8, 0.4, 0.8, 0.8]


def test_what_stays_unjudged_counts_nothing_and_is_told():
    none = Judge(first=lambda texts, given: given[:1], alone=lambda texts, given: [])
    assert scored(none) == (
        [0.1, 0.0, 0.0, 1.0, 0.0],
        ["3 of 5 pages were not judged and count 0"],
    )


def test_scores_are_in_steps():
    assert (
        scored(Judge(first=lambda texts, given: [one | {"relevance": 0.449} for one in given]))[0]
        == [0.4] * 5
    )


def failing(error, when):
    def fail(texts, given):
        if when in texts:
            raise error
        return given

    return fail


def test_a_failed_call_does_not_end_the_others():
    judge = Judge(first=failing(ReplyInvalid("no form"), "beta"))
    assert scored(judge) == ([0.1, 0.9, 0.4, 1.0, 0.0], [])


def test_when_every_call_fails_so_does_the_judge():
    away = failing(ModelUnreachable("nobody answers"), None)

    def gone(texts, given):
        raise ModelUnreachable("nobody answers")

    assert away(("a",), []) == []
    with pytest.raises(ModelUnreachable):
        scored(Judge(first=gone))


def test_a_spent_budget_ends_it():
    with pytest.raises(BudgetSpent):
        scored(Judge(first=failing(BudgetSpent("no money"), "beta")))
