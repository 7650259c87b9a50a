"""Reading with a model that says what the test wants: what is right passes, what is wrong is asked again and refused."""

import json
from decimal import Decimal

import pytest

from pincite.errors import ModelUnreachable
from pincite.generate.forms import BooleanForm, Kind, NamesForm, NumberForm
from pincite.generate.prompts import reading, rules_of
from pincite.generate.reading import Read, enough, form_of, kind_of
from pincite.generate.rules import Rules
from pincite.generate.worked_examples import example, near_miss
from pincite.question.understanding import understand
from pincite.spell import spell
from pincite.stage import Escalate
from pincite.types import Draft, Hit, Query, Ranking
from tests.generate.reading import saying, shown_of, told
from tests.stand_ins.fakes import ScriptedModel

KINDS: tuple[Kind, ...] = ("number", "boolean", "name", "names", "text", "comparative", "any")
TABLE = """# Income statement

| | 2023 | 2022 |
|---|---|---|
| Revenue | 41,260 | 39,811 |
| Cost of sales | (30,118) | (29,450) |
| Wages | 5,120 | 4,833 |
| Rent | 910 | 883 |
"""
PROSE = """# Board and staff

Velmo employed 1,284 people at the end of 2023. Jana Holm has been Chief Executive Officer since 2019.
Ivo Strand joined the board in 2021 and Mia Berg in 2022. No acquisition was completed in 2023.
Freight rates fell because new ships entered the market, and energy use was 93.4 MWh.
"""
SEEN = shown_of(TABLE, PROSE)
REVENUE = "What was the revenue in 2023?"


def cell(handle, quote="", page=1):
    return {"page": page, "cell": handle, "quote": quote}


def words(quote, page=2):
    return {"page": page, "quote": quote}


def number(value, *sources, operation="", scale="", unit=""):
    return {
        "value": value, "scale": scale, "unit": unit, "operation": operation, "sources": sources,
        "relevant_pages": sorted({one["page"] for one in sources}),
    }  # fmt: skip


@pytest.mark.parametrize(
    "form",
    [
        number("41,260", cell("T1!B2", "41,260")),
        number(41260, cell("T1!B2")),
        number("41260.0", words("| 2 | Revenue | 41,260 | 39,811 |", 1)),
        {"value": "41260", "relevant_pages": [1]},
        number("41,260", cell("T1!C4"), cell("T1!B2")),
        number(
            "41,260", words("Revenue came to 41,260 in total", 1)
        ),  # an invented quote, a number that stands there
    ],
)
def test_a_right_number_is_found_however_it_is_cited(form):
    answer, prompts = told(REVENUE, SEEN, form, expects="number")
    assert answer.value.amount == 41260 and len(prompts) == 1
    assert (
        answer.citations[0].anchor.cells == ((1, 1),) and answer.checks[0].verdict == "supported"
    )


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (number("39,811", cell("T1!C2")), "does not belong to 2023"),
        (number("-41,260", cell("T1!B2")), "the sign differs"),
        (number("41,260", cell("T1!B2"), scale="thousand"), "the scale differs"),
        (number("41,620", cell("T1!B2")), "the digits differ"),
        (number("41,260", cell("T1!B2"), unit="MWh"), "the unit differs"),
        (number("5,120", cell("T1!B4")), "Revenue"),
        (number("77", words("Revenue was 77 in 2023", 1)), "does not stand"),
        (number("much", cell("T1!B2")), "not a number"),
    ],
)
def test_a_wrong_number_is_asked_again_with_its_failure_and_refused(form, reason):
    answer, prompts = told(REVENUE, SEEN, form, expects="number")
    assert answer.value is None and answer.text == "" and reason in answer.reason
    assert len(prompts) == 2 and prompts[0].turns == ()
    assert reason in prompts[1].turns[0][1] and prompts[1].context == prompts[0].context


