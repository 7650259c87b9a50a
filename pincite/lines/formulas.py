"""Metrics by their formula, computed from the statements of a document.

Each item of a formula is found in a statement at its year, under any of the labels that statements write for it
(`data/formulas.toml`). The result cites every cell; its operation is the formula with the cells as letters, so that it can be
run again ("(a + b) / 2").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from functools import cache

from pincite.document.cell_values import label_terms
from pincite.document.labelled_cells import labels
from pincite.document.statement_rows import LineItem, book, plain
from pincite.evidence.candidate import Candidate, Passage
from pincite.lines.metric_items import FoundItems
from pincite.quantity.formula import Tree, formula_value, leaves, parse_formula
from pincite.question.ask import Ask
from pincite.question.metrics import asked_metric, defines_metric, metric_phrase
from pincite.text.words import stems
from pincite.types import Quantity

_BRACKETED = re.compile(r"\([^()]*\)")
_SURE = 3.7
"""How well a line item that is asked for alone must fit to stand before all else: called so, and in its primary statement."""


def read_formulas(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """The metric that `ask` names or defines, computed from the statements among the passages; at most one candidate.

    All of it is taken from one document, the best ranked that has it, before documents are joined. A metric of no named year is
    that of the latest year in its statements.
    """
    try:
        tree, mean = asked_metric(ask)
    except ValueError:
        return []
    if tree is None:
        return []
    tables = [passage for passage in passages if passage.node.table is not None]
    documents: dict[str, list[Passage]] = {}
    for passage in sorted(tables, key=lambda passage: passage.rank):
        documents.setdefault(passage.document, []).append(passage)
    groups = [*documents.values(), *([tables] if len(documents) > 1 else ())]
    return next(
        (made for some in groups if (made := _computed(ask, tree, mean, some)) is not None), []
    )


def _computed(
    ask: Ask, tree: Tree, mean: bool, tables: Sequence[Passage]
) -> list[Candidate] | None:
    """The metric from these tables: none where a row states it, None where it is not all there."""
    found = FoundItems(tables, alone=len(set(leaves(tree))) == 1)
    years = _years(ask) or _latest(found, tree)
    if not years:
        return None
    if not isinstance(tree, str) and not mean and _stated(ask, found, years[-1]):
        return []
    try:
        with localcontext(prec=28):
            made = _result(ask, found, _asked_formula(ask, found, tree, mean, years))
    except (LookupError, ValueError, ZeroDivisionError, DivisionByZero, InvalidOperation):
        return None
    return [made] if made and not _narrower(ask, found) else None


def _latest(found: FoundItems, tree: Tree) -> list[int]:
    """The latest year of the statements, alone; none for one item that statements are not known to have."""
    known = not found.alone or (isinstance(tree, str) and plain(tree) in book().lines)
    return found.latest() if known else []


def _narrower(ask: Ask, found: FoundItems) -> bool:
    """Whether a part is asked for: a word of the question names rows like those computed with, and none of these.

    "The gross margin on bitcoin" is not that of the firm where a row holds bitcoin revenue.
    """
    passages = {cell.passage.node.id: cell.passage for cell in found.cells}.values()
    items = [label_terms(cell.cell.label) for cell in found.cells]
    titles = " ".join(f"{passage.title} {passage.document}" for passage in passages)
    known = _metric_words().union(*items, stems(titles))
    beyond = ask.stems - known
    tables = [passage.node.table for passage in passages if passage.node.table is not None]
    rows = {label_terms(cell.label) for table in tables for cell in labels(table).cells}
    return any(row & beyond and not all(map(row.isdisjoint, items)) for row in rows)


@cache
def _metric_words() -> frozenset[str]:
    """The words of the metrics that are known, which name no part of a firm."""
    return frozenset(stem for name in (*book().metrics, *book().lines) for stem in stems(name))


def _stated(ask: Ask, found: FoundItems, year: int) -> bool:
    """Whether a statement has a row for the very metric, which is then read and not computed."""
    if defines_metric(ask):
        return False
    row = found.cell(LineItem((metric_phrase(ask),)), year)
    return row is not None and row.row > 0.99 and row.precision > 0.6


def _years(ask: Ask) -> list[int]:
    """The years asked for, the earlier first: all of a range that two of them make, and of one year alone that one."""
    years = [period.year for period in ask.periods if period.year]
    if len(years) == 2 and years[0] < years[1]:
        return list(range(years[0], years[1] + 1))
    return sorted(years)


def _asked_formula(
    ask: Ask, found: FoundItems, tree: Tree, mean: bool, years: Sequence[int]
) -> str:
    """The formula of what is asked for: at the last year, as the mean of all, or the last less the first."""
    if ask.operation != "difference" or mean or len(years) < 2:
        return _formula(found, tree, years if mean else years[-1:])
    ends = (years[0], years[-1]) if ask.falling else (years[-1], years[0])
    now, before = (_formula(found, tree, [year]) for year in ends)
    return f"({now} - {before})"


def _formula(found: FoundItems, tree: Tree, years: Sequence[int]) -> str:
    """The formula with cells as letters, at one year or as the mean of several; LookupError for an item that no table has."""
    parts = [_lettered(found, tree, year) for year in years]
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)}) / {len(parts)}"


def _lettered(found: FoundItems, tree: Tree, year: int) -> str:
    """The formula at a year with cells as letters; raises LookupError for an item that no table has."""
    if isinstance(tree, Decimal):
        return f"{tree:f}"
    if isinstance(tree, str):
        line = book().lines.get(plain(tree), LineItem((tree,)))
        try:
            return found.letter(line, year)
        except LookupError:
            if not line.otherwise:
                raise
            return _lettered(found, parse_formula(line.otherwise), year)
    if len(tree) == 2:
        now, before = _lettered(found, tree[1], year), _lettered(found, tree[1], year - 1)
        if tree[0] == "earlier":
            return before
        return f"(({now} + {before}) / 2)" if tree[0] == "average" else f"({now} - {before})"
    return f"({_lettered(found, tree[1], year)} {tree[0]} {_lettered(found, tree[2], year)})"


def _result(ask: Ask, found: FoundItems, text: str) -> Candidate | None:
    """What a formula over lettered cells gives; None where one holds no number or one table leaves its scale unsaid."""
    known = [quantity for cell in found.cells if (quantity := cell.quantity)]
    scales = {quantity.scale for quantity in known}
    if not known or len(known) < len(found.cells) or (len(scales) > 1 and 1 in scales):
        return None
    if len(scales) > 1:
        known = [replace(each, value=each.amount, scale=Decimal(1)) for each in known]
    formula = text[1:-1] if _BRACKETED.fullmatch(text) else text
    value = formula_value(formula, [quantity.value for quantity in known])
    made, operation = _measured(ask, formula, value, known[0])
    if formula == "a" and label_terms(found.cells[0].cell.label).isdisjoint(ask.stems):
        # another name of the item is known as the operands of a metric are: the question cannot tell that it answers
        operation = formula
    sure = not found.alone or all(cell.fit > _SURE for cell in found.cells)
    return Candidate(
        value=made,
        evidence=tuple(cell.evidence for cell in found.cells),
        subject=metric_phrase(ask),
        period=" ".join(period.text for period in ask.periods),
        operation=operation,
        features={
            "formula": 1.0,
            "formula of one cell": float(formula == "a"),
            "sure formula": float(sure),
        },
    )


def _measured(ask: Ask, formula: str, value: Decimal, like: Quantity) -> tuple[Quantity, str]:
    """A result with its unit, and the formula with what makes a percentage of it; a cell alone is not computed."""
    if formula == "a":
        return like, ""
    if _dimension(parse_formula(formula)) == 1:
        return Quantity(value, like.unit, like.scale), formula
    if ask.operation == "difference":
        return Quantity(value * 100, "pp"), f"{formula} * 100"
    worded = ask.instructs("percent") or ask.operation == "percentage_change"
    if worded or ask.wanted_in_percent or "margin" in ask.stems:
        return Quantity(value * 100, "%"), f"{formula} * 100"
    return Quantity(value), formula


def _dimension(tree: Tree) -> int:
    """1 for an amount, 0 for a ratio: each letter counts 1, a quotient subtracts."""
    if isinstance(tree, Decimal | str):
        return int(isinstance(tree, str))
    if len(tree) == 2:
        return _dimension(tree[1])
    first, second = _dimension(tree[1]), _dimension(tree[2])
    match tree[0]:
        case "*":
            return first + second
        case "/":
            return first - second
    return max(first, second)
