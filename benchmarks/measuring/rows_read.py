"""Which rows of one table a statement reads: those that it shows, counts or sums."""

from __future__ import annotations

import sqlite3

import sqlglot
from sqlglot import exp


def rows_read(statement: str, relation: str, connection: sqlite3.Connection) -> list[int]:
    """The row ids of `relation` that an SQLite select reads, in its order; nothing when it does not parse or run.

    An aggregate reads every row that its condition lets through; a select without a table of its own reads what the selects
    inside it read.
    """
    try:
        made = sqlglot.parse_one(statement, dialect="sqlite")
        found = [
            number
            for select in selects(made, relation)
            for (number,) in connection.execute(select.sql(dialect="sqlite"))
        ]
    except (sqlglot.ParseError, sqlite3.Error):
        return []
    return list(dict.fromkeys(found))


def selects(made: exp.Expression, relation: str) -> list[exp.Select]:
    """The select of the row ids that a statement reads, or those of the selects of which it is made."""
    if isinstance(made, exp.Select):
        source = made.args.get("from_") or made.args.get("from")
        if (
            source is not None
            and isinstance(source.this, exp.Table)
            and source.this.name.lower() == relation.lower()
        ):
            return [numbers(made, source.this.alias_or_name)]
    inner = [select for select in made.find_all(exp.Select) if select is not made]
    outermost = [
        select
        for select in inner
        if not any(other is not select and contains(other, select) for other in inner)
    ]
    return [each for select in outermost for each in selects(select, relation)]


def numbers(made: exp.Select, name: str) -> exp.Select:
    """A select with its row ids in place of what it shows; order and limit go where they are of groups or aggregates."""
    whole = made.args.get("group") is not None or any(
        expression.find(exp.AggFunc) is not None
        for expression in made.expressions
        if not isinstance(expression, exp.Subquery)
    )
    made = made.copy()
    made.set("expressions", [exp.column("rowid", table=name)])
    made.set("distinct", None)
    for part in ("group", "having", *(("order", "limit", "offset") if whole else ())):
        made.set(part, None)
    return made


def contains(outer: exp.Expression, inner: exp.Expression) -> bool:
    """Whether one part of a statement holds another."""
    parent = inner.parent
    while parent is not None:
        if parent is outer:
            return True
        parent = parent.parent
    return False
