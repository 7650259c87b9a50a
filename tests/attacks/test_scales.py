"""Letters of a word that would multiply a number by a thousand or a million: none does, and true forms are read."""

import string
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.ingest.given_tables import table_of
from pincite.quantity import canonical_unit, convert, declared, find, in_unit, parse
from pincite.quantity.units import units
from pincite.types import Cell
from tests.attacks import scale_words as scales

FORMS = scales.forms()
MISSES = scales.near_misses()
ISSUE = ["NORDEA BANK", "ALUMINIUM", "DENMARK", "CHROMIUM", "OF NORDIC BANK"]
capitals = st.text(alphabet=string.ascii_uppercase + "ÄÖÜÅØÆÉÑÇŁĐ", min_size=1, max_size=9).filter(
    lambda word: not scales.measures(word)
)


@pytest.mark.parametrize("text", ISSUE)
def test_names_in_capitals(text):
    for said in (text, f"({text})", f"in {text}", f"{text} 2023"):
        assert declared(said).scale == 1 and declared(said).unit == ""


@pytest.mark.parametrize("text", ISSUE)
def test_a_table_under_a_name_in_capitals_keeps_its_numbers(text):
    rows = [[text, "2022", "2023"], ["Assets", "1,234", "1,302"], ["Debts", "900", "930"]]
    cells = [
        Cell(row, column, held)
        for row, line in enumerate(rows)
        for column, held in enumerate(line)
    ]
    for caption in ([], [text], [f"Table 1: {text}"]):
        table = table_of(cells, caption=caption)
        assert (table.scale, table.unit) == (1, "")


def test_ten_thousand_words_in_a_caption_with_a_letter():
    drawn = scales.words(10_000)
    texts = (text for at, word in enumerate(drawn) for text in _some(word, at))
    assert [text for text in texts if declared(text).scale != 1] == []


def test_every_form_with_some_of_the_words():
    assert {
        word: texts for word in scales.words(60, seed=2) if (texts := scales.scaled(word))
    } == {}


def _some(word, at):
    mark = scales.MARKS[at % len(scales.MARKS)]
    return (word, f"{word} {mark}", f"OF {mark} {word}", f"({word}{mark})")


@given(capitals, st.sampled_from(scales.MARKS), st.sampled_from(scales.CAPTIONS))
@example("NORDEA", "bn", "{w} {m}")
@example("R&", "M", "{w}{m}")
def test_any_letters_in_a_caption(word, mark, form):
    assert declared(form.format(w=word, m=mark)).scale == 1


@given(capitals, st.sampled_from(scales.MARKS), st.sampled_from(scales.CELLS))
def test_any_letters_in_a_cell(word, mark, form):
    text = form.format(w=word, m=mark)
    held = [found.quantity for found in find(text)] + [q for q in (parse(text),) if q]
    assert [q for q in held if q.scale != 1] == []


def test_there_are_forms_enough():
    assert len(FORMS) >= 300
    assert len({form["text"] for form in FORMS if form["kind"] == "caption"}) > 280


@pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form['kind']}: {form['text']}")
def test_a_true_form(form):
    assert scales.read(form["kind"], form["text"]) == (
        Decimal(10) ** int(form["power"]),
        form["unit"],
    )


@pytest.mark.parametrize("form", MISSES, ids=lambda form: f"{form['kind']}: {form['text']}")
def test_a_near_miss(form):
    assert scales.read(form["kind"], form["text"]) == (1, form["unit"])


@pytest.mark.parametrize("code", sorted(units().elsewhere))
def test_a_code_that_is_a_word_too_needs_more_than_a_capital(code):
    for text in (
        f"{code} K", f"{code} M", f"{code} B", f"M {code}", f"{code}M", f"M{code}", f"{code} cr", code,
    ):  # fmt: skip
        assert declared(text).scale == 1
    unit = units().elsewhere[code]
    assert declared(f"({code} million)").scale == 10**6
    assert declared(f"{code} million").unit == unit
    assert len(code) > 1 or declared(f"in {code}m").scale == 10**6


def test_a_unit_is_not_taken_for_a_scale():
    bare = parse("5")
    assert in_unit(bare, "mm").value == 5
    assert convert(parse("5 m"), "mm").value == 5000
    assert canonical_unit("Mill") == "Mill" and canonical_unit("USD mm") == "mm USD"
    assert convert(parse("$5 million"), "USD mm").value == 5
    assert canonical_unit("TEUR") == "thousand EUR" and in_unit(parse("€5,000"), "TEUR").value == 5
