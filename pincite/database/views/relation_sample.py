"""Rows of a relation that its view is made from: all of a small one, of a large one some from all parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import Column, Relation

ROWS = 2_000
"""The most rows that are read of a relation."""
LONGEST = 200
"""Characters of a text that are read."""
_UNREAD = frozenset(("json", "array", "binary", "other"))


@dataclass(frozen=True, slots=True)
class RelationSample:
    """The cells of some rows by the columns' names, in the order of the rows; `whole` when these are all rows."""

    cells: dict[str, Sequence[Any]]
    whole: bool


def sampled(connection: sa.Connection, relation: Relation) -> RelationSample:
    """The rows of a relation, those of its columns that can be read."""
    columns = [c for c in relation.columns if c.type not in _UNREAD]
    names = [name for c in columns for name in (c.name, c.written) if name]
    texts = {c.name for c in columns if c.type == "text"} | {c.written for c in columns}
    table = sa.table(relation.name, *map(sa.column, names), schema=relation.schema or None)
    asked = sa.select(
        *(
            sa.func.substr(table.c[name], 1, LONGEST).label(f"c{at}")
            if name in texts
            else table.c[name]
            for at, name in enumerate(names)
        )
    ).select_from(table)
    rows = (
        connection.execute(_spread(connection, relation, asked).limit(ROWS)).all() if names else []
    )
    held: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return RelationSample(dict(zip(names, held, strict=True)), relation.rows <= len(rows))


def _spread(
    connection: sa.Connection, relation: Relation, asked: sa.Select[Any]
) -> sa.Select[Any]:
    """Only every so many rows of a large relation whose rows are numbered, in their order."""
    if not relation.rowid or relation.rows == 0:
        return asked
    number: sa.ColumnClause[int] = sa.column(relation.rowid)
    if relation.rows <= ROWS:
        return asked.order_by(number)
    table = sa.table(relation.name, schema=relation.schema or None)
    last = int(connection.scalar(sa.select(sa.func.max(number)).select_from(table)) or 0)
    step = last / ROWS
    return asked.where(number.in_([round(step * n) for n in range(1, ROWS + 1)])).order_by(number)


def text_of(column: Column, cells: Sequence[Any]) -> list[str]:
    """The cells of a column that are text, without blanks around them."""
    return [cell.strip() for cell in cells if isinstance(cell, str)]
