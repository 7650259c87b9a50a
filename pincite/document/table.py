"""The positions that the cells of a table cover."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pincite.document.derived import kept
from pincite.types import Box, Cell, Node, Table


@dataclass(frozen=True, slots=True)
class CellGrid:
    """The cells of a table at every position that they cover, by (row, column); of two that claim one, the later has it."""

    cells: Mapping[tuple[int, int], Cell]
    height: int
    width: int

    def text(self, row: int, column: int) -> str:
        """The text of the cell that covers a position, "" where none does."""
        cell = self.cells.get((row, column))
        return cell.text if cell is not None else ""

    def own(self, row: int, column: int) -> str:
        """The text of the cell that begins at a position, "" where none does."""
        cell = self.cells.get((row, column))
        return cell.text if cell is not None and (cell.row, cell.column) == (row, column) else ""


def covered(cells: Iterable[Cell]) -> dict[tuple[int, int], Cell]:
    """The cell at every (row, column) that cells cover; of two that claim one, the later."""
    held: dict[tuple[int, int], Cell] = {}
    for cell in cells:
        for row in range(cell.row, cell.row + cell.row_span):
            for column in range(cell.column, cell.column + cell.column_span):
                held[row, column] = cell
    return held


@kept
def grid(table: Table) -> CellGrid:
    """The grid of a table."""
    cells = covered(table.cells)
    height = max((row for row, _ in cells), default=-1) + 1
    width = max((column for _, column in cells), default=-1) + 1
    return CellGrid(cells, height, width)


def spot(node: Node, cell: Cell) -> tuple[int, Box | None]:
    """The page and box at which a cell of a node's table stands."""
    return cell.page or (node.table.page if node.table else 0) or node.anchor.page, cell.box
