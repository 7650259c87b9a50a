"""Worked examples of the prompts of reading: one page that serves all types, for each type a question that it answers and one
that it nearly answers, and their forms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.generate import forms
    from pincite.generate.forms import Kind

PAGE = """\
=== page 1 of the context | document: ferrow-2019.pdf | p. 38 ===
The board met nine times. Mara Lindqvist has been Managing Director since May 2017; Jon Abara joined as Chief Financial Officer.
Table T1: Cash flow (in thousands of GBP)
|   | A | B | C |
|---|---|---|---|
| 1 |  | 2019 | 2018 |
| 2 | Capital expenditure | (4,970) | (3,105) |
| 3 | Dividends paid | (812) | (790) |
The purchase of the Tarn quarry was not completed. Port fees rose with the new tariff of the harbour authority.
=== end of page 1 ==="""

_OTHER_YEAR = (
    "Asked: capital expenditure of Ferrow, year 2020, in GBP. T1 has the row 'Capital expenditure', but only the columns 2019 "
    "and 2018. The right figure of another year is no answer, and no page gives the one of 2020."
)


@cache
def example(kind: Kind) -> str:
    """The worked example of a type: a page, a question about it and the form filled in well."""
    return f"Example\n{PAGE}\n{_filled(*_example(kind))}"


@cache
def near_miss(kind: Kind, silent_no: bool) -> str:
    """The same page with a question that it nearly answers, and its form without a value.

    Where silence is a no (`silent_no`) the one of a yes or no is no.
    """
    return f"Example of a near miss, on the same page\n{_filled(*_near_miss(kind, silent_no))}"


def _filled(asked: str, filled: forms.ReadingForm) -> str:
    return f"Question: {asked}\nForm: {filled.model_dump_json()}"


def _example(kind: Kind) -> tuple[str, forms.ReadingForm]:
    from pincite.generate import forms

    def cell(handle: str, text: str) -> forms.Source:
        return forms.Source(page=1, cell=handle, quote=text)

    def words(text: str) -> forms.Source:
        return forms.Source(page=1, quote=text)

    lead = "Mara Lindqvist has been Managing Director since May 2017; Jon Abara joined as Chief Financial Officer."
    match kind:
        case "number":
            return "What was Ferrow's capital expenditure in 2019, in GBP?", forms.NumberForm(
                step_by_step_analysis="Asked: capital expenditure of Ferrow, year 2019, in GBP. T1 has the row 'Capital "
                "expenditure' and the column 2019: (4,970). The caption says thousands of GBP, so the scale is thousand. "
                "The parentheses say that the statement deducts a payment; the expenditure itself is positive, 4,970. 3,105 is "
                "of 2018 and dividends are another item.",
                reasoning_summary="T1 states it for 2019 in thousands of GBP.",
                relevant_pages=[1],
                sources=[cell("T1!B2", "(4,970)")],
                value="4970",
                scale="thousand",
                unit="GBP",
            )
        case "boolean":
            return "Did Ferrow complete the purchase of the Tarn quarry?", forms.BooleanForm(
                step_by_step_analysis="Asked: whether the purchase was completed. Page 1 says of this very purchase that it "
                "was not completed. Nothing says otherwise.",
                reasoning_summary="The page says that it was not completed.",
                relevant_pages=[1],
                sources=[words("The purchase of the Tarn quarry was not completed.")],
                value="no",
            )
        case "name":
            return "Who is the Chief Financial Officer of Ferrow?", forms.NameForm(
                step_by_step_analysis="Asked: the person who is Chief Financial Officer. Page 1 names Jon Abara with just "
                "this title. Mara Lindqvist holds another one.",
                reasoning_summary="Jon Abara is named with this title.",
                relevant_pages=[1],
                sources=[words(lead)],
                value="Jon Abara",
            )
        case "names":
            return "Who are the executives of Ferrow that the report names?", forms.NamesForm(
                step_by_step_analysis="Asked: names of executives. Page 1 names a Managing Director and a Chief Financial "
                "Officer, both executive roles. No other person is named.",
                reasoning_summary="Two executives are named in one sentence.",
                relevant_pages=[1],
                sources=[words(lead), words(lead)],
                value=["Mara Lindqvist", "Jon Abara"],
            )
        case "comparative":
            return (
                "Which was larger in 2018, capital expenditure or dividends paid?",
                forms.ComparativeForm(
                    step_by_step_analysis="Asked: the larger of two payments in 2018. T1 gives both for 2018 in thousands of "
                    "GBP: 3,105 and 790, in parentheses since both are payments. Capital expenditure is the larger.",
                    reasoning_summary="Both stand in the column of 2018; capital expenditure is the larger payment.",
                    relevant_pages=[1],
                    compared=[
                        forms.Compared(
                            name="Capital expenditure", source=cell("T1!C2", "(3,105)")
                        ),
                        forms.Compared(name="Dividends paid", source=cell("T1!C3", "(790)")),
                    ],
                    wins="most",
                    value="Capital expenditure",
                ),
            )
        case "any":
            return "What were Ferrow's dividends in 2018 and 2019, in GBP?", forms.AnswerForm(
                step_by_step_analysis="Asked: dividends of Ferrow for two years, in GBP, so numbers, 2018 first. T1 has the row "
                "'Dividends paid': (790) in the column 2018 and (812) in the column 2019, in thousands of GBP. The "
                "parentheses say that they are deducted; the dividends themselves are positive.",
                reasoning_summary="T1 states both in thousands of GBP.",
                relevant_pages=[1],
                kind="numbers",
                sources=[cell("T1!C3", "(790)"), cell("T1!B3", "(812)")],
                value=["790", "812"],
                scale="thousand",
                unit="GBP",
            )
    return "Why did Ferrow's port fees go up?", forms.TextForm(
        step_by_step_analysis="Asked: the reason for higher port fees. Page 1 gives the new tariff of the harbour authority.",
        reasoning_summary="The new tariff is given as the reason.",
        relevant_pages=[1],
        sources=[words("Port fees rose with the new tariff of the harbour authority.")],
        value="Port fees rose because of the harbour authority's new tariff.",
    )


def _near_miss(kind: Kind, silent_no: bool) -> tuple[str, forms.ReadingForm]:
    """The right figure of another year, the right act of another thing, the right title at another company."""
    from pincite.generate import forms

    nothing = "No page states what is asked."
    match kind:
        case "number":
            return "What was Ferrow's capital expenditure in 2020, in GBP?", forms.NumberForm(
                step_by_step_analysis=_OTHER_YEAR, reasoning_summary=nothing, value=forms.NA
            )
        case "boolean":
            if silent_no:
                return "Did Ferrow buy back shares in 2019?", forms.BooleanForm(
                    step_by_step_analysis="Asked: whether Ferrow bought back shares. T1 has dividends paid, which is money for "
                    "shareholders but no buyback. The pages do not mention one, and silence is a no here.",
                    reasoning_summary="No page mentions a buyback.",
                    value="no",
                )
            return "Did Ferrow complete the purchase of the Arden quarry?", forms.BooleanForm(
                step_by_step_analysis="Asked: whether the purchase of the Arden quarry was completed. Page 1 says that of the "
                "Tarn quarry it was not. That is another quarry, so the page says neither yes nor no.",
                reasoning_summary=nothing,
                value="N/A",
            )
        case "name" | "names":
            said = (
                "Page 1 names a Chief Financial Officer, but of Ferrow; Norrland Stone is another company, and no page is "
                "about it. The right title at the wrong company is no answer."
            )
            if kind == "name":
                return "Who is the Chief Financial Officer of Norrland Stone?", forms.NameForm(
                    step_by_step_analysis=f"Asked: the Chief Financial Officer of Norrland Stone. {said}",
                    reasoning_summary=nothing,
                    value=forms.NA,
                )
            return "Who are the executives of Norrland Stone?", forms.NamesForm(
                step_by_step_analysis=f"Asked: executives of Norrland Stone. {said}",
                reasoning_summary=nothing,
            )
        case "comparative":
            return (
                "Which was larger in 2020, capital expenditure or dividends paid?",
                forms.ComparativeForm(
                    step_by_step_analysis="Asked: the larger of two payments in 2020. T1 has both rows, but only the columns "
                    "2019 and 2018. Numbers of another year do not decide.",
                    reasoning_summary=nothing,
                    value=forms.NA,
                ),
            )
        case "any":
            return "What was Ferrow's capital expenditure in 2020, in GBP?", forms.AnswerForm(
                step_by_step_analysis=_OTHER_YEAR, reasoning_summary=nothing, kind="N/A"
            )
    return "Why did Ferrow's dividends go up?", forms.TextForm(
        step_by_step_analysis="Asked: the reason for higher dividends. T1 shows that they rose, but no sentence says why; the "
        "new tariff is the reason for port fees, which are another item.",
        reasoning_summary=nothing,
        value=forms.NA,
    )
