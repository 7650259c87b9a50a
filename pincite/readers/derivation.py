"""Compute what a question asks from table cells: the operation from the wording, its operands from the cells, sums by code.

A computed candidate cites every cell it rests on, in the order of its formula, so that a check can repeat it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext

from pincite.document.times import When
from pincite.document.words import words
from pincite.evidence.candidate import Candidate
from pincite.evidence.table_view import CellMatch, TableView, cell_times, evidence, matches, phrase_of, quantity_of
from pincite.quantity.arithmetic import OPERATIONS
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.readers.formulas import read_formulas
from pincite.readers.table_lines import count, extreme, filtered, lines, names
from pincite.readers.table_series import (
    at_time,
    listed,
    mean_features,
    over_periods,
    scored,
    series,
    time_of,
    two_times,
)
from pincite.types import Quantity

_CERTAIN = frozenset(("difference", "percentage_change", "ratio", "proportion", "average"))
_ASKED = 1.0
"""What the asked operation is worth beside a cell that only shares the question's words."""


def compute(ask: Ask, tables: Sequence[TableView]) -> list[Candidate]:
    """Computed and composed answers over cited cells, best first; empty when the question asks for a plain value."""
    found = read_formulas(ask, tables)
    for view in tables:
        made = _BUILDERS.get(ask.operation, _several)(ask, view)
        found += [scored(c, c.score + _ASKED) if c.operation in _CERTAIN else c for c in made]
    found.sort(key=lambda c: -c.score)
    return found[:12]


def calculate(operation: str, cells: Sequence[CellMatch], percent: bool = False) -> Candidate | None:
    """Run an operation over cells in the order of its formula; None when a cell holds no number or it cannot be run."""
    quantities = [quantity_of(m.view, m.cell) for m in cells]
    known = [q for q in quantities if q is not None]
    if len(known) != len(quantities) or not known:
        return None
    scale = known[0].scale
    same = all(q.scale == scale for q in known)
    values = [q.value if same else q.amount for q in known]
    try:
        with localcontext(prec=28):
            value = OPERATIONS[operation].run(values)
    except (DivisionByZero, InvalidOperation, ZeroDivisionError):
        return None
    quantity = _as_quantity(operation, value, known[0], scale if same else Decimal(1))
    score = sum(m.score for m in cells) / len(cells)
    return Candidate(
        value=quantity,
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label or cells[0].cell.heading,
        period=" ".join(dict.fromkeys(t.text for m in cells for t in cell_times(m.cell)[:1])),
        operation=operation,
        score=score,
        features=mean_features(cells),
    )


def _as_quantity(operation: str, value: Decimal, like: Quantity, scale: Decimal) -> Quantity:
    if operation in ("percentage_change", "proportion"):
        return Quantity(value, "%")
    if operation in ("ratio", "count"):
        return Quantity(value)
    return Quantity(value, like.unit, scale)


def _pair(ask: Ask, view: TableView) -> list[Candidate]:
    """Difference, percentage change, ratio or proportion of two cells."""
    if ask.several:
        return _several(ask, view)
    operation = ask.operation
    if operation in ("ratio", "proportion"):
        operation = "proportion" if says(ask.text, "percentage") else "ratio"
    found = []
    if len(ask.operands) >= 2:
        for pair in _operand_pairs(ask, view, ask.operands[0], ask.operands[1]):
            made = calculate(operation, _ordered(ask, *pair))
            found += [made] if made else []
    if operation in ("ratio", "proportion"):
        found += [made for x, y in _of_total(ask, view) if (made := calculate(operation, (x, y)))]
    if operation in ("difference", "percentage_change"):
        for group in series(view, matches(view, phrase_of(ask), ask)):
            if times := two_times(ask, group):
                made = calculate(operation, times[::-1] if ask.falling and operation == "difference" else times)
                found += [made] if made else []
    return found


def _of_total(ask: Ask, view: TableView) -> list[tuple[CellMatch, CellMatch]]:
    """A cell and the total of its column, or of its row: what "percentage of total X" leaves to the table."""
    found = [m for m in matches(view, phrase_of(ask), ask) if m.features["number"]]
    pairs = []
    for part in [m for m in found if not _is_total(m.cell.label)][:4]:
        below = [
            m
            for m in found
            if m.cell.column == part.cell.column and m.cell.row > part.cell.row and _is_total(m.cell.label)
        ]
        beside = [m for m in found if m.cell.row == part.cell.row and re.search(r"\btotal\b", m.cell.heading, re.I)]
        pairs += [(part, min(below, key=lambda m: m.cell.row))] if below else []
        pairs += [(part, beside[0])] if beside and beside[0].cell.column != part.cell.column else []
    return pairs


def _is_total(label: str) -> bool:
    return not label or bool(re.match(r"(?:grand\s+|sub-?)?total\b", label, re.I))


