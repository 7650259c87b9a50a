"""Numbers of questions over given tables whose gold answer stands at one place only: truth that does not depend on a reader.

A gold number is looked for in all cells of the table, or in all sentences beside it, as the gold writes it; the operands of a
gold derivation likewise. Numbers that stand at no place or at several are left out and counted. The gold states value, sign
and scale. It names no currency, so a claim takes the currency under which its place is read.

A gold is judged by the given table and text, not by the report that they were taken from. So these golds are left out and
counted: those whose scale is not stated in the table or the paragraphs; those without a scale although they are large whole
amounts of a table with a scale; differences from the later year to the earlier one, for which another reader would take the
other sign; and those that do not follow from what is printed. A number in parentheses is negative, except for an expense,
which is the amount that was spent.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from math import isclose
from pathlib import Path

from known import Case, Known, claimed, computed, number, sentence_at
from written_reports import is_expense

from benchmarks.measuring import bare_table
from pincite.evidence.candidate import Candidate, Evidence, Passage
from pincite.evidence.cited_place import places
from pincite.evidence.drafted_answer import cited
from pincite.lab.scoring.typed_answers import SCALES
from pincite.quantity import find
from pincite.question.understanding import understand
from pincite.types import Node, Quantity, Query

SAID = {
    "thousand": ("thousand", "000s", "'000", "’000", "(000", "(1,000)", "$000", "€000", "£000"),
    "million": ("million", "$m", "€m", "£m", " mm)"),
    "billion": ("billion", "bn"),
}
"""What a text says of a scale."""


@dataclass(frozen=True)
class Grid:
    """A given table as rows of texts, and the node made from it."""

    rows: list[list[str]]
    node: Node

    def numbers(self) -> Iterator[tuple[int, int, Decimal]]:
        """The cells that hold a number, with it: no first row, no first column."""
        for row, cells in enumerate(self.rows[1:], 1):
            for column, text in enumerate(cells[1:], 1):
                value = number(text)
                if value is not None:
                    yield row, column, value

    def known(self, row: int, column: int, value: Decimal, scale: Decimal, percent: bool) -> Known:
        """A cell as what it means: `scale` and `percent` are the gold's."""
        text = self.rows[row][column]
        unit = "%" if percent or "%" in text else self.currency(row, column)
        written = Quantity(value, unit, Decimal(1) if unit == "%" else scale, text=text)
        label = next((cell for cell in self.rows[row] if cell.strip()), "")
        return Known(
            self.node, written, text, (row, column), label=label, period=self.year(column, row)
        )

    def currency(self, row: int, column: int) -> str:
        """The unit in which a cell is read."""
        at = cited(Evidence(self.node, ((row, column),), quote=self.rows[row][column]), "1")
        found = [one.quantity.unit for spot in places(at, self.node) for one in spot.numbers]
        return found[0] if found else ""

    def year(self, column: int, below: int) -> str:
        """The year that stands over a cell; "" when none does."""
        over = (
            word.strip("(),.")
            for cells in reversed(self.rows[:below])
            for word in cells[column].split()
        )
        return next(
            (
                word
                for word in over
                if len(word) == 4 and word.isdigit() and word[:2] in ("19", "20")
            ),
            "",
        )


def golds(folder: Path) -> tuple[list[Case], Counter[str]]:
    """The questions of contexts.jsonl and questions.jsonl whose gold can be placed, and how many others there are and why."""
    contexts = {
        row["context_id"]: row
        for row in map(json.loads, (folder / "contexts.jsonl").open(encoding="utf-8"))
    }
    made: list[Case] = []
    left: Counter[str] = Counter()
    for row in map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8")):
        context = contexts[row["context_id"]]
        texts = [
            one["text"] for one in sorted(context["paragraphs"], key=lambda one: int(one["order"]))
        ]
        passages = tuple(bare_table.document_of(context["table"], texts))
        case = placed(row, context["table"], passages)
        if isinstance(case, str):
            left[case] += 1
        else:
            made.append(case)
    return made, left


def placed(
    row: dict[str, object], rows: list[list[str]], passages: Sequence[Passage]
) -> Case | str:
    """A question with its gold at its place; or why it has none."""
    scale = Decimal(SCALES.get(str(row["scale"]), 1))
    percent = row["scale"] == "percent"
    grid = Grid(rows, passages[0].node)
    ask = understand(Query(str(row["question"])))
    around = tuple(
        grid.known(at, column, value, scale, percent) for at, column, value in grid.numbers()
    )
    if not told(row, rows, passages):
        return "in a scale that is not the one said"
    if derivation := str(row["derivation"]).strip():
        operation, operands = derived(derivation, percent)
        if not operation:
            return "derivations of another form"
        known = [found for wanted in operands if (found := only(around, wanted))]
        if len(known) < len(operands):
            return "operands at no place or several"
        made = computed(operation, known)
        value = number(str(row["answer"]))
        if made is None or value is None:
            return "no number"
        if operation == "difference" and "" < known[0].year < known[1].year:
            return "differences against time"
        right = replace(made, value=gold_value(made.value, value, scale, percent))
        if not follows(right, computed(operation, [signed(each) for each in known])):
            return "not what its derivation gives by what is printed"
        return Case(ask, tuple(passages), right, tuple(known), around)
    answer = str(row["answer"])
    value = (
        number(answer.removesuffix(str(row["scale"])).strip())
        if not isinstance(row["answer"], list)
        else None
    )
    if not value:
        return "no number"
    found = (
        only(around, value)
        if "table" in str(row["answer_from"])
        else written(answer, value, scale, percent, passages)
    )
    if found is None:
        return "at no place or several"
    if signed(found).value.value * value < 0:
        return "with another sign than is printed"
    found = replace(found, value=replace(found.value, value=value))
    return Case(
        ask,
        tuple(passages),
        claimed(found, passages[0].document),
        (found,),
        around if found.cell else (),
    )


