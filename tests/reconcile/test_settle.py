"""Rows beside documents: which answers, what is told of the other, and when the two say the same."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from pincite.reconcile.settlement import agree, comparable, settled
from pincite.types import Anchor, Answer, Citation, Quantity, Query, Reading, Table

PAGE = "Data sheet of Anker 20. The yield strength is 470 MPa."
CORPUS = SimpleNamespace(
    relations=(),
    documents=(
        SimpleNamespace(id="old.pdf", version="1", title="", date="", meta={"year": "2011"}),
        SimpleNamespace(id="new.pdf", version="2", title="", date="2020-02-01", meta={}),
    ),
    page=lambda version, page: [SimpleNamespace(text=PAGE, table=None)],
)
STATEMENT = "SELECT ys FROM alloy WHERE number = 'Anker 20'"
QUERY = Query("What is the yield strength of Anker 20?")


MAPPING = (("yield strength", "the column alloy.ys"), ("20", "a value of alloy.number"))


def amount(text, unit="MPa"):
    return Quantity(Decimal(text), unit, text=text)


def rows(value, confidence=0.8, unmapped=(), date="2021-05-05", statement=STATEMENT):
    return Answer(QUERY, "", value, confidence=confidence, reason="" if value is not None else "no row fits",
                  reading=Reading("plant", statement, "", MAPPING, unmapped, date))  # fmt: skip


def documents(value, confidence=0.6, cited=("old.pdf",)):
    citations = tuple(
        Citation(str(n), "n", Anchor("s"), "q", one) for n, one in enumerate(cited, 1)
    )
    return Answer(
        QUERY,
        "",
        value,
        citations,
        confidence=confidence,
        reason="" if value is not None else "nothing found",
    )


def test_an_answer_goes_before_none():
    assert settled(rows(amount("450")), documents(None), CORPUS).value == amount("450")
    assert settled(rows(None), documents(amount("450")), CORPUS).value == amount("450")
    neither = settled(rows(None), documents(None), CORPUS)
    assert (
        neither.value is None and neither.reason == "no row fits; in the documents: nothing found"
    )


def test_rows_that_account_for_every_word_answer():
    made = settled(rows(amount("450"), 0.5), documents(amount("470"), 0.9), CORPUS)
    assert made.value == amount("450") and made.confidence == 0.5


def test_rows_that_leave_words_over_count_less():
    """One of four telling words is left over: 0.8 x 3/4 = 0.6."""
    left = rows(amount("450"), 0.8, ("Anker",))
    assert settled(left, documents(amount("470"), 0.61), CORPUS).value == amount("470")
    assert settled(left, documents(amount("470"), 0.59), CORPUS).value == amount("450")


def test_rows_that_leave_half_of_the_words_over_are_no_answer():
    left = rows(amount("450"), 0.9, ("king", "of", "France"))
    made = settled(left, documents(None), CORPUS)
    assert (
        made.value is None
        and made.reason
        == "nothing found; the database plant has nothing for “king”, “of”, “France”"
    )
    assert settled(left, documents(amount("470"), 0.2), CORPUS).value == amount("470")


def test_two_values_for_the_same_stand_side_by_side_with_their_dates():
    made = settled(
        rows(amount("450")), documents(amount("470"), cited=("old.pdf", "new.pdf")), CORPUS
    )
    (other,) = made.others
    assert (made.value, made.date) == (amount("450"), "2021-05-05")
    assert (other.value, other.date) == (amount("470"), "2020-02-01")
    assert made.confidence == 0.8


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT MAX(ys) FROM alloy",
        "SELECT COUNT(*) FROM alloy WHERE ys > 300",
        "SELECT ys FROM alloy WHERE number = 'Anker 30'",
        "SELECT ys FROM alloy WHERE number = 'Anker 20' OR number = 'Anker 30'",
        "SELECT ys FROM alloy WHERE LOWER(number) LIKE '%anker 2%'",
    ],
)
def test_documents_about_something_else_are_not_told(statement):
    made = settled(rows(amount("450"), statement=statement), documents(amount("470")), CORPUS)
    assert (made.value, made.others) == (amount("450"), ())


def test_two_that_say_the_same_are_surer():
    made = settled(rows(amount("450")), documents(amount("0.45", "GPa")), CORPUS)
    assert made.confidence == pytest.approx(1 - 0.2 * 0.4)
    assert len(made.others) == 1


def test_what_is_unsure_or_of_another_kind_is_not_told():
    assert settled(rows(amount("450")), documents(amount("470"), 0.2), CORPUS).others == ()
    assert settled(rows(amount("450")), documents(amount("2011", "year")), CORPUS).others == ()
    assert settled(rows(amount("450")), documents("Anker 20"), CORPUS).others == ()


def test_what_could_not_be_asked_is_said():
    made = settled(
        rows(None),
        documents(amount("470")),
        CORPUS,
        "the database plant could not be asked: no login",
    )
    assert made.value == amount("470")
    assert [(one.value, one.reason) for one in made.others] == [
        (None, "the database plant could not be asked: no login")
    ]
    unknown = settled(rows(None, unmapped=("hardness",)), documents(None), CORPUS)
    assert unknown.reason == "nothing found; the database plant has nothing for “hardness”"
    neither = settled(
        rows(None), documents(None), CORPUS, "the database plant could not be asked: no login"
    )
    assert "no login" in neither.reason


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (amount("450"), amount("450.0"), True),
        (amount("450.4"), amount("450"), False),
        (amount("7.85", "g"), amount("7.8", "g"), True),
        (amount("7.85", "g"), amount("7.7", "g"), False),
        (amount("450"), amount("450", "GPa"), False),
        ("Anker-20", "anker 20", True),
        ("Anker 20", "Anker 30", False),
        (True, False, False),
    ],
)
def test_agreement(a, b, same):
    assert agree(a, b) is same


def test_what_can_be_compared():
    assert comparable(amount("1"), amount("2", "GPa"))
    assert not comparable(amount("1"), amount("2", "kg"))
    assert not comparable(amount("1"), amount("2", ""))
    assert comparable(True, False) and not comparable(True, "yes")
    assert not comparable(Table(()), "x")
