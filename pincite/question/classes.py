"""Classes of questions by their wording, as labels for `Route`: the six of HERO, text or table, the type of answer.

The trigger patterns of HERO's six are those of its Table 13 and are in data/patterns/question.toml.
"""

from __future__ import annotations

from typing import Literal, cast

from pincite.question.understanding import understand
from pincite.text.lexicon import pattern, pattern_table
from pincite.types import Draft, Query, Ranking

Class = Literal[
    "table_extraction", "score_extraction", "model_specific", "term_extraction", "numeric_counting", "general"
]  # fmt: skip


def question_class(given: Query | Ranking | Draft) -> Class:
    """HERO's class of a question: the first whose pattern it holds, else general."""
    text = _query(given).text
    found = (
        cast(Class, name)
        for name, said in pattern_table("question", "classes")
        if said.search(text)
    )
    return next(found, "general")


def complexity(given: Query | Ranking | Draft) -> Literal["complex", "general"]:
    """Whether a question is of one of the five classes for which HERO reads more pages, and infers from the first."""
    return "general" if question_class(given) == "general" else "complex"


def text_or_table(given: Query | Ranking | Draft) -> Literal["text", "table"]:
    """Where the answer is likely to stand: a number, or what the wording expects of a table, in a table; else in text."""
    query = _query(given)
    ask = understand(query)
    number = ask.expects == "number" and ask.wants != "reason"
    return (
        "table"
        if number or pattern("question", "in a table", "text or table").search(query.text)
        else "text"
    )


def _query(given: Query | Ranking | Draft) -> Query:
    return given if isinstance(given, Query) else given.query
