"""A question read with and without a model: agreement raises the confidence, disagreement lowers it and answers nothing."""

import pytest
from hypothesis import given as given_laws
from hypothesis import strategies as st

from pincite.database.statements.execution import Result
from pincite.rows.drafting import row_agreement as agree
from pincite.rows.drafting.row_agreement import interpreted, same_rows, weighed
from pincite.rows.drafting.statement_draft import ALONE, Drafted
from pincite.rows.programs.interpretation import Interpretation, RankedProgram
from tests.rows.fleet import drafting, fleet

HEAVY = "Which vessels have a deadweight above 20000?"
RIGHT = "SELECT name FROM vessel WHERE deadweight > 20000"
SILENT = (
    "SELECT name FROM vessel WHERE deadweight > 20000 AND id < 4"  # wrong, and nothing tells it
)
LIGHT = "SELECT name FROM vessel WHERE deadweight < 20000"


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    with fleet(tmp_path_factory.mktemp("fleet")) as (source, values):
        yield source, values


def found(source, statement, confidence, *others, refused=False):
    """A reading without a model that runs this statement; `others` are those of its alternatives."""
    result = source.run(statement) if statement else None
    alternatives = tuple(RankedProgram(None, one, "", 0.0) for one in others)
    return Interpretation(
        HEAVY, None, statement or None, "", (("deadweight", "vessel.deadweight"),), (), confidence, result, alternatives, refused,
        "unsure" if refused else "",
    )  # fmt: skip


def made(source, statement, confidence=ALONE, **more):
    return Drafted(statement, source.run(statement) if statement else None, confidence, **more)


def test_agreement_is_more_than_either(given):
    source, _ = given
    both = weighed(found(source, RIGHT, 0.6), made(source, RIGHT), source)
    assert both.confidence == pytest.approx(1 - 0.4 * 0.3) and not both.refused
    assert both.statement == RIGHT and both.mapping == (("deadweight", "vessel.deadweight"),)


def test_agreement_makes_an_answer_of_a_reading_that_was_refused(given):
    source, _ = given
    both = weighed(
        found(source, RIGHT, 0.2, refused=True),
        made(source, RIGHT + " ORDER BY name DESC"),
        source,
    )
    assert (
        not both.refused and both.reason == "" and both.confidence == pytest.approx(1 - 0.8 * 0.3)
    )


def test_agreement_with_a_lesser_reading_takes_that_one(given):
    source, _ = given
    both = weighed(found(source, LIGHT, 0.4, RIGHT), made(source, RIGHT), source)
    assert both.result.rows == source.run(RIGHT).rows and both.said == "" and not both.refused
    assert both.confidence == pytest.approx(1 - 0.7 * 0.3) and [
        one.statement for one in both.alternatives
    ] == [LIGHT]


def test_a_draft_that_contradicts_an_answer_answers_nothing_and_both_are_shown(given):
    source, _ = given
    for sure in (0.6, 0.8):
        both = weighed(found(source, RIGHT, sure), made(source, LIGHT), source)
        assert (
            both.refused and both.confidence < 0.5 + 0.1 and "Alma and 2 more rows" in both.reason
        )
        shown = {one.statement for one in both.alternatives} | {both.result.statement}
        assert any("> 20000" in one for one in shown) and any("< 20000" in one for one in shown)


def test_a_doubtful_draft_does_not_silence_a_good_reading(given):
    source, _ = given
    both = weighed(found(source, RIGHT, 0.8), made(source, LIGHT, 0.25), source)
    assert (
        not both.refused
        and both.confidence == pytest.approx(0.8 * 0.75 / 0.8)
        and both.reason == ""
    )
    assert [one.statement for one in both.alternatives] == [LIGHT]


def test_a_draft_answers_where_the_reading_would_not_have(given):
    source, _ = given
    both = weighed(
        found(source, LIGHT, 0.1, refused=True), made(source, RIGHT, mapping=(("a", "b"),)), source
    )
    assert not both.refused and both.program is None and both.result.rows == source.run(RIGHT).rows
    assert both.confidence == pytest.approx(0.7 * 0.9 / 0.93) and both.mapping == (("a", "b"),)
    alone = weighed(found(source, "", 0.0, refused=True), made(source, RIGHT), source)
    assert not alone.refused and alone.confidence == pytest.approx(ALONE)


def test_a_doubtful_draft_alone_is_refused_and_says_of_what(given):
    source, _ = given
    both = weighed(
        found(source, "", 0.0, refused=True),
        made(source, RIGHT, 0.42, unmapped=("Brekke",)),
        source,
    )
    assert both.refused and "Brekke" in both.reason


