"""Expenses and payments that a statement prints in parentheses, since it deducts them."""

from __future__ import annotations

import re
from dataclasses import replace

from pincite.answer.labels import Labelled, Labels, is_number
from pincite.kept import kept
from pincite.types import Quantity

LEAST = 2
"""So many expenses of a column at least show how it prints them,"""
MOST = 0.8
"""and so large a share of them is in parentheses where it deducts."""
_SPENT = re.compile(
    r"\b(?:expenses?|costs?|charges?|depreciation|amorti[sz]ation|payments?|paid|purchases?|repayments?|repurchases?|outflows?|"
    r"expenditures?|acquisitions?)\b",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(
    r"\b(?:benefits?|credits?|gains?|refunds?|recover\w*|reversals?|received|receipts?|proceeds|net|less|before|after|"
    r"changes?|increases?|decreases?|differences?)\b|/|\(",
    re.IGNORECASE,
)
"""A row that these words are of may stand on either side, and so its sign says something."""
_NEGATIVE = re.compile(r"^[^\w(]*\(.*\)\W*$")


def is_deducted(labels: Labels, cell: Labelled) -> bool:
    """Whether a cell's parentheses only say that its column deducts expenses and payments, of which it is one."""
    return _is_spent(cell) and bool(_NEGATIVE.match(cell.text)) and cell.column in _deducting(labels)


def as_spent(said: Quantity, there: Quantity) -> Quantity:
    """What is said of a cell, without the sign of its parentheses where these only say that it is deducted."""
    deducted = there.value > 0 and bool(_NEGATIVE.match(there.text))
    return replace(said, value=-said.value) if deducted and said.value < 0 else said


def _is_spent(cell: Labelled) -> bool:
    return bool(_SPENT.search(cell.label)) and not _EITHER_WAY.search(cell.label)


@kept
def _deducting(labels: Labels) -> frozenset[int]:
    """The columns that print expenses and payments in parentheses."""
    spent = [cell for cell in labels.cells if _is_spent(cell) and is_number(cell.text)]
    found = set()
    for column in {cell.column for cell in spent}:
        marks = [bool(_NEGATIVE.match(cell.text)) for cell in spent if cell.column == column]
        if len(marks) >= LEAST and sum(marks) >= MOST * len(marks):
            found.add(column)
    return frozenset(found)
