"""A statement over a source taken back to the views that it begins with: how it was asked, and what its columns are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.relations.column_heading import Heading
from pincite.database.relations.model import Database
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements import syntax
from pincite.database.statements.result_columns import headings
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.views.clean_view import clean_views, view_database
from pincite.database.views.view_model import CleanView
from pincite.quantity import canonical_unit


def over_views(statement: str, views: Sequence[CleanView]) -> str:
    """The statement over views that `with_views` made this one of; "" for one that begins with no view."""
    dialect = DIALECTS[views[0].dialect if views else "sqlite"]
    try:
        tree = syntax.tree(statement, dialect)
    except SqlglotError:
        return ""
    clause = tree.args.get("with_")
    names = {view.name for view in views}
    before = clause.expressions if clause else []
    renamed = {f"{cte.alias}_view" for cte in before if cte.alias in names}
    renamed &= {cte.alias for cte in before}
    made = {name for name in names if f"{name}_view" not in renamed} | renamed
    own = [cte for cte in before if cte.alias not in made]
    if clause is None or len(own) == len(before):
        return ""
    for table in tree.find_all(exp.Table) if renamed else ():
        if table.name in renamed:
            table.set("this", exp.to_identifier(table.name.removesuffix("_view"), quoted=True))
    if own:
        clause.set("expressions", own)
    else:
        tree.set("with_", None)
    return str(tree.sql(dialect=dialect))


def asked(statement: str, source: OpenDatabase) -> tuple[str, Database]:
    """A statement as it was asked, and of which relations: over clean views, or over the source itself."""
    views = clean_views(source)
    if over := over_views(statement, views):
        return over, view_database(views, source.database)
    return statement, source.database


def headed(statement: str, source: OpenDatabase) -> tuple[Heading, ...]:
    """The columns of a statement's result under the names and units of views; none when it cannot be taken apart.

    Amounts whose rows say their unit are in the one that the statement keeps alone, where it does.
    """
    over, database = asked(statement, source)
    views = clean_views(source)
    kept = _kept_values(over, views)
    made = []
    for heading in headings(over, database):
        unit = kept.get(unit_column(heading, views), "")
        made.append(replace(heading, unit=canonical_unit(unit)) if unit else heading)
    return tuple(made)


def unit_column(heading: Heading, views: Sequence[CleanView]) -> str:
    """The column that says the unit of each amount under a heading; "" where its amounts are of one unit."""
    for view in views:
        if view.name == heading.relation:
            return next((own.currency for own in view.columns if own.name == heading.column), "")
    return ""


def _kept_values(statement: str, views: Sequence[CleanView]) -> dict[str, str]:
    """The one value of each column of texts that a statement keeps rows of."""
    dialect = DIALECTS[views[0].dialect if views else "sqlite"]
    try:
        where = syntax.tree(statement, dialect).args.get("where")
    except SqlglotError:
        return {}
    equal = list(where.find_all(exp.EQ)) if where is not None else []
    texts = [e for e in equal if isinstance(e.left, exp.Column) and e.right.is_string]
    return {each.left.name: each.right.name for each in texts}