@pytest.mark.parametrize(
    ("form", "amount"),
    [
        (number("41,260", cell("T1!B2"), scale="thousand"), 41_260_000),
        (number("41,260,000", cell("T1!B2")), 41_260_000),
        (number("1,449", cell("T1!B2"), cell("T1!C2"), operation="difference", scale="thousand"), 1_449_000),
        (number("41,260", cell("T1!B2"), scale="million"), None),
    ],
)  # fmt: skip
def test_a_scale_that_only_a_note_on_the_page_tells_is_cited_with_the_number(form, amount):
    seen = shown_of(f"{TABLE}\nAll amounts (in thousands) are audited. So are the notes.\n")
    asked = "What was the change in revenue from 2022 to 2023?" if form["operation"] else REVENUE
    answer, _ = told(asked, seen, form, expects="number")
    if amount is None:
        assert answer.value is None and "the scale differs" in answer.reason
        return
    assert answer.value.amount == amount, answer.reason
    assert answer.citations[-1].quote == "(in thousands)"


def test_a_heading_is_found_with_the_mark_that_it_is_shown_with():
    form = {"kind": "name", "value": "Board and staff", "sources": [words("# Board and staff")]}
    answer, _ = told("What is the heading of the section on the board?", SEEN, form)
    said = answer.value or answer.possible[0].value
    assert said == "Board and staff", answer.reason


def test_digits_as_printed_are_in_the_scale_of_their_place():
    seen = shown_of(TABLE.replace("| Revenue |", "| Revenue (EUR m) |"))
    answer, _ = told(REVENUE, seen, number("41,260", cell("T1!B2")), expects="number")
    assert answer.value.amount == 41_260_000_000 and answer.value.unit == "EUR"


def test_a_name_may_be_the_part_of_a_header_that_tells_it_from_the_others():
    seen = shown_of(
        TABLE.replace("| 2023 | 2022 |", "| Year to March 2023 restated | Year to March 2022 |")
    )
    form = {
        "kind": "name", "value": "Year to March 2023", "wins": "most",
        "compared": [
            {"name": "Year to March 2023", "source": cell("T1!B2")},
            {"name": "Year to March 2022", "source": cell("T1!C2")},
        ],
    }  # fmt: skip
    answer, _ = told("In which year was revenue higher?", seen, form)
    assert answer.value == "Year to March 2023", answer.reason
    alike = [each | {"name": "Year to March"} for each in form["compared"]]
    both = form | {"value": "Year to March", "compared": alike}
    assert told("In which year was revenue higher?", seen, both)[0].value is None


def test_the_second_reply_may_put_it_right():
    answer, prompts = told(
        REVENUE,
        SEEN,
        number("39,811", cell("T1!C2")),
        number("41,260", cell("T1!B2")),
        expects="number",
    )
    assert answer.value.amount == 41260 and answer.confidence == 0.5 and len(prompts) == 2


def test_not_available_is_not_asked_again_and_says_where_was_looked():
    answer, prompts = told(REVENUE, SEEN, {"value": "n/a"}, expects="number")
    assert answer.value is None and len(prompts) == 1 and "report.md p. 1" in answer.reason


def test_code_computes_and_cites_the_operands():
    form = number("999", cell("T1!B2"), cell("T1!C2"), operation="difference")
    answer, _ = told(
        "What was the change in revenue from 2022 to 2023?", SEEN, form, expects="number"
    )
    assert answer.value.amount == 1449 and answer.checks[0].verdict == "computed"
    assert [one.anchor.cells for one in answer.citations] == [((1, 1),), ((1, 2),)]


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (
            number("1", cell("T1!C2"), cell("T1!B2"), operation="difference"),
            "measured from the earlier to the later time",
        ),
        (number("1", cell("T1!B2"), cell("T1!C4"), operation="difference"), "Revenue"),
        (number("1", cell("T1!B2"), operation="difference"), "cannot be computed"),
        (number("1", cell("T1!B2"), cell("T1!B9"), operation="difference"), "operand b"),
        (number("1", cell("T1!B2"), cell("T1!C2"), operation="__import__('os')"), "no operation"),
        (number("1", cell("T1!B2"), cell("T1!C2"), operation="average"), "asks for a change"),
    ],
)
def test_wrong_operations_and_operands_are_refused(form, reason):
    answer, _ = told(
        "What was the change in revenue from 2022 to 2023?", SEEN, form, expects="number"
    )
    assert answer.value is None and reason in answer.reason


