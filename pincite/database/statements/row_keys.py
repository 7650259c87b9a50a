"""The keys of the rows that a statement rests on, asked of the database itself."""

from __future__ import annotations

from collections.abc import Iterator
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
    tables = list(_tables(tree))
    if not tables or any(table is None or table.name.casefold() not in held for table in tables):
        return None
    read = [
        (table.alias_or_name, held[table.name.casefold()]) for table in tables if table is not None
    ]
    relations = [(relation, _named(tree, alias, relation)) for alias, relation in read]
    shown = [
        (own, relation)
        for own, relation in zip(read, relations, strict=True)
        if relation[1] or len(read) == 1
    ]
    keys = [
        exp.column(
            exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True)
        )
        for (alias, relation), _ in shown
        for name in key_of(relation)
    ]
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
    return KeyedRows(tuple(each for _, each in shown), str(tree.sql(dialect=dialect)), single)


def _tables(tree: exp.Select) -> Iterator[exp.Table | None]:
    """What a SELECT reads and joins; None for what is no table."""
    for part in (tree.args["from_"], *(tree.args.get("joins") or ())):
        yield part.this if isinstance(part.this, exp.Table) else None


def _named(tree: exp.Select, alias: str, relation: Relation) -> tuple[str, ...]:
    """The columns of a relation that a SELECT names, those that it shows first, those that it only joins by left out."""
    joining = {
        id(column)
        for join in tree.args.get("joins") or ()
        if (on := join.args.get("on")) is not None
        for column in on.find_all(exp.Column)
    }

    def own(part: exp.Expr) -> list[str]:
        return [
            column.name.casefold()
            for column in part.find_all(exp.Column)
            if column.table in ("", alias) and id(column) not in joining
        ]

    shown = [name for part in tree.expressions for name in own(part)]
    names = {column.name.casefold(): column.name for column in relation.columns}
    return tuple(
        names[column]
        for column in dict.fromkeys((*shown, *sorted(set(own(tree)))))
        if column in names
    )
