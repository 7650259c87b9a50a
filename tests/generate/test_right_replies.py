"""Right replies of a model, about odd pages, that must come out right."""

from decimal import Decimal

import pytest

from pincite.question.understanding import understand
from pincite.recipes.line_agreement import _is_told_otherwise
from pincite.types import Anchor, Answer, Citation, Claim, Draft, Quantity, Query
from tests.generate.reading import seen_of, told

DIVIDENDS = """# Appropriations

| | For the year ended 31.3.2003 | For the year ended 31.3.2002 |
|---|---|---|
| Proposed dividend | 1,767.80 | 1,923.78 |
| General reserve | 500.00 | 400.00 |
"""
INCOMES = """# Who goes online

| Household income | Go online, per cent |
|---|---|
| Less than $30,000 | 39 |
| $75,000 or more | 90 |
"""
PLANTS = """# Plants

| Plant | Employees | Accidents |
|---|---|---|
| Tarn | 120 | 7 |
| Ferrow | 80 | 2 |
| Velmo | 210 | 9 |
| Brandt | 45 | 12 |
| Total | 455 | 30 |
"""
FEES = """# Fees

Sales to Norway accounted for 20% of harbour sales in 2023.
The plan ended the work of 11% of the dockers, or 330 employees, and cost $6.6 million.
Fuel costs increased $8.6 million to $16.7 million.

| (in millions) | 2023 |
|---|---|
| Harbour sales | $ 250 |
"""


def test_operands_are_of_the_dates_that_their_columns_write_in_digits():
    asked = (
        "How much higher was the proposed dividend for the year ended March 31, 2002 compared to the year ended March 31, "
        "2003?"
    )
    said = ("1,923.78 - 1,767.80", "Proposed dividend")
    answer, _ = told(asked, seen_of(DIVIDENDS), said, expects="number")
    assert answer.value and float(answer.value.amount) == 155.98, answer.reason


def test_an_amount_that_names_a_row_says_nothing_of_the_unit_of_its_numbers():
    asked = "What percentage of people with a household income of $75,000 or more go online?"
    answer, _ = told(asked, seen_of(INCOMES), ("90", "$75,000"), expects="number")
    assert answer.value and (answer.value.value, answer.value.unit) == (90, "%"), answer.reason


def test_a_rate_is_in_the_unit_asked_for_where_the_question_names_what_it_is_per():
    text = "A blog post of 2009 says that an average query takes 0.0003 kWh of energy per search."
    asked = "What per-search energy figure, in kWh, did the blog post of 2009 give for an average query?"
    seen = seen_of(f"# Searches\n\n{text}\n")
    answer, _ = told(asked, seen, ("0.0003", "blog"), expects="number", unit="kWh")
    assert answer.value and float(answer.value.amount) == 0.0003, answer.reason


def test_what_is_not_limited_to_something_is_no_denial():
    text = "These assessments should not be limited to large ports but should also apply to all ports."
    asked = "True or False: assessments should apply not just to large ports but to all ports."
    answer, _ = told(asked, seen_of(f"# Ports\n\n{text}\n"), ("yes", 1), expects="boolean")
    assert answer.value is True, answer.reason


def test_a_share_by_a_formula_is_in_per_cent():
    table = "# Carbon\n\n| Model | Before | After |\n|---|---|---|\n| Tarn | 0.009 | 0.004 |\n| Ferrow | 0.012 | 0.011 |\n"
    asked = "By what percentage did the carbon of Tarn fall from before to after?"
    said = ("(0.009 - 0.004) / 0.009 * 100", "Tarn")
    answer, _ = told(asked, seen_of(table), said, expects="number", unit="percent")
    assert answer.value and round(float(answer.value.value), 1) == 55.6, answer.reason


@pytest.mark.parametrize(
    ("question", "said", "amount", "unit"),
    [
        ("How much were the harbour sales to Norway in 2023?", ("20% * $ 250", "Norway", "Harbour"), 50_000_000, "USD"),
        ("How many dockers were there in all?", ("330 / 11%", "dockers"), 3000, "employee"),
        ("What did the plan cost per employee?", ("$6.6 million / 330 employees", "dockers"), 20_000, "USD/employee"),
        ("By how much did fuel costs increase?", ("$8.6 million", "Fuel"), 8_600_000, "USD"),
        ("What were the fuel costs?", ("$16.7 million", "Fuel"), 16_700_000, "USD"),
    ],
)  # fmt: skip
def test_numbers_of_sentences_and_cells_go_together(question, said, amount, unit):
    answer, _ = told(question, seen_of(FEES), said, expects="number")
    assert answer.value, answer.reason
    assert (answer.value.amount, answer.value.unit) == (amount, unit)


