"""Whether a spreadsheet is a table of records, as databases have them, or a report to be read."""

from __future__ import annotations

from pathlib import Path

from pincite.errors import SourceError
from pincite.ingest.parse import format_of, pages_of
from pincite.ingest.raw_page import Page


def is_relation(path: Path, password: str | None = None) -> bool:
    """Whether every sheet of a workbook or CSV file is one table from its first cell on, under a single row of headers.

    Titles, notes, merged headers and several tables on a sheet make it a report. One that is too large to be read as a
    document counts as a relation.
    """
    try:
        pages = pages_of(path, format_of(path), password)
    except SourceError:
        return True
    return all(map(_is_one_table, pages))


def _is_one_table(page: Page) -> bool:
    tables = [block for block in page.blocks if block.table is not None]
    others = [
        block for block in page.blocks if block.table is None and block.kind != "heading" and "!" not in block.path
    ]
    if not tables:
        return not others
    first = tables[0]
    assert first.table is not None
    from_start = first.path.rpartition("!")[2].removeprefix("cells ").startswith("A1:")
    pieces = all(block.path.partition(",")[0].split(":")[0] == first.path.split(":")[0] for block in tables)
    plain = (
        first.table.header_rows == 1
        and not first.table.caption
        and all(cell.row_span == cell.column_span == 1 for cell in first.table.cells)
    )
    return not others and from_start and pieces and plain
