"""What the cells of a table stand for: headers resolved for rows and columns, and the table as text."""

from __future__ import annotations

from collections.abc import Mapping

from pincite.types import Box, Cell, Node, Table

Cells = Mapping[tuple[int, int], Cell]
"""Every grid position that a cell covers, by (row, column)."""

STEP = " > "
"""Parts a section of a table from what stands under it."""
CENTRED = 20.0
"""A section that begins this many points right of what follows is a title in the middle of the table."""
INDENT = 1.5
"""A label that begins at least this many points further right stands under the one above it."""


def spot(node: Node, cell: Cell) -> tuple[int, Box | None]:
    """The page and box at which a cell of a node's table stands."""
    return cell.page or (node.table.page if node.table else 0) or node.anchor.page, cell.box


def row_header(table: Table, row: int) -> str:
    """The label of a row with the sections above it: "Assets > Current assets > Cash"; "" for a row without a label.

    A section is a row with nothing but a label; it holds for the rows below that are indented more, or, where nothing is
    indented, up to the next section.
    """
    return _row_header(table, row, _positions(table))


def column_header(table: Table, column: int) -> str:
    """The headers over a column from top to bottom, those that span several columns included: "Year ended May 31, 2018"."""
    return _column_header(table, column, _positions(table))


def body(table: Table) -> list[tuple[int, str, tuple[tuple[str, Cell | None], ...]]]:
    """The rows of the body that hold more than a label: the number, the label with its sections, (header, cell) by column.

    A cell that is merged over several rows is that of each; one that a merged cell to its left covers is None.
    """
    cells = _positions(table)
    columns = range(table.header_columns, _width(table))
    headers = [_column_header(table, column, cells) for column in columns]
    made = []
    for row in range(table.header_rows, _height(table)):
        held = [cell if (cell := cells.get((row, column))) and cell.column == column else None for column in columns]
        if any(cell is not None and cell.text.strip() for cell in held):
            made.append((row, _row_header(table, row, cells), tuple(zip(headers, held, strict=True))))
    return made


def markdown(table: Table) -> str:
    """The table in Markdown: one line of resolved column headers, then a line for each row of the body."""
    cells = _positions(table)
    count = _width(table)
    lines = [[_column_header(table, column, cells) for column in range(count)], ["---"] * count]
    for row in range(table.header_rows, _height(table)):
        lines.append([_own(cells, row, column) for column in range(count)])
    return "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines)


def linear(table: Table) -> str:
    """The table as sentences for an index: a line for each row, "Row header: column header = value; ..."."""
    cells = _positions(table)
    headers = [_column_header(table, column, cells) for column in range(_width(table))]
    labels = {row: _row_header(table, row, cells) for row in range(table.header_rows, _height(table))}
    sections = {
        part for row, label in labels.items() if not _is_section(table, row, cells) for part in label.split(STEP)
    }
    lines = []
    for row, label in labels.items():
        values = [
            f"{headers[column]} = {text}" if headers[column] else text
            for column in range(table.header_columns, len(headers))
            if (text := _own(cells, row, column))
        ]
        if values:
            lines.append(f"{label}: {'; '.join(values)}" if label else "; ".join(values))
        elif label and label.split(STEP)[-1].rstrip(": ") not in sections:  # a section comes with the rows under it
            lines.append(label)
    return "\n".join(lines)


def _positions(table: Table) -> Cells:
    return {
        (row, column): cell
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }


def _height(table: Table) -> int:
    return max((cell.row + cell.row_span for cell in table.cells), default=0)


def _width(table: Table) -> int:
    return max((cell.column + cell.column_span for cell in table.cells), default=0)


def _own(cells: Cells, row: int, column: int) -> str:
    """The text of the cell that begins at this position, "" where none does."""
    cell = cells.get((row, column))
    return cell.text if cell is not None and (cell.row, cell.column) == (row, column) else ""


def _column_header(table: Table, column: int, cells: Cells) -> str:
    parts: list[str] = []
    for row in range(table.header_rows):
        cell = cells.get((row, column))
        if cell is not None and cell.text and (not parts or parts[-1] != cell.text):
            parts.append(cell.text)
    return " ".join(parts)


def _row_header(table: Table, row: int, cells: Cells) -> str:
    label = _label(table, row, cells)
    if not label:
        return ""
    path = [label]
    edge = inner = _edge(
        row, cells
    )  # where the last part of the path begins; the leftmost row since the section in question
    level = False
    for above in range(row - 1, table.header_rows - 1, -1):
        start = _edge(above, cells)
        if not _is_section(table, above, cells):
            inner = min(inner, start)
            continue
        first = _edge(above + 1, cells)
        centred = start > first + CENTRED and start > inner + CENTRED
        nested = start + INDENT < inner
        flat = not level and abs(start - edge) <= INDENT and abs(first - start) <= INDENT
        if centred or nested or flat:
            path.append(_label(table, above, cells).rstrip(": "))
            edge, level = (edge, level) if centred else (start, flat)
        inner = min(inner, start)
        if centred:
            break
    return STEP.join(reversed(path))


def _label(table: Table, row: int, cells: Cells) -> str:
    parts: list[str] = []
    for column in range(table.header_columns):
        cell = cells.get((row, column))
        if cell is None and column + 1 < table.header_columns:
            cell = next(
                (found for at in range(row - 1, table.header_rows - 1, -1) if (found := cells.get((at, column)))), None
            )
        if cell is not None and cell.text and (not parts or parts[-1] != cell.text):
            parts.append(cell.text)
    return STEP.join(parts)


def _edge(row: int, cells: Cells) -> float:
    cell = cells.get((row, 0))
    return cell.box[0] if cell is not None and cell.box else 0.0


def _is_section(table: Table, row: int, cells: Cells) -> bool:
    """Whether a row of the body holds a label and nothing else."""
    if row < table.header_rows or (row, 0) not in cells:
        return False
    first = cells[row, 0]
    beyond = (cells.get((row, column)) for column in range(table.header_columns, _width(table)))
    return all(cell is None or cell is first for cell in beyond)
