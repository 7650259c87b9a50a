"""Which of a reader's drafts stands."""

from dataclasses import replace

from pincite.check.standing_draft import standing
from pincite.types import Answer, Draft, Query

ASKED = Query("What was revenue in 2023?")


def draft(value, *others):
    return Draft(ASKED, str(value), value, alternatives=tuple(others))


def only(value):
    """A check that lets only one value stand."""

    def check(tried):
        held = tried.value if tried.value == value else None
        return Answer(ASKED, tried.text, held, (), ())

    return check


def test_the_first_that_stands_is_taken():
    given = draft("a", draft("b"), draft("c"))
    assert standing(given, only("a")) == replace(given, alternatives=())
    assert standing(given, only("c")) == draft("c")


def test_where_none_stands_the_first_is_checked_all_the_same():
    assert standing(draft("a", draft("b")), only("x")) == draft("a")


def test_a_refusal_among_them_is_handed_on_before_what_the_check_rejects():
    refusal = Draft(ASKED, "", None, reason="nothing was found")
    assert standing(draft("a", refusal), only("x")) == refusal
