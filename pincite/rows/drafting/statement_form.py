"""The form in which a model drafts a statement: reasoning first, what it took each word for, the statement last."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from pincite.generate.forms import NA, Form, Text, Written, listed


class TermForm(Form):
    """What words of a question were taken for."""

    words: Text = Field(description="words of the question, as they stand in it")
    meaning: Text = Field(
        default="",
        description='the table, "table.column", value or operation; empty when the tables hold nothing of it',
    )


class StatementForm(Form):
    """A statement that finds what a question asks for."""

    reasoning: Text = Field(
        description="what exactly is asked; which tables and columns hold it and how they join; which rows are meant; how the "
        "result is grouped, ordered and cut"
    )
    terms: Annotated[list[TermForm], BeforeValidator(listed)] = Field(
        default_factory=list,
        description="every word or name of the question that carries meaning, with what it was taken for",
    )
    statement: Written = Field(
        description=f'one SELECT statement, or "{NA}" when the tables cannot answer the question'
    )
