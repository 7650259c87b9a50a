"""The keys of the rows that a statement shows, asked of the database itself: for tables too large to be read whole."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.relations.model import Database, Relation
from pincite.database.statements import syntax
from pincite.database.statements.pins import key_of
from pincite.database.statements.statement_guard import DIALECTS


def keyed(statement: str, database: Database) -> tuple[Relation, tuple[str, ...], str] | None:
    """The relation that a SELECT of single rows shows, the columns of it that it names, and a SELECT of their keys.

    None for what joins, groups or aggregates, or selects from another query.
    """
    dialect = DIALECTS[database.dialect]
    try:
        tree = syntax.tree(statement, dialect)
    except SqlglotError:
        return None
    start = tree.args.get("from_")
    if (
        not isinstance(tree, exp.Select)
        or tree.args.get("joins")
        or start is None
        or not isinstance(start.this, exp.Table)
    ):
        return None
    if tree.args.get("group") or any(expression.find(exp.AggFunc, exp.Query) for expression in tree.expressions):
        return None
    relation = next((held for held in database.relations if held.name.casefold() == start.this.name.casefold()), None)
    if relation is None:
        return None
    alias = start.this.alias_or_name
    own = {column.name.casefold() for column in tree.find_all(exp.Column) if column.table in ("", alias)}
    shown = {
        column.name.casefold(): None for expression in tree.expressions for column in expression.find_all(exp.Column)
    }
    names = {column.name.casefold(): column.name for column in relation.columns}
    columns = tuple(names[column] for column in dict.fromkeys((*shown, *sorted(own))) if column in names)
    keys = [
        exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True))
        for name in key_of(relation)
    ]
    tree.set("expressions", keys)
    tree.set("distinct", None)
    return relation, columns, str(tree.sql(dialect=dialect))
