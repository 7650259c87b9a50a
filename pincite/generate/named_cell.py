"""The cell that a reply names by its row and its column: a small model names these better than it copies a handle or a number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.document.table_headers import column_header, row_header
from pincite.document.words import tokens
from pincite.generate.source_places import CitedHandles

if TYPE_CHECKING:
    from pincite.generate.shown_pages import ShownPieces

_NAMED = re.compile(r"row (?P<row>.+?), column (?P<column>[^,;]+)", re.IGNORECASE)
"""The whole of what the short form's worked examples teach to say; a longer analysis may speak of other cells as well."""


def named_cell(reply: str, shown: ShownPieces) -> CitedHandles | None:
    """The one cell of the tables shown in the row and the column that a reply names; None for none, and for several."""
    named = _NAMED.fullmatch(reply.strip())
    if named is None:
        return None
    row, column = tokens(named["row"]), tokens(named["column"])
    found = [
        CitedHandles(0, shown.handle(number, cell.row, cell.column), cell.text)
        for number, passage in shown.tables.items()
        if (table := passage.node.table) is not None
        for cell in table.cells
        if cell.row >= table.header_rows
        and cell.column >= table.header_columns
        and _ends_with(row_header(table, cell.row), row)
        and _ends_with(column_header(table, cell.column), column)
    ]
    return found[0] if len(found) == 1 else None


def _ends_with(header: str, named: list[str]) -> bool:
    """Whether a header is what is named, with or without what stands above it."""
    return bool(named) and tokens(header)[-len(named) :] == named
