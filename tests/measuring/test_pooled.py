import pytest

from benchmarks.measuring import pooled_calibration as pooled
from benchmarks.measuring.measurement import judged, readable
from pincite.lab.scoring.examples import example
from pincite.records.runfile import Record


@pytest.mark.parametrize(
    ("name", "row", "value", "right", "group"),
    [
        ("wattbot", {"answer_value": "[1,2]", "ref_id": "lee,kim"}, 1.5, True, "kim"),
        (
            "wattbot",
            {"answer_value": "is_blank", "ref_id": "is_blank"},
            1.5,
            False,
            "1",
        ),  # an invented answer is wrong
        ("wattbot", {"answer_value": "is_blank", "ref_id": "is_blank"}, None, True, "1"),
        ("mmlongbench", {"answer": "5", "answer_type": "integer", "doc_ids": ["a"]}, 5, True, "a"),
        (
            "mmlongbench",
            {"answer": "", "answer_type": "unanswerable", "doc_ids": ["a"]},
            5,
            False,
            "a",
        ),
        (
            "tatqa",
            {"answer": 5.0, "answer_type": "number", "scale": "", "context_id": "c"},
            ["5"],
            True,
            "c",
        ),
    ],
)
def test_what_is_right_and_what_belongs_together(name, row, value, right, group):
    assert pooled.judged_right(name, example(1, row, "?"), Record("1", value=value)) == (
        right,
        group,
    )


def test_questions_about_pictures_are_left_out_unless_unanswerable():
    rows = [
        {"answer_type": "text", "requires_visual": True},
        {"answer_type": "text", "requires_visual": False},
        {"answer_type": "unanswerable", "requires_visual": True},
    ]
    some = [example(n, row, "?") for n, row in enumerate(rows, 1)]
    assert [one.id for one in readable(some)] == ["2"] and [one.id for one in judged(some)] == [
        "2",
        "3",
    ]


def test_a_large_set_does_not_hide_a_small_one():
    pool = [pooled.JudgedCandidate("large", 0.5, float(at % 2), str(at)) for at in range(40)]
    pool += [pooled.JudgedCandidate("small", 0.9, 0.0, str(at)) for at in range(10)]
    made = {(line.of, line.figure.metric): line.figure for line in pooled.calibrated_lines(pool)}
    error = "ECE, 5 bins of equal size"
    assert made["confidence, as given: large", error].value == pytest.approx(0)
    assert made["confidence, as given: small", error].value == pytest.approx(0.9)
    macro = made["confidence, as given: mean over sets", error]
    assert macro.value == pytest.approx(0.45) and macro.low <= 0.45 < macro.high
    assert made["confidence, as given: all questions of all sets", error].value == pytest.approx(
        0.18
    )
    assert made["confidence, logistic, fitted on other documents: small", error].value < 0.3
