"""Which tables hold records: each row is a thing, and several columns say in words what it is.

Other tables are labels over numbers, as statements are.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.document.cell_text import is_blank, is_number
from pincite.document.derived import kept
from pincite.document.table import CellGrid, grid
from pincite.document.table_headers import column_header
from pincite.types import Table

WORDED = 2
"""Columns behind the first that hold words in a table of records; one of labels over numbers has hardly any."""

HEADING = 12
"""Words of the longest heading of a column; what is longer is a title or a sentence, and what is below it is no plain column."""


@kept
def holds_records(table: Table) -> bool:
    """Whether a table is one of records."""
    held = grid(table)
    body, columns = range(table.header_rows, held.height), range(held.width)
    if any(len(column_header(table, at).split()) > HEADING for at in columns):
        return False
    return sum(_is_worded(_texts(held, body, at)) for at in columns[1:]) >= WORDED


def _texts(held: CellGrid, rows: range, column: int) -> list[str]:
    return [held.text(row, column) for row in rows]


def _is_worded(cells: Sequence[str]) -> bool:
    """Whether most cells of a column that hold anything hold words."""
    held = [cell for cell in cells if not is_blank(cell)]
    return 2 * sum(not is_number(cell) for cell in held) > len(held) > 1
