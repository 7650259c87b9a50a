"""English wording: what the phrases of a question say about the operation, the times, the type and the unit asked for.

The patterns are in data/patterns/question.toml, and none depends on a label or a document; `understand` reads a question with
them.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from pincite.text.lexicon import pattern, pattern_table, word_set

Operation = Literal[
    "lookup", "difference", "percentage_change", "ratio", "proportion", "sum", "average", "count", "max", "min", "argmax",
    "argmin", "filter", "compare",
]  # fmt: skip
"""What is to be done with the values the question names.

`max` and `min` ask for the extreme value, `argmax` and `argmin` for what it belongs to, `filter` for everything that meets
`Ask.threshold`, `count` for how many there are, `compare` for yes or no.
"""

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
THROUGH = pattern("question", "through", "wording")
PERIOD_PHRASE = pattern("question", "period phrase", "wording")
INSTRUCTION = pattern("question", "instruction", "wording")
AS_NUMBER = pattern("question", "as a number", "wording")
UNIT_NOTE = pattern("question", "unit note", "wording")
"""A unit in brackets: "(in USD)", "(%)"."""
STATEMENT = pattern("question", "statement", "wording")
LEAD = pattern("question", "lead", "wording")

OPERATIONS = tuple(
    (cast(Operation, operation), said)
    for operation, said in pattern_table("question", "operations")
)
"""The first pattern that matches names the operation; what it matches is no part of the subject."""
OUTER = pattern("question", "outer", "wording")
EXTREME = pattern("question", "extreme", "wording")
EXTREME_VALUE = pattern("question", "extreme value", "wording")
LABEL_ASKED = pattern("question", "label asked", "wording")
CHOICE = pattern("question", "choice", "wording")
CHOOSES = pattern("question", "chooses", "wording")
THRESHOLD = pattern("question", "threshold", "wording")
ALL_TIMES = pattern("question", "all times", "wording")
FALL = pattern("question", "fall", "wording")
RISE = pattern("question", "rise", "wording")
IN_SCALE = pattern("question", "in scale", "wording")
IN_UNIT = pattern("question", "in unit", "wording")
TELL = word_set("question", "telling")
"""Verbs that open a request for an account in sentences."""
BOOLEAN = pattern("question", "boolean", "wording")
NUMBER_NOUN = pattern("question", "number noun", "wording")
NUMBER_LEAD = pattern("question", "number lead", "wording")
HOW_MANY = pattern("question", "how many", "wording")
NUMBER_OF = pattern("question", "number of", "wording")
WANTS = pattern("question", "wants", "wording")
NAME_NOUN = pattern("question", "name noun", "wording")
RESPECTIVELY = pattern("question", "respectively", "wording")
NO_SUBJECT = pattern("question", "no subject", "wording")
COUNTED = pattern("question", "counted", "wording")
WHICH = pattern("question", "which", "wording")
NAMES_NOUN = pattern("question", "names noun", "wording")
NO_NUMBER_LEAD = pattern("question", "no number lead", "wording")
WANTS_LEAD = pattern("question", "wants lead", "wording")
SCALED = pattern("question", "scaled", "wording")
UNIT_FORM = pattern("question", "unit form", "wording")
NO_UNIT = pattern("question", "no unit", "wording")
IN_PERCENT = pattern("question", "in percent", "wording")


def words_of_change(text: str) -> list[str]:
    """The words of a question that say that something rose, fell or changed."""
    return [match[0] for said in (FALL, RISE) for match in said.finditer(text)]


def each_of(subject: str) -> str:
    """What an amount is for each of ("share" in "dividend per share"), "" for one of nothing."""
    each = pattern("question", "per", "wording").search(subject)
    return each["of"].lower() if each else ""


def is_rate_asked(question: str, held: str, wanted: str) -> bool:
    """Whether a unit that is held is the wanted one for each of what the question names: "per-search energy, in kWh"."""
    unit, _, each = held.partition("/")
    return unit == wanted and bool(re.search(rf"(?i)\bper[\s-]{re.escape(each)}", question))


def things_counted(text: str) -> str:
    """What a "number of" is of, "" where none is named."""
    counted = pattern("question", "things counted", "wording").search(text)
    return str(counted[1]) if counted else ""


def things_asked(text: str) -> str:
    """What a question asks the number of ("how many full-time employees"), "" where it asks for none."""
    many = HOW_MANY.search(text)
    return str(many[1]) if many else things_counted(text)


def units_named(question: str) -> list[str]:
    """What may be the unit that the answer is wanted in, as in "in GPa"."""
    return [
        str(match["unit"]) for match in pattern("question", "into", "wording").finditer(question)
    ]
