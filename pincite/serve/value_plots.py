"""Plots of numbers that come back for several years, firms or rows: from a grid, a table or a list.

A page shows the values of a plot as a table, each with a link to where it was read; a script draws them from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from operator import attrgetter
from typing import Literal
from urllib.parse import quote

from pincite.document.table_headers import column_header
from pincite.quantity import parse
from pincite.types import Answer, Quantity, Table
from pincite.workbench.grid import Filled, Grid

MOST = 6  # plots of a grid
LINES = 8  # lines of a plot: more cannot be told apart
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
    drawn = (_question_plots(grid.id, *asked_for, cells) for asked_for, cells in asked.items())
    return list(chain.from_iterable(drawn))[:MOST]


def answer_plots(answer: Answer, identity: str) -> list[ValuePlot]:
    """A plot of the answer of this id if it is a table with numbers, or numbers of several times."""
    value = answer.value
    if isinstance(value, Table):
        return _table_plots(answer, identity, value)
    if isinstance(value, tuple):
        found = [item for item in value if isinstance(item, Quantity) and item.period]
        unit, numbers = _scaled(found)
        points = [
            PlotPoint(item.period, number, address=_claim_address(answer, identity, item))
            for item, number in zip(found, numbers, strict=True)
            if number is not None
        ]
        return _bars(answer.query.text, unit, points)
    return []


def _question_plots(
    grid: str, name: str, unit: str, cells: Sequence[tuple[str, Filled]]
) -> list[ValuePlot]:
    """One question of a grid: its cells with the period that each is asked of."""
    found = [
        (period, cell, cell.value) for period, cell in cells if isinstance(cell.value, Quantity)
    ]
    said, numbers = _scaled([value for _, _, value in found])
    periods = {period for period, _ in cells}
    points = [
        PlotPoint(cell.row, number, _year(cell.period or period), _cell_address(grid, cell))
        for (period, cell, _), number in zip(found, numbers, strict=True)
        if number is not None
    ]
    if len(periods) == 1:
        return _bars(name, said or unit, points)
    return _over_years(name, said or unit, points)


def _year(period: str) -> Decimal | None:
    year = _YEAR.search(period)
    return Decimal(year[0]) if year else None


def _over_years(title: str, unit: str, points: Sequence[PlotPoint]) -> list[ValuePlot]:
    if any(point.over is None for point in points) or len({point.over for point in points}) < 2:
        return []
    kept = list(dict.fromkeys(point.name for point in points))[:LINES]
    shown = [point for point in points if point.name in kept]
    shown.sort(key=lambda point: (kept.index(point.name), point.over))
    return [ValuePlot(f"{title}, {unit}" if unit else title, "line", unit, shown, "year")]


def _bars(title: str, unit: str, points: Sequence[PlotPoint]) -> list[ValuePlot]:
    shown = [replace(point, over=None) for point in points[:BARS]]
    return [ValuePlot(title, "bar", unit, shown)] if len(shown) > 1 else []


def _scaled(values: Sequence[Quantity]) -> tuple[str, list[Decimal | None]]:
    """The unit of the most of some numbers, in words, and each number in it; None for those of other units."""
    units = [value.unit for value in values]
    unit = max(units, key=units.count, default="")
    scale = max((value.scale for value in values if value.unit == unit), default=Decimal(1))
    words = {10**3: "thousand", 10**6: "million", 10**9: "billion"}.get(int(scale), "")
    by = scale if words else 1
    numbers = [value.value * value.scale / by if value.unit == unit else None for value in values]
    return f"{words} {unit}".strip(), numbers


def _cell_address(grid: str, cell: Filled) -> str:
    if not cell.answer_id:
        return ""
    return f"/answers/{cell.answer_id}?topic={quote(cell.topic)}&grid={quote(grid, safe='')}"


def _citation_address(identity: str, label: str) -> str:
    return f"/answers/{identity}?cite={quote(label, safe='')}#proof" if label else ""


def _claim_address(answer: Answer, identity: str, value: Quantity) -> str:
    """Where a value of a list was read."""
    labels = (
        claim.citations[0] for claim in answer.claims if claim.value == value and claim.citations
    )
    return _citation_address(identity, next(labels, ""))


def _row_address(answer: Answer, identity: str, name: str) -> str:
    """Where the row of this name was read."""
    for citation in answer.citations:
        cells = citation.quote.split(" | ")
        # a quote of running text is one piece, which holds the name among other words
        if name and (name in cells or len(cells) == 1 and name in citation.quote):
            return _citation_address(identity, citation.label)
    return ""


def _table_plots(answer: Answer, identity: str, table: Table) -> list[ValuePlot]:
    """The first column of numbers of a table under the names of its rows; before it the first two against each other."""
    names, columns = _names_and_numbers(table)
    read = {row: _row_address(answer, identity, texts[0]) for row, texts in names.items()}
    if not columns:
        return []
    head, numbers = columns[0]
    points = [
        PlotPoint(", ".join(names[row]), number, address=read[row])
        for row, number in numbers.items()
        if row in names
    ]
    return [*_against(names, read, columns), *_bars(head or answer.query.text, head, points)]


def _names_and_numbers(
    table: Table,
) -> tuple[dict[int, list[str]], list[tuple[str, dict[int, Decimal]]]]:
    """What the rows of a table are called, by the columns in front of their first number; and the columns that hold numbers
    alone: heading, and number by row.
    """
    names: dict[int, list[str]] = {}
    found: dict[int, dict[int, Decimal]] = {}
    numbered, words = set[int](), set(range(table.header_columns))
    body = (cell for cell in table.cells if cell.row >= table.header_rows)
    for cell in sorted(body, key=attrgetter("row", "column")):
        number = parse(cell.text)
        if number is not None:
            found.setdefault(cell.column, {})[cell.row] = number.value * number.scale
        elif cell.text:
            words.add(cell.column)
        if number is not None and cell.column >= table.header_columns:
            numbered.add(cell.row)
        elif cell.text and cell.row not in numbered:
            names.setdefault(cell.row, []).append(cell.text)
    columns = sorted(found.keys() - words)
    return names, [(column_header(table, column), found[column]) for column in columns]


def _against(
    names: Mapping[int, Sequence[str]],
    read: Mapping[int, str],
    columns: Sequence[tuple[str, dict[int, Decimal]]],
) -> list[ValuePlot]:
    """The first column of numbers over the second; none of columns of years, or where too few rows have both."""
    if len(columns) < 2:
        return []
    (up, ups), (along, alongs) = columns[:2]
    rows_of_both = sorted((row for row in ups if row in alongs), key=lambda row: alongs[row])
    if len(rows_of_both) < 3 or any(_YEAR.search(head) for head in (up, along)):
        return []
    points = [
        PlotPoint(", ".join(names.get(row, ())), ups[row], alongs[row], read.get(row, ""))
        for row in rows_of_both
    ]
    return [ValuePlot(f"{up} over {along}", "scatter", up, points, along)]
