"""Which documents are editions of one work: invented cards with truth by hand."""

import random

import pytest

from pincite.corpus.described import known
from pincite.corpus.versions.edition_card import Card, read_cover
from pincite.corpus.versions.grouping_editions import find_series
from pincite.corpus.versions.series import left_out
from pincite.corpus.versions.sketch import sketch

FORMS = ("keeps", "checks", "marks", "moves", "cleans", "counts")


def text(seed, who="Norrvik", size=60):
    """Sentences of their own for each seed."""
    chance = random.Random(seed)
    what = [f"{chance.choice('abcdefgh')}{chance.randrange(90)}" for _ in range(30)]
    made = (
        f"The office of {who} {chance.choice(FORMS)} each {chance.choice(what)} before the {chance.choice(what)} is used."
        for _ in range(size)
    )
    return " ".join(made)


def card(document, body, title="", head="", declared=None, **hints):
    """A document whose first page is a head and whose text is a body."""
    page = f"{head}\n{body}"
    said = declared or {}
    told = said.get("title", title), said, known(hints, said)
    return Card(document, *told, read_cover([page]), sketch([page]))


def pairs(*cards):
    """(older, newer) of what replaces what."""
    series = find_series(cards)
    return {
        (one.document, one.replaced_by)
        for each in series
        for one in each.editions
        if one.replaced_by
    }


def joined(*cards):
    """The documents of each series, in order."""
    return [tuple(edition.document for edition in one.editions) for one in find_series(cards)]


BODY = text(1)
LATER = f"{text(1, size=45)} {text(2, size=15)}"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("handbook_v1.txt", "handbook_v2.txt"),
        ("handbook.txt", "handbook_v2.txt"),
        ("handbook_v9.txt", "handbook_v10.txt"),
        ("travel rules Rev A.pdf", "travel rules Rev B.pdf"),
        ("travel rules draft.docx", "travel rules.docx"),
        ("travel rules.docx", "travel rules (corrected).docx"),
        ("travel rules 2021-03-01.docx", "travel rules 2022-01-15.docx"),
        ("travel rules 2021.docx", "travel rules 2022.docx"),
        ("EN 10025-2_2004.pdf", "EN 10025-2_2019.pdf"),
        ("EN 1090-2_2018.pdf", "EN 1090-2_2018+A1.pdf"),
        ("2020/travel rules.pdf", "2022/travel rules.pdf"),
        ("archive/travel rules.pdf", "travel rules.pdf"),
        ("travel rules 2019 rev2.pdf", "travel rules 2021 rev1.pdf"),
        ("EN 1993-1-1_2005.pdf", "EN 1993-1-1_2022.pdf"),
    ],
)
def test_a_newer_edition_replaces_the_older(older, newer):
    assert pairs(card(older, BODY), card(newer, LATER)) == {(older, newer)}


def test_marks_on_the_cover():
    old = card(
        "83720.txt",
        BODY,
        "Norrvik pump manual",
        "Norrvik pump manual\nRevision A\nDate of issue: 3 May 2019",
    )
    new = card(
        "10457.txt",
        LATER,
        "Norrvik pump manual",
        "Norrvik pump manual\nRevision B\nDate of issue: 9 June 2021",
    )
    assert pairs(old, new) == {("83720.txt", "10457.txt")}
    (series,) = find_series([old, new])
    assert [one.date for one in series.editions] == ["2019-05-03", "2021-06-09"]


def test_a_cover_that_names_what_it_replaces():
    old = card("care.txt", text(3), "Guideline pump care")
    new = card(
        "upkeep.txt",
        text(4),
        "Directive pump upkeep",
        "Directive pump upkeep\nThis directive replaces Guideline pump care.",
    )
    assert pairs(old, new) == {("care.txt", "upkeep.txt")}


def test_three_editions_follow_each_other():
    one, two, three = (card(f"handbook_v{at}.txt", BODY) for at in (1, 2, 3))
    assert pairs(three, one, two) == {
        ("handbook_v1.txt", "handbook_v2.txt"),
        ("handbook_v2.txt", "handbook_v3.txt"),
    }


def test_reports_of_two_years_replace_nothing():
    old, new = (
        card(f"acme_{year}_10K.pdf", BODY, kind="10-K", period=f"December 31, {year}")
        for year in (2022, 2023)
    )
    assert joined(old, new) == [("acme_2022_10K.pdf", "acme_2023_10K.pdf")]
    assert pairs(old, new) == set()


