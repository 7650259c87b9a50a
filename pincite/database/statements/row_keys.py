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
    table = _only_table(tree)
    held = [
        relation
        for relation in database.relations
        if table and relation.name.casefold() == table.name.casefold()
    ]
    if table is None or not held:
        return None
    relation, alias = held[0], table.alias_or_name
    columns = _named(tree, alias, relation)
    keys = [
        exp.column(
            exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True)
        )
        for name in key_of(relation)
    ]
    tree.set("expressions", keys)
    tree.set("distinct", None)
    return relation, columns, str(tree.sql(dialect=dialect))


def _only_table(tree: exp.Expr) -> exp.Table | None:
    """The table that a SELECT shows single rows of; None for one that does anything else."""
    if not isinstance(tree, exp.Select) or tree.args.get("joins") or tree.args.get("group"):
        return None
    if any(expression.find(exp.AggFunc, exp.Query) for expression in tree.expressions):
        return None
    table = getattr(tree.args.get("from_"), "this", None)
    return table if isinstance(table, exp.Table) else None


def _named(tree: exp.Expr, alias: str, relation: Relation) -> tuple[str, ...]:
    """The columns of a relation that a SELECT names, those that it shows first."""
    own = {
        column.name.casefold()
        for column in tree.find_all(exp.Column)
        if column.table in ("", alias)
    }
    shown = [
        column.name.casefold() for part in tree.expressions for column in part.find_all(exp.Column)
    ]
    names = {column.name.casefold(): column.name for column in relation.columns}
    return tuple(
        names[column] for column in dict.fromkeys((*shown, *sorted(own))) if column in names
    )
