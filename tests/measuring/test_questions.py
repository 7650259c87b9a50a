import pytest

from benchmarks.measuring import own_questions as questions
from pincite.records.runfile import record_of


def line(identifier, value, confidence, possible=(), verdict="supported"):
    check = {"verdict": verdict, "how": ""}
    near = [
        {"value": one, "unit": "", "confidence": confidence, "citation": None} for one in possible
    ]
    return record_of(
        {
            "id": identifier,
            "value": value,
            "confidence": confidence,
            "possible": near,
            "checks": [check],
        }
    )


def test_the_best_candidate_is_shown_or_was_not_sure_enough():
    shown, unsure = line("1", 5, 0.8, [7]), line("2", None, 0.1, [6, 7])
    refused, silent = line("3", None, 0.9, [8], verdict="contradicted"), line("4", None, 0.0)
    assert [each.candidate for each in (shown, unsure, refused, silent)] == [5, 6, None, None]
    best = questions.candidates({each.id: each for each in (shown, unsure, refused, silent)})
    assert {key: each.value for key, each in best.items()} == {"1": 5, "2": 6}


def test_calibration_counts_candidates_that_are_not_shown():
    some = [line(str(at), None, 0.2, [1]) for at in range(5)] + [
        line(str(at), 1, 0.8) for at in range(5, 10)
    ]
    best = questions.candidates({each.id: each for each in some})
    right = {each.id: int(each.id) in (0, 5, 6, 7, 8) for each in some}
    error, ratio = (each.figure for each in questions.calibration_lines("questions", best, right))
    assert error.n == 10 and error.value == pytest.approx(0) and error.low >= 0
    assert ratio.value == pytest.approx(0.8 / 0.5) and ratio.low < 1.6 < ratio.high
