"""What a model is told that writes questions for test sets, about pieces of documents and about tables with their SQL, and the
forms that it fills in.

Text of documents stands in the context of a prompt, never among the instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import BeforeValidator, Field

from pincite.generate.prompts import DATA, framed
from pincite.models.forms import Form, Text, listed
from pincite.ports import Prompt

ASKER = (
    "You write one question for testing a search system: one that somebody who works with such reports would really ask. The "
    "text you are given must answer it fully and alone. Ask about a detail, a relation or a fact that the text states, not about "
    "what it is about in general. Whoever reads the question has not seen the text: name the product, company, standard or "
    "other thing that is meant, and never speak of a text, passage, document or page."
)
PICKER = (
    "Several pieces of one report follow, and a question. Say which one piece answers the question best by itself; none (0) when "
    "no piece does."
)
TABLE_ASKER = (
    "You write questions for testing a search system over tables, each with the SQL query that finds its answer in the table "
    "shown. Ask what somebody who works with such data would really ask, in words of their own, so that the question means just "
    "what the query says. Whoever reads it has not seen the table: name what the table is about, and never speak of a table, "
    "row, column or query. Vary the columns that the conditions are about and the number of rows found."
)
TABLE_SQL = (
    "Every query is PostgreSQL of the form SELECT * FROM {name} WHERE ..., with the columns named below in double quotes and "
    "conditions of =, >, <, >=, <= and BETWEEN joined by AND or OR: no other clause, function, table or column. Text is compared "
    "as it stands in the table. A query must find at least one row, and not all of them."
)


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


def asking_about(text: str, where: str) -> Prompt:
    """The prompt that asks for one question that a text answers; `where` names the document that it is from."""
    pieces, frame = framed([("the text", text), ("what it is from", where)])
    return Prompt(f"{ASKER}\n\n{DATA}", f"Write the question. {frame}", pieces, max_tokens=400)


def picking(question: str, texts: Sequence[str]) -> Prompt:
    """The prompt that asks which of some texts answers a question."""
    pieces, frame = framed([(f"piece {number}", text) for number, text in enumerate(texts, 1)])
    return Prompt(
        f"{PICKER}\n\n{DATA}",
        f"Question: {question}\nChoose of pieces 1 to {len(texts)}. {frame}",
        pieces,
        max_tokens=600,
    )


def asking_table(
    table: str, name: str, columns: Mapping[str, str], where: str, n: int, languages: Sequence[str]
) -> Prompt:
    """The prompt that asks for `n` questions about a table with their SQL, half of them for lists, in these languages.

    `name` is the table's in SQL; `columns` tells for each of its columns what it holds, "" where the name says it.
    """
    listed = "\n".join(
        f'"{column}": {held}' if held else f'"{column}"' for column, held in columns.items()
    )
    named = [("the table", table), ("its columns", listed), ("what it is from", where)]
    pieces, frame = framed(named)
    spoken = (
        f"in {languages[0]}"
        if len(languages) == 1
        else f"in equal parts in {' and '.join(languages)}"
    )
    lists = f"{n // 2} of them ask for a list of all items that meet a condition, the others for a value of one item."
    return Prompt(
        f"{TABLE_ASKER}\n\n{TABLE_SQL.format(name=name)}\n\n{DATA}",
        f"Write {n} questions, {spoken}. {lists} {frame}",
        pieces,
        max_tokens=300 * n + 300,
    )
