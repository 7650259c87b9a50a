"""What a statement's columns are: of which column, under which function, in which unit, and what to call them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from pincite.database.relations.column_heading import Heading, readable
from pincite.database.relations.model import Column, Database, Relation, Type
from pincite.database.statements.syntax import tree
from pincite.lexicon import pattern

__all__ = ["Heading", "headings", "readable"]

_SAID = {"count": "number", "sum": "total", "avg": "average", "min": "smallest", "max": "largest"}


def _qualified(statement: str, database: Database) -> exp.Query | None:
    """A statement's syntax tree with every column under its relation's alias; None when it cannot be resolved."""
    dialect = "postgres" if database.dialect == "postgresql" else database.dialect
    try:
        parsed = tree(statement, dialect)
        if not isinstance(parsed, exp.Query):
            return None
        for table in parsed.find_all(exp.Table):
            table.set("db", None)
        asked = {column.name.casefold() for column in parsed.find_all(exp.Column)}
        schema = {}
        for relation in database.relations:
            schema[relation.name] = dict.fromkeys(
                (column.name for column in relation.columns), "unknown"
            )
            if relation.rowid.casefold() in asked:  # hidden: no part of "*"
                schema[relation.name][relation.rowid] = "unknown"
        return qualify(parsed, schema=schema, dialect=dialect)
    except SqlglotError:
        return None


def headings(statement: str, database: Database) -> tuple[Heading, ...]:
    """The columns of a statement's result in order; none when it cannot be taken apart."""
    tree = _qualified(statement, database)
    if tree is None:
        return ()
    return tuple(
        _heading(expression, _within(expression), database)
        for expression in _first(tree).expressions
    )


def _first(tree: exp.Expression) -> exp.Select:
    while not isinstance(tree, exp.Select):
        tree = tree.left if isinstance(tree, exp.SetOperation) else tree.this
    return tree


def _within(expression: exp.Expression) -> exp.Select | None:
    return (
        expression if isinstance(expression, exp.Select) else expression.find_ancestor(exp.Select)
    )


def _heading(expression: exp.Expression, select: exp.Select | None, database: Database) -> Heading:
    alias = isinstance(expression, exp.Alias) and expression.alias or "_col"
    expression = expression.unalias()
    match expression:
        case exp.Column():
            return _column(expression, select, database)
        case exp.Count():
            return _count(expression, select, database)
        case exp.AggFunc():
            return _aggregated(_heading(expression.this, select, database), expression.key)
        case exp.Sub() | exp.Add() | exp.Mul() | exp.Div():
            made = _arithmetic(expression, select, database)
        case _:
            made = _passed(expression, select, database)
    if made is None:
        name = expression.sql().replace('"', "")[:60] if alias.startswith("_col") else alias
        made = Heading(name, function="expression")
    return made


def _aggregated(inner: Heading, function: str) -> Heading:
    name = f"{_SAID.get(function, function)} {inner.name}"
    return replace(
        inner,
        name=name,
        function=function,
        type=inner.type if function in ("max", "min") else "number",
    )


def _count(count: exp.Count, select: exp.Select | None, database: Database) -> Heading:
    distinct = isinstance(count.this, exp.Distinct)
    what = count.this.expressions[0] if distinct else count.this
    if not isinstance(what, exp.Column):
        return Heading("number of rows", function="count")
    different = "different " if distinct else ""
    return Heading(
        f"number of {different}{_heading(what, select, database).name}", function="count"
    )


def _arithmetic(made: exp.Binary, select: exp.Select | None, database: Database) -> Heading | None:
    """The heading of two numbers added, subtracted or divided, or of one multiplied by a number that is written out."""
    factor = made.expression
    if isinstance(made, exp.Mul) and not (
        isinstance(factor, exp.Literal) and not factor.is_string
    ):
        return None
    left = _heading(made.left, select, database)
    if isinstance(made, exp.Mul):
        times = Decimal(factor.name)
        if left.unit and times:  # a conversion: the numbers are of another unit
            return replace(left, scale=left.scale / times, function=left.function or "expression")
        return Heading(f"{left.name} x {times}", function="expression")
    right = _heading(made.right, select, database)
    sign = {"sub": "-", "add": "+", "div": "/"}[made.key]
    name = f"{left.name} {sign} {right.name}"
    if isinstance(made, exp.Div) or (left.unit, left.scale) != (right.unit, right.scale):
        return Heading(name, function="expression")
    return Heading(name, left.unit, left.scale, "expression")


def _passed(made: exp.Expression, select: exp.Select | None, database: Database) -> Heading | None:
    """The heading of a query's first column, or of what a function or a CASE takes its values from."""
    match made:
        case exp.Subquery() | exp.Select():
            nested = _first(made.this if isinstance(made, exp.Subquery) else made)
            return _computed(_heading(nested.expressions[0], nested, database))
        case exp.Round() | exp.Abs() | exp.Cast() | exp.Coalesce() | exp.Paren() | exp.Nullif():
            return _computed(
                _heading(made.this, select, database), keep=isinstance(made, exp.Paren)
            )
        case exp.Case() if len(made.args["ifs"]) == 1:
            return _computed(
                _heading(made.args["ifs"][0].args["true"], select, database), keep=True
            )
    return None


def _computed(heading: Heading, keep: bool = False) -> Heading:
    return replace(heading, function=heading.function or ("" if keep else "expression"))


def _column(wanted: exp.Column, select: exp.Select | None, database: Database) -> Heading:
    """A column as its relation has it, or as the nested query under its alias makes it."""
    for source in _sources(select):
        if source.alias_or_name.casefold() != wanted.table.casefold():
            continue
        if isinstance(source, exp.Subquery):
            nested = _first(source.this)
            inner = next(
                (made for made in nested.expressions if made.alias_or_name == wanted.name), None
            )
            return _heading(inner, nested, database) if inner is not None else Heading(wanted.name)
        if found := _stored(source.name, wanted.name, database):
            return found
    return Heading(wanted.name)


def _stored(name: str, wanted: str, database: Database) -> Heading | None:
    """The heading of a column of a relation; None when there is none of that name."""
    for relation in database.relations:
        if relation.name.casefold() == name.casefold():
            for column in relation.columns:
                if column.name.casefold() == wanted.casefold():
                    kind = _type(relation, column)
                    return Heading(
                        readable(column),
                        column.unit,
                        column.scale,
                        "",
                        relation.name,
                        column.name,
                        kind,
                    )
    return None


def _sources(select: exp.Select | None) -> list[exp.Expression]:
    if select is None:
        return []
    start = select.args.get("from_")
    return [
        *([start.this] if start else []),
        *(join.this for join in select.args.get("joins") or ()),
    ]


_NAMES = pattern("database", "naming number", "columns")
_YEARS = pattern("database", "year", "columns")


def _type(relation: Relation, column: Column) -> Type | Literal["identifier", "year"]:
    """The type of a column, or what its whole numbers are instead of amounts."""
    if column.type not in ("integer", "number") or column.unit:
        return column.type
    if (
        column.type == "integer"
        and _YEARS.search(readable(column))
        and _year(column.low)
        and _year(column.high)
    ):
        return "year"
    naming = {*relation.key, relation.rowid}.union(*(link.columns for link in relation.links))
    names = column.name in naming or any(map(_NAMES.search, (column.name, readable(column))))
    return "identifier" if names else column.type


def _year(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and 1000 <= value <= 2999
