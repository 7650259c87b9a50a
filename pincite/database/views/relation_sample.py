"""Rows of a relation that its view is made from: all of a small one, of a large one some from all parts of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import INCOMPARABLE, Relation

ROWS, SPREAD = 2_000, 500
"""Rows up to which a relation is read whole, and how many are read of one that has more."""
TELLING, SHAPES = 150, 40
"""Cells that tell how a column writes things, and how many more that are of other shapes."""
LONGEST = 200
"""Characters of a text that are read."""


@dataclass(frozen=True, slots=True)
class RelationSample:
    """The cells of some rows by the columns' names, in the order of the rows; `whole` when these are all rows."""

    cells: dict[str, Sequence[Any]]
    whole: bool


def sampled(connection: sa.Connection, relation: Relation) -> RelationSample:
    """The rows of a relation, those of its columns that can be read."""
    columns = [c for c in relation.columns if c.type not in INCOMPARABLE]
    names = [name for c in columns for name in (c.name, c.written) if name]
    texts = {c.name for c in columns if c.type == "text"} | {c.written for c in columns}
    table = relation.table(names)
    cells: list[Any] = [table.c[name] for name in names]
    for at, name in enumerate(names):
        if name in texts:
            cells[at] = sa.func.substr(cells[at], 1, LONGEST).label(f"c{at}")
    asked = sa.select(*cells).select_from(table)
    rows = _read_rows(connection, relation, asked) if names else []
    held: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return RelationSample(dict(zip(names, held, strict=True)), relation.rows <= len(rows))


def _read_rows(
    connection: sa.Connection, relation: Relation, asked: sa.Select[Any]
) -> Sequence[sa.Row[Any]]:
    """All rows of a small relation in their order; of a large one whose rows are numbered every so many."""
    number: sa.ColumnClause[int] = sa.column(relation.rowid)
    if not relation.rowid or relation.rows <= ROWS:
        ordered = asked.order_by(number) if relation.rowid else asked
        return connection.execute(ordered.limit(ROWS)).all()
    greatest = sa.select(sa.func.max(number)).select_from(relation.table(()))
    last = int(connection.scalar(greatest) or 0)
    chosen = [round(last / SPREAD * n) for n in range(1, SPREAD + 1)]
    rows = connection.execute(asked.where(number.in_(chosen)).order_by(number)).all()
    few = len(rows) < SPREAD // 4  # most of these numbers belong to no row
    return connection.execute(asked.limit(SPREAD)).all() if few else rows


_DIGITS = str.maketrans("0123456789", "9" * 10)
_RUN = re.compile("9+")


def telling(cells: Sequence[str]) -> list[str]:
    """So many of a column's cells that they show how it writes things: some from all parts, and one of each other shape."""
    if len(cells) <= TELLING:
        return list(cells)
    chosen = list(cells[:: len(cells) // TELLING])
    shapes = set(map(_cell_shape, set(chosen)))
    most = len(shapes) + SHAPES
    for cell in dict.fromkeys(cells):
        if (shape := _cell_shape(cell)) not in shapes:
            shapes.add(shape)
            chosen.append(cell)
            if len(shapes) == most:
                break
    return chosen


def _cell_shape(cell: str) -> str:
    return _RUN.sub("9", cell.translate(_DIGITS))
