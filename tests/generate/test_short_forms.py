"""Short forms say with four fields what full ones say, and are read as these."""

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
from pincite.generate.worked_examples import example
from pincite.ports import Kit
from pincite.question.understanding import understand
from pincite.recipes.default import Default
from pincite.settings import Settings
from pincite.spell import spell
from pincite.testing.fakes import HashEncoder, ScriptedModel
from pincite.types import Query
from tests.generate.reading import told
from tests.generate.test_read import EXAMPLE, SEEN, example_of


@pytest.mark.parametrize("kind", SHORT)
def test_a_short_form_has_four_fields_at_most_and_its_worked_example_fits_it(kind):
    assert form_of(kind, "short") is SHORT[kind] and len(SHORT[kind].model_fields) <= 4
    filled = example(kind, "short").split("Form: ")[1]
    assert SHORT[kind].model_validate_json(filled).model_dump_json() == filled
    short, full = (
        reading(kind, understand(Query("What was it?")), (), Rules(), form=form).system
        for form in ("short", "full")
    )
    assert len(short) < len(full) and "operation" not in short


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", Decimal(4970000)),
        ("boolean", False),
        ("name", "Jon Abara"),
        ("names", ("Mara Lindqvist", "Jon Abara")),
        ("text", "Port fees rose with the new tariff of the harbour authority"),
    ],
)
def test_the_short_worked_example_is_read_as_the_full_one(kind, value):
    for form in ("full", "short"):
        asked, filled = example_of(example(kind, form))
        answer, _ = told(asked, EXAMPLE, filled, expects=kind, form=form)
        assert getattr(answer.value, "amount", answer.value) == value, (form, answer.reason)


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
