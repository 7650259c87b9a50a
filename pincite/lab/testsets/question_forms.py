"""The forms that a model fills in to write and judge questions of a test set."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from pincite.generate.forms import Form, Text, listed


class AskedForm(Form):
    """A question that a text answers."""

    question: Text = Field(description="one plain question")
    answer: Text = Field(
        default="",
        description="its answer in as few words as possible, copied from the text as it stands",
    )


class PickForm(Form):
    """Which of several texts answers a question best."""

    reasoning: Text = Field(
        default="", description="what each piece says on the question, briefly"
    )
    piece: Annotated[int, BeforeValidator(lambda value: value or 0)] = Field(
        description="running number of the one piece that answers best; 0 when none does"
    )


class TableQuestionForm(Form):
    """A question about a table, and the query that finds the rows that answer it."""

    question: Text = Field(description="one plain question, in one language")
    sql_query: Text = Field(description="the query, beginning with SELECT *")
    column: Text = Field(
        default="",
        description="name of the column whose value is asked for; empty when items are listed",
    )


class TableQuestionsForm(Form):
    """Questions about a table."""

    examples: Annotated[list[TableQuestionForm], BeforeValidator(listed)] = Field(
        description="as many as asked for"
    )