def test_the_operands_of_a_formula_are_of_one_series_or_fill_their_rows_and_columns():
    asked = "By how much did revenue change from 2022 to 2023, as a percentage?"
    change = number("N/A", cell("T1!B2"), cell("T1!C2"), operation="(a - b) / b")
    answer, _ = told(asked, SEEN, change, expects="number")
    assert answer.value.unit == "%" and round(answer.value.value, 2) == Decimal("3.64")
    across = number("N/A", cell("T1!B3"), cell("T1!C2"), operation="(a - b) / b")
    answer, _ = told(asked, SEEN, across, expects="number")
    assert answer.value is None and "different things" in answer.reason
    places = [cell(at) for at in ("T1!B4", "T1!B5", "T1!C4", "T1!C5")]
    block = number("N/A", *places, operation="((a - b) + (c - d)) / 2")
    answer, _ = told("What was the average of wages over rent?", SEEN, block, expects="number")
    assert answer.value.amount == 4080, answer.reason


def test_where_computing_is_forbidden_a_computed_number_is_refused_by_code():
    form = number("1449", cell("T1!B2"), cell("T1!C2"), operation="difference")
    asked = "What was the change in revenue from 2022 to 2023?"
    for settings in ({"derived": "forbid"}, {"rules": Rules(derived="forbid")}):
        answer, prompts = told(asked, SEEN, form, expects="number", **settings)
        assert (
            answer.value is None
            and "computed" in answer.reason
            and "have to be computed" in prompts[0].system
        )


@pytest.mark.parametrize(("other_unit", "value"), [("convert", Decimal("93400")), ("na", None)])
def test_another_unit_is_converted_or_no_answer_as_the_rules_say(other_unit, value):
    form = number("93.4", words("energy use was 93.4 MWh"), unit="MWh")
    answer, _ = told(
        "What was the energy use in kWh?",
        SEEN,
        form,
        expects="number",
        unit="kWh",
        rules=Rules(other_unit=other_unit),
    )
    assert (answer.value and answer.value.amount) == value


def test_another_currency_is_no_answer():
    seen = shown_of("Revenue of Velmo was USD 41.2 million in 2023.")
    form = number(
        "41.2",
        words("Revenue of Velmo was USD 41.2 million in 2023.", 1),
        scale="million",
        unit="USD",
    )
    assert (
        told("What was the revenue of Velmo in 2023?", seen, form, expects="number")[
            0
        ].value.amount
        == 41200000
    )
    answer, _ = told(
        "What was the revenue of Velmo in 2023?", seen, form, expects="number", unit="EUR"
    )
    assert answer.value is None and "USD" in answer.reason


@pytest.mark.parametrize(
    ("value", "quote"),
    [("no", "No acquisition was completed in 2023."), (False, "No acquisition was completed")],
)
def test_yes_or_no_with_its_sentence(value, quote):
    answer, _ = told(
        "Was an acquisition completed in 2023?", SEEN, {"kind": value, "sources": [words(quote)]}
    )
    assert answer.value is False and answer.citations[0].quote.startswith("No acquisition")


def test_a_yes_against_its_own_sentence_is_refused_and_so_is_one_beside_the_point():
    asked = "Was an acquisition completed in 2023?"
    denied = told(
        asked, SEEN, {"kind": "yes", "sources": [words("No acquisition was completed in 2023.")]}
    )[0]
    assert denied.value is None
    beside = told(
        asked,
        SEEN,
        {
            "kind": "yes",
            "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")],
        },
    )[0]
    assert beside.value is None


def test_silence_is_a_no_only_where_the_rules_say_so():
    asked, form = "Did Velmo announce a share buyback?", {"kind": "no"}
    answer, _ = told(asked, SEEN, form)
    assert answer.value is None and "silent" in answer.reason
    for settings in ({"silence": "no"}, {"rules": Rules(silence="no")}):
        assert told(asked, SEEN, form, **settings)[0].value is False


