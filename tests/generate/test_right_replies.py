"""Right replies of a model, in odd words or about odd pages, that must come out right."""

import pytest

from tests.generate.reading import shown_of, told

PROSE = """# Seas

Satellites watch droughts, forest fires and glacial lakes.
The second rung of the ladder that the report describes is that of interventions.
"""


@pytest.mark.parametrize(
    ("said", "spelled"),
    [("intervention", "interventions"), ("interventions", "interventions"), ("inter", None)],
)
def test_a_name_is_read_to_the_end_of_the_word_that_it_breaks_off_in(said, spelled):
    quote = "The second rung of the ladder that the report describes is that of interventions."
    form = {"value": said, "sources": [{"page": 1, "quote": quote}]}
    asked = "What is the second rung of the ladder called?"
    answer, _ = told(asked, shown_of(PROSE), form, expects="name")
    assert answer.value == spelled, answer.reason


DIVIDENDS = """# Appropriations

| | For the year ended 31.3.2003 | For the year ended 31.3.2002 |
|---|---|---|
| Proposed dividend | 1,767.80 | 1,923.78 |
| General reserve | 500.00 | 400.00 |
"""


def test_operands_are_of_the_dates_that_their_columns_write_in_digits():
    form = {
        "value": "N/A", "operation": "difference", "relevant_pages": [1],
        "sources": [{"page": 1, "cell": "T1!C2"}, {"page": 1, "cell": "T1!B2"}],
    }  # fmt: skip
    asked = (
        "How much higher was the proposed dividend for the year ended March 31, 2002 compared to the year ended March 31, "
        "2003?"
    )
    answer, _ = told(asked, shown_of(DIVIDENDS), form, expects="number")
    assert answer.value and float(answer.value.amount) == 155.98, answer.reason


INCOMES = """# Who goes online

| Household income | Go online, per cent |
|---|---|
| Less than $30,000 | 39 |
| $75,000 or more | 90 |
"""


def test_an_amount_that_names_a_row_says_nothing_of_the_unit_of_its_numbers():
    form = {"value": "90", "relevant_pages": [1], "sources": [{"page": 1, "cell": "T1!B3"}]}
    asked = "What percentage of people with a household income of $75,000 or more go online?"
    answer, _ = told(asked, shown_of(INCOMES), form, expects="number")
    assert answer.value and (answer.value.value, answer.value.unit) == (90, "%"), answer.reason


AMORTIZATION = """# Intangible assets

Expected amortization (in millions) of acquired intangible assets as of December 31, 2017 is as follows.
Expected amortization of acquired intangible assets: total $ 3,362 as of December 31, 2017.
"""


def test_digits_are_in_the_scale_that_the_question_wants_where_a_note_of_their_page_says_so():
    quote = "Expected amortization of acquired intangible assets: total $ 3,362 as of December 31, 2017."
    form = {"value": "3,362", "relevant_pages": [1], "sources": [{"page": 1, "quote": quote}]}
    asked = (
        "What is the total expected amortization of acquired intangible assets as of December 31, 2017? Answer in "
        "millions of USD."
    )
    answer, _ = told(asked, shown_of(AMORTIZATION), form, expects="number")
    assert answer.value, answer.reason
    assert (answer.value.value, answer.value.unit) == (3362, "million USD")


@pytest.mark.parametrize(
    ("name", "quotes", "value"),
    [
        ("2018", ["$20.8 million in 2018", "$19.5 million in 2019"], "2018"),
        ("2019", ["$19.5 million in 2018", "$20.8 million in 2018"], None),
        ("2018", ["$20.8 million in 2018", "$9.1 million in 2019"], None),
    ],
)
def test_numbers_that_one_sentence_tells_are_compared_each_with_the_year_beside_it(
    name, quotes, value
):
    seen = shown_of(
        "# Ferrow\n\nAmortization of patents included in the results of Ferrow amounted to $19.5 million in 2019 and $20.8 "
        "million in 2018.\n\nPort fees were $9.1 million in 2019 and $8.8 million in 2018.\n"
    )
    compared = [
        {"name": year, "source": {"page": 1, "quote": quote}}
        for year, quote in zip(("2018", "2019"), quotes, strict=True)
    ]
    form = {"kind": "name", "value": name, "wins": "most", "compared": compared}
    asked = (
        "In which year is the amortization of patents included in the results of Ferrow larger?"
    )
    answer, _ = told(asked, seen, form)
    assert answer.value == value, answer.reason


def test_a_rate_is_in_the_unit_asked_for_where_the_question_names_what_it_is_per():
    text = "A blog post of 2009 says that an average query takes 0.0003 kWh of energy per search."
    form = {
        "value": "0.0003",
        "unit": "kWh",
        "relevant_pages": [1],
        "sources": [{"page": 1, "quote": text}],
    }
    asked = "What per-search energy figure, in kWh, did the blog post of 2009 give for an average query?"
    answer, _ = told(
        asked, shown_of(f"# Searches\n\n{text}\n"), form, expects="number", unit="kWh"
    )
    assert answer.value and float(answer.value.amount) == 0.0003, answer.reason


def test_what_is_not_limited_to_something_is_no_denial():
    text = "These assessments should not be limited to large ports but should also apply to all ports."
    form = {"value": "yes", "sources": [{"page": 1, "quote": text}]}
    asked = "True or False: assessments should apply not just to large ports but to all ports."
    answer, _ = told(asked, shown_of(f"# Ports\n\n{text}\n"), form, expects="boolean")
    assert answer.value is True, answer.reason


def test_a_share_by_a_formula_is_in_per_cent_where_the_caller_asks_for_per_cent():
    table = "# Carbon\n\n| Model | Before | After |\n|---|---|---|\n| Tarn | 0.009 | 0.004 |\n| Ferrow | 0.012 | 0.011 |\n"
    form = {
        "value": "55.6", "unit": "%", "operation": "(b - a) / b", "relevant_pages": [1],
        "sources": [{"page": 1, "cell": "T1!C2"}, {"page": 1, "cell": "T1!B2"}],
    }  # fmt: skip
    asked = "By what percentage did the carbon of Tarn fall from before to after?"
    answer, _ = told(asked, shown_of(table), form, expects="number", unit="percent")
    assert answer.value and round(float(answer.value.value), 1) == 55.6, answer.reason
