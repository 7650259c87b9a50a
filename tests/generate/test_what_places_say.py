"""What a reply makes of its places against what these say: yes or no, operands of other rows and times, scales of notes."""

import pytest

from pincite.quantity.arithmetic import named
from pincite.question.metrics import items_asked
from pincite.question.understanding import understand
from pincite.types import Query
from tests.generate.reading import shown_of, told

PROSE = """# Cooling and reports

New halls of the Tarn site often rely on liquid cooling because of the high density of their servers.
The port law restricts reports of fuel use to authorities; they are not open to the public.
The quay crane is serviced by hand in winter. Small vessels need less fuel per tonne than large vessels.
Measuring the fuel of each trip is an important step for estimating its cost.
The base rent from May 2014 is $64,350 per month. In 2023 we sold 42 of the 50 kiosks to tenants.
(in thousands)
"""
TABLE = """# Fleet

| (in thousands) | 2019 | 2018 | 2017 |
|---|---|---|---|
| Pilot boats and pontoons | 812 | 790 | 755 |
| Other boats | 105 | 101 | 99 |
| Fuel reserve | 633 | 466 | 420 |
| Harbour reserve | 40 | 38 | 31 |
| All reserves | 2,400 | 2,210 | 2,050 |
"""
SEEN = shown_of(PROSE, TABLE)
COOLING = "New halls of the Tarn site often rely on liquid cooling because of the high density of their servers."
STEP = "Measuring the fuel of each trip is an important step for estimating its cost."
SMALL = "Small vessels need less fuel per tonne than large vessels."
RESTRICTED = "The port law restricts ... not open to the public."


def words(quote):
    return {"page": 1, "cell": "", "quote": quote}


def cells(*handles):
    return [{"page": 2, "cell": handle, "quote": ""} for handle in handles]


def computed(question, operation, *handles, value="N/A"):
    form = {"value": value, "operation": operation, "sources": cells(*handles), "kind": "number"}
    return told(question, SEEN, form)[0]


@pytest.mark.parametrize(
    ("question", "quote", "right"),
    [
        (
            "True or False: new halls of the Tarn site often rely on air cooling because of the high density.",
            COOLING,
            "no",
        ),
        ("True or False: new halls of the Tarn site often rely on liquid cooling.", COOLING, "yes"),
        ("True or False: the port law makes reports of fuel use open to the public.", RESTRICTED, "no"),
        ("True or False: measuring the fuel of a trip is an important step for estimating cost.", STEP, "yes"),
        ("True or False: large vessels need less fuel per tonne than small vessels.", SMALL, "no"),
    ],
)  # fmt: skip
def test_a_yes_or_a_no_is_what_its_sentence_says(question, quote, right):
    flipped = {"yes": "no", "no": "yes"}[right]
    answers = {
        value: told(question, SEEN, {"kind": value, "sources": [words(quote)]})[0]
        for value in (right, flipped)
    }
    assert answers[right].value is (right == "yes")
    assert answers[flipped].value is None


def test_a_no_needs_a_sentence_that_denies():
    question = "True or False: the quay crane works in summer."
    quote = "The quay crane is serviced by hand in winter."
    answer, prompts = told(question, SEEN, {"kind": "no", "sources": [words(quote)]})
    assert answer.value is None and len(prompts) == 2


def test_a_formula_is_held_to_the_times_of_the_question_like_the_operation_that_it_is():
    question = "What was the change in the fuel reserve from 2018 to 2019?"
    assert computed(question, "a - b", "T1!B4", "T1!C4").value.amount == 167_000
    assert computed(question, "a - b", "T1!B4", "T1!D4").value is None
    share = "What share of all reserves in 2019 are the fuel and the harbour reserve?"
    assert computed(share, "(a + b) / c", "T1!B4", "T1!B5", "T1!B6").value is not None
    assert computed(share, "(a + b) / c", "T1!B3", "T1!B5", "T1!B6").value is None


def test_two_operands_that_share_neither_row_nor_column_are_of_the_row_that_is_named():
    question = (
        "What is the total of pilot boats and pontoons at the end of 2018 and 2019 altogether?"
    )
    assert computed(question, "sum", "T1!C2", "T1!B2").value.amount == 1_602_000
    assert computed(question, "sum", "T1!C3", "T1!B2").value is None