def test_names_are_those_of_the_source():
    name = {
        "value": "jana  HOLM",
        "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")],
    }
    assert (
        told("Who is the Chief Executive Officer of Velmo?", SEEN, name, expects="name")[0].value
        == "Jana Holm"
    )
    board = "Ivo Strand joined the board in 2021 and Mia Berg in 2022."
    both = {"value": ["Ivo Strand", "Mia Berg"], "sources": [words(board), words(board)]}
    answer, _ = told(
        "Who are the names of those who joined the board?", SEEN, both, expects="names"
    )
    assert answer.value == ("Ivo Strand", "Mia Berg") and len(answer.citations) == 2


@pytest.mark.parametrize("value", ["Jana Holmes", "Mia Berg"])
def test_a_name_that_its_sentence_does_not_hold_is_refused(value):
    form = {
        "value": value,
        "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")],
    }
    assert (
        told("Who is the Chief Executive Officer of Velmo?", SEEN, form, expects="name")[0].value
        is None
    )


def test_a_name_for_a_year_names_one():
    seen = shown_of("Rent was below 900 in the year 2022, as of December 31.")
    quote = words("Rent was below 900 in the year 2022, as of December 31.", 1)
    for value, said in (("2022", "2022"), ("December 31", None)):
        answer, _ = told(
            "In which year was rent below 900?",
            seen,
            {"kind": "name", "value": value, "sources": [quote]},
        )
        assert answer.value == said, answer.reason


def test_code_compares_what_a_comparison_cites():
    form = {
        "compared": [
            {"name": "Wages", "source": cell("T1!B4")},
            {"name": "Rent", "source": cell("T1!B5")},
        ],
        "wins": "most",
        "value": "Rent",
        "kind": "name",
    }
    answer, _ = told("Which was the largest in 2023, wages or rent?", SEEN, form)
    assert (
        answer.value == "Wages"
        and answer.checks[0].verdict == "computed"
        and len(answer.citations) == 2
    )


def test_prose_is_shown_with_the_sentences_it_rests_on():
    form = {
        "kind": "text",
        "value": "Freight rates fell as new ships entered the market.",
        "sources": [words("Freight rates fell because new ships entered the market")],
    }
    answer, _ = told("Why did freight rates fall?", SEEN, form)
    assert (
        answer.text == form["value"]
        and answer.value == "Freight rates fell because new ships entered the market"
    )


@pytest.mark.parametrize(
    "value",
    [
        "Freight rates fell by 12% because new ships entered the market.",
        "Freight rates fell because 1,284 new ships entered the market.",
        "Freight rates fell after a strike of dockers ended in autumn.",
        "Freight rates fell, see https://velmo.example.",
    ],
)
def test_prose_that_says_more_than_its_sentences_is_refused(value):
    form = {
        "kind": "text",
        "value": value,
        "sources": [words("Freight rates fell because new ships entered the market")],
    }
    answer, _ = told("Why did freight rates fall?", SEEN, form)
    assert answer.value is None and answer.text == "" and answer.reason


def test_pieces_that_did_not_fit_cannot_be_cited():
    form = number("1,284", words("Velmo employed 1,284 people at the end of 2023."))
    form |= {"step_by_step_analysis": "", "kind": "number"}
    ask = understand(Query("How many people did Velmo employ at the end of 2023?"))
    whole, cut = (
        Read(ScriptedModel(lambda *_: form, window=window), None).read(ask, SEEN)
        for window in (None, 1)
    )
    assert whole.value.amount == 1284 and cut.value is None
    assert set(cut.read) == {one.node.id for one in SEEN.pages[0]}


def test_replies_that_fit_no_form_are_a_refusal_and_a_silent_endpoint_is_raised():
    ask = understand(Query(REVENUE, expects="number"))
    draft = Read(ScriptedModel(lambda *_: {"answer": 42}), None).read(ask, SEEN)
    assert draft.value is None and "does not fit" in draft.reason

    def away(prompt, form):
        raise ModelUnreachable("away")

    with pytest.raises(ModelUnreachable):
        Read(ScriptedModel(away), None).read(ask, SEEN)


