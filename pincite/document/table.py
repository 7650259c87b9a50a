"""What the cells of a table stand for: the positions they cover, headers resolved for rows and columns, the table as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pincite.derived import kept
from pincite.types import Box, Cell, Node, Table

STEP = " > "
"""Parts a section of a table from what stands under it."""
CENTRED = 20.0
"""A section that begins this many points right of what follows is a title in the middle of the table."""
INDENT = 1.5
"""A label that begins at least this many points further right stands under the one above it."""


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


def column_header(table: Table, column: int) -> str:
    """The headers over a column from top to bottom, those that span several columns included: "Year ended May 31, 2018"."""
    held = grid(table)
    return " ".join(_without_repeats(held.text(row, column) for row in range(table.header_rows)))


def row_header(table: Table, row: int) -> str:
    """The label of a row with the sections above it: "Assets > Current assets > Cash"; "" for a row without a label."""
    label = _label(table, row)
    if not label:
        return ""
    above = [_label(table, section).rstrip(": ") for section in sections(table, row)]
    return STEP.join((*reversed(above), label))


def sections(table: Table, row: int) -> list[int]:
    """The rows of the sections that a row stands under, innermost first.

    A section is a row with nothing but a label; it holds for the rows below that are indented more, or, where nothing is
    indented, up to the next section.
    """
    held = []
    # where the last part of the path begins, and the leftmost row since the section in question
    edge = inner = _edge(table, row)
    level = False
    for above in range(row - 1, table.header_rows - 1, -1):
        start = _edge(table, above)
        if not _is_section(table, above):
            inner = min(inner, start)
            continue
        first = _edge(table, above + 1)
        centred = start > first + CENTRED and start > inner + CENTRED
        flat = not level and abs(start - edge) <= INDENT and abs(first - start) <= INDENT
        if centred or flat or start + INDENT < inner:
            held.append(above)
            edge, level = start, flat
        if centred:
            break
        inner = min(inner, start)
    return held


def body(table: Table) -> list[tuple[int, str, tuple[tuple[str, Cell | None], ...]]]:
    """The rows of the body that hold more than a label: the number, the label with its sections, (header, cell) by column.

    A cell that is merged over several rows is that of each; one that a merged cell to its left covers is None.
    """
    held = grid(table)
    headers = {
        column: column_header(table, column) for column in range(table.header_columns, held.width)
    }
    made = []
    for row in range(table.header_rows, held.height):
        cells = []
        for column, header in headers.items():
            cell = held.cells.get((row, column))
            cells.append((header, cell if cell is not None and cell.column == column else None))
        if any(cell is not None and cell.text.strip() for _, cell in cells):
            made.append((row, row_header(table, row), tuple(cells)))
    return made


def markdown(table: Table) -> str:
    """The table in Markdown: one line of resolved column headers, then a line for each row of the body."""
    held = grid(table)
    columns = range(held.width)
    lines = [[column_header(table, column) for column in columns], ["---"] * held.width]
    for row in range(table.header_rows, held.height):
        lines.append([held.own(row, column) for column in columns])
    return "\n".join(_markdown_line(map(_escaped, line)) for line in lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _markdown_line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(texts)} |"


def linear(table: Table) -> str:
    """A table in words, row by row: each cell of the body after its row header and its column headers."""
    held = grid(table)
    tops = {
        column: joined(held.text(row, column) for row in range(table.header_rows))
        for column in range(table.header_columns, held.width)
    }
    lines = [table.caption] if table.caption else []
    for row in range(table.header_rows, held.height):
        side = joined(held.text(row, column) for column in range(table.header_columns))
        values = []
        for column, top in tops.items():
            text = held.text(row, column)
            if text.strip():
                values.append(f"{top}: {text}" if top else text)
        lines.append(f"{side}, {'; '.join(values)}".strip(", "))
    return "\n".join(lines)


def joined(texts: Iterable[str]) -> str:
    """Texts one after another, each once, blank ones left out."""
    return " ".join(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _without_repeats(texts: Iterable[str]) -> list[str]:
    """Texts that say something, one that repeats the text before it left out."""
    parts: list[str] = []
    for text in texts:
        if text and (not parts or parts[-1] != text):
            parts.append(text)
    return parts


def _label(table: Table, row: int) -> str:
    """The row headers of a row from left to right; one that is missing left of another is that of the row above."""
    held = grid(table)
    parts: list[str] = []
    for column in range(table.header_columns):
        cell = held.cells.get((row, column))
        if cell is None and column + 1 < table.header_columns:
            above = (
                held.cells.get((at, column)) for at in range(row - 1, table.header_rows - 1, -1)
            )
            cell = next(filter(None, above), None)
        if cell is not None:
            parts.append(cell.text)
    return STEP.join(_without_repeats(parts))


def _edge(table: Table, row: int) -> float:
    cell = grid(table).cells.get((row, 0))
    return cell.box[0] if cell is not None and cell.box else 0.0


def _is_section(table: Table, row: int) -> bool:
    """Whether a row of the body holds a label and nothing else."""
    held = grid(table)
    first = held.cells.get((row, 0))
    if row < table.header_rows or first is None:
        return False
    beyond = (held.cells.get((row, column)) for column in range(table.header_columns, held.width))
    return all(cell is None or cell is first for cell in beyond)
