"""Expenses and payments that a statement prints in parentheses, since it deducts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from pincite.document.cell_text import is_number
from pincite.document.derived import kept
from pincite.document.labelled_cells import Labelled, Labels
from pincite.quantity.units import is_counted
from pincite.text.lexicon import data_table
from pincite.text.words import stems
from pincite.types import Quantity

_ABBREVIATED = re.compile(r"\([A-Z&]{2,8}\)")
"""What a label is called in short: "property, plant and equipment (PP&E)"."""
LEAST = 2
"""The least number of a table's expenses that shows how it prints them."""
MOST = 0.8
"""The least share of a column's expenses that stands in parentheses where the column deducts them."""


def is_deducted(labels: Labels, cell: Labelled) -> bool:
    """Whether a cell's parentheses only say that its column deducts expenses and payments, of which it is one.

    The column may do so in one section only: a statement of cash flows adds depreciation and deducts what was invested.
    """
    if not (_is_in_parentheses(cell.text) and _is_spent(cell.label)):
        return False
    return not {(cell.column, None), (cell.column, cell.sections)}.isdisjoint(_deducting(labels))


def as_spent(said: Quantity, there: Quantity) -> Quantity:
    """What is said of a cell, without the sign of its parentheses where these only say that it is deducted."""
    deducted = said.value < 0 < there.value and _is_in_parentheses(there.text)
    return replace(said, value=-said.value) if deducted else said


def as_counted(there: Quantity, label: str) -> Quantity:
    """Things of a row that are printed in parentheses, because a total goes down by them, as the number of them."""
    counted = there.value < 0 and is_counted(there.unit) and _is_in_parentheses(there.text)
    either_way = not (_words()[1] | _changing()).isdisjoint(stems(label))
    return replace(there, value=-there.value) if counted and not either_way else there


def are_in_parentheses(quantities: Iterable[Quantity]) -> bool:
    """Whether all of them are printed in parentheses: losses, or amounts that a statement deducts, which a page need not tell.

    Those that were already read as deducted stand there too.
    """
    return all(_is_in_parentheses(each.text) for each in quantities)


def _is_in_parentheses(text: str) -> bool:
    """Whether nothing but signs and currencies stands around the parentheses of a number."""
    before, opened, rest = text.partition("(")
    inside, closed, after = rest.rpartition(")")
    return bool(opened and closed and inside) and not any(map(str.isalnum, before + after))


def _is_spent(label: str) -> bool:
    """Whether a row is of expenses or payments alone."""
    spent, either_way = _words()
    label = _ABBREVIATED.sub("", label)
    own = set(stems(label))
    return bool(own & spent) and not own & either_way and not set("(/") & set(label)


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], frozenset[str]]:
    """Stems of words of expenses and payments, and of words that may stand on either side of a statement."""
    given = data_table("deducted")
    return frozenset(stems(given["spent"])), frozenset(stems(given["either_way"]))


@kept
def _deducting(labels: Labels) -> frozenset[tuple[int, tuple[str, ...] | None]]:
    """The columns that print expenses and payments in parentheses, in all sections (None) or in one."""
    numbers = [cell for cell in labels.cells if is_number(cell.text)]
    spent = [cell for cell in numbers if _is_spent(cell.label)]
    marks: dict[tuple[int, tuple[str, ...] | None], list[bool]] = {}
    for cell in spent:
        bracketed = _is_in_parentheses(cell.text)
        marks.setdefault((cell.column, None), []).append(bracketed)
        if cell.sections:
            marks.setdefault((cell.column, cell.sections), []).append(bracketed)
    shown = Counter((cell.column, cell.sections) for cell in numbers if _is_received(cell))
    return frozenset(
        (column, section)
        for (column, section), own in marks.items()
        if (len(spent) if section is None else len(own) + shown[column, section]) >= LEAST
        and sum(own) >= MOST * len(own)
    )


def _is_received(cell: Labelled) -> bool:
    """Whether a cell is of receipts and without parentheses: what its section prints in them is then spent."""
    own = set(stems(cell.label))
    return bool(own & _received()) and not _is_in_parentheses(cell.text)


@lru_cache(maxsize=1)
def _changing() -> frozenset[str]:
    return frozenset(stems(data_table("deducted")["changing"]))


@lru_cache(maxsize=1)
def _received() -> frozenset[str]:
    return frozenset(stems(data_table("deducted")["received"]))
