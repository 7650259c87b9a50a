"""Learning from answers alone, on readings made by hand."""

import numpy as np
import pytest

from pincite.lab.measuring.fitting import best, cross_fitted, fit, packed


def questions(n):
    """Of two readings the one with the feature "good" is right; "noise" says nothing; "rare" comes once."""
    names = {}
    made = []
    for at in range(n):
        rows = [{"good": 1.0, "noise": at % 2}, {"bad": 1.0, "noise": (at + 1) % 2}]
        if at == 0:
            rows[1]["rare"] = 1.0
        made.append(packed(f"table {at % 7}", rows, [("yes",), ("no",)], [True, False], names))
    return made, names


def test_what_is_right_is_learned_and_what_is_rare_is_not():
    made, names = questions(40)
    weights = fit(made, len(names))
    assert weights[names["good"]] > 0.5 > -0.5 > weights[names["bad"]]
    assert weights[names["rare"]] == 0
    assert abs(weights[names["noise"]]) < 0.1


def test_readings_of_one_answer_add_up():
    names = {}
    one = packed(
        "t",
        [{"a": 1.0}, {"a": 0.9}, {"a": 1.2}],
        [("x",), ("x",), ("y",)],
        [True, True, False],
        names,
    )
    found = best(one, np.array([1.0]), list(names))
    shares = np.exp([1.0, 0.9, 1.2])
    assert found.answer == ("x",)
    assert found.right
    assert found.surety["log chance"] == pytest.approx(np.log(shares[:2].sum() / shares.sum()))


def test_every_question_is_answered_from_other_tables():
    made, names = questions(40)
    told = cross_fitted(made, list(names))
    assert all(one.right and sure > 0.5 for one, sure in told)
