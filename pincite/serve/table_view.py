"""A table as rows of cells that HTML and CSV can be written from, of a document or of a database as it is now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Any

from pincite.corpus import Corpus, Entryless
from pincite.database.holdings import Held
from pincite.database.relations.description import plain
from pincite.database.relations.model import Relation
from pincite.database.relations.relation_rows import shown
from pincite.database.statements.pins import Pin, by_key
from pincite.document.table import grid
from pincite.formats.spreadsheet import csv_text
from pincite.types import Cell, Node, Table


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell: whether it heads its row or column, whether it is cited, and whether it stands in a column of numbers."""

    text: str
    row: int
    column: int
    row_span: int
    column_span: int
    heads: str
    cited: bool
    number: bool = False


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table; `more` rows are left out. `node` is the id of the table's node, where it has one."""

    rows: Sequence[Sequence[GridCell]]
    caption: str
    scale: str
    unit: str
    more: int = 0
    node: str = ""


AROUND = 10  # rows shown on both sides of a cited cell
Texts = Sequence[tuple[Node, ShownTable | None]]
"""What stands on a page, in reading order, tables as such."""
_INSIDE = ("page", "row", "section", "document")  # kinds of nodes whose text others hold


def texts_of(
    nodes: Sequence[Node], most: int, cited: str = "", cells: Collection[tuple[int, int]] = ()
) -> Texts:
    """The texts of nodes, of each table at most `most` rows; `cells` of the table with the id `cited` are marked."""
    texts = []
    for node in (node for node in nodes if node.kind not in _INSIDE):
        marked = cells if node.id == cited else ()
        shown = grid_of(node.table, marked, most, node.id) if node.table is not None else None
        texts.append((node, shown))
    return texts


def grid_of(
    table: Table, cited: Collection[tuple[int, int]] = (), most: int = 10**9, node: str = ""
) -> ShownTable:
    """The rows of a table, cited cells marked; of more than `most` the first and those around what is cited."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    held = grid(table)
    order = sorted(by_row)
    near = {row + step for row, _ in cited for step in range(-AROUND, AROUND + 1)}
    kept = [row for at, row in enumerate(order) if at < most or row in near]
    rows = []
    for row in kept:
        gaps = [Cell(row, at, "") for at in range(held.width) if (row, at) not in held.cells]
        cells = sorted((*by_row[row], *gaps), key=attrgetter("column"))
        rows.append([_shown_cell(table, cell, (cell.row, cell.column) in cited) for cell in cells])
    scale = "" if table.scale == 1 else f"{table.scale:,f}"
    return ShownTable(
        aligned(rows), table.caption, scale, table.unit, len(order) - len(kept), node
    )


def _shown_cell(table: Table, cell: Cell, cited: bool) -> GridCell:
    in_header = "row" if cell.column < table.header_columns else ""
    heads = "col" if cell.row < table.header_rows else in_header
    place = cell.row, cell.column, cell.row_span, cell.column_span
    return GridCell(cell.text, *place, heads, cited)


_NUMBER = re.compile(r"[(+\-−–]?\s*+[$€£¥]?\s*+[(+\-−–]?\s*+\d[\d.,'’\s]*+[%)]{0,2}")


def aligned(rows: Sequence[Sequence[GridCell]]) -> list[list[GridCell]]:
    """The rows of a grid, the cells of columns that hold numbers, for the most part, marked."""
    numbers, texts = Counter[int](), Counter[int]()
    for cell in chain.from_iterable(rows):
        if not cell.heads and cell.text.strip(" -–—"):
            (numbers if _NUMBER.fullmatch(cell.text.strip()) else texts)[cell.column] += 1
    right = {column for column, count in numbers.items() if count > texts[column]}

    def marked(cell: GridCell) -> GridCell:
        alone = cell.column_span == 1 and cell.heads != "row"
        return replace(cell, number=alone and cell.column in right)

    return [list(map(marked, row)) for row in rows]


def as_csv(table: Table) -> str:
    """A table as CSV, each cell once."""
    width = max((cell.column + 1 for cell in table.cells), default=0)
    grid: dict[int, list[str]] = {}
    for cell in table.cells:
        grid.setdefault(cell.row, [""] * width)[cell.column] = cell.text
    return csv_text(row for _, row in sorted(grid.items()))


def cited_rows(corpus: Corpus, pin: Pin, most: int) -> ShownTable | None:
    """The first `most` rows of a pin: their key and the cited cells; None where it names no row. DatabaseError when the
    database cannot be read.
    """
    found = _relation(corpus, pin.database, pin.relation)
    if found is None or not pin.rows:
        return None
    held, relation = found
    rows = pin.rows[:most]
    names = pin.columns or [column.name for column in shown(relation)]
    columns = [name for name in names if name not in pin.key]
    with held.open() as source:
        there = by_key(source, relation, rows, columns)
    lines = [(*row, *there[row]) for row in rows if row in there]
    keys = ("row" if name == relation.rowid else name for name in pin.key)
    return _grid((*keys, *columns), lines, set(pin.columns), len(pin.rows) - len(rows))


def first_rows(corpus: Corpus, document: Entryless, most: int) -> ShownTable | None:
    """The first `most` rows of the table that a document is the card of. DatabaseError when the database cannot be read."""
    import sqlalchemy as sa

    found = _relation(corpus, document.meta.get("database", ""), document.meta.get("table", ""))
    if found is None:
        return None
    held, relation = found
    names = [column.name for column in shown(relation)]
    table = sa.table(relation.name, *map(sa.column, names), schema=relation.schema or None)
    with held.open() as source:
        result = source.run(sa.select(*(table.c[name] for name in names)), rows=most)
    return _grid(names, result.rows, (), max(0, relation.rows - len(result.rows)))


def _relation(corpus: Corpus, database: str, name: str) -> tuple[Held, Relation] | None:
    for held in corpus.databases:
        for relation in held.database.relations:
            if (held.name, relation.name) == (database, name):
                return held, relation
    return None


def _grid(
    names: Sequence[str], rows: Iterable[Sequence[Any]], cited: Collection[str], more: int
) -> ShownTable:
    head = [GridCell(name, 0, at, 1, 1, "col", False) for at, name in enumerate(names)]
    body = []
    for row, values in enumerate(rows, 1):
        texts = ("" if value is None else str(value) for value in map(plain, values))
        marks = enumerate(texts)
        body.append([GridCell(text, row, at, 1, 1, "", names[at] in cited) for at, text in marks])
    return ShownTable(aligned([head, *body]), "", "", "", more)
