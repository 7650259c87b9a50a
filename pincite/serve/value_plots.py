"""Plots of numbers that come back for several years, firms or rows: from a grid, a table or a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.formats.svg import Axis, Bar, PlotSeries, plot, rows, swatch
from pincite.quantity import parse
from pincite.types import Answer, Cell, Quantity, Table
from pincite.workbench.grid import Filled, Grid

MOST = 6
"""Plots of a grid."""
LINES = 8
"""Lines of a plot: more cannot be told apart."""
BARS = 30
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_Point = tuple[str, float]
"""What a number is of, and the number."""


@dataclass(frozen=True, slots=True)
class ValuePlot:
    """A plot as SVG, and what its colours mean as (mark, words) pairs."""

    title: str
    svg: str
    legend: Sequence[tuple[str, str]] = ()


def grid_plots(grid: Grid) -> list[ValuePlot]:
    """A plot for each question with numbers: lines where it is asked of several years, else a bar for each row."""
    columns = list(zip(*grid.cells, strict=True))
    asked: dict[tuple[str, str], list[tuple[str, Sequence[Filled]]]] = {}
    for column, cells in zip(grid.spec.columns, columns, strict=True):
        name = column.name.removesuffix(column.period).strip() if column.period else column.name
        asked.setdefault((name, column.unit), []).append((column.period, cells))
    drawn = (_asked(name, unit, several) for (name, unit), several in asked.items())
    return [each for each in drawn if each is not None][:MOST]


def answer_plots(answer: Answer) -> list[ValuePlot]:
    """A plot of an answer that is a table with numbers, or numbers of several times."""
    value = answer.value
    if isinstance(value, Table):
        return _table_plots(answer.query.text, value)
    if isinstance(value, tuple):
        found = [item for item in value if isinstance(item, Quantity) and item.period]
        unit, points = _scaled([(item.period, item) for item in found])
        return _listed(_bars(answer.query.text, unit, points))
    return []


def _listed(drawn: ValuePlot | None) -> list[ValuePlot]:
    return [] if drawn is None else [drawn]


def _asked(
    name: str, unit: str, several: Sequence[tuple[str, Sequence[Filled]]]
) -> ValuePlot | None:
    """One question of a grid."""
    found: list[tuple[str, str, Quantity]] = []
    for period, cells in several:
        values = ((cell.row, cell.value) for cell in cells)
        found += [(period, row, value) for row, value in values if isinstance(value, Quantity)]
    said, points = _scaled([(row, value) for _, row, value in found])
    years = [_YEAR.search(period) for period, _, _ in found]
    if len(several) > 1 and all(years):
        dated = [
            (float(year[0]), point) for year, point in zip(years, points, strict=True) if year
        ]
        return _over_years(name, said or unit, dated)
    return _bars(name, said or unit, points) if len(several) == 1 else None


def _over_years(title: str, unit: str, dated: Sequence[tuple[float, _Point]]) -> ValuePlot | None:
    series: dict[str, dict[float, float]] = {}
    for year, (row, value) in dated:
        series.setdefault(row, {})[year] = value
    kept = list(series.items())[:LINES]
    if len({year for year, _ in dated}) < 2:
        return None
    lines = [
        PlotSeries(hue, tuple(sorted(points.items())), line=True)
        for hue, (_, points) in enumerate(kept)
    ]
    legend = [(swatch(hue), row) for hue, (row, _) in enumerate(kept)]
    title = f"{title}, {unit}" if unit else title
    return ValuePlot(title, plot(title, Axis("year", years=True), Axis(""), lines), legend)


def _bars(title: str, unit: str, points: Iterable[_Point]) -> ValuePlot | None:
    made = [Bar(name, ((0, value, value, value, True),)) for name, value in points][:BARS]
    if len(made) < 2:
        return None
    return ValuePlot(title, rows(title, Axis(unit), made, zero=True))


def _scaled(values: Sequence[tuple[str, Quantity]]) -> tuple[str, list[_Point]]:
    """Numbers in the unit of the most of them, and that in words; numbers of other units are left out."""
    units = [value.unit for _, value in values]
    unit = max(units, key=units.count, default="")
    same = [(name, value) for name, value in values if value.unit == unit]
    scale = max((value.scale for _, value in same), default=1)
    words = {10**3: "thousand", 10**6: "million", 10**9: "billion"}.get(int(scale), "")
    points = [
        (name, float(value.value * value.scale / (scale if words else 1))) for name, value in same
    ]
    return f"{words} {unit}".strip(), points


def _table_plots(title: str, table: Table) -> list[ValuePlot]:
    """The first column of numbers of a table under the names of its rows; before it the first two against each other."""
    names, columns = _named_rows(table), _number_columns(table)
    drawn: list[ValuePlot] = []
    if len(columns) > 1 and (against := _against(title, table, names, columns)):
        drawn.append(against)
    if columns:
        head, numbers = columns[0]
        points = [(names[row], number) for row, number in numbers.items() if names.get(row)]
        if bars := _bars(head or title, head, points):
            drawn.append(bars)
    return drawn


def _named_rows(table: Table) -> dict[int, str]:
    """What the rows of a table are called: by the columns in front of its first number."""
    named: dict[int, list[str]] = {}
    numbered: set[int] = set()
    for cell in sorted(_body(table), key=lambda cell: (cell.row, cell.column)):
        if cell.column >= table.header_columns and parse(cell.text) is not None:
            numbered.add(cell.row)
        elif cell.row not in numbered:
            named.setdefault(cell.row, []).append(cell.text)
    return {row: ", ".join(filter(None, texts)) for row, texts in named.items()}


def _number_columns(table: Table) -> list[tuple[str, dict[int, float]]]:
    """The columns that hold numbers alone: heading, and number by row."""
    heads = {cell.column: cell.text for cell in table.cells if cell.row < table.header_rows}
    found: dict[int, dict[int, float]] = {}
    words: set[int] = set()
    for cell in _body(table):
        number = parse(cell.text)
        if number is not None:
            found.setdefault(cell.column, {})[cell.row] = float(number.value * number.scale)
        elif cell.text:
            words.add(cell.column)
    return [
        (heads.get(column, ""), found[column])
        for column in sorted(found)
        if column >= table.header_columns and column not in words
    ]


def _against(
    title: str,
    table: Table,
    names: Mapping[int, str],
    columns: Sequence[tuple[str, dict[int, float]]],
) -> ValuePlot | None:
    """The first column of numbers over the second; none of columns of years, or where too few rows have both."""
    (up, ups), (along, alongs) = columns[:2]
    rows_of_both = sorted((row for row in ups if row in alongs), key=lambda row: alongs[row])
    if len(rows_of_both) < 3 or any(_YEAR.search(head) for head in (up, along)):
        return None
    points = tuple((alongs[row], ups[row]) for row in rows_of_both)
    told = tuple(names.get(row, "") for row in rows_of_both)
    series = PlotSeries(0, points, told=told, line=False)
    return ValuePlot(f"{up} over {along}", plot(title, Axis(along), Axis(up), [series]))


def _body(table: Table) -> list[Cell]:
    return [cell for cell in table.cells if cell.row >= table.header_rows]
