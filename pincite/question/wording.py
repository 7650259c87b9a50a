"""English wording: what the phrases of a question say about the operation, the times, the type and the unit asked for.

The patterns are in data/patterns/question.toml, and none depends on a label or a document; `understand` reads a question with
them.
"""

from __future__ import annotations

import re
from typing import Literal, cast

from pincite.lexicon import pattern, pattern_table, word_set

Operation = Literal[
    "lookup", "difference", "percentage_change", "ratio", "proportion", "sum", "average", "count", "max", "min", "argmax",
    "argmin", "filter", "compare",
]  # fmt: skip
"""What is to be done with the values the question names.

`max` and `min` ask for the extreme value, `argmax` and `argmin` for what it belongs to, `filter` for everything that meets
`Ask.threshold`, `count` for how many there are, `compare` for yes or no.
"""

SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
THROUGH = pattern("question", "through")
PERIOD_PHRASE = pattern("question", "period phrase")
INSTRUCTION = pattern("question", "instruction")
AS_NUMBER = pattern("question", "as a number")
UNIT_NOTE = pattern("question", "unit note")
"""A unit in brackets: "(in USD)", "(%)"."""
STATEMENT = pattern("question", "statement")
LEAD = pattern("question", "lead")

OPERATIONS = tuple(
    (cast(Operation, operation), said)
    for operation, said in pattern_table("question", "operations")
)
"""The first pattern that matches names the operation; what it matches is no part of the subject."""
OUTER = pattern("question", "outer")
EXTREME = pattern("question", "extreme")
EXTREME_VALUE = pattern("question", "extreme value")
LABEL_ASKED = pattern("question", "label asked")
CHOICE = pattern("question", "choice")
CHOOSES = pattern("question", "chooses")
THRESHOLD = pattern("question", "threshold")
ROUND = pattern("question", "round")
PLACES = {"tenth": 1, "hundredth": 2, "thousandth": 3, "whole": 0, "integer": 0}
ALL_TIMES = pattern("question", "all times")
FALL = pattern("question", "fall")
RISE = pattern("question", "rise")
IN_SCALE = pattern("question", "in scale")
IN_UNIT = pattern("question", "in unit")
TELL = word_set("question", "telling")
"""Verbs that open a request for an account in sentences."""
BOOLEAN = pattern("question", "boolean")
NUMBER_NOUN = pattern("question", "number noun")
NUMBER_LEAD = pattern("question", "number lead")
HOW_MANY = pattern("question", "how many")
NUMBER_OF = pattern("question", "number of")
WANTS = pattern("question", "wants")
NAME_NOUN = pattern("question", "name noun")
QUOTED = pattern("question", "quoted")
RESPECTIVELY = pattern("question", "respectively")
NO_SUBJECT = pattern("question", "no subject")
COUNTED = pattern("question", "counted")
WHICH = pattern("question", "which")
NAMES_NOUN = pattern("question", "names noun")
NO_NUMBER_LEAD = pattern("question", "no number lead")
WANTS_LEAD = pattern("question", "wants lead")
SCALED = pattern("question", "scaled")
UNIT_FORM = pattern("question", "unit form")
NO_UNIT = pattern("question", "no unit")
IN_PERCENT = pattern("question", "in percent")


def form_of(text: str) -> str:
    """How a question is put: "why", "how", "does", "much", "which", "who", "are", "is" or "other"."""
    return next(
        (name for name, said in pattern_table("question", "forms") if said.search(text)), "other"
    )


def each_of(subject: str) -> str:
    """What an amount is for each of ("share" in "dividend per share"), "" for one of nothing."""
    each = pattern("question", "per").search(subject)
    return each["of"].lower() if each else ""


def is_rate_asked(question: str, held: str, wanted: str) -> bool:
    """Whether a unit that is held is the wanted one for each of what the question names: "per-search energy, in kWh"."""
    unit, _, each = held.partition("/")
    return unit == wanted and bool(re.search(rf"(?i)\bper[\s-]{re.escape(each)}", question))


def things_counted(text: str) -> str:
    """What a "number of" is of, "" where none is named."""
    counted = pattern("question", "things counted").search(text)
    return str(counted[1]) if counted else ""


def things_asked(text: str) -> str:
    """What a question asks the number of ("how many full-time employees"), "" where it asks for none."""
    many = HOW_MANY.search(text)
    return str(many[1]) if many else things_counted(text)


def units_named(question: str) -> list[str]:
    """What may be the unit that the answer is wanted in, as in "in GPa"."""
    return [str(match["unit"]) for match in pattern("question", "into").finditer(question)]
