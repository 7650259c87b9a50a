"""Short forms say with four fields what full ones say, and are read as these."""

import json
from decimal import Decimal

import pytest

from pincite.generate.prompts import reading
from pincite.generate.reading import form_of, kind_of
from pincite.generate.rules import Rules
from pincite.generate.short_forms import (
    SHORT,
    ShortAnswerForm,
    ShortNamesForm,
    ShortNumberForm,
    lengthened,
)
from pincite.ports import Kit
from pincite.question.understanding import understand
from pincite.recipes.default import Default
from pincite.settings import Settings
from pincite.spell import spell
from pincite.types import Query
from tests.generate.reading import shown_of, told
from tests.generate.test_read import EXAMPLE, SEEN
from tests.stand_ins.fakes import HashEncoder, ScriptedModel

TABLE = shown_of("""\
Cash flow (in thousands of GBP)

| | 2019 | 2018 |
|---|---|---|
| Dividends paid | (812) | (790) |
""")
SENTENCES = shown_of(
    "Jon Abara joined as Chief Financial Officer. Port fees rose with the new tariff."
)
SHORT_PAGE = {
    "number": TABLE, "boolean": SENTENCES, "name": SENTENCES, "names": SENTENCES, "text": SENTENCES,
}  # fmt: skip
"""The pages of the worked examples."""


@pytest.mark.parametrize("kind", SHORT)
def test_a_short_form_has_four_fields_at_most_and_its_worked_examples_fit_it(kind):
    assert form_of(kind, "short") is SHORT[kind] and len(SHORT[kind].model_fields) <= 4
    asked = understand(Query("What was it?"))
    short, full = (
        reading(kind, asked, (), Rules(), form=form, max_tokens=600) for form in ("short", "full")
    )
    for worked in short.examples:
        filled = worked[worked.index("{") :]
        assert SHORT[kind].model_validate_json(filled).model_dump_json() == filled
    sizes = [sum(map(len, (each.system, *each.examples))) for each in (short, full)]
    assert sizes[0] < min(sizes[1] / 2, 1600) and "operation" not in short.system


@pytest.mark.parametrize("kind", SHORT)
def test_what_a_rule_says_is_said_in_short(kind):
    asked = understand(Query("What was it?"))
    strictest = Rules(terms="exact", other_unit="na", silence="no")
    usual, strict = (
        reading(kind, asked, (), rules, strict=True, form="short")
        for rules in (Rules(), strictest)
    )
    said = {
        "number": ["another unit"],
        "boolean": ["is no.", "Another title"],
        "name": ["Another title"],
        "names": ["Another title"],
        "text": [],
        "any": ["another unit", "is no.", "Another title"],
    }
    assert all(words in strict.system and words not in usual.system for words in said[kind])
    loose = reading(kind, asked, (), Rules(), strict=False, form="short")
    assert "comes nearest" in loose.system


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", Decimal(790000)),
        ("boolean", True),
        ("name", "Jon Abara"),
        ("names", ("Jon Abara",)),
        ("text", "Port fees rose with the new tariff"),
    ],
)
def test_the_short_worked_example_is_read_as_it_says(kind, value):
    prompt = reading(kind, understand(Query("What was it?")), (), Rules(), form="short")
    asked, filled = prompt.examples[0].split("Question: ")[1].split("\n")
    answer, _ = told(asked, SHORT_PAGE[kind], json.loads(filled), expects=kind, form="short")
    assert getattr(answer.value, "amount", answer.value) == value, answer.reason


