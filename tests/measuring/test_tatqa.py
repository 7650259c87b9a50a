import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measuring import tatqa_score as tatqa
from pincite.records.runfile import Record


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$1,496.5", 1496.5), ("(134)", -134), ("-12.6", -12.6), ("12%", 0.12), ("2.5 million", 2_500_000),
        ("(1,234)", 1234),  # the official reading negates no parentheses around commas
        ("0.123456", 0.1235), ("none", None),
    ],
)  # fmt: skip
def test_number(text, value):
    assert tatqa.number(text) == value


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("1,200", True),
        ("23 million", True),
        ("12 people", False),
        ("", False),
        ("FY 12", False),
        ("nan", False),
    ],
)
def test_what_reads_as_a_number(text, reads):
    assert tatqa.reads_as_number(text) == reads


def test_joined_items():
    assert tatqa.joined(["$44.1"], "million") == "44100000.0000"
    assert tatqa.joined(["-22.22"], "percent") == "-0.2222"
    assert tatqa.joined(["12.5%"], "percent") == "0.1250"
    assert tatqa.joined(["2019", "2018"], "") == "2018.0000 2019.0000"
    assert tatqa.joined(["net sales"], "thousand") == "net sales thousand"
    assert (
        tatqa.joined(["1.005"], "thousand") == "1000.0000"
    )  # rounded to two decimals before the scale


@pytest.mark.parametrize(
    ("items", "scale", "gold", "gold_scale", "kind", "em", "f1"),
    [
        (["44.1"], "million", "$44.1", "million", "text", 1, 1),
        (["44.1"], "", "$44.1", "million", "text", 0, 0),
        (["44100000"], "", -12.6, "million", "number", 0, 0),
        (["-0.2222"], "", -22.22, "percent", "number", 1, 1),  # bare, without a scale
        (["-22.22"], "percent", -22.22, "percent", "number", 1, 1),
        (["b", "a"], "", ["a", "b"], "", "list", 1, 1),
        (["the fixed price"], "", "fixed price.", "", "text", 1, 1),
        (["fixed price"], "", "fixed monthly price", "", "text", 0, 0.8),
        (["4"], "", "4", "", "integer", 1, 1),
        (["3"], "", "4", "", "integer", 0, 0),
        ([], "", "4", "", "integer", 0, 0),
        (["12.6 and more"], "", 12.6, "", "number", 0, 0),  # no partial credit for numbers
    ],
)
def test_score(items, scale, gold, gold_scale, kind, em, f1):
    assert tatqa.score(items, scale, gold, gold_scale, kind) == (em, f1)


def test_prediction_of_a_record():
    assert tatqa.prediction(Record("1", value=-22.22, unit="%")) == (["-22.22"], "percent")
    assert tatqa.prediction(Record("1", value=["$44.1"], scale="million")) == (
        ["$44.1"],
        "million",
    )
    assert tatqa.prediction(Record("1", value=["2019", "2018"])) == (["2019", "2018"], "")
    assert tatqa.prediction(Record("1")) == ([], "")


words = st.lists(
    st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), min_size=1),
    min_size=1,
    max_size=3,
)


@given(words, st.sampled_from(["", "thousand", "million", "billion", "percent"]), st.randoms())
def test_every_answer_matches_itself_in_any_order(items, scale, random):
    assert tatqa.score(random.sample(items, len(items)), scale, items, scale, "list")[0] == 1


@given(words, words)
def test_scores_stay_within_bounds(given_items, gold):
    em, f1 = tatqa.score(given_items, "", gold, "", "list")
    assert em in (0, 1) and 0 <= f1 <= 1
