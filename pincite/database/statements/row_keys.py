"""The keys of the rows that a statement rests on, asked of the database itself."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pincite.database.relations.model import Database, Relation
from pincite.database.statements import syntax
from pincite.database.statements.pins import key_of
from pincite.database.statements.statement_guard import DIALECTS


@dataclass(frozen=True, slots=True)
class KeyedRows:
    """A SELECT of the keys of the rows that another statement rests on.

    `relations` are those that it reads, each with the columns of it that the statement names, those that it shows first; their
    keys stand side by side in `statement`. `single`: its rows are those of the result, one for one and in order; else all rows
    that were added, counted or chosen from.
    """

    relations: tuple[tuple[Relation, tuple[str, ...]], ...]
    statement: str
    single: bool


def keyed(statement: str, database: Database) -> KeyedRows | None:
    """Which rows a statement rests on; None where that cannot be asked: for a query over queries, or of nothing."""
    dialect = DIALECTS[database.dialect]
    try:
        tree = syntax.tree(statement, dialect)
    except SqlglotError:
        return None
    if not isinstance(tree, exp.Select) or tree.args.get("from_") is None:
        return None
    held = {relation.name.casefold(): relation for relation in database.relations}
    tables = [part.this for part in (tree.args["from_"], *(tree.args.get("joins") or ()))]
    if not all(isinstance(t, exp.Table) and t.name.casefold() in held for t in tables):
        return None
    shown, keys = [], []
    for table in tables:
        alias, relation = table.alias_or_name, held[table.name.casefold()]
        columns = _columns_named(tree, alias, relation)
        if columns or len(tables) == 1:
            shown.append((relation, columns))
            place = exp.to_identifier(alias, quoted=True)
            for name in key_of(relation):
                keys.append(exp.column(exp.to_identifier(name, quoted=True), table=place.copy()))
    single = not tree.args.get("group") and not any(
        each.find_ancestor(exp.Select) is tree
        for part in tree.expressions
        for each in part.find_all(exp.AggFunc)
    )
    if not keys or tree.args.get("distinct") and not single:
        return None
    single = single and not tree.args.get("distinct")
    if not single:
        for part in ("group", "having", "order", "limit", "offset"):
            tree.set(part, None)
    tree.set("distinct", None if single else exp.Distinct())
    tree.set("expressions", keys)
    return KeyedRows(tuple(shown), str(tree.sql(dialect=dialect)), single)


def _columns_named(tree: exp.Select, alias: str, relation: Relation) -> tuple[str, ...]:
    """The columns of a relation that a SELECT names, those that it shows first, those that it only joins by left out."""
    joining = {
        id(column)
        for join in tree.args.get("joins") or ()
        if (on := join.args.get("on")) is not None
        for column in on.find_all(exp.Column)
    }

    def own(part: exp.Expr) -> list[str]:
        named = (c for c in part.find_all(exp.Column) if c.table in ("", alias))
        return [column.name.casefold() for column in named if id(column) not in joining]

    shown = [name for part in tree.expressions for name in own(part)]
    names = {column.name.casefold(): column.name for column in relation.columns}
    every = dict.fromkeys((*shown, *sorted(set(own(tree)))))
    return tuple(names[column] for column in every if column in names)
