"""Cells compared with each other: the largest and the smallest, those that meet a threshold, how many there are, their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import groupby

from pincite.document.cell_text import is_number
from pincite.document.cell_values import cell_times, quantity_of
from pincite.document.labelled_cells import Labelled, name_of
from pincite.document.words import words
from pincite.evidence.candidate import Candidate
from pincite.evidence.cell_match import CellMatch, evidence, matches, phrase_of
from pincite.evidence.table_view import TableView
from pincite.lexicon import pattern
from pincite.question.ask import Ask
from pincite.readers.table_series import asked_series, listed, mean_features, over_periods, series
from pincite.types import Quantity

_TOTAL = pattern("readers", "total row")
TOTAL_COLUMN = pattern("readers", "total column")
"""What the heading of a column of totals says."""


@dataclass(frozen=True, slots=True)
class CellLine:
    """Cells compared with each other and the name of each."""

    cells: tuple[CellMatch, ...]
    names: tuple[str, ...]
    score: float


def lines(ask: Ask, view: TableView) -> list[CellLine]:
    """What a superlative, a filter or a count may run over: one row through time, one column of rows, one row of columns."""
    found = matches(view, phrase_of(ask), ask)
    numbers = [match for match in found if is_number(match.cell.text)]
    made = [*_columns(ask, view, numbers), *_rows(numbers)]
    if ask.asks_period:
        made = [*_through_time(ask, found), *made]
    return sorted(made, key=lambda line: -line.score)


def _through_time(ask: Ask, found: Sequence[CellMatch]) -> Iterator[CellLine]:
    """Each series, as far as its times are asked for."""
    for group in series(found):
        cells = _asked_times(ask, [match for match in group if match.features["number"]])
        if len(cells) > 1:
            yield CellLine(tuple(cells), tuple(map(_time_name, cells)), cells[0].score + 2.0)


def _asked_times(ask: Ask, cells: list[CellMatch]) -> list[CellMatch]:
    """The cells of a series at the times that are asked for, all where none is; one time may have several cells."""
    if len(ask.periods) == 1:
        return [match for match in cells if match.features["period"] == 1.0]
    taken = over_periods(ask, cells)
    return [match for match in cells if match in taken]


_OF_COLUMN = ("column", "column_precision", "section", "section_precision", "period", "around")
"""The features of a cell that its whole column shares."""


def _columns(ask: Ask, view: TableView, numbers: Sequence[CellMatch]) -> Iterator[CellLine]:
    """Each block of rows of each column."""
    named = float(not view.around.isdisjoint(words(ask.wants)))
    for _, cells in _grouped(numbers, lambda cell: cell.column):
        cells.sort(key=lambda match: match.cell.row)
        for block in _blocks(cells):
            if len(block) > 1:
                score = sum(block[0].features[name] for name in _OF_COLUMN) * 2 + named
                yield CellLine(
                    tuple(block), tuple(name_of(match.cell.label) for match in block), score
                )


def _rows(numbers: Sequence[CellMatch]) -> Iterator[CellLine]:
    """Each row whose columns have names of their own, none of them a time or a total."""
    for _, cells in _grouped(numbers, lambda cell: cell.row):
        cells = [match for match in cells if not TOTAL_COLUMN.search(match.cell.heading)]
        headings = {match.cell.heading for match in cells}
        if (
            len(cells) > 1
            and len(headings) == len(cells)
            and not any(cell_times(match.cell) for match in cells)
        ):
            yield CellLine(
                tuple(cells), tuple(name_of(match.cell.heading) for match in cells), cells[0].score
            )


def _grouped(
    cells: Sequence[CellMatch], key: Callable[[Labelled], int]
) -> list[tuple[int, list[CellMatch]]]:
    """Cells by row or by column, in the order of its number; within one as they were."""
    groups: dict[int, list[CellMatch]] = {}
    for match in cells:
        groups.setdefault(key(match.cell), []).append(match)
    return sorted(groups.items())


def _blocks(column: Sequence[CellMatch]) -> list[list[CellMatch]]:
    """The rows of a column in blocks: a section ends a block, and so does the total of its rows."""
    blocks: list[list[CellMatch]] = []
    for _, section in groupby(column, key=lambda m: m.cell.sections):
        blocks.append([])
        for match in section:
            if not match.cell.label or _TOTAL.search(match.cell.label):
                blocks.append([])
            else:
                blocks[-1].append(match)
    return [block for block in blocks if block]


def _time_name(match: CellMatch) -> str:
    first = cell_times(match.cell)[0]
    return str(first.year) if not first.quarter else first.text


def names(ask: Ask, view: TableView) -> list[Candidate]:
    """The times a table covers, or the row labels of the block that the question names."""
    if ask.says("several times"):
        return [
            listed(group, list(map(_time_name, group)), "filter")
            for group in asked_series(ask, view)
        ]
    if not ask.says("kinds") or ask.periods:
        return []
    blocks = [
        line for line in lines(ask, view) if line.names[0] == name_of(line.cells[0].cell.label)
    ]
    return [
        replace(listed(line.cells, line.names, "filter"), score=line.score) for line in blocks[:3]
    ]


def extreme(ask: Ask, view: TableView) -> list[Candidate]:
    """The largest or smallest of a line of cells: its name for argmax and argmin, its value for max and min."""
    named = ask.operation.startswith("arg")
    best = max if ask.operation.endswith("max") else min
    found = []
    for line in lines(ask, view)[:5]:
        amounts = [amount_of(match) for match in line.cells]
        at = amounts.index(best(amounts))
        first = line.cells[at]
        found.append(
            Candidate(
                value=line.names[at] if named else quantity_of(view.node, first.cell),
                evidence=tuple(map(evidence, (first, *line.cells[:at], *line.cells[at + 1 :]))),
                subject=first.cell.label,
                period=line.names[at],
                operation=ask.operation if named else "",
                score=line.score,
                features=mean_features(line.cells),
            )
        )
    return found


def amount_of(match: CellMatch) -> Decimal:
    """The number of a cell with its scale; 0 where it holds none."""
    quantity = quantity_of(match.view.node, match.cell)
    return quantity.amount if quantity else Decimal(0)


def _meets(ask: Ask, quantity: Quantity | None) -> bool:
    if quantity is None or ask.threshold is None:
        return False
    limit = ask.threshold
    value, against = (
        (quantity.value, limit.value) if limit.scale == 1 else (quantity.amount, limit.amount)
    )
    return value > against if ask.order == "more" else value < against


def filtered(ask: Ask, view: TableView) -> list[Candidate]:
    """The names of the cells that meet the threshold."""
    found = []
    for line in lines(ask, view)[:5]:
        if kept := _meeting(ask, line):
            cells, names = zip(*kept, strict=True)
            found.append(replace(listed(cells, names, "filter"), score=line.score))
    return found


def _meeting(ask: Ask, line: CellLine) -> list[tuple[CellMatch, str]]:
    """The cells of a line that meet the threshold, with their names."""
    named = zip(line.cells, line.names, strict=True)
    return [
        (match, name)
        for match, name in named
        if _meets(ask, quantity_of(match.view.node, match.cell))
    ]


def count(ask: Ask, view: TableView) -> list[Candidate]:
    """How many cells meet the threshold, or how many rows stand under a heading or above their total."""
    found = []
    for line in lines(ask, view)[:5]:
        cells = (
            line.cells if ask.threshold is None else [match for match, _ in _meeting(ask, line)]
        )
        if cells:
            found.append(_counted(cells, line.score))
    return found


def _counted(cells: Sequence[CellMatch], score: float) -> Candidate:
    return Candidate(
        value=Quantity(Decimal(len(cells))),
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label,
        operation="count",
        score=score,
        features=mean_features(cells),
    )
