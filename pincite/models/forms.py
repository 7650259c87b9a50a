"""The forms that models fill in: reasoning first, then what the value rests on, the value last.

A value stands in its form as it was written; code reads it, so that no digit is lost and no form breaks over a comma.
Descriptions are part of what the model is told.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

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


Text = Annotated[str, BeforeValidator(_word)]
Written = Annotated[str, BeforeValidator(_written)]


class Form(BaseModel):
    """What every form allows: fields that it does not know are left out."""

    model_config = ConfigDict(extra="ignore")


# ---- judging pages


SENTENCE = 250
"""Characters of a sentence in a schema: a model that repeats one character has a token for each."""


class Judgement(Form):
    """How much one piece helps."""

    piece: int = Field(description="running number of the piece, from the line above it")
    reasoning: Text = Field(
        default="",
        description="what in the piece bears on the question, in one sentence",
        json_schema_extra={"maxLength": SENTENCE},
    )
    relevance: float = Field(description="0 to 1 in steps of 0.1, as the scale says")


ONE_EACH = "one for each piece, in their order"


class JudgementsForm(Form):
    """How much each piece helps."""

    judgements: list[Judgement] = Field(description=ONE_EACH)


@cache
def judgements_form(pieces: int) -> type[JudgementsForm]:
    """The form for so many pieces: its schema has room for no more, so that no model goes on to judge what it was not shown."""
    listed = Field(description=ONE_EACH, json_schema_extra={"maxItems": pieces})
    return create_model(
        "JudgementsForm", __base__=JudgementsForm, judgements=(list[Judgement], listed)
    )


# ---- planning


class RephrasingsForm(Form):
    """Other wordings of a question."""

    rephrasings: Annotated[list[str], BeforeValidator(listed)] = Field(
        description="each a whole question or search line"
    )


PARTS = 8
"""The most questions that one is made of: a small model repeats itself."""


class PartForm(Form):
    """One question that a larger one is made of."""

    name: Text = Field(
        default="",
        description="the company, thing or time that it is about, as the question writes it",
        max_length=60,
    )
    question: Text = Field(
        description="a question that can be understood without the others", max_length=300
    )


class PartsForm(Form):
    """The questions that a larger one is made of."""

    parts: list[PartForm] = Field(description="in the order of the question", max_length=PARTS)


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