@pytest.mark.parametrize(
    ("question", "said", "count"),
    [
        ("How many plants had more than 5 accidents?", ("3", "Tarn", "Velmo", "Brandt"), 3),
        ("How many plants had more than 5 accidents?", ("Tarn; Velmo; Brandt", "Tarn", "Velmo", "Brandt"), 3),
        ("How many plants have fewer than 100 employees?", ("2", "Ferrow", "Brandt"), 2),
        ("How many plants had more than 5 accidents?", ("2", "Tarn", "Velmo"), None),
        ("How many plants had more than 5 accidents?", ("2", "Tarn", "Velmo", "Brandt"), None),
        ("How many plants had more than 5 accidents?", ("3", "Tarn", "Velmo", "Ferrow"), None),
        ("How many plants had more than 5 accidents?", ("4", "Tarn", "Velmo", "Brandt", "Total"), None),
        ("How many plants had more than 5 accidents?", ("7; 9; 12", "Tarn", "Velmo", "Brandt"), None),
        ("How many plants had at least 7 accidents?", ("2", "Velmo", "Brandt"), None),
        ("How many people work in plants with more than 5 accidents?", ("3", "Tarn", "Velmo", "Brandt"), None),
    ],
)  # fmt: skip
def test_rows_beyond_a_threshold_are_counted_where_code_counts_the_same(question, said, count):
    answer, prompts = told(question, seen_of(PLANTS), said, expects="number")
    assert (answer.value and answer.value.value) == count, answer.reason
    assert "the value is how many they are" in prompts[0].system
    if count is None:
        assert "is not how many rows code counts" in answer.reason
    else:
        assert len(answer.citations) == count and answer.checks[0].verdict == "computed"


def test_where_nothing_may_be_computed_nothing_is_counted():
    asked = "How many plants had more than 5 accidents?"
    said = ("3", "Tarn", "Velmo", "Brandt")
    answer, prompts = told(asked, seen_of(PLANTS), said, derived="forbid")
    assert answer.value is None and "the value is how many" not in prompts[0].system


def test_several_numbers_are_several_claims_each_at_its_place():
    asked = "What was the proposed dividend in 2002 and 2003 respectively?"
    answer, _ = told(asked, seen_of(DIVIDENDS), ("1,923.78; 1,767.80", "Proposed"))
    assert [one.amount for one in answer.value] == [Decimal("1923.78"), Decimal("1767.80")]
    assert [one.anchor.cells for one in answer.citations] == [((1, 2),), ((1, 1),)]
    assert [one.verdict for one in answer.checks] == ["supported", "supported"]


def test_an_amount_and_a_percentage_of_the_same_places_do_not_exclude_each_other():
    query = Query("What was the change in fees?")
    cited = tuple(Citation(str(at), "n", Anchor("s", cells=((1, at),)), "1", "d") for at in (1, 2))

    def said(unit, operation="difference"):
        value = Quantity(Decimal(5), unit)
        return value, (Claim("x", value, ("1", "2"), operation=operation),)

    amount, of_amount = said("USD")
    percent, of_percent = said("%", "percentage_change")
    draft = Draft(query, "", percent, claims=of_percent, citations=cited)
    assert _is_told_otherwise(draft, Answer(query, "", amount, cited, (), claims=of_amount))
    assert not _is_told_otherwise(
        draft, Answer(query, "", amount, cited[:1], (), claims=of_amount)
    )
    assert not _is_told_otherwise(draft, Answer(query, "", percent, cited, (), claims=of_percent))


@pytest.mark.parametrize(
    ("question", "unit"),
    [
        ("What were the harbour sales (including Norway) in 2023?", ""),
        ("What was the other income (expense) in 2023?", ""),
        ("What was capex in 2019 (in USD)?", "USD"),
        ("What is the share, in percentage, of fees in sales?", "%"),
    ],
)
def test_only_a_unit_in_brackets_is_one_that_is_asked_for(question, unit):
    assert understand(Query(question)).unit == unit
