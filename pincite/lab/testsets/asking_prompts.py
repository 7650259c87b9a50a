"""What a model is told that writes questions for test sets: about pieces of documents, and about tables with their SQL.

Text of documents stands in the context of a prompt, never among the instructions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.generate.prompts import DATA, framed
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
