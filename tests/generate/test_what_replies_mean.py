"""Right replies that say a little less, or a little otherwise, than the place prints: shares, counts, prices, cut quotes."""

from decimal import Decimal

import pytest

from pincite.question.understanding import understand
from pincite.reconcile.reader_agreement import _is_told_otherwise
from pincite.types import Anchor, Answer, Citation, Claim, Draft, Quantity, Query
from tests.generate.reading import shown_of, told

BERTHS = """# Berths

| Month | Total berths let (in thousands) | Price in USD |
|---|---|---|
| First month | 338 | $ 4.10 |
| Second month | 361 | $ 4.25 |
| Total | 699 | |
"""
AWARDS = """# Awards

| Awards | Shares |
|---|---|
| Open at December 31, 2022 | 1,187,586 |
| Granted | 473,550 |
| Vested | (365,223) |
| Net decrease in reserve | (12,632) |
| Expired | (11,777) |
"""
BALANCE = """# Balance sheet

| (in thousands) | 2023 | 2022 |
|---|---|---|
| Total assets | 400,000 | 300,000 |
| Total liabilities | 100,000 | 90,000 |

| | Men Years |
|---|---|
| Life expectancy of members aged 65 | 86.8 |
"""
FEES = " ".join(f"Mooring fees of quay {quay} rose." for quay in "ABCDEF")
PROSE = f"""# Fees

{FEES} See Note 7 of the Notes for more about mooring fees. Sales to Norway accounted for 20% of harbour sales in 2023.
The plan ended the work of 11% of the dockers, or 330 employees, and cost $6.6 million.
Fuel costs increased $8.6 million to $16.7 million.
Fees due include $60.3 million and $80.5 million of the naval contracts at September 30, 2023 and 2022, respectively.

| (in millions) | 2023 |
|---|---|
| Harbour sales | $ 250 |
"""
SEEN = shown_of(BERTHS, AWARDS, BALANCE, PROSE)


def cell(page, handle):
    return {"page": page, "cell": handle, "quote": ""}


def words(quote):
    return {"page": 4, "cell": "", "quote": quote}


def told_of(question, kind="number", **form):
    return told(question, SEEN, {"kind": kind, **form})[0]


def test_a_percentage_times_an_amount_is_a_share_of_it():
    sources = [words("Sales to Norway accounted for 20% of harbour sales"), cell(4, "T5!B2")]
    question = "How much were the harbour sales to Norway in 2023?"
    answer = told_of(question, value="N/A", operation="product", sources=sources)
    assert (answer.value.amount, answer.value.unit) == (50_000_000, "USD"), answer.reason


def test_a_number_over_the_percentage_that_it_is_gives_the_whole():
    plan = "The plan ended the work of 11% of the dockers, or 330 employees"
    sources = [words("or 330 employees"), words("11% of the dockers")]
    question = "How many dockers were there in all?"
    for some in (sources, [words(plan), words(plan)]):
        answer = told_of(question, value="N/A", operation="ratio", sources=some)
        assert answer.value and answer.value.amount == 3000, answer.reason


def test_a_number_is_not_held_against_itself():
    quote = words("million and $80.5 million of the naval contracts")
    question = "What was the growth rate of fees due of the naval contracts?"
    answer = told_of(question, value="N/A", operation="percentage_change", sources=[quote, quote])
    assert answer.value is None


def test_one_thing_for_each_of_another_is_a_ratio_with_both_units():
    sources = [words("cost $6.6 million"), words("or 330 employees")]
    question = "What did the plan cost per employee?"
    answer = told_of(question, value="N/A", operation="ratio", sources=sources)
    assert (answer.value.amount, answer.value.unit) == (20_000, "USD/employee"), answer.reason


def test_a_ratio_of_bare_numbers_is_an_amount_for_each():
    sources = [cell(3, "T3!B3"), cell(3, "T3!B2")]
    question = "What were the total liabilities per unit of total assets in 2023?"
    answer = told_of(question, value="N/A", operation="ratio", sources=sources)
    assert answer.value and answer.value.amount == Decimal("0.25"), answer.reason