def test_what_a_model_finds_no_statement_for_is_believed_less(given):
    source, _ = given
    none = Drafted(
        reason="by the model, fleet cannot answer this", unmapped=("captain",), declined=True
    )
    both = weighed(found(source, RIGHT, 0.6), none, source)
    assert both.confidence == pytest.approx(0.6 * 0.3 / 0.58)
    gone = weighed(found(source, "", 0.0, refused=True), none, source)
    assert gone.refused and "cannot answer" in gone.reason and gone.unmapped == ("captain",)


def test_a_model_that_fails_takes_nothing_away(given):
    source, _ = given
    reading = found(source, RIGHT, 0.6)
    assert (
        weighed(reading, Drafted("DROP TABLE vessel", reason="refused and not run"), source)
        == reading
    )
    both = weighed(
        found(source, RIGHT, 0.2, refused=True), Drafted(reason="refused and not run"), source
    )
    assert both.refused and both.reason == "unsure; refused and not run"


@pytest.mark.parametrize(("sure", "calls"), [(0.95, 0), (0.6, 1)])
def test_no_model_is_asked_where_the_reading_is_sure(given, monkeypatch, sure, calls):
    source, values = given
    reading = found(source, RIGHT, sure)
    monkeypatch.setattr(agree, "interpret", lambda *_, **__: reading)
    with drafting(RIGHT) as (model, server):
        made = interpreted(HEAVY, source, values, model=model)
        assert len(server.asked) == calls and made.result.rows == reading.result.rows
    assert interpreted(HEAVY, source, values) == reading


@pytest.mark.parametrize(
    ("drafted", "answers"),
    [
        (RIGHT, True),
        (LIGHT, False),
        (SILENT, False),
        ("SELECT name FROM vessel WHERE deadweight >= 21000 AND built < '2005-01-01'", False),
        ("SELECT name, deadweight FROM vessel WHERE deadweight > 20000", True),
        ("SELECT title FROM vessel", None),
        ("SELECT (", None),
        ("DROP TABLE vessel", None),
        ("SELECT name FROM vessel; DELETE FROM vessel", None),
    ],
)
def test_only_right_and_safe_statements_answer(given, monkeypatch, drafted, answers):
    source, values = given
    reading = found(source, RIGHT, 0.8)
    monkeypatch.setattr(agree, "interpret", lambda *_, **__: reading)
    with drafting(drafted) as (model, _):
        both = interpreted(HEAVY, source, values, model=model)
    if answers is None:
        assert both == reading  # as without a model
    else:
        assert (both.confidence > 0.8) is answers and (
            both.refused or both.result.rows == reading.result.rows
        )
        assert both.refused is (drafted == SILENT)


def test_what_was_not_run_is_noted(given, monkeypatch):
    source, values = given
    notes = []
    monkeypatch.setattr(agree, "note", notes.append)
    monkeypatch.setattr(agree, "interpret", lambda *_, **__: found(source, RIGHT, 0.6))
    with drafting("DROP TABLE vessel") as (model, _):
        interpreted(HEAVY, source, values, model=model)
    assert len(notes) == 1 and "DROP TABLE vessel" in notes[0] and "only a SELECT" in notes[0]


def result(*rows):
    return Result(tuple(f"c{at}" for at in range(len(rows[0]) if rows else 1)), rows)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (result(("a", 1), ("b", 2)), result(("b", 2), ("a", 1)), True),
        (result(("a", 1), ("b", 2)), result((1.0, "A"), (2.0, "B")), True),
        (result(("a",), ("b",)), result((2, "b"), (1, "a")), True),
        (result(("a", 1), ("b", 2)), result(("a", 2), ("b", 1)), False),
        (result((1,), (1,), (2,)), result((1,), (2,), (2,)), False),
        (result((1,), (2,)), result((1,)), False),
        (result((0.1 + 0.2,)), result(("0.3",)), True),
        (result((None, 1)), result((1, None)), True),
        (result(), result(), False),
    ],
)
def test_same_rows(one, other, same):
    assert same_rows(one, other) is same and same_rows(other, one) is same


@given_laws(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.none()), min_size=1, max_size=6
    ),
    st.randoms(),
)
def test_neither_the_order_of_rows_nor_of_columns_matters(rows, random):
    columns = random.sample(range(3), 3)
    other = [tuple(row[at] for at in columns) for row in random.sample(rows, len(rows))]
    assert same_rows(result(*rows), result(*other))
    changed = [*other[:-1], tuple(7 for _ in columns)]
    assert not same_rows(result(*rows), result(*changed))
