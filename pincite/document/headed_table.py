"""A table of a document under one line of headings, as a table of a database is: its rows and which of them they are."""

from __future__ import annotations

from pincite.document.table import grid
from pincite.document.table_headers import column_header
from pincite.types import Node


def headed_table(node: Node) -> list[list[str]]:
    """The cells of a table under one line of headings, spans repeated; stacked headings are joined.

    A column of row headers without a heading is called "item", any other "column 2" and so on.
    """
    table = node.table
    if table is None or not table.cells:
        return []
    held = grid(table)
    rows = []
    for row in range(held.height):
        rows.append([" ".join(held.text(row, column).split()) for column in range(held.width)])
    named = []
    for at in range(held.width):
        unnamed = "item" if at < max(1, table.header_columns) else f"column {at + 1}"
        named.append(" ".join(column_header(table, at).split()) or unnamed)
    return [named, *rows[table.header_rows :]]


def body_rows(node: Node) -> list[int]:
    """The rows of a table's grid in the order of their numbers, from 1, among those of the body that hold anything."""
    first = node.table.header_rows if node.table is not None else 0
    return [first + at for at, row in enumerate(headed_table(node)[1:]) if any(row)]
