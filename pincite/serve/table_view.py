"""A table as rows of cells that HTML and CSV can be written from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from pincite.document.table import CellGrid, grid
from pincite.formats.spreadsheet import csv_text
from pincite.types import Cell, Node, Table


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: whether it heads its row or column, whether it is cited, and whether it stands in a column of numbers."""

    text: str
    row: int
    column: int
    row_span: int
    column_span: int
    heads: str
    cited: bool
    number: bool = False


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table; `more` rows are left out. `node` is the id of the table's node, where it has one."""

    rows: Sequence[Sequence[GridCell]]
    caption: str
    scale: str
    unit: str
    more: int = 0
    node: str = ""


AROUND = 10
"""Rows shown on both sides of a cited cell."""
Texts = Sequence[tuple[Node, ShownTable | None]]
"""What stands on a page, in reading order, tables as such."""
_INSIDE = ("page", "row", "section", "document")
"""Kinds of nodes whose text others hold."""


def texts_of(
    nodes: Sequence[Node], most: int, cited: str = "", cells: Collection[tuple[int, int]] = ()
) -> Texts:
    """The texts of nodes, of each table at most `most` rows; `cells` of the table with the id `cited` are marked."""
    return [
        (
            node,
            grid_of(node.table, cells if node.id == cited else (), most, node.id)
            if node.table is not None
            else None,
        )
        for node in nodes
        if node.kind not in _INSIDE
    ]


def grid_of(
    table: Table, cited: Collection[tuple[int, int]] = (), most: int = 10**9, node: str = ""
) -> ShownTable:
    """The rows of a table, cited cells marked; of more than `most` the first and those around what is cited."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    held = grid(table)
    order = sorted(by_row)
    near = {row + step for row, _ in cited for step in range(-AROUND, AROUND + 1)}
    kept = [row for at, row in enumerate(order) if at < most or row in near]
    rows = []
    for row in kept:
        cells = sorted((*by_row[row], *_gaps(held, row)), key=attrgetter("column"))
        rows.append([_shown_cell(table, cell, (cell.row, cell.column) in cited) for cell in cells])
    scale = "" if table.scale == 1 else f"{table.scale:,f}"
    return ShownTable(
        aligned(rows), table.caption, scale, table.unit, len(order) - len(kept), node
    )


def _shown_cell(table: Table, cell: Cell, cited: bool) -> GridCell:
    heads = ""
    if cell.row < table.header_rows:
        heads = "col"
    elif cell.column < table.header_columns:
        heads = "row"
    return GridCell(
        cell.text, cell.row, cell.column, cell.row_span, cell.column_span, heads, cited
    )


_NUMBER = re.compile(r"[(+\-−–]?\s*+[$€£¥]?\s*+[(+\-−–]?\s*+\d[\d.,'’\s]*+[%)]{0,2}")


def aligned(rows: Sequence[Sequence[GridCell]]) -> list[list[GridCell]]:
    """The rows of a grid, the cells of columns that hold numbers, for the most part, marked."""
    numbers, texts = Counter[int](), Counter[int]()
    for cell in (
        cell for row in rows for cell in row if not cell.heads and cell.text.strip(" -–—")
    ):
        (numbers if _NUMBER.fullmatch(cell.text.strip()) else texts)[cell.column] += 1
    right = {column for column, count in numbers.items() if count > texts[column]}

    def marked(cell: GridCell) -> GridCell:
        return replace(
            cell, number=cell.column in right and cell.column_span == 1 and cell.heads != "row"
        )

    return [list(map(marked, row)) for row in rows]


def _gaps(held: CellGrid, row: int) -> list[Cell]:
    """Empty cells for the positions of a row that no cell covers."""
    columns = range(held.width)
    return [Cell(row, column, "") for column in columns if (row, column) not in held.cells]


def as_csv(table: Table) -> str:
    """A table as CSV, each cell once."""
    width = max((cell.column + 1 for cell in table.cells), default=0)
    grid: dict[int, list[str]] = {}
    for cell in table.cells:
        grid.setdefault(cell.row, [""] * width)[cell.column] = cell.text
    return csv_text(row for _, row in sorted(grid.items()))
