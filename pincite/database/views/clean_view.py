"""Clean views of a source's relations, and statements over views as statements over the source.

A statement over views is one over the source with `WITH` before it, so that the source is untouched and every row of a view is a
row of the source.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.database_errors import StatementRefused
from pincite.database.relations.model import Database
from pincite.database.sources.connection import OpenDatabase
from pincite.database.sources.typed_columns import quoted
from pincite.database.statements import syntax
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.views.view_making import made_views
from pincite.database.views.view_model import CleanView

KEPT_S, KEPT = 300.0, 16
"""How long views are kept, and of how many databases."""
_kept: list[tuple[Database, float, tuple[CleanView, ...]]] = []


def clean_views(source: OpenDatabase) -> tuple[CleanView, ...]:
    """A clean view of every relation of a source, in their order; kept for a while for the next caller.

    Reads about 2,000 rows of each relation. Raises what reading the source does.
    """
    now, database = time.monotonic(), source.database
    for kept, made_at, views in list(_kept):
        # of databases in memory nothing but the object says that they are the same
        same = kept is database or (bool(database.address) and kept == database)
        if same and now - made_at < KEPT_S:
            return views
    views = made_views(source)
    _kept[:] = [(database, now, views), *_kept][:KEPT]
    return views


def view_database(views: Sequence[CleanView], database: Database) -> Database:
    """The views as relations of a database: what the guard, search and headings know of relations they know of these."""
    return replace(database, relations=tuple(views))


def with_views(statement: str, views: Sequence[CleanView]) -> str:
    """A statement over views as one over the source: in a WITH before it the views and columns that it names.

    Raises StatementRefused for what is no single query.
    """
    spoken = DIALECTS[views[0].dialect if views else "sqlite"]
    tree = _parse_one(statement, spoken)
    if not isinstance(tree, exp.Query):
        raise StatementRefused(f"only a SELECT is run, and this is {tree.key.upper()}")
    own = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    columns = _columns_named(tree)
    before = []
    for view in views:
        tables = [table for table in tree.find_all(exp.Table) if _names_view(table, view.name)]
        if not tables:
            continue
        name = view.name
        if name in own:
            name = f"{name}_view"
            for table in tables:
                alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
                table.set("alias", alias)
                table.set("this", exp.to_identifier(name, quoted=True))
        before.append(f"{quoted(name)} AS ({view.select(columns)})")
    if not before:
        return str(tree.sql(dialect=spoken))
    first = _parse_one(f"WITH {', '.join(before)} SELECT 1", spoken).args["with_"]
    clause = tree.args.get("with_")
    if clause is None:
        tree.set("with_", first)
    else:
        clause.set("expressions", [*first.expressions, *clause.expressions])
    return str(tree.sql(dialect=spoken))


def _parse_one(statement: str, dialect: str) -> exp.Expr:
    try:
        return syntax.tree(statement, dialect)
    except syntax.TooMuch as error:
        raise StatementRefused(f"{error}: name fewer columns") from None
    except SqlglotError as error:
        why = str(error).splitlines()[0][:200]
        raise StatementRefused(f"the statement cannot be parsed: {why}") from None


def _names_view(table: exp.Table, name: str) -> bool:
    """Whether a table of a statement is the view of a name, and not what the statement itself defines under it."""
    if table.db or table.name.casefold() != name:
        return False
    around = table.parent
    while around is not None:
        clause = around.args.get("with_")
        for cte in clause.expressions if clause is not None else ():
            if cte.alias_or_name.casefold() == name and not _is_before(table, cte, clause):
                return False
        around = around.parent
    return True


def _is_before(table: exp.Table, cte: exp.CTE, clause: exp.With) -> bool:
    """Whether a table stands in a common table expression, or in one before it, and so cannot mean that one."""
    earlier = clause.expressions[: clause.expressions.index(cte) + 1]
    around: exp.Expr | None = table
    while around is not None:
        if any(around is each for each in earlier):
            return True
        around = around.parent
    return False


def _columns_named(tree: exp.Query) -> Collection[str] | None:
    """The names of all columns that a statement names; None where it may show or join by any."""
    joins = list(tree.find_all(exp.Join))
    starred = any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star))
    if starred or any(join.args.get("method") for join in joins):
        return None
    using = [part.name for join in joins for part in join.args.get("using") or ()]
    named = [part.name for column in tree.find_all(exp.Column) for part in column.parts]
    return {name.casefold() for name in (*named, *using)}