@pytest.mark.parametrize(
    ("value", "place", "amount"),
    [
        ("4,970 thousand GBP", "T1!B2", 4970000),
        ("4970", "T1!B2", 4970000),
        ("GBP 4,970k", "page 1, T1!B2", 4970000),
        ("4,970 (in thousands of GBP)", "1", 4970000),
        ("4,970 thousand GBP", "T1!C2", None),
        ("4,970 thousand EUR", "T1!B2", None),
        ("N/A", "", None),
    ],
)
def test_scale_and_unit_of_a_short_form_stand_in_its_value(value, place, amount):
    form = {"analysis": "", "place": place, "quote": "", "value": value}
    answer, _ = told(
        "What was capital expenditure in 2019?", EXAMPLE, form, expects="number", form="short"
    )
    assert getattr(answer.value, "amount", None) == amount, answer.reason


@pytest.mark.parametrize(
    ("place", "quote", "amount"),
    [
        ("T1!C2", "(4,970)", 4970000),  # the right row, and its cell by what it says
        ("T1!C3", "(4,970)", None),
        ("T1!C2", "(3,105)", None),  # of another year
    ],
)
def test_a_cell_of_the_row_that_is_named_is_found_by_its_quote(place, quote, amount):
    value = f"{quote.strip('()')} thousand GBP"
    form = {"analysis": "", "place": place, "quote": quote, "value": value}
    asked = "What was capital expenditure in 2019?"
    answer, _ = told(asked, EXAMPLE, form, expects="number", form="short")
    assert getattr(answer.value, "amount", None) == amount, answer.reason


def test_a_place_is_a_cell_or_a_page():
    sources = lengthened(
        ShortNamesForm(
            analysis="", places=["T1!B2", "page 2", ""], quotes=["a", "b", "c"], value=["x"]
        )
    ).sources
    assert [(source.page, source.cell, source.quote) for source in sources] == [
        (0, "T1!B2", "a"),
        (2, "", "b"),
        (0, "", "c"),
    ]
    assert lengthened(ShortNumberForm(analysis="", value=None)).sources == []


@pytest.mark.parametrize(
    ("value", "kind"),
    [([], "N/A"), (["n/a"], "N/A"), (["Yes"], "yes"), (["Jana Holm"], "name"), (["3M Company"], "name"), (["A", "B"], "names"),
     (["Freight rates fell because new ships entered the market."], "text")],
)  # fmt: skip
def test_the_value_says_of_which_kind_a_short_answer_is(value, kind):
    assert lengthened(ShortAnswerForm(analysis="", value=value)).kind == kind


def test_what_is_compared_is_asked_for_in_full():
    asked = understand(Query("Which region had the highest revenue?"))
    assert kind_of(asked, "short") == "comparative" and form_of("comparative", "short") is form_of(
        "comparative"
    )
    form = {"analysis": "", "places": ["T1!B2"], "quotes": ["41,260"], "value": "41,260"}
    assert told("Revenue in 2023", SEEN, form, form="short")[0].value.amount == 41260


def test_the_default_recipe_takes_its_forms_from_the_parameter_or_the_setting(library):
    kit = Kit(HashEncoder(), large=ScriptedModel(lambda *_: {}, name="large"))
    for recipe, settings, short in (
        (Default(), Settings(), False),
        (Default(), Settings(forms="short"), True),
        (Default(forms="short"), Settings(), True),
        (Default(forms="full"), Settings(forms="short"), False),
    ):
        assert ("form='short'" in spell(recipe.read(library.corpus, kit, settings))) == short


@pytest.mark.parametrize(
    ("said", "place", "value"),
    [
        ("row Dividends paid, column 2018", "T1!B2", "812 thousand GBP"),
        ("row Dividends paid, column 2018", "", "812 GBP"),
        ("dividends of 2018", "T1!C2", "790 thousand GBP"),
        ("row Dividends paid, column 2017", "T1!C2", "790 thousand GBP"),
    ],
)
def test_the_cell_that_is_named_by_row_and_column_is_read(said, place, value):
    form = lengthened(ShortNumberForm(analysis=said, place=place, quote="", value=value))
    answer, _ = told(
        "What were the dividends paid in 2018?", TABLE, form.model_dump(), expects="number"
    )
    assert abs(answer.value.amount) == 790_000
