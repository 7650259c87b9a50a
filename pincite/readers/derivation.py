"""Compute what a question asks from table cells: the operation from the wording, its operands from the cells, the result by code.

A computed candidate cites every cell it rests on, in the order of its formula, so that a check can repeat it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, DivisionByZero, InvalidOperation, localcontext
from itertools import chain, product

from pincite.document.cell_values import cell_times
from pincite.document.times import When
from pincite.document.words import words
from pincite.evidence.candidate import Candidate
from pincite.evidence.cell_match import CellMatch, evidence, matches, phrase_of
from pincite.evidence.table_view import TableView
from pincite.lexicon import pattern
from pincite.quantity.arithmetic import OPERATIONS
from pincite.question.ask import Ask
from pincite.readers.formulas import read_formulas
from pincite.readers.table_lines import (
    TOTAL_COLUMN,
    amount_of,
    count,
    extreme,
    filtered,
    lines,
    names,
)
from pincite.readers.table_series import (
    asked_series,
    at_times,
    in_one_scale,
    listed,
    mean_features,
    over_periods,
    quantities,
    time_of,
    two_times,
)
from pincite.types import Quantity

_CERTAIN = frozenset(("difference", "percentage_change", "ratio", "proportion", "average"))
_TOTAL = pattern("readers", "total")
_ASKED = 1.0
"""What the asked operation is worth beside a cell that only shares the question's words."""


def compute(ask: Ask, tables: Sequence[TableView]) -> list[Candidate]:
    """Computed and composed answers over cited cells, best first; empty when the question asks for a plain value."""
    found = read_formulas(ask, tables)
    for view in tables:
        made = _BUILDERS.get(ask.operation, _several)(ask, view)
        for candidate in made:
            certain = candidate.operation in _CERTAIN
            found.append(
                replace(candidate, score=candidate.score + _ASKED) if certain else candidate
            )
    found.sort(key=lambda c: -c.score)
    return found[:12]


def calculate(operation: str, cells: Sequence[CellMatch]) -> Candidate | None:
    """Run an operation over cells in the order of its formula; None when a cell holds no number or it cannot be run."""
    known = in_one_scale(quantities(cells))
    if not known:
        return None
    try:
        with localcontext(prec=28):
            value = OPERATIONS[operation].run([quantity.value for quantity in known])
    except (DivisionByZero, InvalidOperation, ZeroDivisionError):
        return None
    times = [time.text for match in cells for time in cell_times(match.cell)[:1]]
    return Candidate(
        value=_as_quantity(operation, value, known[0]),
        evidence=tuple(map(evidence, cells)),
        subject=cells[0].cell.label or cells[0].cell.heading,
        period=" ".join(dict.fromkeys(times)),
        operation=operation,
        score=sum(match.score for match in cells) / len(cells),
        features=mean_features(cells),
    )


def _as_quantity(operation: str, value: Decimal, like: Quantity) -> Quantity:
    if operation in ("percentage_change", "proportion"):
        return Quantity(value, "%")
    if operation in ("ratio", "count"):
        return Quantity(value)
    return Quantity(value, like.unit, like.scale)


def _pair(ask: Ask, view: TableView) -> list[Candidate]:
    """Difference, percentage change, ratio or proportion of two cells."""
    if ask.several:
        return _several(ask, view)
    operation = ask.operation
    pairs: list[tuple[CellMatch, CellMatch]] = []
    if len(ask.operands) >= 2:
        pairs += [
            _ordered(ask, *pair)
            for pair in _operand_pairs(ask, view, ask.operands[0], ask.operands[1])
        ]
    if operation in ("ratio", "proportion"):
        in_percent = ask.wanted_in_percent or ask.says("percent")
        operation = "proportion" if in_percent else "ratio"
        pairs += _of_total(ask, view)
    elif operation in ("difference", "percentage_change"):
        pairs += _of_times(ask, view)
    return [made for pair in pairs if (made := calculate(operation, pair))]


def _of_times(ask: Ask, view: TableView) -> list[tuple[CellMatch, CellMatch]]:
    """Two times of each series, the later first; for how much something fell, the earlier."""
    pairs = [times for group in asked_series(ask, view) if (times := two_times(ask, group))]
    falls = ask.falling and ask.operation == "difference"
    return [(earlier, later) for later, earlier in pairs] if falls else pairs


def _of_total(ask: Ask, view: TableView) -> list[tuple[CellMatch, CellMatch]]:
    """A cell and the total of its column, or of its row: what "percentage of total X" leaves to the table."""
    found = _numbers(ask, view, phrase_of(ask))
    totals = [match for match in found if _is_total(match.cell.label)]
    across = [match for match in found if TOTAL_COLUMN.search(match.cell.heading)]
    pairs = []
    for part in [match for match in found if not _is_total(match.cell.label)][:4]:
        pairs += [
            (part, total)
            for total in (_total_below(part, totals), _total_beside(part, across))
            if total
        ]
    return pairs


def _total_below(part: CellMatch, totals: Sequence[CellMatch]) -> CellMatch | None:
    """The nearest total below a cell in its column."""
    row, column = part.cell.row, part.cell.column
    below = [match for match in totals if match.cell.column == column and match.cell.row > row]
    return min(below, key=lambda match: match.cell.row, default=None)


def _total_beside(part: CellMatch, across: Sequence[CellMatch]) -> CellMatch | None:
    """The total of a cell's row, of those in columns of totals; None for a cell that is it."""
    beside = next((match for match in across if match.cell.row == part.cell.row), None)
    return beside if beside and beside.cell.column != part.cell.column else None


