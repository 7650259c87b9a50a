"""A statement over views computed a second time, by another engine, over the rows that the views hold.

The rows are read by the database; joining, filtering, grouping and adding are then DuckDB's, or SQLite's where DuckDB is not
installed or is the source itself: a fault of the first engine, of the views or of the rewriting of the statement shows.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date, time
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import StatementFailed
from pincite.database.relations.shaped_values import written
from pincite.database.sources.typed_columns import quoted
from pincite.database.statements import syntax
from pincite.database.statements.statement_guard import DIALECTS

if TYPE_CHECKING:
    from pincite.database.sources.connection import OpenDatabase
    from pincite.database.views.view_model import CleanView

MOST = 50_000
"""Rows of a view up to which they are read again to be computed with."""
_KINDS = {
    "integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE", "datetime": "TIMESTAMP",
}  # fmt: skip


class Uncomputed(Exception):
    """A statement was not computed a second time; the argument says why."""


def recomputed(
    statement: str, views: Sequence[CleanView], source: OpenDatabase
) -> tuple[list[tuple[Any, ...]], str]:
    """What a statement over views gives by another engine, and which engine that is. Raises Uncomputed."""
    spoken = DIALECTS[source.database.dialect]
    try:
        tree = syntax.tree(statement, spoken)
    except SqlglotError as error:
        raise Uncomputed(f"it cannot be taken apart: {str(error).splitlines()[0][:100]}") from None
    tables = {table.name for table in tree.find_all(exp.Table)}
    used = [view for view in views if view.name in tables]
    held = [(view, _view_rows(view, tree, source)) for view in used]
    why = ""
    for other, computed in _other_engines(tree, spoken):
        try:
            return computed(_translate(statement, spoken, other), held), other
        except Exception as error:  # whatever an engine has against another's dialect
            why = f"{other} does not take it: {str(error).splitlines()[0][:100]}"
    raise Uncomputed(why)


def _other_engines(tree: exp.Expr, spoken: str) -> Iterator[tuple[str, Engine]]:
    """The engines other than the database's own that compute a statement as it does, with their names.

    DuckDB divides whole numbers to fractions, which SQLite and PostgreSQL do not.
    """
    if spoken != "duckdb":
        if find_spec("duckdb") is not None and not any(map(_is_whole, tree.find_all(exp.Div))):
            yield "DuckDB", _by_duckdb
    yield "SQLite", _by_sqlite


def _is_whole(division: exp.Div) -> bool:
    """Whether nothing in a division says that it is one of fractions."""
    decimal = any("." in number.name for number in division.find_all(exp.Literal))
    return not decimal and division.find(exp.Cast, exp.Avg) is None


def _translate(statement: str, spoken: str, other: str) -> str:
    """A statement in the dialect of another engine; LIKE of SQLite is blind to the case of letters."""
    tree = syntax.tree(statement, spoken)
    for like in list(tree.find_all(exp.Like)) if spoken == "sqlite" else ():
        like.replace(exp.ILike(**like.args))
    return str(tree.sql(dialect=other.lower()))


def agree(found: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]]) -> bool:
    """Whether two engines found the same rows, in any order: a limit may keep others of those that share a rank."""
    if len(found) != len(rows):
        return False
    ours, theirs = (
        Counter(tuple(map(_plain_value, row)) for row in each) for each in (found, rows)
    )
    left = sorted((ours - theirs).elements(), key=_sort_key)
    for row in sorted((theirs - ours).elements(), key=_sort_key):
        at = next((at for at, other in enumerate(left) if _is_same(other, row)), None)
        if at is None:
            return False
        left.pop(at)
    return True


def _sort_key(row: Sequence[Any]) -> list[tuple[bool, str, float]]:
    """A place among rows in which those stand near each other whose numbers differ in their last digits."""
    numbers = [isinstance(x, int | float) for x in row]
    pairs = zip(row, numbers, strict=True)
    return [(x is None, "", float(x)) if n else (x is None, str(x), 0.0) for x, n in pairs]


def _is_same(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two rows hold the same values, numbers to ten digits."""

    def same(x: Any, y: Any) -> bool:
        numbers = isinstance(x, int | float) and isinstance(y, int | float)
        return x == y or numbers and math.isclose(x, y, rel_tol=1e-10, abs_tol=1e-12)

    return len(a) == len(b) and all(map(same, a, b))


def _plain_value(value: Any) -> Any:
    """A value as both engines write it: truth as 0 and 1, dates as ISO texts, whole numbers as such."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, date | time):
        return written(value)
    if isinstance(value, list | dict):
        return str(value)
    return float(value) if isinstance(value, Decimal) else value


Held: TypeAlias = "Iterable[tuple[CleanView, tuple[tuple[str, ...], list[Sequence[Any]]]]]"
"""Views, each with the names of its columns and its rows."""
Engine: TypeAlias = "Callable[[str, Held], list[tuple[Any, ...]]]"


def _view_rows(
    view: CleanView, tree: exp.Expr, source: OpenDatabase
) -> tuple[tuple[str, ...], list[Sequence[Any]]]:
    """The columns of a view that a statement may name, and its rows."""
    starred = any(not isinstance(s.parent, exp.Count) for s in tree.find_all(exp.Star))
    named = None if starred else {column.name for column in tree.find_all(exp.Column)}
    try:
        found = source.run(view.select(named), rows=MOST)
    except StatementFailed as error:
        raise Uncomputed(str(error)) from None
    if found.truncated:
        raise Uncomputed(f"{view.name} has more than {MOST:,} rows")
    return tuple(found.columns), list(found.rows)


def _by_duckdb(statement: str, held: Held) -> list[tuple[Any, ...]]:
    import duckdb

    with duckdb.connect(config={"enable_external_access": "false", "threads": "1"}) as engine:
        for view, (columns, rows) in held:
            kinds = {column.name: _KINDS.get(column.type, "VARCHAR") for column in view.columns}
            engine.execute(_create_statement(view.name, columns, kinds))
            if rows:
                cells = [list(column) for column in zip(*rows, strict=True)]
                marks = ", ".join(["UNNEST(?)"] * len(columns))
                engine.execute(f"INSERT INTO {quoted(view.name)} SELECT {marks}", cells)
        return [tuple(row) for row in engine.execute(statement).fetchall()]


def _by_sqlite(statement: str, held: Held) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(":memory:")) as engine:
        for view, (columns, rows) in held:
            engine.execute(_create_statement(view.name, columns, {}))
            marks = ", ".join("?" * len(columns))
            stored = [tuple(map(_plain_value, row)) for row in rows]
            engine.executemany(f"INSERT INTO {quoted(view.name)} VALUES ({marks})", stored)
        return [tuple(row) for row in engine.execute(statement).fetchall()]


def _create_statement(name: str, columns: Sequence[str], kinds: dict[str, str]) -> str:
    listed = ", ".join(f"{quoted(column)} {kinds.get(column, '')}" for column in columns)
    return f"CREATE TABLE {quoted(name)} ({listed})"
