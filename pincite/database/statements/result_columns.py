"""What a statement's columns are: of which column, under which function, in which unit, and what to call them."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify

from pincite.database.relations.column_heading import Heading, readable
from pincite.database.relations.model import Column, Database, Relation, Type
from pincite.database.statements.scalars import Unreplayable
from pincite.database.statements.syntax import tree

__all__ = ["Heading", "headings", "readable", "tree_of"]

_SAID = {"count": "number", "sum": "total", "avg": "average", "min": "smallest", "max": "largest"}


def tree_of(statement: str, database: Database) -> exp.Query:
    """A statement's syntax tree with every column under its relation's alias; Unreplayable when it cannot be resolved."""
    dialect = "postgres" if database.dialect == "postgresql" else database.dialect
    schema = {relation.name: {column.name: "unknown" for column in relation.columns} for relation in database.relations}
    try:
        parsed = tree(statement, dialect)
        if not isinstance(parsed, exp.Query):
            raise Unreplayable("only a SELECT is taken apart")
        for table in parsed.find_all(exp.Table):
            table.set("db", None)
        asked = {column.name.casefold() for column in parsed.find_all(exp.Column)}
        for relation in database.relations:
            if relation.rowid.casefold() in asked:  # hidden: no part of "*"
                schema[relation.name][relation.rowid] = "unknown"
        return qualify(parsed, schema=schema, dialect=dialect)
    except SqlglotError as error:
        raise Unreplayable(f"the statement cannot be taken apart: {str(error).splitlines()[0]}") from error


def headings(statement: str, database: Database) -> tuple[Heading, ...]:
    """The columns of a statement's result in order; none when it cannot be taken apart."""
    try:
        tree = tree_of(statement, database)
    except Unreplayable:
        return ()
    return tuple(_heading(expression, _within(expression), database) for expression in _first(tree).expressions)


def _first(tree: exp.Expression) -> exp.Select:
    while not isinstance(tree, exp.Select):
        tree = tree.left if isinstance(tree, exp.SetOperation) else tree.this
    return tree


def _within(expression: exp.Expression) -> exp.Select | None:
    return expression if isinstance(expression, exp.Select) else expression.find_ancestor(exp.Select)


def _heading(expression: exp.Expression, select: exp.Select | None, database: Database) -> Heading:
    alias = expression.alias if isinstance(expression, exp.Alias) else ""
    expression = expression.unalias()
    match expression:
        case exp.Column():
            return _column(expression, select, database)
        case exp.Count():
            what = expression.this.expressions[0] if isinstance(expression.this, exp.Distinct) else expression.this
            of = _heading(what, select, database) if isinstance(what, exp.Column) else None
            name = (
                "number of rows"
                if of is None
                else f"number of {'different ' if what is not expression.this else ''}{of.name}"
            )
            return Heading(name, function="count")
        case exp.AggFunc():
            inner = _heading(expression.this, select, database)
            kept = inner.type if expression.key in ("max", "min") else "number"
            name = f"{_SAID.get(expression.key, expression.key)} {inner.name}"
            return replace(inner, name=name, function=expression.key, type=kept)
        case exp.Subquery() | exp.Select():
            nested = _first(expression.this if isinstance(expression, exp.Subquery) else expression)
            return _computed(_heading(nested.expressions[0], nested, database))
        case exp.Sub() | exp.Add():
            left, right = _heading(expression.left, select, database), _heading(expression.right, select, database)
            name = f"{left.name} {'-' if isinstance(expression, exp.Sub) else '+'} {right.name}"
            same = left.unit == right.unit and left.scale == right.scale
            return Heading(name, left.unit if same else "", left.scale if same else Decimal(1), "expression")
        case exp.Mul() if isinstance(expression.expression, exp.Literal) and not expression.expression.is_string:
            inner, factor = _heading(expression.this, select, database), Decimal(expression.expression.name)
            if inner.unit and factor:  # a conversion: the numbers are of another unit
                return replace(inner, scale=inner.scale / factor, function=inner.function or "expression")
            return Heading(f"{inner.name} x {factor}", function="expression")
        case exp.Div():
            left, right = _heading(expression.left, select, database), _heading(expression.right, select, database)
            return Heading(f"{left.name} / {right.name}", function="expression")
        case exp.Round() | exp.Abs() | exp.Cast() | exp.Coalesce() | exp.Paren() | exp.Nullif():
            return _computed(_heading(expression.this, select, database), keep=isinstance(expression, exp.Paren))
        case exp.Case() if len(expression.args["ifs"]) == 1:
            return _computed(_heading(expression.args["ifs"][0].args["true"], select, database), keep=True)
    return Heading(
        alias if alias and not alias.startswith("_col") else expression.sql().replace('"', "")[:60],
        function="expression",
    )


def _computed(heading: Heading, keep: bool = False) -> Heading:
    return replace(heading, function=heading.function or ("" if keep else "expression"))


def _column(wanted: exp.Column, select: exp.Select | None, database: Database) -> Heading:
    """A column as its relation has it, or as the nested query under its alias makes it."""
    for source in _sources(select):
        if source.alias_or_name.casefold() != wanted.table.casefold():
            continue
        if isinstance(source, exp.Subquery):
            nested = _first(source.this)
            inner = next((made for made in nested.expressions if made.alias_or_name == wanted.name), None)
            return _heading(inner, nested, database) if inner is not None else Heading(wanted.name)
        for relation in database.relations:
            if relation.name.casefold() == source.name.casefold():
                for column in relation.columns:
                    if column.name.casefold() == wanted.name.casefold():
                        return Heading(
                            readable(column),
                            column.unit,
                            column.scale,
                            "",
                            relation.name,
                            column.name,
                            _type(relation, column),
                        )
    return Heading(wanted.name)


def _sources(select: exp.Select | None) -> list[exp.Expression]:
    if select is None:
        return []
    start = select.args.get("from_")
    return [*([start.this] if start else []), *(join.this for join in select.args.get("joins") or ())]


_NAMES = re.compile(r"(?:^|[\s_])(?:id|ids|code|zip|zipcode|postcode|phone|isbn|ean|sku)$|[a-z]I[Dd]$", re.IGNORECASE)
_YEARS = re.compile(r"(?:^|[\s_])year(?:$|[\s_])", re.IGNORECASE)


def _type(relation: Relation, column: Column) -> Type | Literal["identifier", "year"]:
    """The type of a column, or what its whole numbers are instead of amounts."""
    if column.type not in ("integer", "number") or column.unit:
        return column.type
    if column.type == "integer" and _YEARS.search(readable(column)) and _year(column.low) and _year(column.high):
        return "year"
    linked = {name for link in relation.links for name in link.columns}
    names = column.name in linked or column.name in relation.key or column.name == relation.rowid
    return "identifier" if names or _NAMES.search(column.name) or _NAMES.search(readable(column)) else column.type


def _year(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and 1000 <= value <= 2999
