"""The cells of line items: each found at its year under any of its labels, preferably in the statement that it belongs to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pincite.document.cell_text import is_blank
from pincite.document.cell_values import quantity_of
from pincite.document.statement_rows import (
    PRIMARY,
    LineItem,
    bare_label,
    book,
    likeness,
    names_item,
    plain,
    row_name,
)
from pincite.document.times import When, when
from pincite.document.words import words
from pincite.evidence.cell_match import CellMatch, matches
from pincite.evidence.table_view import TableView
from pincite.lexicon import pattern
from pincite.quantity.formula import LETTERS
from pincite.question.ask import Ask
from pincite.types import Quantity

_TWO_WAY = pattern("readers", "two ways")
"""A label that says what its negative means: "Provision for (benefit from) income taxes"."""
_LATER = 0.0005
"""What each page costs: behind a company's own statements may stand those of its affiliates."""
_UNSAID = 0.3
"""What a number costs whose table does not say that it is in thousands or millions, where others do."""
_TOTAL = frozenset(words("total"))


@dataclass(slots=True)
class FoundItems:
    """The cells found so far, in the order of their letters; `alike` keeps how much each table is like each statement.

    `alone` says that one line item is asked for: an expense is then taken as it is written.
    """

    ask: Ask
    views: Sequence[TableView]
    alone: bool = False
    cells: list[CellMatch] = field(default_factory=list)
    letters: dict[tuple[str, int, int], str] = field(default_factory=dict)
    alike: dict[tuple[int, str], float] = field(default_factory=dict)

    def letter(self, line: LineItem, year: int) -> str:
        """The letter of the cell for a line item at a year, with a minus where an outflow is written as negative.

        Raises LookupError when no table has it.
        """
        cell = self.cell(line, year)
        if cell is None or len(self.cells) >= len(LETTERS):
            raise LookupError(line.labels[0])
        key = (cell.view.passage.node.id, cell.cell.row, cell.cell.column)
        if key not in self.letters:
            self.letters[key] = LETTERS[len(self.cells)]
            self.cells.append(cell)
        return f"(0 - {self.letters[key]})" if self._is_turned(line, cell) else self.letters[key]

    def _is_turned(self, line: LineItem, cell: CellMatch) -> bool:
        """Whether a cell holds as a negative number what its line item takes to be an outflow anyway."""
        if (
            not line.outflow
            or (self.alone and line.statement == "income")
            or _TWO_WAY.search(cell.cell.label)
        ):
            return False
        quantity = quantity_of(cell.view.node, cell.cell)
        return quantity is not None and quantity.value < 0

    def cell(self, line: LineItem, year: int) -> CellMatch | None:
        """The cell of a line item at a year; how well it fits is its feature "item": 3 for its row, 1 for its statement."""
        best, most = None, -math.inf
        for score, match in self._rows(line, year):
            if score <= most or (quantity := _usable(match, line)) is None:
                continue
            if self.scaled and quantity.scale == 1:
                score -= _UNSAID
            if score > most:
                best, most = replace(match, features={**match.features, "item": score}), score
        return best

    @property
    def scaled(self) -> bool:
        """Whether any of the tables says in which scale its numbers are."""
        return any(view.table.scale != 1 for view in self.views)

    def _rows(self, line: LineItem, year: int) -> Iterator[tuple[float, CellMatch]]:
        """The cells of the rows that may be called as a line item is, each with how well it fits."""
        for at, view in enumerate(self.views):
            place = self._place(at, line.statement) - _LATER * view.passage.node.anchor.page
            for number, label in enumerate(line.labels):
                terms = words(label)
                if sum(term in view.weight or term in _TOTAL for term in terms) < 0.6 * len(terms):
                    continue
                for match in matches(view, terms, self.ask, (When(year),))[:5]:
                    yield _fit(match, label) - 0.02 * number + place, match

    def latest(self) -> list[int]:
        """The latest year that a column of a primary statement has, alone in a list; none when there is no statement."""
        kept = [
            v
            for at, v in enumerate(self.views)
            if max(self._alike(at, kind) for kind in book().titles) >= PRIMARY
        ]
        years = {
            time.year
            for view in kept
            for cell in view.labels.cells
            for time in when(cell.heading)
            if time.year
        }
        return [max(years)] if years else []

    def _place(self, at: int, statement: str) -> float:
        """What a table is worth for the line items of a statement: less where it is another one."""
        if not statement:
            return 0.0
        own = self._alike(at, statement)
        others = max(self._alike(at, other) for other in book().titles if other != statement)
        return own - 0.5 * max(0.0, others - own)

    def _alike(self, at: int, statement: str) -> float:
        if (at, statement) not in self.alike:
            view = self.views[at]
            self.alike[at, statement] = likeness(view.table, view.passage.heading, statement)
        return self.alike[at, statement]


def _fit(match: CellMatch, label: str) -> float:
    """How well a row is called by a label, up to 3; a dash stands for no amount more often than for the item."""
    features = match.features
    same = plain(bare_label(row_name(match.cell))) == plain(bare_label(label))
    fit = 3.0 if same else features["row"] + features["row_precision"] + features["row_exact"]
    return fit - 1.0 if is_blank(match.cell.text) else fit


def _usable(match: CellMatch, line: LineItem) -> Quantity | None:
    """The amount of a cell that can be the line item: of the year, no share, in a row that names it and nothing else."""
    features = match.features
    if not (
        features["number"]
        and features["period"] == 1.0
        and features["row"] > 0.6
        and features["row_precision"] > 0.1
    ):
        return None
    quantity = quantity_of(match.view.node, match.cell)
    return (
        quantity
        if quantity and quantity.unit != "%" and names_item(row_name(match.cell), line)
        else None
    )
