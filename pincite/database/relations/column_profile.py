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
from pincite.lexicon import pattern

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
    known = _known(relation, before, connection.dialect.name == "sqlite")
    typed = typed or bool(known)
    relation = replace(relation, columns=known or relation.columns)
    table = sa.table(
        relation.name,
        *(sa.column(c.name) for c in relation.columns),
        schema=relation.schema or None,
    )
    loose = connection.dialect.name == "sqlite" and not typed
    columns = (
        _by_content(connection, table, list(relation.columns)) if loose else list(relation.columns)
    )
    rows, shares = _ends(connection, table, columns, loose)
    ended = [
        replace(c, nulls=share, low=low, high=high)
        for c, (share, low, high) in zip(columns, shares, strict=True)
    ]
    profiled = ended if known else [_counted(connection, table, column, loose) for column in ended]
    return replace(
        relation,
        columns=tuple(profiled),
        rows=rows,
        sample=_sample(connection, table, relation.key, rows),
    )


def _sample(
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
    found = (
        connection.execute(ordered.offset(at).limit(1)).first() for at in sorted(drawn)
    )  # a row may have gone since rows were counted
    return tuple(tuple(map(_short, row)) for row in found if row is not None)


def _known(relation: Relation, before: Relation | None, loose: bool) -> tuple[Column, ...]:
    """The columns with what a profile made before says of them; none where its columns are others."""
    if before is None or [c.name for c in before.columns] != [c.name for c in relation.columns]:
        return ()
    pairs = list(zip(relation.columns, before.columns, strict=True))
    if not loose and any(
        old.type != now.type and (old.type, now.type) != ("boolean", "integer")
        for now, old in pairs
    ):
        return ()
    return tuple(
        replace(now, type=old.type, distinct=old.distinct, values=old.values) for now, old in pairs
    )


def _is_short(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST:
        return value[:LONGEST] + "…"
    return f"{len(value)} bytes" if isinstance(value, bytes | memoryview) else value


def _by_content(
    connection: sa.Connection, table: sa.TableClause, columns: list[Column]
) -> list[Column]:
    """The columns of a table of SQLite as what most of their values are: declared types bind none of them."""
    kinds = ("integer", "real", "blob", "text")
    cells = [(column, sa.func.typeof(table.c[column.name])) for column in columns]
    asked = [
        sa.func.total(sa.case((cell == kind, 1), else_=0)) for _, cell in cells for kind in kinds
    ]
    counts = _asked(connection, table, asked)
    return [_of_kinds(column, *counts[at * 4 : at * 4 + 4]) for at, column in enumerate(columns)]


def _of_kinds(column: Column, whole: float, real: float, blobs: float, texts: float) -> Column:
    filled = whole + real + blobs + texts
    if not filled or column.type in ("boolean", "date", "datetime", "json"):
        return column
    if blobs * 2 > filled:
        return replace(column, type="binary")
    if (whole + real) * 2 >= filled:
        return replace(
            column, type="integer" if not real and column.type != "number" else "number"
        )
    return replace(column, type="text")


def _asked(connection: sa.Connection, table: sa.TableClause, asked: list[Any]) -> list[Any]:
    """What aggregates over a whole table give, in as few statements as databases allow columns."""
    found: list[Any] = []
    for at in range(0, len(asked), 1000):
        found += connection.execute(sa.select(*asked[at : at + 1000]).select_from(table)).one()
    return found


def _ends(
    connection: sa.Connection, table: sa.TableClause, columns: list[Column], loose: bool
) -> tuple[int, list[tuple[float, Any, Any]]]:
    """How many rows there are, and of every column the share of nulls and its ends."""
    asked: list[Any] = [sa.func.count()]
    for column in columns:
        cell: Any = table.c[column.name]
        asked.append(sa.func.count(cell))
        if column.type in NUMERIC and connection.dialect.name == "sqlite":
            cell = sa.case((sa.func.typeof(cell).in_(("integer", "real")), cell))
        ends = column.type in NUMERIC | TEMPORAL or (loose and column.type == "text")
        asked += [sa.func.min(cell), sa.func.max(cell)] if ends else [sa.null(), sa.null()]
    rows, *found = _asked(connection, table, asked)
    filled, lows, highs = found[::3], found[1::3], found[2::3]
    return rows, [
        (1 - n / rows if rows else 0.0, low, high)
        for n, low, high in zip(filled, lows, highs, strict=True)
    ]


def _counted(
    connection: sa.Connection, table: sa.TableClause, column: Column, loose: bool
) -> Column:
    """The column with its number of values, its categories, and in SQLite dates and flags told by their writing."""
    if column.type in INCOMPARABLE:
        return column
    distinct, values = _commonest(connection, table, column)
    kind = _kind(column, values, loose)
    few = kind == "text" and distinct <= CATEGORIES and all(map(_is_short, values))
    counted = replace(column, type=kind, distinct=distinct, values=tuple(values if few else ()))
    return counted if kind in NUMERIC | TEMPORAL else replace(counted, low=None, high=None)


def _commonest(
    connection: sa.Connection, table: sa.TableClause, column: Column
) -> tuple[int, list[Any]]:
    """How many values a column has, and the commonest of them, one more than categories may be."""
    # a table of this column alone: to write a statement takes time for every column of the table that it names
    cell = sa.table(table.name, sa.column(column.name), schema=table.schema).c[column.name]
    groups = (
        sa.select(cell.label("v"), sa.func.count().label("n"))
        .where(cell.is_not(None))
        .group_by(cell)
        .subquery()
    )
    most = (
        sa.select(groups.c.v, groups.c.n, sa.func.count().over())
        .order_by(groups.c.n.desc(), groups.c.v)
        .limit(CATEGORIES + 1)
    )
    top = connection.execute(most).all()
    return (int(top[0][2]) if top else 0), [row[0] for row in top]


def _kind(column: Column, values: list[Any], loose: bool) -> Type:
    """The type of a column, flags and in SQLite dates told by their writing."""
    if column.type == "integer" and values and set(values) <= {0, 1} and _FLAG.search(column.name):
        return "boolean"
    return _written_as(column, values) if loose else column.type


def _written_as(column: Column, values: list[Any]) -> Type:
    """The type of a column, of texts that are all days or times theirs."""
    texts = [*values, column.low, column.high]
    if column.type != "text" or not values or not all(isinstance(text, str) for text in texts):
        return column.type
    others = [text for text in texts if not _DAY.fullmatch(text)]
    if not others:
        return "date"
    return "datetime" if all(map(_MOMENT.fullmatch, others)) else "text"
