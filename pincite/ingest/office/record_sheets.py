"""Whether a spreadsheet is a table of records, as databases have them, or a report to be read."""

from __future__ import annotations

from pathlib import Path

from pincite.errors import SourceError
from pincite.ingest.document_parser import format_of, pages_of
from pincite.ingest.raw_page import Page


def is_relation(path: Path) -> bool:
    """Whether every sheet of a workbook or CSV file is one table from its first cell on, under a single row of headers.

    Titles, notes, merged headers and several tables on a sheet make it a report. One that is too large to be read as a
    document counts as a relation.
    """
    try:
        pages = pages_of(path, format_of(path), None)
    except SourceError:
        return True
    return all(map(_is_one_table, pages))


def _is_one_table(page: Page) -> bool:
    tables = [(block.path, block.table) for block in page.blocks if block.table is not None]
    others = [block for block in page.blocks if block.table is None and block.kind != "heading"]
    if any("!" not in block.path for block in others):
        return False
    if not tables:
        return True
    path, first = tables[0]
    # a long one comes in pieces, each under the first row
    starts = {path.partition(":")[0] for path, _ in tables}
    from_first_cell = path.rpartition("!")[2].removeprefix("cells ").startswith("A1:")
    merged = any(cell.row_span > 1 or cell.column_span > 1 for cell in first.cells)
    plain = first.header_rows == 1 and not first.caption and not merged
    return len(starts) == 1 and from_first_cell and plain