def test_a_blank_is_read_again_with_more_pages(library):
    query = Query(
        "What was the income tax expense of Halvorsen Maritime in 2023?", expects="number"
    )
    hits = library.search(query.text, k=8)

    def script(prompt, form):
        at = next(
            (n for n, piece in enumerate(prompt.context, 1) if "Income tax expense" in piece), 0
        )
        if not at:
            return {"step_by_step_analysis": "", "value": "N/A"}
        return {
            "step_by_step_analysis": "",
            "value": "-11,706",
            "scale": "thousand",
            "relevant_pages": [at],
        }

    hits.sort(
        key=lambda one: "income tax expense" in library.corpus.nodes([one.node])[0].text.lower()
    )
    ranking = Ranking(query, tuple(Hit(one.node, 1.0) for one in hits))
    few, more = (Read(ScriptedModel(script), library.corpus, k=k) for k in (2, 8))
    assert few(ranking).value is None
    assert Escalate(few, more, enough)(ranking).value.amount == 11706000


def test_no_pages_are_no_answer_and_cost_no_call():
    model, prompts = saying({"value": "1"})
    draft = Read(model, None).read(understand(Query(REVENUE)), SEEN.first(0))
    assert draft.value is None and draft.reason and prompts == []
    assert not enough(draft) and enough(Draft(Query("q"), "x", "x"))


def test_a_reader_spells_itself_with_its_model_by_name():
    model = ScriptedModel(lambda *_: {}, name="large")
    assert spell(Read(model, None)) == "Read(model=large)"
    assert spell(Read(model, None, k=3, strict=False, rules=Rules(terms="exact"), reading=2)) == (
        "Read(model=large, k=3, strict=False, rules=Rules(terms='exact'), reading=2)"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_prompts_have_the_rules_of_their_type_and_an_example_that_holds(kind):
    ask = understand(Query("What was it in 2023?", unit="EUR"))
    prompt = reading(kind, ask, ("a page",), Rules(), strict=False, run=3)
    assert prompt.context == ("a page",) and prompt.run == 3 and "EUR" in prompt.question
    assert len(rules_of(kind, ask, Rules())) <= 6 and len(prompt.system) < (
        3500 if kind == "any" else 2500
    )
    assert prompt.examples == (example(kind), near_miss(kind, False))
    for shown_example in prompt.examples:
        filled = shown_example.split("Form: ")[1]
        assert form_of(kind).model_validate_json(filled).model_dump_json() == filled
    assert list(form_of(kind).model_fields)[:2] == ["step_by_step_analysis", "reasoning_summary"]


def example_of(text):
    """The question of a worked example and its form, as a reply."""
    asked, filled = text.split("Question: ")[1].split("\nForm: ")
    return asked, json.loads(filled)


EXAMPLE = shown_of("""\
The board met nine times. Mara Lindqvist has been Managing Director since May 2017; Jon Abara joined as Chief Financial Officer.

Cash flow (in thousands of GBP)

| | 2019 | 2018 |
|---|---|---|
| Capital expenditure | (4,970) | (3,105) |
| Dividends paid | (812) | (790) |

The purchase of the Tarn quarry was not completed. Port fees rose with the new tariff of the harbour authority.
""")


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("number", Decimal(4970000)),
        ("boolean", False),
        ("name", "Jon Abara"),
        ("comparative", "Capital expenditure"),
    ],
)
def test_the_worked_example_is_read_as_it_says(kind, value):
    asked, form = example_of(example(kind))
    answer, _ = told(
        asked, EXAMPLE, {"kind": "name"} | form, expects=None if kind == "comparative" else kind
    )
    assert getattr(answer.value, "amount", answer.value) == value, answer.reason


@pytest.mark.parametrize("kind", KINDS)
def test_the_near_miss_ends_in_no_answer(kind):
    asked, form = example_of(near_miss(kind, False))
    assert form.get("value") in ("N/A", []) and "no" in form["step_by_step_analysis"]
    expects = None if kind in ("comparative", "any") else kind
    answer, prompts = told(asked, EXAMPLE, {"kind": "N/A"} | form, expects=expects)
    assert answer.value is None and len(prompts) == 1


def test_where_silence_is_a_no_the_near_miss_is_one():
    asked, form = example_of(near_miss("boolean", True))
    assert (
        form["value"] == "no"
        and told(asked, EXAMPLE, form, expects="boolean", silence="no")[0].value is False
    )


