"""What the columns of a relation hold: nulls, how many values, the ends of numbers and dates, the categories, some rows."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import (
    INCOMPARABLE,
    NUMERIC,
    TEMPORAL,
    Column,
    Relation,
    Type,
)
from pincite.text.lexicon import pattern

CATEGORIES = 50
"""The most values that a text column of few values has."""
SAMPLE = 5
"""Rows kept as examples."""
LONGEST = 200
"""Characters kept of a value of the sample."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?")
"""Times as SQLite's own functions write them: texts in another form do not compare as times."""
_FLAG = pattern("database", "flag", "columns")
"""Names of whole numbers that say yes or no when they are only 0 and 1."""


def profile(
    connection: sa.Connection,
    relation: Relation,
    *,
    typed: bool = False,
    before: Relation | None = None,
) -> Relation:
    """The relation with its number of rows, its sample, and every column profiled.

    Columns of SQLite are of the type that their content is, unless the relation is `typed` already. Types, numbers of values
    and categories are those of the profile `before`, where that has the same columns.
    """
    known = _columns_profiled_before(relation, before, connection.dialect.name == "sqlite")
    typed = typed or bool(known)
    relation = replace(relation, columns=known or relation.columns)
    table, columns = relation.table(), list(relation.columns)
    loose = connection.dialect.name == "sqlite" and not typed
    if loose:
        columns = _typed_by_content(connection, table, columns)
    rows, columns = _with_ends(connection, table, columns, loose)
    if not known:
        columns = [_with_values(connection, table, column, loose) for column in columns]
    sample = _sample_rows(connection, table, relation.key, rows)
    return replace(relation, columns=tuple(columns), rows=rows, sample=sample)


def _sample_rows(
    connection: sa.Connection, table: sa.TableClause, key: tuple[str, ...], rows: int
) -> tuple[tuple[Any, ...], ...]:
    """SAMPLE rows drawn at random, in the order of the key; the same rows while the table has as many."""
    drawn: set[int] = set()
    for number in itertools.count():
        if len(drawn) == min(SAMPLE, rows):
            break
        # a hash, because what `random` draws may change with the version of Python
        digest = blake2b(f"{table.name} {number}".encode(), digest_size=8).digest()
        drawn.add(int.from_bytes(digest) % rows)
    ordered = sa.select(table).order_by(*(sa.column(name) for name in key))
    # a row may have gone since rows were counted
    found = (connection.execute(ordered.offset(at).limit(1)).first() for at in sorted(drawn))
    return tuple(tuple(map(_shortened, row)) for row in found if row is not None)


def _columns_profiled_before(
    relation: Relation, before: Relation | None, loose: bool
) -> tuple[Column, ...]:
    """The columns with what a profile made before says of them; none where its columns are others."""
    if before is None or [c.name for c in before.columns] != [c.name for c in relation.columns]:
        return ()
    pairs = list(zip(relation.columns, before.columns, strict=True))
    types = {(old.type, now.type) for now, old in pairs} - {("boolean", "integer")}
    if not loose and any(old != now for old, now in types):
        return ()
    return tuple(
        replace(now, type=old.type, distinct=old.distinct, values=old.values) for now, old in pairs
    )


