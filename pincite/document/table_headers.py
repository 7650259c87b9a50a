"""What stands over and beside each row of a table: column headers, row labels, the sections that a row is under.

A section is a row with nothing but a label ("Cost of sales:"). It holds for the rows below that are indented more, or, where
nothing is indented, up to the next section; one right below another is inside it. A row of years in the middle of a table is a
header that starts again, and no section reaches across it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.document.cell_text import YEAR, is_blank, is_number, is_running
from pincite.document.derived import kept
from pincite.document.table import CellGrid, grid
from pincite.document.times import when
from pincite.types import Cell, Table

STEP = " > "
"""Parts a section of a table from what stands under it."""
CENTRED = 20.0
"""A section that begins this many points right of what follows is a title in the middle of the table."""
INDENT = 1.5
"""A label that begins at least this many points further right stands under the one above it."""


@dataclass(frozen=True, slots=True)
class RowHeaders:
    """What stands over and beside a row of values.

    `label` are its row headers from left to right, `sections` the rows of the sections above it, outermost first, and
    `columns` the headers of each column of the table from top to bottom.
    """

    label: tuple[str, ...]
    sections: tuple[int, ...]
    columns: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, weakref_slot=True)
class TableHeaders:
    """The headers of a table: those on top of each column, of each row of values by its number, and what sections are called."""

    columns: tuple[tuple[str, ...], ...]
    rows: Mapping[int, RowHeaders]
    labels: Mapping[int, tuple[str, ...]]

    def path(self, row: int) -> tuple[str, ...]:
        """The labels of the sections above a row of values, outermost first."""
        return tuple(" ".join(self.labels[section]) for section in self.rows[row].sections)


@kept
def headers(table: Table) -> TableHeaders:
    """Work out the headers of a table."""
    held = grid(table)
    tops = tuple(_top(table, held, column) for column in range(held.width))
    labels = _labels(table, held)
    values = {row: _values(table, held, row) for row in labels}
    before = _before_numbers(values)
    above = _Above(tops)
    rows: dict[int, RowHeaders] = {}
    for row, label in labels.items():
        edge = _edge(held, row)
        if not _holds_values(table, held, row):
            if label:
                above.open(row, edge, _edge(held, row + 1))
        elif row not in before or not above.restarts(row, label, values[row]):
            above.under(edge)
            rows[row] = RowHeaders(label, above.sections, above.columns)
    return TableHeaders(tops, rows, labels)


def column_header(table: Table, column: int) -> str:
    """The headers over a column from top to bottom, those that span several columns included: "Year ended May 31, 2018".

    "" for a column that the table has not.
    """
    tops = headers(table).columns
    return " ".join(tops[column]) if column < len(tops) else ""


def row_header(table: Table, row: int) -> str:
    """The label of a row with the sections above it: "Assets > Current assets > Cash"; "" for a row without a label."""
    made = headers(table)
    label = made.labels.get(row, ())
    if not label:
        return ""
    above = made.path(row) if row in made.rows else ()
    return STEP.join((*(section.rstrip(": ") for section in above), *label))


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, texts)))


def _top(table: Table, held: CellGrid, column: int) -> tuple[str, ...]:
    """The header cells over a column from top to bottom."""
    return _once(held.text(row, column).strip() for row in range(table.header_rows))


def _labels(table: Table, held: CellGrid) -> dict[int, tuple[str, ...]]:
    """The row headers of each row from left to right, without running numbers; one that is missing left of another is that of
    the row above.
    """
    labels = {}
    last: dict[int, Cell] = {}
    body = range(table.header_rows, held.height)
    numbered = is_running([held.own(row, 0) for row in body])
    first = 1 if table.header_columns > 1 and numbered else 0
    for row in body:
        own = {
            column: cell
            for column in range(first, table.header_columns)
            if (cell := held.cells.get((row, column))) is not None
        }
        last |= own
        ends = max(own, default=-1) + 1
        parts = (last[column].text.strip() for column in range(ends) if column in last)
        labels[row] = _once(parts)
    return labels


def _values(table: Table, held: CellGrid, row: int) -> dict[int, str]:
    """The texts of a row beyond its label, by column; a merged cell counts where it begins."""
    texts = {
        column: held.own(row, column).strip() for column in range(table.header_columns, held.width)
    }
    return {column: text for column, text in texts.items() if text}


def _holds_values(table: Table, held: CellGrid, row: int) -> bool:
    """Whether a cell of a row says something beyond its label, one that began in a row above as well."""
    beyond = (held.cells.get((row, column)) for column in range(table.header_columns, held.width))
    return any(
        cell is not None and cell.column >= table.header_columns and cell.text.strip()
        for cell in beyond
    )


def _before_numbers(values: dict[int, dict[int, str]]) -> set[int]:
    """The rows that can be headers of those below them, of which one holds a number: a table of years and words has none."""
    last = max(
        (row for row, own in values.items() if any(map(is_number, own.values()))), default=0
    )
    return {row for row in values if row < last}


def _edge(held: CellGrid, row: int) -> float | None:
    """Where the first cell of a row begins, in points from the left; None where that is not known."""
    cell = held.cells.get((row, 0))
    return cell.box[0] if cell is not None and cell.box and cell.text.strip() else None


@dataclass(slots=True)
class _Section:
    """A section that is open: its row, where its label begins, whether rows at the same edge are under it, or all rows are."""

    row: int
    edge: float | None
    flat: bool
    centred: bool

    def holds(self, edge: float | None) -> bool:
        """Whether a row that begins at an edge is under this section."""
        if edge is None or self.edge is None or self.centred:
            return True
        return edge > self.edge + INDENT or (self.flat and edge >= self.edge - INDENT)


@dataclass(slots=True)
class _Above:
    """What stands above the next row: the header of each column, and the open sections; `opened` when one just began."""

    columns: tuple[tuple[str, ...], ...]
    open_sections: list[_Section] = field(default_factory=list)
    opened: bool = False

    @property
    def sections(self) -> tuple[int, ...]:
        """The rows of the open sections, outermost first."""
        return tuple(section.row for section in self.open_sections)

    def open(self, row: int, edge: float | None, below: float | None) -> None:
        """Begin a section; `below` is the edge of the row after it."""
        centred = edge is not None and below is not None and edge > below + CENTRED
        flat = edge is None or below is None or abs(below - edge) <= INDENT
        if centred:
            self.open_sections = []
        elif not self.opened:
            self._close(edge)
        else:
            self.under(edge)
        self.open_sections.append(_Section(row, edge, flat, centred))
        self.opened = True

    def _close(self, edge: float | None) -> None:
        """Close the sections that one at this edge is not inside."""
        while self.open_sections:
            last = self.open_sections[-1]
            if last.centred or (
                edge is not None and last.edge is not None and edge > last.edge + INDENT
            ):
                return
            self.open_sections.pop()

    def under(self, edge: float | None) -> None:
        """Close the sections that a row of values at this edge is not under."""
        while self.open_sections and not self.open_sections[-1].holds(edge):
            self.open_sections.pop()
        self.opened = False

    def restarts(self, row: int, label: tuple[str, ...], values: Mapping[int, str]) -> bool:
        """Whether a row is a header of the rows below it, and no row of values."""
        if not label and (time := _time_alone(values)):
            self.columns = tuple(_dated(time, column) for column in self.columns)
            self.open_sections, self.opened = [], False
            return True
        if not _heads(list(values.values())):
            return False
        self.columns = tuple(
            _once((values.get(column, ""),)) for column in range(len(self.columns))
        )
        self.open_sections = [_Section(row, None, True, False)] if label else []
        self.opened = True
        return True


def _time_alone(values: Mapping[int, str]) -> str:
    """The one text of a row when it is a time and no number."""
    (text, *more) = values.values()
    return text if not more and not is_number(text) and when(text) else ""


def _dated(time: str, column: Iterable[str]) -> tuple[str, ...]:
    """The header of a column under another time."""
    return (time, *(text for text in column if not when(text)))


def _heads(values: Sequence[str]) -> bool:
    """Whether a row in the middle of a table starts a new header: only years or words under two columns or more."""
    texts = [text for text in values if not is_blank(text)]
    return (
        len(texts) > 1
        and len(texts) == len(values)
        and sum(bool(YEAR.match(t)) for t in texts) * 2 > len(texts)
    )
