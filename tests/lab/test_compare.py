import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.lab.comparison.comparison import compare, holm, line, p_value, rows_of
from pincite.lab.experiments.finished_runs import Run, distinct, read_run_folder
from pincite.lab.scoring import calibration
from pincite.lab.scoring.measures import ANSWERS, RunMeasure, measure
from pincite.lab.scoring.question_parts import evidence_kinds, parts, question_type
from tests.lab.made_runs import FIRST, GOLDS, SECOND, write


@pytest.fixture
def runs(tmp_path):
    return [
        read_run_folder(write(tmp_path, name, run, parameters={"k": k}))
        for name, run, k in (("first", FIRST, 3), ("second", SECOND, 2))
    ]


@pytest.fixture
def figures(runs):
    made = compare(runs, samples=200)
    return {each.measure.name: each for each in made.under("all questions")}


def values(one):
    return [None if each is None else pytest.approx(each.value) for each in one.values]


def test_rankings_by_hand(figures):
    assert values(figures["page Success@1"]) == [1 / 3, 1]
    assert values(figures["page RR"]) == [(1 + 1 / 2 + 0) / 3, 1]
    assert values(figures["page R@10"]) == [(1 + 1 / 2 + 0) / 3, (1 + 1 + 1) / 3]
    assert values(figures["page P@10"]) == [0.2 / 3, 0.4 / 3]
    assert figures["page Success@1"].n == 3  # a question without evidence does not count
    assert figures["page Success@1"].differences[0].value == pytest.approx(2 / 3)


def test_answers_by_hand(figures):
    assert values(figures["accuracy"]) == [2 / 4, 3 / 4]
    assert values(figures["right"]) == [2 / 3, 2 / 3]
    assert values(figures["refused unanswerable"]) == [0, 1]
    assert values(figures["right of answered"]) == [2 / 3, 2 / 3]
    assert values(figures["coverage"]) == [3 / 4, 3 / 4]


def test_citations_are_counted_over_what_was_answered(figures):
    assert values(figures["cited page precision"]) == [
        1 / 2,
        3 / 3,
    ]  # first: question 1 right, 2 wrong, 4 refused
    assert values(figures["cited page recall"]) == [1 / 3, 3 / 4]
    assert values(figures["cited document precision"]) == [2 / 2, 3 / 3]


def test_confidence_by_hand(figures):
    # first: (.9 right) (.6 right) (.3 wrong, unanswerable) and a refusal that should have been an answer, wrong at the end
    assert values(figures["AURC"])[0] == pytest.approx((0 + 0 + 1 / 3 + 2 / 4) / 4)
    assert values(figures["ECE"])[0] == pytest.approx((0.1 + 0.4 + 0.3) / 3)
    assert values(figures["seconds"]) == [1, 1]


def test_separation_is_over_the_range_of_the_scores(runs):
    made = compare(runs[:1], ["separation"], samples=50)
    # question 1: .9 against .1 over .8; question 2: .6 against .8 and .0 over .8: distance (.2 + .6) / 2 / .8
    assert values(made.lines[0]) == [(1 + 0.5) / 2] and made.lines[0].n == 2


def test_a_run_against_itself_differs_in_nothing(runs):
    made = compare([runs[0], runs[0]], samples=100)
    for each in made.lines:
        (one,) = each.differences
        assert (one.value, one.low, one.high, one.p, one.corrected) == (0, 0, 0, 1, 1), (
            each.measure.name
        )


outcomes = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


@settings(max_examples=30)
@given(outcomes, outcomes)
def test_exchanging_the_runs_turns_the_sign_and_keeps_p(a, b):
    n = min(len(a), len(b))
    golds = {str(at): {} for at in range(n)}
    first, second = Run("a", golds), Run("b", golds)
    counts = {"a": a, "b": b}
    of = RunMeasure(
        "ratio", "answers", lambda run, key: tuple(map(float, counts[run.name][int(key)]))
    )
    there = line("", "", of, [first, second], list(golds), 300)
    back = line("", "", of, [second, first], list(golds), 300)
    one, other = there.differences[0], back.differences[0]
    if math.isnan(one.value):
        assert math.isnan(other.value) and math.isnan(one.p) and math.isnan(other.p)
        return
    assert one.value == pytest.approx(-other.value) and one.p == pytest.approx(other.p)
    assert 0 < one.p <= 1
    if not math.isnan(one.low):
        assert (one.low, one.high) == (pytest.approx(-other.high), pytest.approx(-other.low))


def test_p_is_that_of_all_exchanges():
    # seven questions that all speak for one side: 2 of 2^7 exchanges are as extreme
    of = RunMeasure("mean", "answers", lambda run, key: None)
    worse, better = np.array([[0.0, 1.0]] * 7), np.array([[1.0, 1.0]] * 7)
    assert p_value(of, worse, better, 20_000) == pytest.approx(2 / 128, abs=0.004)


def test_intervals_are_those_of_the_paired_bootstrap(runs):
    from pincite.lab.scoring.bootstrap import interval

    made = compare(runs, ["Success@1"])
    (one,) = made.under("all questions")
    assert (one.values[0].low, one.values[0].high) == interval([1, 0, 0])
    difference = one.differences[0]
    wanted = (2 / 3, *interval([0, 1, 1]))
    assert (difference.value, difference.low, difference.high) == pytest.approx(wanted)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1, 1] and holm([]) == []


def test_p_values_are_corrected_over_the_runs_of_a_measure(runs):
    made = compare([runs[0], runs[1], runs[1]], ["RR", "accuracy"], samples=400)
    for each in made.under("all questions"):
        assert [one.corrected for one in each.differences] == [
            pytest.approx(min(1, 2 * one.p)) for one in each.differences
        ]


