"""Cells of a table taken together: a row through time, and several cells as one answer."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.document.labelled_cells import Labelled, is_blank, is_number, timeless
from pincite.document.times import When
from pincite.evidence.candidate import Candidate
from pincite.evidence.table_view import CellMatch, TableView, cell_times, evidence, value_of
from pincite.question.understanding import Ask
from pincite.types import Value


def series(view: TableView, found: Sequence[CellMatch]) -> list[list[CellMatch]]:
    """The cells of a table that differ only in their time, later first; a row that has no such cells counts as a whole."""
    numbers = [m for m in found if cell_times(m.cell) and (is_number(m.cell.text) or is_blank(m.cell.text))]
    by_subject: dict[tuple[str, ...], list[CellMatch]] = {}
    for match in numbers:
        by_subject.setdefault(timeless(match.cell), []).append(match)
    groups = [group for cells in by_subject.values() if len(group := by_time(cells)) > 1]
    grouped = {m.cell.row for group in groups for m in group}
    by_row: dict[int, list[CellMatch]] = {}
    for match in numbers:
        if match.cell.row not in grouped:
            by_row.setdefault(match.cell.row, []).append(match)
    return groups + [group for cells in by_row.values() if len(group := by_time(cells)) > 1]


def by_time(cells: Sequence[CellMatch]) -> list[CellMatch]:
    """One cell for each time, the best, latest first."""
    best: dict[tuple[int, int, int, int], CellMatch] = {}
    for match in sorted(cells, key=lambda m: -m.score):
        best.setdefault(time_of(match.cell), match)
    return [best[t] for t in sorted(best, reverse=True)]


def time_of(cell: Labelled) -> tuple[int, int, int, int]:
    """Year, month, day and quarter of the first time of a cell that has one, in an order that sorts."""
    first = cell_times(cell)[0]
    return first.year, first.month, first.day, first.quarter


def at_time(group: Sequence[CellMatch], period: When) -> CellMatch | None:
    """The cell of a series at a time."""
    return next((m for m in group if any(p.fits(period) for p in cell_times(m.cell))), None)


def two_times(ask: Ask, group: Sequence[CellMatch]) -> tuple[CellMatch, CellMatch] | None:
    """The later and the earlier cell that a change runs between."""
    if len(ask.periods) >= 2:
        cells = [m for p in ask.periods[:2] if (m := at_time(group, p))]
        cells.sort(key=lambda m: time_of(m.cell), reverse=True)
        return (cells[0], cells[1]) if len(cells) == 2 else None
    if len(ask.periods) == 1:
        later = at_time(group, ask.periods[0])
        earlier = next((m for m in group if later and time_of(m.cell) < time_of(later.cell)), None)
        return (later, earlier) if later and earlier else None
    return (group[0], group[1]) if len(group) > 1 else None


def over_periods(ask: Ask, group: Sequence[CellMatch]) -> list[CellMatch]:
    """The cells of a series that the question takes together: at the named times, in the named range, else all; with one
    time, that one and the one before.
    """
    years = [p.year for p in ask.periods]
    if ask.through and years[0] != years[1]:
        low, high = min(years), max(years)
        return [m for m in group if any(low <= p.year <= high for p in cell_times(m.cell))]
    if len(years) > 1:
        return [m for p in ask.periods if (m := at_time(group, p))]
    if not years:
        return list(group)
    pair = two_times(ask, group)
    return list(pair) if pair else []


def listed(cells: Sequence[CellMatch], labels: Sequence[str] = (), operation: str = "") -> Candidate:
    """Cells as one answer: their values, or `labels` in their place, in order."""
    value: tuple[Value, ...] = tuple(labels) if labels else tuple(value_of(m.view, m.cell) for m in cells)
    return Candidate(
        value=value,
        evidence=tuple(evidence(m) for m in cells),
        subject=cells[0].cell.label,
        operation=operation,
        score=sum(m.score for m in cells) / len(cells),
        features=mean_features(cells),
    )


def mean_features(cells: Sequence[CellMatch]) -> dict[str, float]:
    """The features of several cells as one: their means, and how much they stand in one row or one column."""
    features = {name: sum(m.features[name] for m in cells) / len(cells) for name in cells[0].features}
    features["same_row"] = float(len({m.cell.row for m in cells}) == 1)
    features["same_column"] = float(len({m.cell.column for m in cells}) == 1)
    return features


def scored(made: Candidate, score: float) -> Candidate:
    """The same candidate with another score."""
    return Candidate(made.value, made.evidence, made.subject, made.period, made.operation, score, made.features)
