"""What a model may ask of a table in SQL, and which rows of a table of a document that finds.

Only `SELECT * FROM "data" WHERE ...` with comparisons of the table's own columns and constants passes, in PostgreSQL's
dialect: the guard of databases sees it first, and only its condition is run, on a copy in memory. `sql_relation.py` does the
same with tables of databases.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import sqlglot
from sqlglot import exp

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.sources.typed_columns import quoted
from pincite.database.statements.statement_guard import guarded
from pincite.errors import UsageError
from pincite.lab.testsets.gold_rows import Row
from pincite.quantity import parse
from pincite.search.index.table_rows import row_pairs
from pincite.types import Node, Table

NAME = "data"
SHOWN_ROWS = 100
"""Rows of a table that the model is shown; its query is run on all of them."""
Value = str | float | None


@dataclass(frozen=True, slots=True)
class FoundRows:
    """What a statement found: the nodes that hold the rows and their pages, what tells each row, and the answer where one is
    known, as fields of a gold row; `more` are further fields of it.
    """

    nodes: Sequence[Node]
    pages: Sequence[int]
    rows: Sequence[Row]
    gold: Row
    more: Row = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SqlTable:
    """The body of a table: `columns`, the grid's row number of each row, and its values.

    A column most of whose values are numbers holds numbers alone, as they are written; what else stands there is null.
    """

    columns: tuple[str, ...]
    numbers: tuple[int, ...]
    rows: tuple[tuple[Value, ...], ...]

    def find(self, sql: str) -> tuple[int, ...]:
        """The row numbers that a statement finds. Raises UsageError that says what about the statement is not allowed."""
        asked = Relation(NAME, tuple(map(Column, self.columns)))
        condition = where_of(sql, asked).sql(dialect="sqlite")
        with closing(sqlite3.connect(":memory:")) as db:
            names = ", ".join(map(quoted, self.columns))
            db.execute(f"CREATE TABLE {NAME} ({names})")
            marks = ", ".join("?" * (len(self.columns) + 1))
            rows = [(number, *row) for number, row in zip(self.numbers, self.rows, strict=True)]
            db.executemany(f"INSERT INTO {NAME} (rowid, {names}) VALUES ({marks})", rows)
            found = db.execute(f"SELECT rowid FROM {NAME} {condition} ORDER BY rowid").fetchall()
        return tuple(number for (number,) in found)


def sql_table(table: Table) -> SqlTable:
    """A table for SQL, its row labels in the first column where it has any."""
    listed = [(number, dict(pairs)) for number, pairs in row_pairs(table)]
    columns = tuple(dict.fromkeys(name for _, pairs in listed for name in pairs))
    typed = [_numbers([_said(pairs.get(name)) for _, pairs in listed]) for name in columns]
    return SqlTable(columns, tuple(at for at, _ in listed), tuple(zip(*typed, strict=True)))


def where_of(sql: str, asked: Relation) -> Any:
    """The WHERE clause of an allowed statement about one table, parsed. Raises UsageError for any other statement."""
    held = Database(NAME, (asked,), "postgresql")
    try:
        select: Any = sqlglot.parse_one(guarded(sql, held), read="postgres")
    except StatementRefused as error:
        raise UsageError(
            f'one SELECT statement is needed, and "{asked.name}" is the only table: {error}'
        ) from None
    if type(select) is not exp.Select:
        raise UsageError("one SELECT statement is needed")
    allowed = (
        exp.Select, exp.Star, exp.From, exp.Table, exp.Identifier, exp.Where, exp.And, exp.Or, exp.Paren, exp.EQ, exp.GT,
        exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Column, exp.Literal, exp.Neg,
    )  # fmt: skip
    if len(select.expressions) != 1 or not isinstance(select.expressions[0], exp.Star):
        raise UsageError("the statement must begin with SELECT *")
    other = next((node for node in select.walk() if type(node) not in allowed), None)
    if other is not None:
        raise UsageError(
            f"{other.key.upper()} is not allowed: only comparisons (=, >, <, >=, <=, BETWEEN), AND and OR"
        )
    where = select.args.get("where")
    if where is None:
        raise UsageError("a WHERE clause is needed")
    compared = where.find_all(exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
    if not where.find(exp.Column) or any(side.find(exp.Column) is None for side in compared):
        raise UsageError("every comparison must be of a column")
    return where


def _numbers(values: Sequence[str | None]) -> list[Value]:
    """The numbers of a column in which most values are numbers; of another its values."""
    read = [parse(value) if value is not None else None for value in values]
    numbers = [
        float(each.value) if each is not None and each.low is None else None for each in read
    ]
    held = sum(value is not None for value in values)
    mostly = 2 * sum(number is not None for number in numbers) > held
    return list(numbers if mostly else values)


def _said(value: str | float | None) -> str | None:
    return None if value is None else str(value)
