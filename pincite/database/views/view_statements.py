"""A statement over a source taken back to the views that it begins with: how it was asked, and what its columns are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.errors import SqlglotError

from pincite.database.relations.column_heading import Heading
from pincite.database.relations.model import Database
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements import syntax
from pincite.database.statements.result_columns import headings
from pincite.database.statements.statement_guard import DIALECTS
from pincite.database.views.clean_view import clean_views, view_database
from pincite.database.views.view_model import CleanView


def over_views(statement: str, views: Sequence[CleanView]) -> str:
    """The statement over views that `with_views` made this one of; "" for one that begins with no view."""
    dialect = DIALECTS[views[0].dialect if views else "sqlite"]
    try:
        tree = syntax.tree(statement, dialect)
    except SqlglotError:
        return ""
    clause = tree.args.get("with_")
    names = {view.name for view in views}
    own = [cte for cte in (clause.expressions if clause else ()) if cte.alias not in names]
    if clause is None or len(own) == len(clause.expressions):
        return ""
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
    """The columns of a statement's result under the names and units of views; none when it cannot be taken apart."""
    return headings(*asked(statement, source))