def _shortened(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + "…"
    return f"{len(value)} bytes" if isinstance(value, bytes | memoryview) else value


def _typed_by_content(
    connection: sa.Connection, table: sa.TableClause, columns: list[Column]
) -> list[Column]:
    """The columns of a table of SQLite as what most of their values are: declared types bind none of them."""
    cells = [sa.func.typeof(table.c[column.name]) for column in columns]
    kinds = ("integer", "real", "blob", "text")
    asked = [
        sa.func.total(sa.case((cell == kind, 1), else_=0)) for cell in cells for kind in kinds
    ]
    counts = _aggregates(connection, table, asked)
    return [
        _type_of_counts(column, *counts[at * 4 : at * 4 + 4]) for at, column in enumerate(columns)
    ]


def _type_of_counts(
    column: Column, whole: float, real: float, blobs: float, texts: float
) -> Column:
    filled = whole + real + blobs + texts
    if not filled or column.type in ("boolean", "date", "datetime", "json"):
        return column
    if blobs * 2 > filled:
        return replace(column, type="binary")
    if (whole + real) * 2 >= filled:
        number = real or column.type == "number"
        return replace(column, type="number" if number else "integer")
    return replace(column, type="text")


def _aggregates(connection: sa.Connection, table: sa.TableClause, asked: list[Any]) -> list[Any]:
    """What aggregates over a whole table give, in as few statements as databases allow columns."""
    found: list[Any] = []
    for at in range(0, len(asked), 1000):
        found += connection.execute(sa.select(*asked[at : at + 1000]).select_from(table)).one()
    return found


def _with_ends(
    connection: sa.Connection, table: sa.TableClause, columns: list[Column], loose: bool
) -> tuple[int, list[Column]]:
    """How many rows there are, and the columns with their shares of nulls and their ends."""
    asked: list[Any] = [sa.func.count()]
    for column in columns:
        cell: Any = table.c[column.name]
        asked.append(sa.func.count(cell))
        if column.type in NUMERIC and connection.dialect.name == "sqlite":
            cell = sa.case((sa.func.typeof(cell).in_(("integer", "real")), cell))
        ends = column.type in NUMERIC | TEMPORAL or (loose and column.type == "text")
        asked += [sa.func.min(cell), sa.func.max(cell)] if ends else [sa.null(), sa.null()]
    rows, *found = _aggregates(connection, table, asked)
    made = []
    for column, filled, low, high in zip(
        columns, found[::3], found[1::3], found[2::3], strict=True
    ):
        nulls = 1 - filled / rows if rows else 0.0
        made.append(replace(column, nulls=nulls, low=low, high=high))
    return rows, made


def _with_values(
    connection: sa.Connection, table: sa.TableClause, column: Column, loose: bool
) -> Column:
    """The column with its number of values, its categories, and in SQLite dates and flags told by their writing."""
    if column.type in INCOMPARABLE:
        return column
    distinct, values = _commonest_values(connection, table, column)
    kind = column.type
    if kind == "integer" and values and set(values) <= {0, 1} and _FLAG.search(column.name):
        kind = "boolean"
    elif loose:
        kind = _type_of_texts(column, values)
    short = all(isinstance(value, str) and len(value) <= LONGEST for value in values)
    few = kind == "text" and distinct <= CATEGORIES and short
    counted = replace(column, type=kind, distinct=distinct, values=tuple(values if few else ()))
    return counted if kind in NUMERIC | TEMPORAL else replace(counted, low=None, high=None)


def _commonest_values(
    connection: sa.Connection, table: sa.TableClause, column: Column
) -> tuple[int, list[Any]]:
    """How many values a column has, and the commonest of them, one more than categories may be."""
    # a table of this column alone: to write a statement takes time for every column of the table that it names
    cell = sa.table(table.name, sa.column(column.name), schema=table.schema).c[column.name]
    counted = sa.select(cell.label("v"), sa.func.count().label("n")).where(cell.is_not(None))
    groups = counted.group_by(cell).subquery()
    most = sa.select(groups.c.v, groups.c.n, sa.func.count().over())
    most = most.order_by(groups.c.n.desc(), groups.c.v).limit(CATEGORIES + 1)
    top = connection.execute(most).all()
    return (int(top[0][2]) if top else 0), [row[0] for row in top]


def _type_of_texts(column: Column, values: list[Any]) -> Type:
    """The type of a column, of texts that are all days or times theirs."""
    texts = [*values, column.low, column.high]
    if column.type != "text" or not values or not all(isinstance(text, str) for text in texts):
        return column.type
    others = [text for text in texts if not _DAY.fullmatch(text)]
    if not others:
        return "date"
    return "datetime" if all(map(_MOMENT.fullmatch, others)) else "text"
