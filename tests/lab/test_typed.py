import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.lab.scoring import typed_answers as typed
from pincite.records.runfile import Record


def row(answer, kind="number", **more):
    return {"answer": answer, "answer_type": kind, **more}


@pytest.mark.parametrize(
    ("value", "gold", "right"),
    [
        (1010, row("1000"), True), (1011, row("1000"), False), ("990", row("1,000", "integer"), True),
        (0, row("0"), True), (0.001, row("0"), False),
        (30.8, row("30.8%"), True), (0.308, row("30.8%"), True), (3080, row("30.8%"), False),
        (30.769, row("30.8%", answer_num=0.30769), True), (0.00307, row("30.8%", answer_num=0.30769), False),
        (-26.7, row("-27.0%", answer_num=-0.26689), True), (26.7, row("-27.0%", answer_num=-0.26689), False),
        (3.8, row("380", answer_num=3.8), True), (380, row("380", answer_num=3.8), True),
        (8.7, row("$8.70", scale="billion"), True), (8_700_000_000, row("$8.70", scale="billion"), True),
        (17966, row("$ 17966 million", answer_num=17966.0), True), (17966e6, row("$ 17966 million"), True),
        (-12, row("(12)"), True), ("12 units", row("12"), False), (None, row("12"), False), (True, row("1"), False),
        (13, row("13:51 CET", "integer"), False),
        (True, row("yes", "yes_no"), True), ("No", row("yes", "yes_no"), False), ("maybe", row("no", "yes_no"), False),
        (False, row("[[NO]] It does not say so.", "yes_no_explained"), True),
        (True, row("It does.", "yes_no_explained", answer_bool="yes"), True),
        ("the blue house", row("blue house", "text"), True), ("red", row("blue house by the sea", "text"), False),
        (["a b", "c"], row(["c", "a", "b"], "list"), True), (0.66, row(0.66, "list"), True),
    ],
)  # fmt: skip
def test_right(value, gold, right):
    assert typed.right(Record("1", value=value, refused=value is None), gold) == right


@pytest.mark.parametrize(
    ("value", "shown", "gold"),
    [(2.4, "2.4%", "2.4%"), (1942, "1,942 USD", "1,942"), (11_486_000, "11,486 thousand USD", "11,486")],
)  # fmt: skip
def test_a_text_is_compared_with_the_answer_as_it_is_shown_too(value, shown, gold):
    assert typed.right(Record("1", value, text=shown), row(gold, "text"))
    assert not typed.right(Record("1", value), row(gold, "text"))
    assert not typed.right(Record("1", text=shown, refused=True), row(gold, "text"))


def test_token_f1_counts_repeats():
    assert typed.token_f1("a a b", "a b b") == pytest.approx(2 / 3)
    assert typed.token_f1("Growth of 5.5%!", "growth 5.5%") == pytest.approx(0.8)
    assert typed.token_f1("", "a") == 0


def test_what_applies():
    assert (
        typed.applies(row("5"))
        and not typed.applies(row("", "yes_no"))
        and not typed.applies(row("", "unanswerable"))
    )
    assert (
        typed.refused(Record("1"))
        and not typed.refused(Record("1", value=0))
        and not typed.refused(None)
    )


@given(st.decimals(-1_000_000, 1_000_000, allow_nan=False, places=3))
def test_every_number_answers_itself(number):
    assert typed.right(Record("1", value=str(number)), row(str(number)))


@given(st.text(), st.text())
def test_token_f1_is_symmetric_and_bounded(a, b):
    assert 0 <= typed.token_f1(a, b) == typed.token_f1(b, a) <= 1
