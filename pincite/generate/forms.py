"""The forms that models fill in: reasoning first, then what the value rests on, the value last.

A value stands in its form as it was written; code reads it, so that no digit is lost and no form breaks over a comma.
Descriptions are part of what the model is told.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Kind = Literal["number", "boolean", "name", "names", "text", "comparative", "any"]
"""The types of answer, each with its own form, rules and worked example; of "any" the reply says which."""

NA = "N/A"
_NOTHING = ("", "n/a", "na", "none", "null", "not available", "not applicable", "unknown")


def _written(value: Any) -> Any:
    """A value as text: numbers keep their digits, every way to say nothing is N/A."""
    if value is None or isinstance(value, str) and value.strip().casefold() in _NOTHING:
        return NA
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int | float) else value


def yes_or_no(value: Any) -> Any:
    """A yes or a no in whatever words; other values as text."""
    said = _written(value)
    known = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
    return known.get(said.strip().casefold().rstrip("."), said) if isinstance(said, str) else said


def listed(value: Any) -> Any:
    """A list of what is given, without what says nothing; one value alone is a list of it."""
    if isinstance(value, list | tuple):
        return [item for item in value if _written(item) != NA]
    return [] if _written(value) == NA else [value]


def _word(value: Any) -> Any:
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _kind(value: Any) -> Any:
    """The name of a kind of answer, in whatever case; a bare yes or no is itself a kind."""
    return (
        said.strip().casefold().rstrip(".")
        if isinstance(said := yes_or_no(value), str) and said != NA
        else said
    )


Text = Annotated[str, BeforeValidator(_word)]
Written = Annotated[str, BeforeValidator(_written)]


class Form(BaseModel):
    """What every form allows: fields that it does not know are left out."""

    model_config = ConfigDict(extra="ignore")


class Source(Form):
    """A place that the answer rests on: one cell of a table, or the words of one sentence."""

    page: Annotated[int, BeforeValidator(lambda value: value or 0)] = Field(
        default=0, description="running number of the page, from the line above it"
    )
    cell: Text = Field(
        default="", description='handle of the table cell, such as "T2!C5"; empty for running text'
    )
    quote: Text = Field(
        default="", description="the content of that cell, or one sentence copied word for word"
    )


class ReadingForm(Form):
    """What every answer to a question has."""

    step_by_step_analysis: Text = Field(
        description="what exactly is asked; which places could state it; whether each one means the same thing, for the "
        "same subject, time, unit and scale; which one decides"
    )
    reasoning_summary: Text = Field(default="", description="the analysis in one or two sentences")
    relevant_pages: Annotated[list[int], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="running numbers of the pages that the answer rests on; none for N/A",
    )


class NumberForm(ReadingForm):
    """A number, read from one place or computed by code from several."""

    operation: Text = Field(
        default="",
        description="empty when the number stands in one place; otherwise how code is to compute it from the sources in "
        "their order: difference, percentage_change, ratio, proportion, sum, average, count, max, min, product, or a "
        'formula over their letters such as "(a - b) / c"',
    )
    sources: list[Source] = Field(
        default_factory=list,
        description="the one place of the number, or the operands a, b, c ... in order",
    )
    value: Written = Field(
        description='the number in digits, negative with a minus; "N/A" when it is not stated'
    )
    scale: Text = Field(
        default="",
        description='"thousand", "million" or "billion" when value is so given; else empty',
    )
    unit: Text = Field(
        default="", description='unit or currency of the value, such as "EUR", "%" or "MWh"'
    )


class BooleanForm(ReadingForm):
    """A yes or a no."""

    sources: list[Source] = Field(default_factory=list, description="the places that say so")
    value: Annotated[Literal["yes", "no", "N/A"], BeforeValidator(yes_or_no)] = Field(
        description="yes, no or N/A"
    )


class NameForm(ReadingForm):
    """One name: of a person, a company, a product, a place, a title, a date."""

    sources: list[Source] = Field(default_factory=list, description="the place that names it")
    value: Written = Field(
        description='the name alone, as the page writes it; "N/A" when no page gives it'
    )


class NamesForm(ReadingForm):
    """Several names, each once."""

    sources: list[Source] = Field(
        default_factory=list, description="the places that name them, in the same order"
    )
    value: Annotated[list[str], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="the names alone, as the pages write them; an empty list for N/A",
    )


class TextForm(ReadingForm):
    """An answer in a few sentences."""

    sources: list[Source] = Field(
        default_factory=list, description="the sentences that the answer rests on"
    )
    value: Written = Field(
        description='one to four plain sentences without links; "N/A" when the pages do not tell'
    )


class Compared(Form):
    """One of the things that are compared, with the place of its number."""

    name: Text = Field(description="the thing that is compared, as its row or column names it")
    source: Source


class ComparativeForm(ReadingForm):
    """Which of several things has the most or the least; code compares the numbers."""

    compared: list[Compared] = Field(
        default_factory=list, description="each of the things compared, with its number"
    )
    wins: Literal["most", "least"] = Field(
        default="most", description="whether the largest or the smallest is asked for"
    )
    sources: list[Source] = Field(
        default_factory=list,
        description="the sentence that says outright which one wins, where one does",
    )
    value: Written = Field(
        description='the name of the one that wins; "N/A" when a number is missing'
    )


class AnswerForm(ReadingForm):
    """An answer of the kind that the question asks for: the kind first, then what it rests on, its values last."""

    kind: Annotated[
        Literal["number", "numbers", "yes", "no", "name", "names", "text", "N/A"],
        BeforeValidator(_kind),
    ] = Field(
        description="what answers the question: one number; numbers, when several are asked for; yes or no; one name (of a "
        "person, a thing, a place, a year or date, a short term); names, when several are asked for; text, for sentences; "
        "N/A when no page answers"
    )
    operation: Text = Field(
        default="",
        description="only of one number that stands in no one place: difference, percentage_change, ratio, proportion, sum, "
        'average, count, max, min, product, or a formula over the letters of the sources such as "(a - b) / c"',
    )
    sources: list[Source] = Field(
        default_factory=list,
        description="the places that the answer rests on: of numbers and names one for each value in its order, of an "
        "operation its operands a, b, c ...",
    )
    compared: list[Compared] = Field(
        default_factory=list,
        description="only of a name that has the most or the least and of which no sentence says so: each of the things "
        "compared, with its number",
    )
    wins: Literal["most", "least"] = Field(
        default="most",
        description="of things compared, whether the largest or the smallest is asked for",
    )
    value: Annotated[list[Written], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="the number in digits, the numbers, the name, the names, or one to four plain sentences; an empty list "
        "for yes, no, N/A and what code computes",
    )
    scale: Text = Field(
        default="",
        description='"thousand", "million" or "billion" when numbers are so given; else empty',
    )
    unit: Text = Field(
        default="", description='unit or currency of the numbers, such as "EUR", "%" or "MWh"'
    )


# ---- judging pages


class Judgement(Form):
    """How much one piece helps."""

    piece: int = Field(description="running number of the piece, from the line above it")
    reasoning: Text = Field(
        default="", description="what in the piece bears on the question, in one sentence"
    )
    relevance: float = Field(description="0 to 1 in steps of 0.1, as the scale says")


class JudgementsForm(Form):
    """How much each piece helps."""

    judgements: list[Judgement] = Field(description="one for each piece, in their order")


# ---- planning


class RephrasingsForm(Form):
    """Other wordings of a question."""

    rephrasings: Annotated[list[str], BeforeValidator(listed)] = Field(
        description="each a whole question or search line"
    )


class PartForm(Form):
    """One question that a larger one is made of."""

    name: Text = Field(
        default="",
        description="the company that it is about, as the question writes it; empty when none",
    )
    question: Text = Field(description="a question that can be understood without the others")


class PartsForm(Form):
    """The questions that a larger one is made of."""

    reasoning: Text = Field(
        default="", description="what must be known of each to answer the whole"
    )
    parts: list[PartForm] = Field(description="in the order of the question")


# ---- comparing


class ChoiceForm(Form):
    """Which of several is meant, after what was found for each."""

    reasoning: Text = Field(
        description="what was found for each, how it bears on the question, which one it decides for"
    )
    value: Written = Field(
        description='the name as it was given; "N/A" when what was found does not decide'
    )


class StandaloneForm(Form):
    """A message of a conversation as a question that stands alone."""

    reasoning: Text = Field(
        default="",
        description="what the message leaves out or points to, and where that stands, briefly",
    )
    question: Text = Field(
        description="the standalone question, or the message word for word when it needs nothing"
    )


# ---- telling offline


class ToldForm(Form):
    """What a page or table is for, or what it says."""

    text: Written = Field(description='one paragraph; "N/A" when there is nothing of meaning')


class QuestionForm(Form):
    """A question that a page or table answers."""

    question: Text = Field(description="a whole question in everyday words")
    answer: Text = Field(default="", description="its answer in a sentence")


class QuestionsForm(Form):
    """Questions that a page or table answers."""

    pairs: Annotated[list[QuestionForm], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="at most 20, all different; an empty list when there is nothing of meaning",
    )


class FactForm(Form):
    """What a table says of one of its subjects."""

    subject: Text = Field(description="what the rows are about, by its full name")
    information: Text = Field(
        description="one or more whole sentences, complete without the table"
    )


class FactsForm(Form):
    """A table in sentences."""

    blocks: Annotated[list[FactForm], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="one for each subject, in the order of the rows; none when there is nothing of meaning",
    )


# ---- judging one at a time


class AnalysisForm(Form):
    """Thoughts about a question, or about what a text has to do with it."""

    analysis: Text = Field(description="the analysis, as prose")


class VerdictForm(Form):
    """Whether a text helps."""

    value: Annotated[Literal["yes", "no"], BeforeValidator(yes_or_no)] = Field(
        description="yes or no"
    )
