import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.measuring import wtq_score as wtq
from pincite.records.runfile import Record


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Café", "cafe"), ('"Blue Train"', "blue train"), ("Total[3]", "total"), ("Lima (Peru)", "lima"),
        ("Winner†*", "winner"),
        ("It is so.", "it is so"), ("a  –  b", "a - b"), ("“Wow”", "wow"),
    ],
)  # fmt: skip
def test_normal_form(text, normal):
    assert wtq.normal(text) == normal


@pytest.mark.parametrize(
    ("given", "gold", "right"),
    [
        (["1,200"], ["1200"], True), (["1200.0000001"], ["1200"], True), (["1200.1"], ["1200"], False),
        (["2001-5-xx"], ["2001-05-xx"], True), (["2001-05-03"], ["2001-05-xx"], False),
        (["xx-05-03"], ["xx-5-3"], True),
        (["b", "A"], ["a", "b"], True), (["a"], ["a", "b"], False), (["a", "a"], ["a"], True),
        (["Lima (Peru)"], ["lima"], True),
    ],
)  # fmt: skip
def test_right(given, gold, right):
    assert wtq.right(given, gold) == right


def test_prediction_of_a_record():
    assert wtq.prediction(Record("1", value=7.0)) == ["7"]
    assert wtq.prediction(Record("1", value=["a", 2])) == ["a", "2"]
    assert wtq.prediction(Record("1")) == []


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4), st.randoms())
def test_every_answer_matches_itself_in_any_order(items, random):
    assert wtq.right(random.sample(items, len(items)), items)
