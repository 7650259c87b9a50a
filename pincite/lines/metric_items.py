"""The cells of line items: each found at its year under any of its labels, preferably in the statement that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pincite.document.cell_text import is_blank
from pincite.document.cell_values import cell_times, label_terms, quantity_of
from pincite.document.labelled_cells import Labelled, labels
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
from pincite.evidence.candidate import Evidence, Passage
from pincite.quantity.formula import LETTERS
from pincite.text.lexicon import pattern
from pincite.text.words import words
from pincite.types import Quantity, Table

_TWO_WAY = pattern("lines", "two ways")
"""A label that says what its negative means: "Provision for (benefit from) income taxes"."""
_LATER = 0.0005
"""What each page costs: behind a company's own statements may stand those of its affiliates."""
_UNSAID = 0.3
"""What a number costs whose table does not say that it is in thousands or millions, where others do."""
_TOTAL = frozenset(words("total"))


@dataclass(frozen=True, slots=True)
class ItemCell:
    """A cell that may hold a line item: `row` is the share of the item's words in its label, `precision` the share of the label's
    words that are the item's, `fit` how well it fits: 3 for its row, 1 for its statement.
    """

    passage: Passage
    cell: Labelled
    row: float
    precision: float
    fit: float = 0.0

    @property
    def quantity(self) -> Quantity | None:
        """The number that it holds."""
        return quantity_of(self.passage.node, self.cell)

    @property
    def evidence(self) -> Evidence:
        """Its place."""
        place = ((self.cell.row, self.cell.column),)
        return Evidence(
            self.passage.node, place, quote=self.cell.text, document=self.passage.document
        )


@dataclass(slots=True)
class FoundItems:
    """The cells found so far, in the order of their letters; `alike` keeps how much each table is like each statement.

    `alone` says that one line item is asked for: an expense is then taken as it is written.
    """

    tables: Sequence[Passage]
    alone: bool = False
    cells: list[ItemCell] = field(default_factory=list)
    letters: dict[tuple[str, int, int], str] = field(default_factory=dict)
    alike: dict[tuple[int, str], float] = field(default_factory=dict)

    def letter(self, line: LineItem, year: int) -> str:
        """The letter of the cell for a line item at a year, with a minus where an outflow is written as negative.

        Raises LookupError when no table has it.
        """
        cell = self.cell(line, year)
        if cell is None or len(self.cells) >= len(LETTERS):
            raise LookupError(line.labels[0])
        key = (cell.passage.node.id, cell.cell.row, cell.cell.column)
        if key not in self.letters:
            self.letters[key] = LETTERS[len(self.cells)]
            self.cells.append(cell)
        return f"(0 - {self.letters[key]})" if self._is_turned(line, cell) else self.letters[key]

    def _is_turned(self, line: LineItem, cell: ItemCell) -> bool:
        """Whether a cell holds as a negative number what its line item takes to be an outflow anyway."""
        if (
            not line.outflow
            or (self.alone and line.statement == "income")
            or _TWO_WAY.search(cell.cell.label)
        ):
            return False
        quantity = cell.quantity
        return quantity is not None and quantity.value < 0

    def cell(self, line: LineItem, year: int) -> ItemCell | None:
        """The cell of a line item at a year that fits best."""
        best: ItemCell | None = None
        for found in self._rows(line, year):
            if (best and found.fit <= best.fit) or (quantity := _usable(found, line)) is None:
                continue
            fit = found.fit - (_UNSAID if self.scaled and quantity.scale == 1 else 0.0)
            if best is None or fit > best.fit:
                best = replace(found, fit=fit)
        return best

    @property
    def scaled(self) -> bool:
        """Whether any of the tables says in which scale its numbers are."""
        return any(_table(passage).scale != 1 for passage in self.tables)

    def _rows(self, line: LineItem, year: int) -> Iterator[ItemCell]:
        """The cells at a year of the rows that may be called as a line item is, each with how well it fits."""
        for at, passage in enumerate(self.tables):
            place = self._place(at, line.statement) - _LATER * passage.node.anchor.page
            for cell in labels(_table(passage)).cells:
                if not any(time.fits(When(year)) for time in cell_times(cell)):
                    continue
                for number, label in enumerate(line.labels):
                    if found := _called(passage, cell, label):
                        yield replace(found, fit=found.fit - 0.02 * number + place)

    def latest(self) -> list[int]:
        """The latest year that a column of a primary statement has, alone in a list; none when there is no statement."""
        kept = [
            _table(passage)
            for at, passage in enumerate(self.tables)
            if max(self._alike(at, kind) for kind in book().titles) >= PRIMARY
        ]
        years = {
            time.year
            for table in kept
            for cell in labels(table).cells
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
            passage = self.tables[at]
            self.alike[at, statement] = likeness(_table(passage), passage.heading, statement)
        return self.alike[at, statement]


def _called(passage: Passage, cell: Labelled, label: str) -> ItemCell | None:
    """A cell of a row that may be called by a label, with how well it is, up to 3; a dash stands for none more often."""
    wanted, own = frozenset(words(label)), label_terms(cell.label)
    own = own or label_terms(" ".join(cell.sections)) | _TOTAL
    shared = wanted & own
    if not shared or not wanted:
        return None
    row, precision = len(shared) / len(wanted), len(shared) / len(own)
    same = plain(bare_label(row_name(cell))) == plain(bare_label(label))
    fit = 3.0 if same else row + precision + float(own <= wanted)
    blank = 1.0 if is_blank(cell.text) else 0.0
    return ItemCell(passage, cell, row, precision, fit - blank)


def _usable(found: ItemCell, line: LineItem) -> Quantity | None:
    """The amount of a cell that can be the line item: no share, in a row that names it and nothing else."""
    if found.row <= 0.6 or found.precision <= 0.1:
        return None
    quantity = found.quantity
    usable = quantity and quantity.unit != "%" and names_item(row_name(found.cell), line)
    return quantity if usable else None


def _table(passage: Passage) -> Table:
    assert passage.node.table is not None
    return passage.node.table
