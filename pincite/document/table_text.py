"""A table as text: rows with what stands over and beside their cells, Markdown, one line a row."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.document.table import grid
from pincite.document.table_headers import column_header, headers, row_header
from pincite.types import Cell, Table


def body(table: Table) -> list[tuple[int, str, tuple[tuple[str, Cell | None], ...]]]:
    """The rows of values: the number, the label with its sections, (header, cell) by column.

    A cell that is merged over several rows is that of each; one that a merged cell to its left covers is None.
    """
    held = grid(table)
    made = []
    for row, beside in headers(table).rows.items():
        cells = []
        for column in range(table.header_columns, held.width):
            cell = held.cells.get((row, column))
            own = cell if cell is not None and cell.column == column else None
            cells.append((" ".join(beside.columns[column]), own))
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
    """A table in words, row by row: each value after its row header, the sections above it and its column headers; a row
    that is nothing but a label, and no section of another, as it is.
    """
    lines = [table.caption] if table.caption else []
    made = headers(table)
    rows = {row: (label, cells) for row, label, cells in body(table)}
    sections = {section for beside in made.rows.values() for section in beside.sections}
    for row, own in made.labels.items():
        if row in sections:
            continue
        label, cells = rows.get(row, (" ".join(own), ()))
        values = []
        for header, cell in cells:
            text = cell.text.strip() if cell is not None else ""
            if text:
                values.append(f"{header}: {text}" if header else text)
        lines.append(f"{label}, {'; '.join(values)}".strip(", "))
    return "\n".join(lines)
