"""Cells compared with each other: the largest and the smallest, those that meet a threshold, how many there are, their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby

from pincite.document.labelled_cells import Labelled, is_number, name_of
from pincite.document.words import words
from pincite.evidence.candidate import Candidate
from pincite.evidence.table_view import CellMatch, TableView, cell_times, evidence, matches, phrase_of, quantity_of
from pincite.question.cues import says
from pincite.question.understanding import Ask
from pincite.readers.table_series import listed, mean_features, over_periods, scored, series
from pincite.types import Quantity, Value

_TOTAL = re.compile(r"^(?:sub-?)?total|^net\b|\btotal$", re.I)


@dataclass(frozen=True, slots=True)
class CellLine:
    """Cells compared with each other and the name of each."""

    cells: tuple[CellMatch, ...]
    names: tuple[str, ...]
    score: float


def lines(ask: Ask, view: TableView) -> list[CellLine]:
    """What a superlative, a filter or a count may run over: one row through time, one column of rows, one row of columns."""
    found = matches(view, phrase_of(ask), ask)
    numbers = [m for m in found if is_number(m.cell.text)]
    lines: list[CellLine] = []
    if says(ask.wants or ask.text, "time"):
        for group in series(view, found):
            cells = [
                m for m in group if m.features["number"] and (len(ask.periods) != 1 or m.features["period"] == 1.0)
            ]
            if len(ask.periods) > 1:
                cells = [m for m in cells if m in over_periods(ask, cells)]
            if len(cells) > 1:
                lines.append(CellLine(tuple(cells), tuple(_time_name(m.cell) for m in cells), cells[0].score + 2.0))
    wanted = set(words(ask.wants))
    for column in sorted({m.cell.column for m in numbers}):
        body = [m for m in numbers if m.cell.column == column]
        body.sort(key=lambda m: m.cell.row)
        for cells in _blocks(body):
            if len(cells) > 1:
                weights = ("column", "column_precision", "section", "section_precision", "period", "around")
                score = sum(cells[0].features[w] for w in weights) * 2 + (1.0 if wanted & view.around else 0.0)
                lines.append(CellLine(tuple(cells), tuple(name_of(m.cell.label) for m in cells), score))
    for row in sorted({m.cell.row for m in numbers}):
        cells = [m for m in numbers if m.cell.row == row and not re.search(r"\btotal\b", m.cell.heading, re.I)]
        if (
            len(cells) > 1
            and len({m.cell.heading for m in cells}) == len(cells)
            and not any(cell_times(m.cell) for m in cells)
        ):
            lines.append(CellLine(tuple(cells), tuple(name_of(m.cell.heading) for m in cells), cells[0].score))
    return sorted(lines, key=lambda line: -line.score)


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


def _time_name(cell: Labelled) -> str:
    first = cell_times(cell)[0]
    return str(first.year) if not first.quarter else first.text


def names(ask: Ask, view: TableView) -> list[Candidate]:
    """The times a table covers, or the row labels of the block that the question names."""
    found = matches(view, phrase_of(ask), ask)
    if says(ask.text, "several times"):
        return [listed(group, [_time_name(m.cell) for m in group], "filter") for group in series(view, found)]
    if not says(ask.text, "kinds") or ask.periods:
        return []
    blocks = [line for line in lines(ask, view) if line.names[0] == name_of(line.cells[0].cell.label)]
    return [scored(listed(line.cells, line.names, "filter"), line.score) for line in blocks[:3]]


def extreme(ask: Ask, view: TableView) -> list[Candidate]:
    """The largest or smallest of a line of cells: its name for argmax and argmin, its value for max and min."""
    high = ask.operation in ("argmax", "max")
    found = []
    for line in lines(ask, view)[:5]:
        amounts = [q.amount if (q := quantity_of(view, m.cell)) else Decimal(0) for m in line.cells]
        at = amounts.index(max(amounts) if high else min(amounts))
        value: Value = line.names[at] if ask.operation.startswith("arg") else quantity_of(view, line.cells[at].cell)
        order = (at, *(i for i in range(len(line.cells)) if i != at))
        found.append(
            Candidate(
                value=value,
                evidence=tuple(evidence(line.cells[i]) for i in order),
                subject=line.cells[at].cell.label,
                period=line.names[at],
                operation=ask.operation if ask.operation.startswith("arg") else "",
                score=line.score,
                features=mean_features(line.cells),
            )
        )
    return found


def _meets(ask: Ask, quantity: Quantity | None) -> bool:
    if quantity is None or ask.threshold is None:
        return False
    limit = ask.threshold
    value, against = (quantity.value, limit.value) if limit.scale == 1 else (quantity.amount, limit.amount)
    return value > against if ask.order == "more" else value < against


def filtered(ask: Ask, view: TableView) -> list[Candidate]:
    """The names of the cells that meet the threshold."""
    found = []
    for line in lines(ask, view)[:5]:
        kept = [(m, n) for m, n in zip(line.cells, line.names, strict=True) if _meets(ask, quantity_of(view, m.cell))]
        if kept:
            found.append(scored(listed([m for m, _ in kept], [n for _, n in kept], "filter"), line.score))
    return found


def count(ask: Ask, view: TableView) -> list[Candidate]:
    """How many cells meet the threshold, or how many rows stand under a heading or above their total."""
    found = []
    if ask.threshold is not None:
        for line in lines(ask, view)[:5]:
            kept = [m for m in line.cells if _meets(ask, quantity_of(view, m.cell))]
            if kept:
                found.append(_counted(kept, line.score))
        return found
    for line in lines(ask, view)[:5]:
        found.append(_counted(line.cells, line.score))
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
