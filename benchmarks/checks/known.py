"""Truth that does not depend on a reader: numbers whose place, value, unit, scale, row and time are known, and claims over
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.question.ask import Ask
from pincite.types import Node, Quantity


@dataclass(frozen=True)
class Known:
    """A number and where it stands: in a cell, or at characters [start, end) of a paragraph, in the sentence `quote`.

    `label` is what its row is called and `period` the time of its column as written; `group` tells columns of one time apart.
    """

    node: Node
    value: Quantity
    quote: str
    cell: tuple[int, int] | None = None
    start: int = 0
    end: int = 0
    label: str = ""
    period: str = ""
    group: str = ""

    @property
    def year(self) -> str:
        """The year of its column; "" where none is named."""
        return next(
            (
                word
                for word in self.period.split()
                if (year := word[-4:]).isdigit() and len(year) == 4
            ),
            "",
        )[-4:]


@dataclass(frozen=True)
class Fact:
    """A question and the numbers that answer it: one, or the operands of an operation in their order."""

    question: str
    known: tuple[Known, ...]
    operation: str = ""


@dataclass(frozen=True)
class Case:
    """A question, the pages read for it, the right claim with its numbers, and all other numbers around them."""

    ask: Ask
    passages: tuple[Passage, ...]
    right: Candidate
    known: tuple[Known, ...]
    around: tuple[Known, ...]


def claimed(known: Known, document: str = "") -> Candidate:
    """The claim of somebody who takes a number for the answer."""
    return Candidate(known.value, (place(known, document),), known.label, known.period)


def place(known: Known, document: str = "") -> Evidence:
    """Where a number stands, as a citation has it."""
    cells = (known.cell,) if known.cell is not None else ()
    return Evidence(known.node, cells, known.start, known.end, known.quote, document)


def computed(operation: str, known: Sequence[Known], document: str = "") -> Candidate | None:
    """The claim of somebody who computes the answer from numbers; None if that is not possible."""
    first, amounts = known[0].value, [each.value.amount for each in known]
    if operation in ("percentage_change", "ratio", "proportion") and not amounts[1]:
        return None
    match operation:
        case "sum":
            value = Quantity(sum(amounts, Decimal(0)), first.unit)
        case "average":
            value = Quantity(sum(amounts, Decimal(0)) / len(amounts), first.unit)
        case "difference":
            value = Quantity(amounts[0] - amounts[1], first.unit)
        case "percentage_change":
            value = Quantity((amounts[0] - amounts[1]) / amounts[1] * 100, "%")
        case "proportion":
            value = Quantity(abs(amounts[0] / amounts[1]) * 100, "%")
        case _:
            value = Quantity(amounts[0] / amounts[1])
    period = " ".join(dict.fromkeys(each.period for each in known if each.period))
    return Candidate(
        value, tuple(place(each, document) for each in known), known[0].label, period, operation
    )


def number(text: str) -> Decimal | None:
    """The number that a cell holds and nothing else: digits with commas, a currency sign, a percent sign or parentheses."""
    bare = text.replace(" ", "").replace(",", "")
    for sign in ("US$", "$", "€", "£"):
        bare = bare.replace(sign, "")
    negative = bare.startswith(("(", "-")) and bare.strip("(-)%") != ""
    bare = bare.strip("(-)%")
    if not bare.replace(".", "", 1).isdigit():
        return None
    return -Decimal(bare) if negative else Decimal(bare)


def sentence_at(text: str, at: int) -> tuple[int, int]:
    """The ends of the sentence around a character: full stops before a blank and a capital end one."""
    ends = [
        0,
        *(
            i + 2
            for i in range(len(text) - 2)
            if text[i : i + 2] == ". " and text[i + 2].isupper()
        ),
        len(text),
    ]
    return next((start, end) for start, end in pairwise(ends) if start <= at < end)
