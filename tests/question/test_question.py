"""Questions read from their wording alone."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.question.understanding import understand
from pincite.types import Query


def ask(text, **more):
    return understand(Query(text, **more))


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("What was the revenue in 2019?", "lookup"),
        ("What was the percentage change in revenue between 2018 and 2019?", "percentage_change"),
        ("By what percentage did emissions fall from 2019 to 2020?", "percentage_change"),
        ("What is the growth rate of sales in 2020?", "percentage_change"),
        ("What was the change in net income from 2018 to 2019?", "difference"),
        ("How much more water did Lund use than Malmö?", "difference"),
        ("What is the ratio of debt to equity?", "ratio"),
        ("How many times larger is the old plant than the new one?", "ratio"),
        ("What percentage of total sales comes from Norway?", "proportion"),
        ("What are wages as a percentage of costs in 2020?", "proportion"),
        ("What is the average cost of goods for 2018 and 2019?", "average"),
        ("What is the average percentage of sales of the north?", "average"),
        ("What is the weighted average share price?", "lookup"),
        ("What is the sum of rent and wages in 2019?", "sum"),
        ("What is the total revenue in 2018 and 2019?", "sum"),
        ("What is the total revenue in 2019?", "lookup"),
        ("How many years did income exceed $20 thousand?", "count"),
        ("In which year was income less than 20 million?", "filter"),
        ("Which segment has the highest revenue?", "argmax"),
        ("In which year was gross margin lower?", "argmin"),
        ("What was the highest price in 2019?", "max"),
        ("What was the revenue of Best Harbour in 2019?", "lookup"),
        ("Who runs Most Valley Mills?", "lookup"),
        ("What was Best Harbour's largest expense in 2019?", "max"),
        ("True or False: The plant closed in 2019.", "compare"),
        ("Did the plant close in 2019?", "compare"),
        ("How many plants were closed?", "lookup"),
    ],
)
def test_operation(text, operation):
    assert ask(text).operation == operation


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Which suppliers have no more than 5 employees?", "less"),
        ("Which suppliers have more than 5 employees?", "more"),
        ("Which suppliers have not less than 5 employees?", "more"),
        ("Which suppliers have at most 5 employees?", "less"),
    ],
)
def test_a_threshold_that_is_denied_points_the_other_way(text, order):
    assert ask(text).order == order


def test_an_instruction_may_say_that_the_answer_is_a_number():
    assert (
        ask("What was the population of the largest town? Answer in int format").expects
        == "number"
    )
    assert ask("What was the population of the largest town?").expects != "number"


def test_operands_stand_in_the_order_of_the_formula():
    assert ask("What is the ratio of total debt to equity in 2019?").operands == (
        "total debt",
        "equity",
    )
    assert ask("What percentage of total sales is from Norway?").operands == (
        "Norway",
        "total sales",
    )
    assert ask("What are wages as a percentage of total costs?").operands == (
        "wages",
        "total costs",
    )
    assert ask("What is the difference in price between apples and pears?").operands == (
        "apples",
        "pears",
    )
    assert ask("What was the change in price from 2018 to 2019?").operands == ()


def test_subject_is_what_is_left():
    assert ask(
        "What was the percentage change in trade receivables between 2018 and 2019?"
    ).terms == (
        "trade",
        "receiv",
    )
    assert ask("What was the rent for the year ended December 31, 2019?").subject == "rent"
    assert ask("What is the average of wages across all 3 years?").subject == "wages"


def test_periods_and_ranges():
    found = ask("What was the change from FY18 to FY19?")
    assert [p.year for p in found.periods] == [2018, 2019]
    assert found.through
    assert not ask("What were sales in 2018 and 2019?").through
    quarter = ask("What was the price in the third quarter of 2019?").periods[0]
    assert (quarter.year, quarter.quarter) == (2019, 3)
    pair = ask(
        "In 2019, what is the change in price between the third quarter and fourth quarter?"
    ).periods
    assert [(p.year, p.quarter) for p in pair] == [(2019, 3), (2019, 4)]


def test_threshold_keeps_its_scale():
    found = ask("Which years did tax exceed $1,500 thousand?")
    assert (found.order, found.threshold.value, found.threshold.scale) == (
        "more",
        Decimal(1500),
        Decimal(1000),
    )
    assert ask("In which years was tax below 5%?").threshold.unit == "%"


@pytest.mark.parametrize(
    ("text", "expects"),
    [
        ("True or False: water is wet.", "boolean"),
        ("Is water wet?", "boolean"),
        ("How many plants are there?", "number"),
        ("What was the revenue in 2019?", "number"),
        ("Which company sold most?", "name"),
        ("Who is the auditor?", "name"),
        ("Why did revenue fall?", "text"),
        ("Which is larger, the north or the south?", "name"),
        ("Can you tell me income tax expense for 2020?", "number"),
        ("Could you tell me whether revenue fell?", "boolean"),
    ],
)
def test_expected_type(text, expects):
    assert ask(text).expects == expects
    assert ask(text, expects="text").expects == "text"


def test_instructions_say_how_and_not_what():
    found = ask(
        "What was capex in 2019 (in USD millions)? Round to two decimals. If data is not available, return 'N/A'."
    )
    assert found.text == "What was capex in 2019 (in USD millions)?"
    assert ask("What is the yield in percent?").unit == "%"
    assert ask("How much did it cost in million dollars?").scale == Decimal(10) ** 6


def test_an_opening_with_words_of_its_own_stays():
    for text in (
        "Based on rents in Bergen, how many mills closed?",
        "According to Table 2, who paid the rent?",
    ):
        assert ask(text).text == text


def test_statement_and_options():
    assert ask("True or False: The mill closed.").statement == "The mill closed."
    assert ask("Which is larger, the north or the south?").options == ("the north", "the south")
    found = ask("Which of the following is heaviest: iron, lead, or gold?")
    assert found.options == ("iron", "lead", "gold")
    assert ask("Velmo: freight costs, 2022").options == ()


def test_a_fall_asked_for_is_positive():
    assert ask("How much did rent decrease from 2018 to 2019?").falling
    assert not ask("What was the increase or decrease in rent?").falling


@given(st.text(max_size=120))
def test_never_fails(text):
    found = ask(text)
    assert found.operation
    assert found.expects in ("number", "boolean", "name", "names", "text")


def test_a_dotted_abbreviation_does_not_end_a_sentence():
    asked = ask("What was the revenue of the U.S. Timber segment in 2019?")
    assert asked.subject == "revenue of the U.S. Timber segment"


def test_the_last_sentence_asks():
    assert ask("Sales fell by half in 2018. What was the revenue?").operation == "lookup"
