"""How well found tables agree with given ones: precision, recall and F1 over neighbouring cells.

The measure of the ICDAR 2013 table competition (Göbel et al. 2013): a table is the multiset of its relations between
each non-blank cell and its nearest non-blank neighbours to the right and below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.types import Cell, Table

Relation = tuple[str, str, str]
"""The texts of two neighbours and the direction from the first to the second, "right" or "down"."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts of relations: found in both, found, wanted."""

    matched: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        """The share of found relations that are wanted; 0 when none are found."""
        return self.matched / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of wanted relations that are found; 0 when none are wanted."""
        return self.matched / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.matched / (self.found + self.wanted) if self.found + self.wanted else 0.0

    def __add__(self, other: Agreement) -> Agreement:
        return Agreement(
            self.matched + other.matched, self.found + other.found, self.wanted + other.wanted
        )


def agreement(found: Iterable[Table], wanted: Iterable[Table]) -> Agreement:
    """How the tables found anywhere in a file agree with those wanted (one for each region of a table)."""
    ours, theirs = relations(found), relations(wanted)
    return Agreement((ours & theirs).total(), ours.total(), theirs.total())


def relations(tables: Iterable[Table]) -> Counter[Relation]:
    """The neighbour relations of some tables, as one multiset."""
    counted: Counter[Relation] = Counter()
    for table in tables:
        cells = [cell for cell in table.cells if cell.text.strip()]
        for cell in cells:
            beside = [
                c
                for c in cells
                if c.column >= cell.column + cell.column_span and _share_row(c, cell)
            ]
            below = [
                c for c in cells if c.row >= cell.row + cell.row_span and _share_column(c, cell)
            ]
            counted.update(
                (_key(cell), _key(other), "right") for other in _nearest(beside, "column")
            )
            counted.update((_key(cell), _key(other), "down") for other in _nearest(below, "row"))
    return counted


def _nearest(cells: Sequence[Cell], axis: str) -> list[Cell]:
    first = min((getattr(cell, axis) for cell in cells), default=0)
    return [cell for cell in cells if getattr(cell, axis) == first]


def _share_row(a: Cell, b: Cell) -> bool:
    return a.row < b.row + b.row_span and b.row < a.row + a.row_span


def _share_column(a: Cell, b: Cell) -> bool:
    return a.column < b.column + b.column_span and b.column < a.column + a.column_span


def _key(cell: Cell) -> str:
    return "".join(sign for sign in cell.text.lower() if sign.isalnum() or sign in "%.,-")
