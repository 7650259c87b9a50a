"""Plots of numbers that come back for several years, firms or rows: from a grid, a table or a list.

A page shows the values of a plot as a table, each with a link to where it was read; a script draws them from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from urllib.parse import quote

from pincite.document.table_headers import column_header
from pincite.quantity import parse
from pincite.types import Answer, Cell, Quantity, Table
from pincite.workbench.grid import Filled, Grid

MOST = 6
"""Plots of a grid."""
LINES = 8
"""Lines of a plot: more cannot be told apart."""
BARS = 30
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """A number of a plot: what it is of, the number, that which it stands over (None for bars), and where it was read, as
    an address within the corpus ("" where that is not known).
    """

    name: str
    value: Decimal
    over: Decimal | None = None
    address: str = ""


@dataclass(frozen=True, slots=True)
class ValuePlot:
    """A plot: lines over years by name, a bar for each name, or points over two axes; `unit` and `along` name the axes."""

    title: str
    kind: Literal["line", "bar", "scatter"]
    unit: str
    points: Sequence[PlotPoint]
    along: str = ""


def grid_plots(grid: Grid) -> list[ValuePlot]:
    """A plot for each question with numbers: lines where it is asked of several years, else a bar for each row."""
    columns = list(zip(*grid.cells, strict=True))
    asked: dict[tuple[str, str], list[tuple[str, Filled]]] = {}
    for column, cells in zip(grid.spec.columns, columns, strict=True):
        name = column.name.removesuffix(column.period).strip() if column.period else column.name
        several = asked.setdefault((name, column.unit), [])
        several += [(column.period, cell) for cell in cells]
    drawn = (_asked(grid.id, name, unit, cells) for (name, unit), cells in asked.items())
    return [each for each in drawn if each is not None][:MOST]


def answer_plots(answer: Answer, identity: str) -> list[ValuePlot]:
    """A plot of the answer of this id if it is a table with numbers, or numbers of several times."""
    value = answer.value
    if isinstance(value, Table):
        return _table_plots(answer, identity, value)
    if isinstance(value, tuple):
        found = [item for item in value if isinstance(item, Quantity) and item.period]
        unit, numbers = _scaled(found)
        points = [
            PlotPoint(item.period, number, address=_claimed(answer, identity, item))
            for item, number in zip(found, numbers, strict=True)
            if number is not None
        ]
        return _listed(_bars(answer.query.text, unit, points))
    return []


def _listed(drawn: ValuePlot | None) -> list[ValuePlot]:
    return [] if drawn is None else [drawn]


def _asked(
    grid: str, name: str, unit: str, cells: Sequence[tuple[str, Filled]]
) -> ValuePlot | None:
    """One question of a grid: its cells with the period that each is asked of."""
    found = [
        (period, cell, cell.value) for period, cell in cells if isinstance(cell.value, Quantity)
    ]
    said, numbers = _scaled([value for _, _, value in found])
    periods = {period for period, _ in cells}
    points = [
        PlotPoint(cell.row, number, _year(cell.period or period), _of_cell(grid, cell))
        for (period, cell, _), number in zip(found, numbers, strict=True)
        if number is not None
    ]
    if len(periods) == 1:
        return _bars(name, said or unit, points)
    return _over_years(name, said or unit, points)


def _year(period: str) -> Decimal | None:
    year = _YEAR.search(period)
    return Decimal(year[0]) if year else None


def _over_years(title: str, unit: str, points: Sequence[PlotPoint]) -> ValuePlot | None:
    if any(point.over is None for point in points) or len({point.over for point in points}) < 2:
        return None
    kept = list(dict.fromkeys(point.name for point in points))[:LINES]
    shown = [point for point in points if point.name in kept]
    shown.sort(key=lambda point: (kept.index(point.name), point.over))
    return ValuePlot(f"{title}, {unit}" if unit else title, "line", unit, shown, "year")


def _bars(title: str, unit: str, points: Sequence[PlotPoint]) -> ValuePlot | None:
    if len(points) < 2:
        return None
    shown = [PlotPoint(point.name, point.value, None, point.address) for point in points[:BARS]]
    return ValuePlot(title, "bar", unit, shown)


def _scaled(values: Sequence[Quantity]) -> tuple[str, list[Decimal | None]]:
    """The unit of the most of some numbers, in words, and each number in it; None for those of other units."""
    units = [value.unit for value in values]
    unit = max(units, key=units.count, default="")
    scale = max((value.scale for value in values if value.unit == unit), default=Decimal(1))
    words = {10**3: "thousand", 10**6: "million", 10**9: "billion"}.get(int(scale), "")
    by = scale if words else 1
    numbers = [value.value * value.scale / by if value.unit == unit else None for value in values]
    return f"{words} {unit}".strip(), numbers


def _of_cell(grid: str, cell: Filled) -> str:
    if not cell.answer_id:
        return ""
    return f"/answers/{cell.answer_id}?topic={quote(cell.topic)}&grid={quote(grid, safe='')}"


def _at(identity: str, label: str) -> str:
    return f"/answers/{identity}?cite={quote(label, safe='')}#proof"


def _claimed(answer: Answer, identity: str, value: Quantity) -> str:
    """Where a value of a list was read."""
    for claim in answer.claims:
        if claim.value == value and claim.citations:
            return _at(identity, claim.citations[0])
    return ""


def _quoted(answer: Answer, identity: str, name: str) -> str:
    """Where the row of this name was read."""
    for citation in answer.citations:
        cells = citation.quote.split(" | ")
        # a quote of running text is one piece, which holds the name among other words
        if name and (name in cells or len(cells) == 1 and name in citation.quote):
            return _at(identity, citation.label)
    return ""


def _table_plots(answer: Answer, identity: str, table: Table) -> list[ValuePlot]:
    """The first column of numbers of a table under the names of its rows; before it the first two against each other."""
    title, names, columns = answer.query.text, _named_rows(table), _number_columns(table)
    read = {row: _quoted(answer, identity, texts[0]) for row, texts in names.items()}
    drawn: list[ValuePlot] = []
    if len(columns) > 1 and (against := _against(names, read, columns)):
        drawn.append(against)
    if columns:
        head, numbers = columns[0]
        points = [
            PlotPoint(", ".join(names[row]), number, address=read[row])
            for row, number in numbers.items()
            if row in names
        ]
        drawn += _listed(_bars(head or title, head, points))
    return drawn


def _named_rows(table: Table) -> dict[int, list[str]]:
    """What the rows of a table are called: by the columns in front of its first number."""
    named: dict[int, list[str]] = {}
    numbered: set[int] = set()
    for cell in sorted(_body(table), key=lambda cell: (cell.row, cell.column)):
        if cell.column >= table.header_columns and parse(cell.text) is not None:
            numbered.add(cell.row)
        elif cell.text and cell.row not in numbered:
            named.setdefault(cell.row, []).append(cell.text)
    return named


def _number_columns(table: Table) -> list[tuple[str, dict[int, Decimal]]]:
    """The columns that hold numbers alone: heading, and number by row."""
    found: dict[int, dict[int, Decimal]] = {}
    words: set[int] = set()
    for cell in _body(table):
        number = parse(cell.text)
        if number is not None:
            found.setdefault(cell.column, {})[cell.row] = number.value * number.scale
        elif cell.text:
            words.add(cell.column)
    return [
        (column_header(table, column), found[column])
        for column in sorted(found)
        if column >= table.header_columns and column not in words
    ]


def _against(
    names: Mapping[int, Sequence[str]],
    read: Mapping[int, str],
    columns: Sequence[tuple[str, dict[int, Decimal]]],
) -> ValuePlot | None:
    """The first column of numbers over the second; none of columns of years, or where too few rows have both."""
    (up, ups), (along, alongs) = columns[:2]
    rows_of_both = sorted((row for row in ups if row in alongs), key=lambda row: alongs[row])
    if len(rows_of_both) < 3 or any(_YEAR.search(head) for head in (up, along)):
        return None
    points = [
        PlotPoint(", ".join(names.get(row, ())), ups[row], alongs[row], read.get(row, ""))
        for row in rows_of_both
    ]
    return ValuePlot(f"{up} over {along}", "scatter", up, points, along)


def _body(table: Table) -> list[Cell]:
    return [cell for cell in table.cells if cell.row >= table.header_rows]