def test_parts():
    assert [question_type(gold) for gold in GOLDS] == ["number", "text", "unanswerable", "number"]
    assert (
        question_type({"answer_value": "[1, 2]"}) == "number"
        and question_type({"answer_value": "is_blank"}) == "unanswerable"
    )
    assert question_type({"kind": "names", "gold": ["a, b"]}) == "names"
    assert question_type({"kind": "number", "gold": ["N/A"]}) == "unanswerable"
    assert evidence_kinds(GOLDS[1]) == ("pure-text", "table")
    assert evidence_kinds({"answer_from": "table-text"}) == ("table", "text")
    assert evidence_kinds({"flags": "QM"}) == ("quote", "computed")
    golds = {gold["id"]: gold for gold in GOLDS}
    assert parts(golds, list(golds)) == [
        ("all questions", "all", ["1", "2", "3", "4"]),
        ("type of question", "number", ["1", "4"]),
        ("type of question", "text", ["2"]),
        ("type of question", "unanswerable", ["3"]),
        ("kind of evidence", "table", ["1", "2", "4"]),
        ("kind of evidence", "pure-text", ["2"]),
    ]


def test_only_shared_questions_are_compared(tmp_path, runs):
    fewer = {"hits": {"1": FIRST["hits"]["1"]}, "answers": FIRST["answers"][:1]}
    other = read_run_folder(write(tmp_path, "fewer", fewer, golds=GOLDS[:1]))
    assert compare([runs[0], other], ["accuracy"], samples=10).ids == ("1",)
    changed = read_run_folder(
        write(tmp_path, "changed", fewer, golds=[{**GOLDS[0], "question": "How many boats?"}])
    )
    with pytest.raises(UsageError, match="not the same"):
        compare([runs[0], changed])


def test_a_retrieval_run_has_no_answers_to_measure(tmp_path, runs):
    found = read_run_folder(write(tmp_path, "found", SECOND, answers=False))
    made = {
        each.measure.name: each
        for each in compare([runs[0], found], samples=10).under("all questions")
    }
    assert made["accuracy"].values[1] is None and made["accuracy"].differences == (None,)
    assert made["page RR"].values[1].value == 1


def test_a_declared_tolerance(tmp_path):
    run = {"hits": {}, "answers": [said | {"value": 12.5} for said in FIRST["answers"][:1]]}
    one = read_run_folder(write(tmp_path, "near", run, golds=GOLDS[:1]))
    made = compare([one], ["right", "right(tolerance=0.05)"], samples=10)
    assert [each.values[0].value for each in made.under("all questions")] == [0, 1]


def test_names_that_are_none_are_answered_with_those_there_are():
    with pytest.raises(UsageError, match="nDCG@k.*accuracy"):
        measure("hits@5", "page")
    assert (
        measure("nDCG@3", "page").name == "page nDCG@3"
        and measure("document RR", "page").name == "document RR"
    )
    assert measure("WattBot2025 score", "page") is ANSWERS["WattBot2025 score"]


def test_rules_of_the_sets():
    gold = {"id": "1", "question": "q", "answer_value": "4.3", "answer_unit": "kg", "ref_id": "a"}
    row = {"id": "1", "value": 4.3, "citations": [{"document": "a.pdf", "page": 1}]}
    from pincite.records.runfile import record_of

    run = Run("w", {"1": gold}, answers={"1": record_of(row)})
    made = {each.measure.name: each.values[0].value for each in compare([run], samples=10).lines}
    assert made["WattBot2025 score"] == made["WattBot2026 score"] == made["accuracy"] == 1
    gold = {
        "id": "1",
        "question": "q",
        "kind": "number",
        "gold": ["4.3"],
        "reference_pools": [["a:0"]],
    }
    made = {
        each.measure.name: each.values[0].value
        for each in compare([Run("e", {"1": gold}, answers=run.answers)], samples=10).lines
    }
    assert made["ERC points"] == 1.5


def test_rows_are_json(runs):
    rows = rows_of(compare(runs, samples=50))
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert rows[0] | {"low": 0, "high": 0} == {
        "heading": "all questions", "part": "all", "measure": "page Success@1", "run": "first", "n": 3,
        "value": pytest.approx(1 / 3), "low": 0, "high": 0, "difference": None,
    }  # fmt: skip


def test_broken_folders_are_named(tmp_path):
    with pytest.raises(UsageError, match="is not a run"):
        read_run_folder(tmp_path)
    place = write(tmp_path, "broken", FIRST)
    (place / "run.json").write_text("{oops")
    with pytest.raises(UsageError, match="not JSON"):
        read_run_folder(place)


def test_runs_of_one_name_get_a_number(runs):
    assert [run.name for run in distinct([runs[0], runs[0], runs[1], runs[0]])] == [
        "first",
        "first (2)",
        "second",
        "first (3)",
    ]


@given(
    st.lists(
        st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.9]), st.booleans()), min_size=1, max_size=40
    )
)
def test_calibration_error_is_that_of_its_definition(pairs):
    c, r = (np.array(each, dtype=float) for each in zip(*pairs, strict=True))
    order = np.argsort(c)
    means = np.array([r[c == each].mean() for each in c[order]])
    gaps = [
        abs((a - b).sum())
        for a, b in zip(np.array_split(means, 10), np.array_split(c[order], 10), strict=True)
    ]
    assert calibration.calibration_error(c, r) == pytest.approx(sum(gaps) / len(c))