def test_rules_are_settings_that_the_prompt_says():
    ask = understand(Query("Who is the CEO?"))
    exact, near = (
        reading("name", ask, (), Rules(terms=terms)).system for terms in ("exact", "near")
    )
    assert "literally" in exact and "nearest role" in near and "literally" not in near


def test_the_kind_is_the_callers_or_else_the_replys():
    assert kind_of(understand(Query("What was revenue?", expects="text"))) == "text"
    assert kind_of(understand(Query("What was revenue?", unit="EUR"))) == "number"
    assert (
        kind_of(understand(Query("Which region had the highest revenue?", expects="name")))
        == "comparative"
    )
    assert kind_of(understand(Query("Which region had the highest revenue?"))) == "any"
    asked = (understand(Query(text)) for text in ("Did it pay?", "Stock on hand, 2023"))
    boolean, unsure = (reading("any", ask, (), Rules()).question for ask in asked)
    assert "may ask for a yes or a no" in boolean and "may ask for" not in unsure


@pytest.mark.parametrize(
    ("question", "form", "value"),
    [
        ("Revenue in 2023", {"kind": "number"} | number("41,260", cell("T1!B2")), Decimal(41260)),
        ("Revenue in 2023", {"kind": "name"} | number("41,260", cell("T1!B2")), Decimal(41260)),
        (
            "Chief Executive Officer of Velmo",
            {"kind": "Name", "value": "Jana Holm", "sources": [words("Jana Holm has been Chief Executive Officer since 2019.")]},
            "Jana Holm",
        ),
        (
            "Was an acquisition completed in 2023?",
            {"kind": "No.", "sources": [words("No acquisition was completed in 2023.")]},
            False,
        ),
    ],
)  # fmt: skip
def test_the_reply_says_of_which_kind_the_answer_is(question, form, value):
    answer, prompts = told(question, SEEN, form)
    said = answer.value.amount if hasattr(answer.value, "amount") else answer.value
    assert (said, len(prompts)) == (value, 1), answer.reason


def test_several_numbers_are_several_claims_each_at_its_place():
    form = {"kind": "numbers"} | number(["39,811", "41,260"], cell("T1!C2"), cell("T1!B2"))
    answer, _ = told("What was the revenue in 2022 and 2023 respectively?", SEEN, form)
    assert [one.amount for one in answer.value] == [39811, 41260]
    assert [one.anchor.cells for one in answer.citations] == [((1, 2),), ((1, 1),)]
    assert [one.verdict for one in answer.checks] == ["supported", "supported"]


def test_several_numbers_are_told_in_the_order_in_which_the_question_names_their_times():
    form = {"kind": "numbers"} | number(["41,260", "39,811"], cell("T1!B2"), cell("T1!C2"))
    answer, _ = told("What was the revenue in 2022 and 2023 respectively?", SEEN, form)
    assert [each.amount for each in answer.value] == [39811, 41260]
    assert [each.anchor.cells for each in answer.citations] == [((1, 2),), ((1, 1),)]


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (number(["39,811", "39,811"], cell("T1!C2"), cell("T1!C2")), "given twice"),
        (number(["39,811", "41,620"], cell("T1!C2"), cell("T1!B2")), "the digits differ"),
        (number(["39,811", "5,120"], cell("T1!C2"), cell("T1!B4")), "Revenue"),
        (number(["39,811", "41,260", "5,120"], cell("T1!C2"), cell("T1!B2")), "with 2 places"),
        (
            number(["1", "2"], cell("T1!C2"), cell("T1!B2"), operation="sum"),
            "only one number is computed",
        ),
    ],
)
def test_several_numbers_of_which_one_is_wrong_are_refused(form, reason):
    answer, _ = told(
        "What was the revenue in 2022 and 2023 respectively?", SEEN, {"kind": "numbers"} | form
    )
    assert answer.value is None and reason in answer.reason


def test_numbers_of_several_things_stand_in_the_order_of_the_question():
    asked = "What were wages and rent in 2023 respectively?"
    for values, cells, right in (
        ("5,120 910", "T1!B4 T1!B5", True),
        ("910 5,120", "T1!B5 T1!B4", False),
    ):
        form = {"kind": "numbers"} | number(values.split(), *map(cell, cells.split()))
        answer, _ = told(asked, SEEN, form)
        assert (answer.value is not None) == right, answer.reason


