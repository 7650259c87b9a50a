"""Wrong values planted by a model: what share of them is refused when a model reads, and what share of right values.

    python benchmarks/checks/planted.py [--right 500] [--wrong 500] [--seed 11] [--given FOLDER] [--show 5]

The cases are those of benchmarks/checks/check.py: generated reports with known values, and given tables with the gold of their
questions. A model inside the process names lines as if it were certain: with a wrong value of the right line, or a real number
from nearby with its own line. When told what was found wrong, it repeats itself. A wrong value counts as caught when nothing is
answered or the right value is. Right values are given as the line writes them, or in full.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from check import ALONE, MOVED, cases, given_cases, measure, options_of
from known import Case

from pincite.check.claims import verified
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.generate.line_reading import ReadLines
from pincite.generate.shown_lines import lines_in
from pincite.generate.shown_pieces import Piece
from pincite.lines.line import Line
from pincite.ports import Prompt
from pincite.quantity import rounded, same
from pincite.quantity.formula import LETTERS
from pincite.question.understanding import understand
from pincite.types import Answer, Quantity
from tests.stand_ins.fakes import ScriptedModel

CALCULATIONS = {
    "difference": "a - b", "percentage_change": "(a - b) / b", "ratio": "a / b", "proportion": "a / b * 100",
}  # fmt: skip
JOINED = {"sum": " + ", "product": " * "}
"""How an operation is written down."""


def seen(case: Case) -> tuple[Piece, ...]:
    """The pages of a case, as a model is shown them."""
    pages: dict[tuple[str, int], list[Passage]] = {}
    for passage in case.passages:
        pages.setdefault((passage.document, passage.node.anchor.page), []).append(passage)
    return tuple(tuple(page) for page in pages.values())


def filled(one: Candidate, chance: random.Random, lines: Sequence[Line]) -> dict[str, Any]:
    """The reply of a model that claims a candidate: its lines, and its value as printed or in full."""
    value = one.value
    assert isinstance(value, Quantity)
    said = f"{value.amount if chance.random() < 0.5 else value.value:f}"
    if one.operation:
        said = calculation(one.operation, [printed(where) for where in one.evidence])
    named = dict.fromkeys(number for where in one.evidence if (number := line_of(where, lines)))
    return {"lines": list(named), "value": said}


def calculation(operation: str, texts: Sequence[str]) -> str:
    """An operation over numbers as a model writes it down."""
    if operation == "average":
        return f"({' + '.join(texts)}) / {len(texts)}"
    if operation in JOINED:
        return JOINED[operation].join(texts)
    letters = dict(zip(LETTERS, texts, strict=False))
    formula = CALCULATIONS.get(operation, operation)
    return re.sub(r"\b[a-z]\b", lambda letter: letters.get(letter[0], letter[0]), formula)


def printed(where: Evidence) -> str:
    """What is printed at a place."""
    table = where.node.table
    if not where.cells or table is None:
        return where.node.text[where.start : where.end]
    return next(one.text for one in table.cells if (one.row, one.column) == where.cells[0])


def line_of(where: Evidence, lines: Sequence[Line]) -> int:
    """The number of the line that a place stands in; 0 where none is shown."""
    for number, line in enumerate(lines, 1):
        if line.passage.node.id == where.node.id and (
            line.row == where.cells[0][0]
            if where.cells
            else line.row is None and line.start <= where.start < line.end
        ):
            return number
    return 0


def answer(case: Case, one: Candidate, chance: random.Random) -> Answer:
    """The answer a user would see if a model claims a candidate, and repeats the claim when asked again."""
    pieces = seen(case)
    form = filled(one, chance, lines_in(case.ask, pieces))

    def script(prompt: Prompt, kind: Any) -> Any:
        return form

    read = ReadLines(ScriptedModel(script), None, None)  # type: ignore[arg-type]
    nodes = {passage.node.id: passage.node for passage in case.passages}
    return verified(read.read(case.ask, pieces), nodes)


def given_numbers(options: argparse.Namespace, chance: random.Random) -> Iterator[Case]:
    """Right numbers over given tables, asked for as numbers."""
    for case in given_cases(options.given, chance, options.right):
        yield replace(case, ask=understand(replace(case.ask.query, expects="number")))


def same_value(given: object, right: object) -> bool:
    """Whether a value is the right one, or what that was rounded from."""
    if not isinstance(given, Quantity) or not isinstance(right, Quantity):
        return False
    return same(given, right, lenient=True) or rounded(right, given, lenient=True)


def main() -> None:
    """Measure both sources of cases."""
    options = options_of(__doc__, 500, 11)
    chance = random.Random(options.seed)

    def answered(case: Case, one: Candidate) -> Answer:
        return answer(case, one, chance)

    def is_caught(case: Case, made: Answer) -> bool:
        return made.value is None or same_value(made.value, case.right.value)

    def measured(name: str, held: list[Case]) -> None:
        kinds = [kind for kind in ALONE + MOVED if kind != "period"]  # a reply says no period
        measure(name, held, options, chance, answered, is_caught, kinds)

    measured("generated reports", list(islice(cases(chance), options.right)))
    if options.given:
        measured("given tables", list(given_numbers(options, chance)))


if __name__ == "__main__":
    main()
