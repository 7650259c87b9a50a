"""How the cells of several operands lie: in one row or column, askew, or each in a row that the question names."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.document.labelled_cells import Labelled, timeless
from pincite.document.words import words
from pincite.evidence.cell_terms import row_terms
from pincite.evidence.cited_place import CitedPlace
from pincite.question.ask import Ask


def are_askew(cells: Sequence[CitedPlace]) -> bool:
    """Whether two operands share neither row nor column: the row of one may be that of both."""
    at = [place.cell for place in cells if place.cell is not None]
    return len(at) == 2 and at[0].row != at[1].row and at[0].column != at[1].column


def gathered(cells: Sequence[CitedPlace], ask: Ask) -> bool:
    """Whether several rows of one column are operands, none of which the question names: it means all of them."""
    at = [place.cell for place in cells if place.cell is not None]
    rows, columns = {cell.row for cell in at}, {cell.column for cell in at}
    return len(rows) > 1 and len(columns) == 1 and len(ask.operands) < 2


def are_of_one(cells: Sequence[Labelled]) -> bool:
    """Whether cells stand in one row or one column, or are one series over time."""
    rows, columns = {cell.row for cell in cells}, {cell.column for cell in cells}
    return len(rows) == 1 or len(columns) == 1 or len(set(map(timeless, cells))) == 1


def each_named(cells: Sequence[Labelled], ask: Ask) -> bool:
    """Whether every cell's row shares a word with an operand that the question names."""
    operands = [frozenset(words(phrase)) for phrase in ask.operands]
    return len(operands) > 1 and all(_is_named(cell, operands) for cell in cells)


def _is_named(cell: Labelled, operands: Sequence[frozenset[str]]) -> bool:
    """Whether a cell's row shares a word with one of the operands."""
    terms = row_terms(cell)
    return any(terms & operand for operand in operands)
