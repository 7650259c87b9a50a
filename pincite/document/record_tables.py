"""Which tables hold records: each row is a thing, and several columns say in words what it is.

Other tables are labels over numbers, as statements are.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.derived import kept
from pincite.document.labelled_cells import is_blank, is_number
from pincite.document.table import grid, joined
from pincite.types import Table

WORDED = 2
"""Columns behind the first that hold words in a table of records; one of labels over numbers has hardly any."""

HEADING = 12
"""Words of the longest heading of a column; what is longer is a title or a sentence, and what is below it is no plain column."""


@kept
def holds_records(table: Table) -> bool:
    """Whether a table is one of records."""
    held = grid(table)
    head, body = range(table.header_rows), range(table.header_rows, held.height)
    headings = (joined(held.text(row, column) for row in head) for column in range(held.width))
    if any(len(heading.split()) > HEADING for heading in headings):
        return False
    columns = ([held.text(row, column) for row in body] for column in range(1, held.width))
    return sum(map(_is_worded, columns)) >= WORDED


def _is_worded(cells: Sequence[str]) -> bool:
    """Whether most cells of a column that hold anything hold words."""
    held = [cell for cell in cells if not is_blank(cell)]
    return 2 * sum(not is_number(cell) for cell in held) > len(held) > 1
