"""All readings of a question over a given table: of each set of rows, of sets beside each other, and numbers with their units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from pincite.rows.onetable.anchors import AnchoredQuestion
from pincite.rows.onetable.comparing_readings import (
    across,
    choices,
    differences,
    runs,
    spans,
    verdicts,
)
from pincite.rows.onetable.derived_subsets import subsets
from pincite.rows.onetable.readings import TableReading, commonest, counted, shown, summed
from pincite.rows.onetable.value_grid import ValueGrid

MOST = 4000
"""Readings of one question after which no further set of rows is read."""


def readings(asked: AnchoredQuestion, grid: ValueGrid) -> list[TableReading]:
    """Every reading of a question, none without an answer."""
    found = subsets(asked, grid)
    made: list[TableReading] = []
    for subset in found:
        for read in (shown, counted, summed, commonest):
            made += read(asked, grid, subset)
        if len(made) > MOST:
            break
    moved = {"shift", "beyond", "than", "nearest"}
    base = [subset for subset in found if len(subset.tags) <= 3 and moved.isdisjoint(subset.tags)]
    made += differences(asked, grid, base)
    made += spans(asked, grid, found)
    made += choices(asked, grid, base)
    made += verdicts(asked, grid, base)
    made += across(asked, grid, found)
    made += runs(asked, grid, found)
    for reading in list(made):
        made += measured(asked, grid, reading)
    return [reading for reading in made if all(reading.answer)]


_UNIT = re.compile(r"\d\s*([^\W\d_]{1,12})\b")
_COMPUTED = frozenset(("span", "length", "difference", "range", "sum", "avg"))


def measured(
    asked: AnchoredQuestion, grid: ValueGrid, reading: TableReading
) -> Iterator[TableReading]:
    """A computed number once more with its unit: years, or what stands behind the numbers of the column."""
    if reading.operation not in _COMPUTED or len(reading.answer) != 1:
        return
    number = reading.answer[0]
    if reading.operation == "length" or any("year" in name for name, _ in reading.features):
        if asked.has("much", "difference", "span") and not number.startswith("-"):
            written = f"{number} {'year' if number == '1' else 'years'}"
            yield replace(reading, answer=(written,), operation=f"{reading.operation} in years")
    elif written := _with_unit(number, grid, reading.column):
        yield replace(reading, answer=(written,), operation=f"{reading.operation} in unit")


def _with_unit(number: str, grid: ValueGrid, column: int) -> str:
    """A number with what stands behind the numbers of most cells, or before them; "" where that is nothing."""
    cells = [row[column] for row in grid.cells if row[column]]
    units = Counter(match[1] for cell in cells if (match := _UNIT.search(cell)))
    for unit, n in units.most_common(1):
        if n > len(cells) / 2:
            return f"{number} {unit}"
    dollars = sum(cell.startswith("$") for cell in cells) > len(cells) / 2
    return f"${float(number):,.0f}" if dollars else ""