def signed(known: Known) -> Known:
    """A number with the sign that it stands for: an expense in parentheses is the amount that was spent."""
    either_way = "(" in known.label or any(
        word in known.label.lower() for word in ("benefit", "income", "gain", "net ")
    )
    spent = known.cell is not None and is_expense(known.label) and not either_way
    return (
        replace(known, value=replace(known.value, value=abs(known.value.value)))
        if spent
        else known
    )


def follows(right: Candidate, counted: Candidate | None) -> bool:
    """Whether a gold is the rounded result of its operands."""
    if (
        counted is None
        or not isinstance(counted.value, Quantity)
        or not isinstance(right.value, Quantity)
    ):
        return False
    return isclose(right.value.amount, counted.value.amount, rel_tol=0.02)


def told(
    row: Mapping[str, object], rows: Sequence[Sequence[str]], passages: Sequence[Passage]
) -> bool:
    """Whether the table or paragraphs state the scale of a gold."""
    said = " ".join(
        [*(cell for cells in rows for cell in cells), *(each.node.text for each in passages[1:])]
    ).lower()
    scale = str(row["scale"])
    if scale in SAID:
        return any(word in said for word in SAID[scale])
    large = "." not in str(row["answer"]) and abs(number(str(row["answer"])) or 0) >= 1000
    return (
        scale == "percent"
        or not large
        or not any(word in said for words in SAID.values() for word in words)
    )


def gold_value(like: object, value: Decimal, scale: Decimal, percent: bool) -> Quantity:
    """The gold's own result of a derivation, in the unit of its operands."""
    assert isinstance(like, Quantity)
    if percent:
        return Quantity(value, "%")
    return Quantity(value, like.unit, scale if like.unit or scale != 1 else Decimal(1))


def only(around: Sequence[Known], value: Decimal) -> Known | None:
    """The one cell that holds a number; None when none does, or several do."""
    found = [each for each in around if abs(each.value.value) == abs(value)]
    return found[0] if len(found) == 1 else None


def written(
    answer: str, value: Decimal, scale: Decimal, percent: bool, passages: Sequence[Passage]
) -> Known | None:
    """The one place of running text where the gold's own words stand."""
    places = [
        each.node
        for each in passages
        if each.node.kind != "table"
        for _ in range(each.node.text.count(answer))
    ]
    if len(places) != 1:
        return None
    text = places[0].text
    start = text.index(answer)
    said = find(answer)
    unit = "%" if percent else said[0].quantity.unit if said else ""
    first, last = sentence_at(text, start)
    quantity = Quantity(value, unit, Decimal(1) if percent else scale, text=answer)
    return Known(
        places[0], quantity, text[first:last].strip(), start=start, end=start + len(answer)
    )


def derived(text: str, percent: bool) -> tuple[str, list[Decimal]]:
    """The operation that a derivation writes out, and its operands in the order of their citations; "" for another form."""
    bare = text
    for mark in "$%,£€":
        bare = bare.replace(mark, "")
    try:
        tree = ast.parse(bare.strip().replace("[", "(").replace("]", ")"), mode="eval").body
    except SyntaxError:
        return "", []
    match tree:
        case ast.BinOp(ast.BinOp(a, ast.Sub(), b), ast.Div(), c) if percent and _number(
            b
        ) == _number(c):
            return _with("percentage_change", [a, b])
        case ast.BinOp(a, ast.Sub(), b):
            return _with("difference", [a, b])
        case ast.BinOp(sum_, ast.Div(), count) if (terms := _terms(sum_)) and _number(
            count
        ) == len(terms) > 1:
            return _with("average", terms)
        case ast.BinOp(a, ast.Div(), b):
            return _with("proportion" if percent else "ratio", [a, b])
        case ast.BinOp(_, ast.Add(), _):
            return _with("sum", _terms(tree))
    return "", []


def _with(operation: str, operands: Sequence[ast.expr]) -> tuple[str, list[Decimal]]:
    numbers = [each for one in operands if (each := _number(one)) is not None]
    return (operation, numbers) if len(numbers) == len(operands) else ("", [])


def _terms(tree: ast.expr) -> list[ast.expr]:
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Add):
        return [*_terms(tree.left), *_terms(tree.right)]
    return [tree]


def _number(tree: ast.expr) -> Decimal | None:
    match tree:
        case ast.Constant(int() | float() as value):
            return Decimal(str(value))
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            return -Decimal(str(value))
    return None