def _numbers(
    ask: Ask, view: TableView, phrase: Sequence[str], periods: Sequence[When] | None = None
) -> list[CellMatch]:
    """The cells with numbers that answer a phrase at given times, else at those asked for, best first."""
    return [match for match in matches(view, phrase, ask, periods) if match.features["number"]]


def _is_total(label: str) -> bool:
    return not label or _TOTAL.match(label) is not None


def _ordered(ask: Ask, first: CellMatch, second: CellMatch) -> tuple[CellMatch, CellMatch]:
    """Two operands in the order of the formula.

    Cells of different times: the later first, as for any change. A "difference between A and B" is a distance: the larger
    first. A change "from A to B" or "between A and B" ends at B. Otherwise ("A than B", ratios) as they are mentioned.
    """
    if ask.operation not in ("difference", "percentage_change"):
        return first, second
    mine, other = cell_times(first.cell), cell_times(second.cell)
    distance = ask.says("distance")
    if mine and other and not mine[0].fits(other[0]):
        turned = time_of(first.cell) <= time_of(second.cell)
    elif distance and ask.operation == "difference":
        turned = amount_of(first) < amount_of(second)
    else:
        turned = ask.says("from or between") and not distance
    return (second, first) if turned else (first, second)


def _operand_pairs(ask: Ask, view: TableView, a: str, b: str) -> list[tuple[CellMatch, CellMatch]]:
    """Cells for two phrases of a question: the rest of the question holds for both, and they share a row or a column."""
    rest = _rest(ask, (a, b))
    firsts = _numbers(ask, view, (*words(a), *rest))[:8]
    seconds = _numbers(ask, view, (*words(b), *rest))[:8]
    pairs = [pair for pair in product(firsts, seconds) if _are_different(pair)]
    return sorted(pairs, key=lambda pair: -_together(*pair))[:3]


def _together(first: CellMatch, second: CellMatch) -> float:
    """How well two cells answer, with what it is worth that they share a column or a row."""
    shared = (
        1.5
        if first.cell.column == second.cell.column
        else 0.5
        if first.cell.row == second.cell.row
        else 0.0
    )
    return first.score + second.score + shared


def _are_different(cells: Sequence[CellMatch]) -> bool:
    """Whether the cells are all different."""
    return len({(match.cell.row, match.cell.column) for match in cells}) == len(cells)


def _rest(ask: Ask, operands: Sequence[str]) -> list[str]:
    named = {term for phrase in operands for term in words(phrase)}
    return [term for term in phrase_of(ask) if term not in named]


def _many(ask: Ask, view: TableView) -> list[Candidate]:
    """Sum or average: over the named operands, else over the periods of one row."""
    if ask.several:
        return _several(ask, view)
    taken = _of_operands(ask, view, [ask.periods])
    taken += [
        cells for group in asked_series(ask, view) if len(cells := over_periods(ask, group)) > 1
    ]
    found = [made for cells in taken if (made := calculate(ask.operation, cells))]
    if len(ask.periods) < 2:
        for line in lines(ask, view)[:3]:
            if made := calculate(ask.operation, line.cells):
                found.append(replace(made, score=line.score - 1.0))
    return found


def _of_operands(
    ask: Ask, view: TableView, times: Sequence[Sequence[When]]
) -> list[list[CellMatch]]:
    """The cells of all operands at each of some times together; none where the question names no two, or not all are found."""
    if len(ask.operands) < 2:
        return []
    cells = list(chain.from_iterable(_each_operand(ask, view, periods) for periods in times))
    return [cells] if len(cells) > 1 and _are_different(cells) else []


def _each_operand(ask: Ask, view: TableView, periods: Sequence[When]) -> list[CellMatch]:
    """The best cell for each operand; the first decides the column unless another is much better."""
    rest = _rest(ask, ask.operands)
    picked: list[CellMatch] = []
    for phrase in ask.operands:
        found = _numbers(ask, view, (*words(phrase), *rest), periods)
        if not found:
            return []
        column = picked[0].cell.column if picked else None
        picked.append(max(found, key=lambda match: match.score + (match.cell.column == column)))
    return picked


def _several(ask: Ask, view: TableView) -> list[Candidate]:
    """Values asked for together ("in 2019 and 2018 respectively"), or names ("which years", "what types of X")."""
    found = _of_operands(ask, view, [(period,) for period in ask.periods] or [()])
    if len(ask.periods) >= 2:
        found += _at_periods(ask, view)
    return [listed(cells) for cells in found] or names(ask, view)


def _at_periods(ask: Ask, view: TableView) -> list[list[CellMatch]]:
    """The cells of each series that has all times asked for, or two of a range of them."""
    if ask.through:
        return [
            cells
            for group in asked_series(ask, view)
            if len(cells := over_periods(ask, group)) > 1
        ]
    taken = (at_times(group, ask.periods) for group in asked_series(ask, view))
    return [cells for cells in taken if len(cells) == len(ask.periods)]


_BUILDERS: dict[str, Callable[[Ask, TableView], list[Candidate]]] = {
    **dict.fromkeys(("difference", "percentage_change", "ratio", "proportion"), _pair),
    **dict.fromkeys(("sum", "average"), _many),
    **dict.fromkeys(("argmax", "argmin", "max", "min"), extreme),
    "count": count,
    "filter": filtered,
}