def _ordered(ask: Ask, first: CellMatch, second: CellMatch) -> tuple[CellMatch, CellMatch]:
    """Two operands in the order of the formula.

    Cells of different times: the later first, as for any change. A "difference between A and B" is a distance: the larger
    first. A change "from A to B" or "between A and B" ends at B. Otherwise ("A than B", ratios) as they are mentioned.
    """
    if ask.operation not in ("difference", "percentage_change"):
        return first, second
    times = [cell_times(m.cell) for m in (first, second)]
    if all(times) and not times[0][0].fits(times[1][0]):
        return (first, second) if time_of(first.cell) > time_of(second.cell) else (second, first)
    if says(ask.text, "distance") and ask.operation == "difference":
        amounts = [q.amount if (q := quantity_of(m.view, m.cell)) else Decimal(0) for m in (first, second)]
        return (first, second) if amounts[0] >= amounts[1] else (second, first)
    if says(ask.text, "from or between") and not says(ask.text, "distance"):
        return second, first
    return first, second


def _operand_pairs(ask: Ask, view: TableView, a: str, b: str) -> list[tuple[CellMatch, CellMatch]]:
    """Cells for two phrases of a question: the rest of the question holds for both, and they share a row or a column."""
    rest = _rest(ask, (a, b))
    firsts = [m for m in matches(view, (*words(a), *rest), ask) if m.features["number"]][:8]
    seconds = [m for m in matches(view, (*words(b), *rest), ask) if m.features["number"]][:8]
    pairs = [
        (
            x.score + y.score + (1.5 if x.cell.column == y.cell.column else 0.5 if x.cell.row == y.cell.row else 0.0),
            x,
            y,
        )
        for x in firsts
        for y in seconds
        if (x.cell.row, x.cell.column) != (y.cell.row, y.cell.column)
    ]
    pairs.sort(key=lambda p: -p[0])
    return [(x, y) for _, x, y in pairs[:3]]


def _rest(ask: Ask, operands: Sequence[str]) -> list[str]:
    named = {term for phrase in operands for term in words(phrase)}
    return [term for term in phrase_of(ask) if term not in named]


def _many(ask: Ask, view: TableView) -> list[Candidate]:
    """Sum or average: over the named operands, else over the periods of one row."""
    if ask.several:
        return _several(ask, view)
    found = []
    if len(ask.operands) >= 2:
        cells = _each_operand(ask, view, ask.periods)
        if len(cells) == len(ask.operands) and len({(m.cell.row, m.cell.column) for m in cells}) == len(cells):
            made = calculate(ask.operation, cells)
            found += [made] if made else []
    for group in series(view, matches(view, phrase_of(ask), ask)):
        cells = over_periods(ask, group)
        made = calculate(ask.operation, cells) if len(cells) > 1 else None
        found += [made] if made else []
    if len(ask.periods) < 2:
        made_lines = [(calculate(ask.operation, line.cells), line.score) for line in lines(ask, view)[:3]]
        found += [scored(made, score - 1.0) for made, score in made_lines if made]
    return found


def _each_operand(ask: Ask, view: TableView, periods: Sequence[When]) -> list[CellMatch]:
    """The best cell for each operand; the first decides the column unless another is much better."""
    rest = _rest(ask, ask.operands)
    picked: list[CellMatch] = []
    for phrase in ask.operands:
        found = [m for m in matches(view, (*words(phrase), *rest), ask, periods) if m.features["number"]]
        if not found:
            return []
        best = max(
            found,
            key=lambda m: m.score + (1.0 if picked and m.cell.column == picked[0].cell.column else 0.0),
        )
        picked.append(best)
    return picked


def _several(ask: Ask, view: TableView) -> list[Candidate]:
    """Values asked for together ("in 2019 and 2018 respectively"), or names ("which years", "what types of X")."""
    found: list[list[CellMatch]] = []
    if len(ask.operands) >= 2:
        cells = [m for period in ask.periods or (None,) for m in _each_operand(ask, view, (period,) if period else ())]
        if len({(m.cell.row, m.cell.column) for m in cells}) == len(cells) > 1:
            found.append(cells)
    if len(ask.periods) >= 2:
        for group in series(view, matches(view, phrase_of(ask), ask)):
            cells = over_periods(ask, group) if ask.through else [m for p in ask.periods if (m := at_time(group, p))]
            if len(cells) == len(ask.periods) or (ask.through and len(cells) > 1):
                found.append(cells)
    return [listed(cells) for cells in found] or names(ask, view)


_BUILDERS: dict[str, Callable[[Ask, TableView], list[Candidate]]] = {
    "difference": _pair,
    "percentage_change": _pair,
    "ratio": _pair,
    "proportion": _pair,
    "sum": _many,
    "average": _many,
    "count": count,
    "filter": filtered,
    "argmax": extreme,
    "argmin": extreme,
    "max": extreme,
    "min": extreme,
}
