"""Marks of footnotes that stand level behind a value or label, "1,234 (1)" or "Revenue a)": no part of it.

Raised marks are told from their size and place (`layout/raised_marks.py`); these only from the note below,
which begins with the same mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.ingest.layout.raised_marks import marks_of
from pincite.ingest.tables.chunks import Line
from pincite.types import Cell, Table

_BEHIND = re.compile(
    r"^(?P<body>.*\w[%):]?)(?P<gap>\s*+)(?P<mark>\((?:\d{1,2}|[a-z])\)|(?<=\s)(?:\d{1,2}|[a-z])\)|[*\u2020\u2021\u00a7]{1,3}|\^(?:\d{1,2}|[a-z]))",
    re.DOTALL,
)
_NOTE = re.compile(
    r"(?P<mark>[\[(]?(?:\d{1,2}|[a-z])[\])]|\d{1,2}|[a-z]|[*\u2020\u2021\u00a7]{1,3})[.:]?\s+\S"
)
_COUNTED = re.compile(
    r"[-+\u2212]?[\d.,]++%?\s*+\(\d{1,2}\)"
)  # a number with another in brackets behind it
_ENDS = ")*\u2020\u2021\u00a7"


def may_be_marked(table: Table) -> bool:
    """Whether a cell of a table ends as one with a mark does."""
    return any(cell.text[-1:] in _ENDS or cell.text[-2:-1] == "^" for cell in table.cells)


def without_marks(table: Table, below: Sequence[Line]) -> Table:
    """The table with the marks of the notes that `below` begin taken off its cells; a count in brackets is none."""
    texts = [" ".join(word.text for word in line.words) for line in below]
    notes = {found["mark"] for found in map(_NOTE.match, texts) if found}
    if not notes:
        return table
    rows = (cell for cell in table.cells if cell.row >= table.header_rows)
    values = [cell.text for cell in rows if cell.column >= table.header_columns]
    counts = 2 * sum(bool(_COUNTED.fullmatch(text)) for text in values) > len(values)
    return replace(table, cells=tuple(_take_marks(cell, notes, counts) for cell in table.cells))


def _take_marks(cell: Cell, notes: set[str], counts: bool) -> Cell:
    text, marks = cell.text, cell.marks
    counted = counts and _COUNTED.fullmatch(text)
    while not counted and (found := _BEHIND.fullmatch(text)):
        mark, raised = found["mark"], found["mark"][0] == "^"
        if mark.lstrip("^") not in notes and not (raised and f"({mark[1:]})" in notes):
            break
        text, marks = found["body"].rstrip(), (*marks_of(mark), *marks)
    return replace(cell, text=text, marks=marks)
