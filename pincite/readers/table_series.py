"""Cells of a table taken together: a row through time, and several cells as one answer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from pincite.document.cell_text import is_blank, is_number
from pincite.document.cell_values import cell_times, quantity_of, value_of
from pincite.document.labelled_cells import Labelled, timeless
from pincite.document.times import When
from pincite.evidence.candidate import Candidate
from pincite.evidence.cell_match import CellMatch, evidence, matches, phrase_of
from pincite.evidence.table_view import TableView
from pincite.question.ask import Ask
from pincite.types import Quantity, Value


def series(found: Sequence[CellMatch]) -> list[list[CellMatch]]:
    """The cells of a table that differ only in their time, later first; a row that has no such cells counts as a whole."""
    numbers = [
        m
        for m in found
        if (is_number(m.cell.text) or is_blank(m.cell.text)) and cell_times(m.cell)
    ]
    groups = _groups(numbers, lambda match: timeless(match.cell))
    grouped = {match.cell.row for group in groups for match in group}
    return groups + _groups(
        [m for m in numbers if m.cell.row not in grouped], lambda match: match.cell.row
    )


def asked_series(ask: Ask, view: TableView) -> list[list[CellMatch]]:
    """The series of the cells that answer a question."""
    return series(matches(view, phrase_of(ask), ask))


def quantities(cells: Iterable[CellMatch]) -> list[Quantity]:
    """The quantities of cells; none where one of them holds none."""
    known = [quantity_of(match.view.node, match.cell) for match in cells]
    held = [quantity for quantity in known if quantity is not None]
    return held if len(held) == len(known) else []


def in_one_scale(known: list[Quantity]) -> list[Quantity]:
    """Quantities in the scale that all of them have, or else written out."""
    if len({quantity.scale for quantity in known}) < 2:
        return known
    return [replace(quantity, value=quantity.amount, scale=Decimal(1)) for quantity in known]


def _groups(
    cells: Iterable[CellMatch], key: Callable[[CellMatch], Hashable]
) -> list[list[CellMatch]]:
    """Cells that share a key, one for each time; only groups of two times or more."""
    by_key: dict[Hashable, list[CellMatch]] = {}
    for match in cells:
        by_key.setdefault(key(match), []).append(match)
    return [group for group in map(by_time, by_key.values()) if len(group) > 1]


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


def _is_at(cell: Labelled, period: When) -> bool:
    return any(time.fits(period) for time in cell_times(cell))


def at_time(group: Sequence[CellMatch], period: When) -> CellMatch | None:
    """The cell of a series at a time."""
    return next((match for match in group if _is_at(match.cell, period)), None)


def at_times(group: Sequence[CellMatch], periods: Iterable[When]) -> list[CellMatch]:
    """The cells of a series at the times that it has of these."""
    return [match for period in periods if (match := at_time(group, period))]


def two_times(ask: Ask, group: Sequence[CellMatch]) -> tuple[CellMatch, CellMatch] | None:
    """The later and the earlier cell that a change runs between."""
    if not ask.periods:
        return (group[0], group[1]) if len(group) > 1 else None
    cells = at_times(group, ask.periods[:2])
    if len(ask.periods) == 1 and cells:
        later = time_of(cells[0].cell)
        cells += [match for match in group if time_of(match.cell) < later][:1]
    cells.sort(key=lambda match: time_of(match.cell), reverse=True)
    return (cells[0], cells[1]) if len(cells) == 2 else None


def over_periods(ask: Ask, group: Sequence[CellMatch]) -> list[CellMatch]:
    """The cells of a series that the question takes together: at the named times, in the named range, else all; with one
    time, that one and the one before.
    """
    years = [period.year for period in ask.periods]
    if ask.through and years[0] != years[1]:
        return [match for match in group if _within(match.cell, min(years), max(years))]
    if len(years) > 1:
        return at_times(group, ask.periods)
    return list(two_times(ask, group) or ()) if years else list(group)


def _within(cell: Labelled, first: int, last: int) -> bool:
    return any(first <= time.year <= last for time in cell_times(cell))


def listed(
    cells: Sequence[CellMatch], labels: Sequence[str] = (), operation: str = ""
) -> Candidate:
    """Cells as one answer: their values, or `labels` in their place, in order."""
    value: tuple[Value, ...] = (
        tuple(labels) if labels else tuple(value_of(m.view.node, m.cell) for m in cells)
    )
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
    features = {
        name: sum(m.features[name] for m in cells) / len(cells) for name in cells[0].features
    }
    features["same_row"] = float(len({m.cell.row for m in cells}) == 1)
    features["same_column"] = float(len({m.cell.column for m in cells}) == 1)
    return features