def test_what_a_number_increased_by_and_to_is_no_range():
    sources = [words("Fuel costs increased $8.6 million to $16.7 million.")]
    for question, said in (
        ("By how much did fuel costs increase?", "8.6"),
        ("What were the fuel costs?", "16.7"),
    ):
        answer = told_of(question, value=said, scale="million", sources=sources)
        assert answer.value and answer.value.value == Decimal(said), answer.reason


def test_a_mean_of_numbers_that_a_total_goes_down_by_is_a_number_too():
    sources = [cell(2, "T2!B4"), cell(2, "T2!B6")]
    question = "What is the average number of shares vested and expired?"
    answer = told_of(question, value="N/A", operation="average", sources=sources)
    assert answer.value and answer.value.amount == 188_500, answer.reason


def test_a_unit_that_is_asked_for_may_stand_over_a_column_with_a_capital():
    question = "What is the life expectancy of members aged 65, in years?"
    answer = told_of(question, value="86.8", sources=[cell(3, "T4!B2")])
    assert answer.value and answer.value.value == Decimal("86.8"), answer.reason


@pytest.mark.parametrize(
    ("row", "said", "value"),
    [
        ("B4", "365223", 365223),
        ("B4", "-365223", -365223),
        ("B5", "12632", None),  # a net decrease has a sign
    ],
)
def test_things_that_a_total_goes_down_by_may_be_told_as_the_number_of_them(row, said, value):
    asked = (
        "How many shares vested?"
        if row == "B4"
        else "What was the net decrease in reserve in shares?"
    )
    answer = told_of(asked, value=said, sources=[cell(2, f"T2!{row}")])
    assert (answer.value and answer.value.amount) == value, answer.reason


def test_an_amount_with_cents_may_be_a_price_for_each():
    question = "What was the price per share in the first and the second month?"
    sources = [cell(1, "T1!C2"), cell(1, "T1!C3")]
    answer = told_of(question, "numbers", value=["4.10", "4.25"], sources=sources)
    assert [each.amount for each in answer.value] == [Decimal("4.10"), Decimal("4.25")]
    whole = told_of("What was the number of berths let per share in the first month?", value="338", scale="thousand",
                    sources=[cell(1, "T1!B2")])  # fmt: skip
    assert whole.value is None


def test_a_word_of_the_heading_names_no_row_where_several_rows_are_cited():
    question = (
        "What was the change in the total berths let between the first and the second month?"
    )
    sources = [cell(1, "T1!B3"), cell(1, "T1!B2")]
    answer = told_of(question, value="N/A", operation="difference", sources=sources)
    assert answer.value and answer.value.amount == 23_000, answer.reason


def test_the_operands_of_a_ratio_that_has_a_name_are_not_named_by_the_question():
    sources = [cell(3, "T3!B3"), cell(3, "T3!B2")]
    question = "What is the debt-to-asset ratio in 2023?"
    answer = told_of(question, value="N/A", operation="ratio", sources=sources)
    assert answer.value and answer.value.amount == Decimal("0.25"), answer.reason
    for handles in (("T3!C3", "T3!C2"), ("T3!B3", "T3!C2")):  # of the year before, of two years
        other = [cell(3, handle) for handle in handles]
        for operation in ("ratio", "a / b"):
            wrong = told_of(question, value="N/A", operation=operation, sources=other)
            assert wrong.value is None


def test_a_quote_that_begins_behind_the_digits_of_a_number_does_not_hold_it():
    sources = [
        words("Fees due include $60.3 million and"),
        words("million and $80.5 million of the naval contracts at"),
    ]
    question = "What is the sum of fees due of the naval contracts in 2022 and 2023?"
    answer = told_of(question, value="N/A", operation="sum", sources=sources)
    assert answer.value and answer.value.amount == 140_800_000, answer.reason


def test_the_last_part_of_a_cut_quote_is_sought_behind_the_first_however_often_it_stands_before():
    quote = "See Note 7 of the Notes ... mooring fees."
    said = "See Note 7 of the Notes for more about mooring fees."
    question = "Where can one read more about mooring fees?"
    answer = told_of(question, "text", value=said, sources=[words(quote)])
    assert str(answer.value).startswith("See Note 7 of the Notes for more about mooring fees"), (
        answer.reason
    )


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