def test_an_amended_filing_replaces_the_filing_when_it_is_whole():
    period = {"period": "December 31, 2022"}
    old = card("acme_2022_10K.pdf", BODY, kind="10-K", **period)
    assert pairs(old, card("acme_2022_10K-A.pdf", LATER, kind="10-K/A", **period)) == {
        ("acme_2022_10K.pdf", "acme_2022_10K-A.pdf")
    }
    part = card("acme_2022_10K-A.pdf", text(1, size=12), kind="10-K/A", **period)
    assert pairs(old, part) == set()
    assert joined(old, part) == [("acme_2022_10K.pdf", "acme_2022_10K-A.pdf")]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (card("EN 10025-2_2004.pdf", BODY), card("EN 10025-3_2019.pdf", LATER)),  # another part
        (card("EN 10025-2_2004.pdf", BODY), card("EN 10026-2_2019.pdf", LATER)),  # another number
        (card("EN 1992-1-1_2004.pdf", BODY), card("EN 1993-1-1_2005.pdf", LATER)),
        (
            card("acme_handbook_v1.txt", BODY),
            card("bolt_handbook_v2.txt", BODY),
        ),  # another company's name
        (
            card("handbook_v1.txt", text(1, "Acme")),
            card("x/handbook_v2.txt", text(1, "Bolt")),
        ),  # the same template
        (
            card("handbook_v1.txt", BODY, company="Acme Ltd"),
            card("x/handbook_v2.txt", BODY, company="Bolt Ltd"),
        ),
        (card("invoice_1001.pdf", BODY, "Invoice"), card("invoice_1002.pdf", BODY, "Invoice")),
        (
            card("acme-bill-1001.txt", BODY, "Bill of Acme", "Bill of Acme\nDate: 3 May 2021"),
            card("acme-bill-1002.txt", BODY, "Bill of Acme", "Bill of Acme\nDate: 9 June 2022"),
        ),
        (card("acme manual part 1.txt", BODY), card("acme manual part 2.txt", LATER)),
        (card("notes_v1.txt", text(7)), card("notes_v2.txt", text(8))),  # other wording
        (
            card("acme_8K_2022-05-05.pdf", BODY, kind="8-K"),
            card("acme_8K_2022-05-30.pdf", LATER, kind="8-K"),
        ),
        (card("minutes 2022-05-05.pdf", BODY), card("minutes 2022-06-05.pdf", LATER)),
        (
            card("guide to ISO 9001.pdf", BODY, "A guide to ISO 9001:2015"),
            card("iso.pdf", LATER, "ISO 9001:2008 Quality"),
        ),
    ],
)
def test_what_is_no_edition_of_another(a, b):
    assert joined(a, b) == []


def test_metadata_go_before_guesses():
    one, two = (card(f"handbook_v{at}.txt", BODY) for at in (1, 2))
    other = card("rules of travel.txt", text(9), declared={"supersedes": "handbook_v2.txt"})
    assert pairs(one, two, other) == {
        ("handbook_v1.txt", "handbook_v2.txt"),
        ("handbook_v2.txt", "rules of travel.txt"),
    }
    apart = card("handbook_v2.txt", BODY, declared={"supersedes": "none"})
    assert pairs(one, apart) == set()


def test_a_declared_series():
    old = card("a.txt", text(5), declared={"series": "Travel", "date": "2020-01-01"})
    new = card("b.txt", text(6), declared={"series": "Travel", "date": "2022-01-01"})
    assert pairs(new, old) == {("a.txt", "b.txt")}
    assert joined(old, card("c.txt", text(6), declared={"series": "Trade"})) == []


def test_the_order_of_documents_does_not_matter():
    cards = [card(f"handbook_v{at}.txt", BODY) for at in (1, 2, 3)]
    cards += [card(f"EN 10025-2_{year}.pdf", text(11)) for year in (1993, 2004, 2019)]
    cards += [card(f"acme_{year}_10K.pdf", text(12), kind="10-K") for year in (2021, 2022)]
    first = find_series(cards)
    chance = random.Random(1)
    for _ in range(10):
        chance.shuffle(cards)
        assert find_series(cards) == first


def test_as_of_the_newest_date_is_now():
    cards = [card(f"travel rules {year}-03-01.docx", BODY) for year in (2019, 2021, 2022)]
    cards += [card(f"acme_{year}_10K.pdf", text(12), kind="10-K") for year in (2020, 2021)]
    series = find_series(cards)
    newest = max(one.date for each in series for one in each.editions)
    assert left_out(series, "What is it?", newest) == left_out(series, "What is it?")