def test_a_comparison_that_stands_outright_needs_a_name_and_its_place():
    seen = shown_of("Norway was the region with the highest revenue in 2023.\n", TABLE)
    asked = "Which region had the highest revenue in 2023?"
    quote = "Norway was the region with the highest revenue in 2023."
    for form, settings in (({"kind": "name"}, {}), ({}, {"expects": "name"})):
        answer, _ = told(
            asked, seen, form | {"value": "Norway", "sources": [words(quote, 1)]}, **settings
        )
        assert answer.value == "Norway", answer.reason
    row = {"kind": "name", "value": "Wages", "sources": [cell("T1!A4", "Wages", 2)]}
    answer, _ = told("Which was the largest expense in 2023?", seen, row)
    assert answer.value is None


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        (
            number("1449", cell("T1!B2"), cell("T1!C2"), operation="difference", scale="thousand"),
            "the scale differs",
        ),
        (
            number("N/A", cell("T1!B2"), cell("T1!C2"), operation="difference", scale="million"),
            "the scale differs",
        ),
        (
            number("1449", cell("T1!B2"), cell("T1!C2"), operation="difference", unit="MWh"),
            "the unit differs",
        ),
        (
            number(
                "3.64", cell("T1!B2"), cell("T1!C2"), operation="percentage_change", unit="EUR"
            ),
            "the unit differs",
        ),
        (number("1,449", cell("T1!B2"), cell("T1!C2"), operation="difference"), ""),
        (number("7", cell("T1!B2"), cell("T1!C2"), operation="difference"), ""),
    ],
)
def test_the_scale_and_the_unit_of_a_computed_number_are_those_of_the_reply(form, reason):
    asked = "What was the change in revenue from 2022 to 2023?"
    if "percentage" in form["operation"]:
        asked = "What was the percentage change in revenue from 2022 to 2023?"
    answer, _ = told(asked, SEEN, form, expects="number")
    assert reason in answer.reason and (answer.value is None) == bool(reason)


def test_a_computed_number_may_be_said_in_another_scale_than_its_table():
    seen = shown_of(
        TABLE.replace("# Income statement", "# Income statement\n\nIn thousands of EUR")
    )
    cases = (
        ("1.449", "million", True),
        ("1.449", "10^6", True),
        ("1449", "x1,000", True),
        ("1449", "", True),
        ("1449", "million", False),
    )
    for value, scale, right in cases:
        form = number(value, cell("T1!B2"), cell("T1!C2"), operation="difference", scale=scale)
        answer, _ = told(
            "What was the change in revenue from 2022 to 2023?", seen, form, expects="number"
        )
        assert (answer.value is not None) == right, answer.reason


@pytest.mark.parametrize(
    ("value", "operation", "amount"),
    [
        ("112", "difference", 112),
        ("-112", "difference", -112),
        ("N/A", "difference", -112),
        ("158", "sum", 158),
        ("-79", "average", -79),
        ("113", "difference", -112),
    ],
)
def test_amounts_in_parentheses_have_the_sign_of_the_reply(value, operation, amount):
    seen = shown_of(TABLE.replace("41,260", "(135)").replace("39,811", "(23)"))
    asked = f"What was the {operation} of revenue between 2022 and 2023?"
    form = number(value, cell("T1!B2"), cell("T1!C2"), operation=operation)
    answer, _ = told(asked, seen, form, expects="number")
    assert answer.value.amount == amount and answer.checks[0].verdict == "computed", answer.reason


def test_forms_take_values_as_models_write_them():
    assert NumberForm(step_by_step_analysis="", value=4970.5).value == "4970.5"
    assert NumberForm(step_by_step_analysis="", value=None).value == "N/A"
    assert BooleanForm(step_by_step_analysis="", value="True").value == "yes"
    assert NamesForm(step_by_step_analysis="", value="N/A").value == []
    assert NamesForm(
        step_by_step_analysis="", value="Jana Holm", relevant_pages=2
    ).relevant_pages == [2]
