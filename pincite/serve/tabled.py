"""A table as rows of cells that HTML and CSV can be written from."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pincite.types import Cell, Table

_FORMULA = ("=", "+", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: whether it heads its row or column, and whether it is cited."""

    text: str
    row: int
    column: int
    row_span: int
    column_span: int
    heads: str
    cited: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `more` rows are left out."""

    rows: Sequence[Sequence[GridCell]]
    caption: str
    scale: str
    unit: str
    more: int = 0


def grid_of(table: Table, cited: Collection[tuple[int, int]] = (), most: int = 10**9) -> Grid:
    """The rows of a table, cited cells marked; of more than `most` the first and those around what is cited."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    order = sorted(by_row)
    near = {row + step for row, _ in cited for step in range(-10, 11)}
    first = set(order[:most])
    kept = [row for row in order if row in first or row in near]
    gaps = _gaps(by_row)
    rows = [
        [
            GridCell(
                cell.text, cell.row, cell.column, cell.row_span, cell.column_span,
                "col" if cell.row < table.header_rows else "row" if cell.column < table.header_columns else "",
                (cell.row, cell.column) in cited,
            )
            for cell in sorted((*by_row[row], *gaps[row]), key=lambda one: one.column)
        ]
        for row in kept
    ]  # fmt: skip
    scale = "" if table.scale == 1 else f"{table.scale:,f}"
    return Grid(rows, table.caption, scale, table.unit, len(order) - len(kept))


def _gaps(by_row: Mapping[int, Sequence[Cell]]) -> Mapping[int, list[Cell]]:
    """Empty cells for the positions of every row that no cell covers."""
    width = max((cell.column + cell.column_span for cells in by_row.values() for cell in cells), default=0)
    covered: dict[int, set[int]] = {row: set() for row in by_row}
    for row, cells in by_row.items():
        for cell in cells:
            for below in range(row, row + cell.row_span):
                if below in covered:
                    covered[below].update(range(cell.column, cell.column + cell.column_span))
    return {
        row: [Cell(row, column, "") for column in range(width) if column not in held] for row, held in covered.items()
    }


def as_csv(table: Table) -> str:
    """A table as CSV, each cell once; before what a spreadsheet would run as a formula stands an apostrophe."""
    width = max((cell.column + 1 for cell in table.cells), default=0)
    grid: dict[int, list[str]] = {}
    for cell in table.cells:
        grid.setdefault(cell.row, [""] * width)[cell.column] = plain_cell(cell.text)
    out = io.StringIO()
    csv.writer(out).writerows(row for _, row in sorted(grid.items()))
    return out.getvalue()


def plain_cell(text: str) -> str:
    """A cell's text that no spreadsheet runs: signs of numbers stay."""
    risky = text.startswith(_FORMULA) or (text.startswith("-") and not text[1:2].isdigit() and len(text) > 1)
    return f"'{text}" if risky and not text[1:].replace(",", "").replace(".", "").isdigit() else text