def test_what_lies_between_two_times_has_no_sign_and_no_order():
    question = "What is the difference in the fuel reserve between 2018 and 2019?"
    assert computed(question, "difference", "T1!B4", "T1!C4").value.amount == 167_000
    assert computed(question, "difference", "T1!C4", "T1!B4").value is None


def test_a_quote_with_one_number_is_one_operand():
    rent = words("The base rent from May 2014 is $64,350 per month.")
    form = {"value": "N/A", "operation": "percentage_change", "sources": [rent, rent]}
    question = "By what percentage did the base rent change in 2014?"
    assert told(question, SEEN, {**form, "kind": "number"})[0].value is None


def test_a_note_of_scale_holds_for_no_count_in_running_text():
    form = {"value": "42", "sources": [words("In 2023 we sold 42 of the 50 kiosks to tenants.")]}
    question = "How many of the 50 kiosks were sold to tenants in 2023?"
    told_plainly = told(question, SEEN, {**form, "scale": "", "kind": "number"})[0]
    assert told_plainly.value.amount == 42
    in_thousands = told(question, SEEN, {**form, "scale": "thousand", "kind": "number"})[0]
    assert in_thousands.value is None


def test_a_mean_that_looks_like_a_year_is_a_number():
    table = "# Sales\n\n| (in millions) | 2018 | 2017 |\n|---|---|---|\n| Net revenue | $2,280 | $1,664 |\n"
    sources = [{"page": 1, "cell": handle, "quote": ""} for handle in ("T1!B2", "T1!C2")]
    form = {"value": "1972", "scale": "million", "operation": "average", "sources": sources}
    question = "What is the average net revenue for fiscal year 2018 and 2017?"
    answer = told(question, shown_of(table), {**form, "kind": "number"})[0]
    assert answer.value.amount == 1_972_000_000


def test_bare_numbers_are_compared_with_those_in_a_currency():
    table = (
        "# Securities\n\n| | Fair value |\n|---|---|\n| Bonds | $2,010 |\n| Notes | 116,835 |\n"
    )
    compared = [
        {"name": name, "source": {"page": 1, "cell": handle, "quote": ""}}
        for name, handle in (("Bonds", "T1!B2"), ("Notes", "T1!B3"))
    ]
    form = {
        "kind": "name",
        "value": "Notes",
        "compared": compared,
        "wins": "most",
        "sources": [each["source"] for each in compared],
    }
    question = "Which security has the greatest fair value?"
    assert told(question, shown_of(table), form)[0].value == "Notes"


def test_of_a_quote_with_words_left_out_the_shortest_stretch_is_meant():
    text = (
        "# Tests\n\nThe yearly test is costly, as the board knows. "
        + "It takes long. " * 40
        + "The yearly test is needed when the value of the quay falls below its cost.\n"
    )
    quote = "The yearly test is ... below its cost."
    form = {
        "kind": "text",
        "value": "When the value of the quay falls below its cost.",
        "sources": [words(quote)],
    }
    answer = told("When is the yearly test needed?", shown_of(text), form)[0]
    assert answer.value == (
        "The yearly test is needed when the value of the quay falls below its cost"
    )


@pytest.mark.parametrize(
    ("formula", "operation"),
    [
        ("a - b", "difference"),
        ("a+b+c", "sum"),
        ("(a - b) / b", "percentage_change"),
        ("a / b", "ratio"),
        ("(b - a) / b", "(b - a) / b"),
        ("(a + b) / 2", "(a + b) / 2"),
    ],
)
def test_formulas_that_have_a_name(formula, operation):
    assert named(formula) == operation


def test_an_unadjusted_item_is_the_item_as_its_statement_prints_it():
    question = (
        "What is the FY2022 unadjusted EBITDA % margin? Calculate unadjusted EBITDA using "
        "unadjusted operating income and D&A (from cash flow statement)."
    )
    items = items_asked(understand(Query(question)))
    assert {"operating profit"} <= {label for item in items for label in item.labels}
