from dataclasses import dataclass, replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import BudgetSpent, ModelUnreachable, UsageError
from pincite.formats.spell import spell
from pincite.reconcile.vote import Vote, alike, cited_by, numbered, voted
from pincite.stage import Escalate, Stage
from pincite.types import Anchor, Citation, Draft, Quantity, Query, Ranking

Q = Query("q")


def number(digits, unit="", scale=1):
    return Quantity(Decimal(digits), unit, Decimal(scale))


def drafts(*values, confidence=1.0):
    return [Draft(Q, f"{at}", value, confidence=confidence) for at, value in enumerate(values)]


def vote(*values, ignore_blank=True):
    made = drafts(*values)
    return voted(made, [one.value for one in made], ignore_blank)


@pytest.mark.parametrize(
    ("a", "b", "is_alike"),
    [
        (number("4.3"), number("4.30"), True),
        (number("1", "USD", 10**6), number("1000", "USD", 10**3), True),
        (number("1", "USD"), number("1", "EUR"), False),
        (number("1", "USD"), number("1"), False),
        (number("3500", "kWh"), number("3.5", "MWh"), True),
        (number("4.300"), number("4.303"), False),
        (number("-3"), number("3"), False),
        ("Ada  Lovelace", "ada lovelace", True),
        ("Ada", "Ada Lovelace", False),
        (("b", "A"), ("a", "B", "b"), True),
        (("a",), ("a", "b"), False),
        (True, True, True),
        (True, "True", False),
        (None, None, True),
    ],
)
def test_values_are_compared_as_what_they_mean(a, b, is_alike):
    assert alike(a, b) is is_alike
    assert alike(b, a) is is_alike


def test_most_votes_win_and_the_share_is_the_confidence():
    won = vote(number("5"), number("4.30"), number("4.3"))
    assert (won.text, won.confidence) == ("1", pytest.approx(2 / 3))
    assert [one.value for one in won.possible] == [number("5")]


def test_ties_go_to_the_earliest():
    assert vote("b", "a", "a", "B").text == "0"
    assert vote("x", "y").confidence == 0.5


def test_blanks_have_no_vote_or_one():
    assert vote(None, None, "a").value == "a"
    assert vote(None, None, "a").confidence == 1.0
    blank = vote(None, "a", None, ignore_blank=False)
    assert (blank.value, blank.confidence) == (None, pytest.approx(2 / 3))
    assert [one.value for one in blank.possible] == ["a"]
    assert vote(None, None).value is None


def test_what_is_not_supported_has_no_vote():
    made = drafts(number("7"), number("7"), number("5"))
    assert voted(made, [None, None, number("5")]).value == number("5")
    # all are unsupported: the first one is left for the check to refuse with its reason
    assert voted(made, [None, None, None]) == made[0]
    assert voted(made, [None, None, number("5")], ignore_blank=False).value is None


@given(st.lists(st.sampled_from(["a", "A ", "b", None]), min_size=1, max_size=7))
def test_the_winner_has_most_votes(values):
    counts = {one: sum(v is not None and v.strip().lower() == one for v in values) for one in "ab"}
    won = vote(*values).value
    assert (won is None) == (not any(counts.values()))
    if won is not None:
        assert counts[won.strip().lower()] == max(counts.values())


class Nothing:
    """A corpus without nodes: no value is supported by it."""

    def nodes(self, ids):
        return []

    def nodes_by_id(self, ids):
        return {node.id: node for node in self.nodes(list(ids))}


@dataclass(frozen=True)
class Reader(Stage[Ranking, Draft]):
    """Says its number; fails in the runs that `errors` names."""

    errors: tuple = ()
    reading: int = 0
    k: int = 3

    def run(self, given):
        if error := dict(self.errors).get(self.reading):
            raise error
        return Draft(given.query, "", None, reason=f"reading {self.reading} of {self.k}")


FOUND = Ranking(Q, ())


def test_readings_are_told_apart_wherever_the_reader_stands():
    twice = Escalate(Reader(), Reader(k=10), enough=bool)
    assert numbered(twice, 2) == Escalate(Reader(reading=2), Reader(reading=2, k=10), enough=bool)
    with pytest.raises(UsageError, match="reading"):
        Vote(Nothing(), (Stage(),))(FOUND)
    assert spell(Vote(Nothing(), (Reader(),), runs=5)) == "Vote(reads=(Reader(),), runs=5)"


def test_a_reading_that_fails_is_none_and_all_failing_is_a_failure():
    away = ModelUnreachable("nobody answers")
    assert Vote(Nothing(), (Reader(errors=((0, away),)),))(FOUND).reason == "reading 1 of 3"
    with pytest.raises(ModelUnreachable):
        Vote(Nothing(), (Reader(errors=tuple((at, away) for at in range(3))),))(FOUND)
    with pytest.raises(BudgetSpent):
        Vote(Nothing(), (Reader(errors=((1, BudgetSpent("no money")),)),))(FOUND)


def citing(value, *pages):
    """A draft that cites these pages of one report."""
    cited = tuple(
        Citation(str(at), f"n{page}", Anchor("s", ((page, None),)), "", "report.pdf")
        for at, page in enumerate(pages)
    )
    return Draft(Q, "/".join(map(str, pages)), value, citations=cited, confidence=1.0)


def voted_on(*made, **how):
    return voted(made, [one.value for one in made], **how)


def test_of_readings_that_agree_the_one_with_the_agreed_references_is_kept():
    assert voted_on(citing("a", 3), citing("a", 7), citing("A", 7)).text == "7"
    assert voted_on(citing("a", 3), citing("a", 7), citing("A", 7), references="first").text == "3"
    # what most cite is kept together, what one alone cites is not
    assert voted_on(citing("a", 3), citing("a", 3, 7), citing("a", 3, 7)).text == "3/7"
    assert voted_on(citing("a", 3, 9), citing("a", 3), citing("a", 3)).text == "3"
    assert voted_on(citing("a", 1), citing("a", 2)).text == "1"
    # those that say something else have no vote on it
    assert voted_on(citing("a", 3), citing("a", 7), citing("b", 7)).text == "3"


def test_of_values_with_as_many_votes_the_one_whose_place_more_readings_cite_wins():
    assert voted_on(citing("a", 1), citing("b", 7), citing("c", 7)).value == "b"
    assert (
        voted_on(citing("a", 1), citing("b", 7), citing("c", 7), references="first").value == "a"
    )
    blank = citing(None)
    assert (
        voted_on(blank, citing("b", 7), ignore_blank=False).value is None
    )  # the earliest, as ever
    assert voted_on(blank, citing("b", 7), citing("c", 7), ignore_blank=False).value == "b"


def test_rows_of_databases_are_references_too():
    row = [
        replace(citing("a", 0), citations=(Citation("1", key, Anchor("d", sql=key), "", "lab/t"),))
        for key in ("k1", "k2", "k2")
    ]
    assert cited_by(row[0]) == {("lab/t", "k1")} != cited_by(row[1])
    assert voted_on(*row).citations[0].node == "k2"
