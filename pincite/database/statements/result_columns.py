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
from pincite.text.lexicon import pattern

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
            names = [column.name for column in relation.columns]
            if relation.rowid.casefold() in asked:  # hidden: no part of "*"
                names.append(relation.rowid)
            schema[relation.name] = dict.fromkeys(names, "unknown")
        return qualify(parsed, schema=schema, dialect=dialect)
    except SqlglotError:
        return None


def headings(statement: str, database: Database) -> tuple[Heading, ...]:
    """The columns of a statement's result in order; none when it cannot be taken apart."""
    tree = _qualified(statement, database)
    if tree is None:
        return ()
    select = _first_select(tree)
    return tuple(_heading(expression, select, database) for expression in select.expressions)


def _first_select(tree: exp.Expression) -> exp.Select:
    while not isinstance(tree, exp.Select):
        tree = tree.left if isinstance(tree, exp.SetOperation) else tree.this
    return tree


def _heading(expression: exp.Expression, select: exp.Select, database: Database) -> Heading:
    alias = isinstance(expression, exp.Alias) and expression.alias or "_col"
    expression = expression.unalias()
    match expression:
        case exp.Column():
            return _column_heading(expression, select, database)
        case exp.Count():
            return _count_heading(expression, select, database)
        case exp.AggFunc():
            return _aggregate_heading(_heading(expression.this, select, database), expression.key)
        case exp.Sub() | exp.Add() | exp.Mul() | exp.Div():
            made = _arithmetic_heading(expression, select, database)
        case _:
            made = _inner_heading(expression, select, database)
    if made is None:
        name = expression.sql().replace('"', "")[:60] if alias.startswith("_col") else alias
        made = Heading(name, function="expression")
    return made


def _aggregate_heading(inner: Heading, function: str) -> Heading:
    name = f"{_SAID.get(function, function)} {inner.name}"
    kind = inner.type if function in ("max", "min") else "number"
    return replace(inner, name=name, function=function, type=kind)


def _count_heading(count: exp.Count, select: exp.Select, database: Database) -> Heading:
    distinct = isinstance(count.this, exp.Distinct)
    what = count.this.expressions[0] if distinct else count.this
    if not isinstance(what, exp.Column):
        return Heading("number of rows", function="count")
    counted = ("different " if distinct else "") + _heading(what, select, database).name
    return Heading(f"number of {counted}", function="count")


def _arithmetic_heading(
    made: exp.Binary, select: exp.Select, database: Database
) -> Heading | None:
    """The heading of two numbers added, subtracted or divided, or of one multiplied by a number that is written out."""
    factor = made.expression
    left = _heading(made.left, select, database)
    if isinstance(made, exp.Mul):
        if not isinstance(factor, exp.Literal) or factor.is_string:
            return None
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


def _inner_heading(made: exp.Expression, select: exp.Select, database: Database) -> Heading | None:
    """The heading of a query's first column, or of what a function or a CASE takes its values from."""
    match made:
        case exp.Subquery() | exp.Select():
            nested = _first_select(made.this if isinstance(made, exp.Subquery) else made)
            return _computed_heading(_heading(nested.expressions[0], nested, database))
        case exp.Round() | exp.Abs() | exp.Cast() | exp.Coalesce() | exp.Paren() | exp.Nullif():
            inner = _heading(made.this, select, database)
            return _computed_heading(inner, keep=isinstance(made, exp.Paren))
        case exp.Case() if len(made.args["ifs"]) == 1:
            inner = _heading(made.args["ifs"][0].args["true"], select, database)
            return _computed_heading(inner, keep=True)
    return None


def _computed_heading(heading: Heading, keep: bool = False) -> Heading:
    return replace(heading, function=heading.function or ("" if keep else "expression"))


def _column_heading(wanted: exp.Column, select: exp.Select, database: Database) -> Heading:
    """A column as its relation has it, or as the nested query under its alias makes it."""
    start = select.args.get("from_")
    parts = [*([start] if start else []), *(select.args.get("joins") or ())]
    for source in (part.this for part in parts):
        if source.alias_or_name.casefold() != wanted.table.casefold():
            continue
        if isinstance(source, exp.Subquery):
            nested = _first_select(source.this)
            made = (each for each in nested.expressions if each.alias_or_name == wanted.name)
            inner = next(made, None)
            return _heading(inner, nested, database) if inner is not None else Heading(wanted.name)
        if found := _stored_heading(source.name, wanted.name, database):
            return found
    return Heading(wanted.name)


def _stored_heading(name: str, wanted: str, database: Database) -> Heading | None:
    """The heading of a column of a relation; None when there is none of that name."""
    for relation in database.relations:
        for own in relation.columns if relation.name.casefold() == name.casefold() else ():
            if own.name.casefold() == wanted.casefold():
                said = (readable(own), own.unit, own.scale, "", relation.name, own.name)
                return Heading(*said, _heading_type(relation, own))
    return None


_NAMES = pattern("database", "naming number", "columns")
_YEARS = pattern("database", "year", "columns")


def _heading_type(relation: Relation, column: Column) -> Type | Literal["identifier", "year"]:
    """The type of a column, or what its whole numbers are instead of amounts."""
    if column.type not in ("integer", "number") or column.unit:
        return column.type
    years = column.type == "integer" and _YEARS.search(readable(column))
    if years and _year(column.low) and _year(column.high):
        return "year"
    naming = {*relation.key, relation.rowid}.union(*(link.columns for link in relation.links))
    names = column.name in naming or any(map(_NAMES.search, (column.name, readable(column))))
    return "identifier" if names else column.type


def _year(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and 1000 <= value <= 2999
