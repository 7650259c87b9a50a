"""SQL's expressions as Python functions: what a statement says of a row or a group, without asking a database.

This module shares no code with the compiler of statements, so that one can check the other. NULL is None, and logic has three
values. What this does not know raises Unreplayable: guessing would be no check.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Set
from typing import Any, Protocol

from sqlglot import exp

from pincite.database.statements.scalars import (
    Unreplayable,
    among,
    both,
    cast,
    combined,
    compared,
    cut,
    divided,
    either,
    expression_of,
    moment,
    part_of,
    rounded,
    type_name,
)

Calculated = Callable[[Any], Any]
"""From a row (or group) to a value."""


class Leaves(Protocol):
    """What stands at the leaves of an expression."""

    dialect: str

    def column(self, column: exp.Column) -> Calculated:
        """The value of a column."""
        ...

    def aggregate(self, function: exp.AggFunc) -> Calculated:
        """The value of an aggregate over a group."""
        ...

    def subquery(self, expression: exp.Expression) -> Callable[[Any], list[tuple[Any, ...]]]:
        """The rows of a nested query."""
        ...


Of = Callable[[exp.Expression], Calculated]


def calculation(expression: exp.Expression, leaves: Leaves) -> Calculated:
    """The function that an expression is; raises Unreplayable for one that is not known."""

    def of(part: exp.Expression) -> Calculated:
        return calculation(part, leaves)

    if not isinstance(expression, exp.Query | exp.Column):
        refuse_unknown(expression, _KNOWN | _ARGUMENTS.get(type(expression), frozenset()))
    for kind in type(expression).__mro__:
        if kind in _OF_ONE:
            return _of_value(of(expression.this), _OF_ONE[kind])
        if kind in _OF_TWO:
            two, left, right = _OF_TWO[kind], of(expression.this), of(expression.expression)
            return lambda row: two(left(row), right(row))
        if kind in _MADE:
            return _MADE[kind](expression, of, leaves)
    raise Unreplayable(
        f"{type(expression).__name__.upper()} is not computed again outside the database"
    )


def refuse_unknown(node: exp.Expression, known: Set[str]) -> None:
    """Raise Unreplayable for an expression that says more than is known: that would be left out unseen."""
    unknown = {name for name, held in node.args.items() if held} - known
    if unknown:
        raise Unreplayable(
            f"{node.key.upper()} with {', '.join(sorted(unknown))} is not computed again outside the database"
        )


def _of_value(inner: Calculated, run: Callable[[Any], Any]) -> Calculated:
    """What a function makes of a value; NULL of NULL."""
    return lambda row: None if (held := inner(row)) is None else run(held)


def _number(text: str) -> int | float:
    return int(text) if text.isdecimal() else float(text)


def _is(expression: exp.Is, of: Of, leaves: Leaves) -> Calculated:
    left, negate = of(expression.this), bool(expression.args.get("negate"))
    if isinstance(expression.expression, exp.Null):
        return lambda row: (left(row) is None) != negate
    right = of(expression.expression)
    return lambda row: (left(row) == right(row)) != negate


def _in(expression: exp.In, of: Of, leaves: Leaves) -> Calculated:
    value = of(expression.this)
    query = expression.args.get("query")
    if query is not None:
        rows = leaves.subquery(query)
        return lambda row: among(value(row), [found[0] for found in rows(row)])
    items = [of(item) for item in expression.expressions]
    return lambda row: among(value(row), [item(row) for item in items])


def _case(expression: exp.Case, of: Of, leaves: Leaves) -> Calculated:
    base = of(expression.this) if expression.this else None
    ways = [(of(way.this), of(way.args["true"])) for way in expression.args["ifs"]]
    rest = of(expression.args["default"]) if expression.args.get("default") else lambda row: None

    def run(row: Any) -> Any:
        for test, then in ways:
            held = test(row) if base is None else compared(operator.eq, base(row), test(row))
            if held:
                return then(row)
        return rest(row)

    return run


def _like(expression: exp.Expression, of: Of, leaves: Leaves, escape: str = "") -> Calculated:
    value, pattern, negate = (
        of(expression.this),
        of(expression.expression),
        bool(expression.args.get("negate")),
    )
    loose = (
        isinstance(expression, exp.ILike)
        or isinstance(expression, exp.Like)
        and leaves.dialect == "sqlite"
    )
    flags = re.DOTALL | (re.IGNORECASE if loose else 0)
    many, any_one = ("*", "?") if isinstance(expression, exp.Glob) else ("%", "_")

    def run(row: Any) -> bool | None:
        held, form = value(row), pattern(row)
        if held is None or form is None:
            return None
        return (
            re.fullmatch(expression_of(str(form), many, any_one, escape), str(held), flags)
            is not None
        ) != negate

    return run


def _escaped(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    return _like(expression.this, of, leaves, expression.expression.name)


# ---- what each kind of expression is


def _literal(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    held = str(expression.this) if expression.is_string else _number(expression.this)
    return lambda row: held


def _truth(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    held = bool(expression.this)
    return lambda row: held


def _inside(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    return of(expression.this)


def _scalar(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    rows = leaves.subquery(expression)
    return lambda row: next((found[0] for found in rows(row)), None)


def _exists(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    rows = leaves.subquery(expression.this)
    return lambda row: bool(rows(row))


def _logic(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    left, right = of(expression.this), of(expression.expression)
    joined = both if isinstance(expression, exp.And) else either
    return lambda row: joined(left(row), lambda: right(row))


def _between(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    value, low, high = of(expression.this), of(expression.args["low"]), of(expression.args["high"])
    return lambda row: both(
        compared(operator.ge, value(row), low(row)),
        lambda: compared(operator.le, value(row), high(row)),
    )


def _first(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    parts = [of(part) for part in (expression.this, *expression.expressions)]
    return lambda row: next((held for part in parts if (held := part(row)) is not None), None)


def _turned(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    kind = expression.args["to"].this.name
    return _of_value(of(expression.this), lambda held: cast(held, kind, leaves.dialect))


def _quotient(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    left, right = of(expression.this), of(expression.expression)
    whole = isinstance(expression, exp.IntDiv) or leaves.dialect in ("sqlite", "postgres")
    return lambda row: divided(left(row), right(row), whole)


def _round(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    inner, digits = of(expression.this), expression.args.get("decimals")
    places = of(digits) if digits is not None else lambda row: 0
    return lambda row: None if (held := inner(row)) is None else rounded(held, int(places(row)))


def _unless(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    left, right = of(expression.this), of(expression.expression)
    return lambda row: None if compared(operator.eq, left(row), right(row)) else left(row)


def _part_of(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    inner, start, length = (
        of(expression.this),
        of(expression.args["start"]),
        expression.args.get("length"),
    )
    size = of(length) if length is not None else lambda row: None
    return lambda row: (
        None if (held := inner(row)) is None else cut(str(held), int(start(row)), size(row))
    )


def _extracted(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    part = expression.this.name.lower()
    return _of_value(of(expression.expression), lambda held: part_of(held, part))


def _timed(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    form = expression.args["format"].name
    return _of_value(of(expression.this), lambda held: moment(held).strftime(form))


def _concat(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    parts = [of(part) for part in expression.expressions]
    return lambda row: "".join("" if (held := part(row)) is None else str(held) for part in parts)


def _type_of(expression: exp.Expression, of: Of, leaves: Leaves) -> Calculated:
    inner = of(expression.this)
    return lambda row: type_name(inner(row))


def _comparison(run: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool | None]:
    return lambda a, b: compared(run, a, b)


def _arithmetic(run: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: combined(run, a, b)


_OF_ONE: Mapping[type, Callable[[Any], Any]] = {
    exp.Not: operator.not_,
    exp.Neg: operator.neg,
    exp.Lower: lambda held: str(held).lower(),
    exp.Upper: lambda held: str(held).upper(),
    exp.Trim: lambda held: str(held).strip(),
    exp.Length: lambda held: len(str(held)),
    exp.Abs: abs,
    exp.Floor: math.floor,
    exp.Ceil: math.ceil,
    exp.Year: lambda held: moment(held).year,
    exp.Month: lambda held: moment(held).month,
    exp.Day: lambda held: moment(held).day,
    exp.Date: lambda held: moment(held).date(),
}
_OF_TWO: Mapping[type, Callable[[Any, Any], Any]] = {
    exp.EQ: _comparison(operator.eq),
    exp.NEQ: _comparison(operator.ne),
    exp.GT: _comparison(operator.gt),
    exp.GTE: _comparison(operator.ge),
    exp.LT: _comparison(operator.lt),
    exp.LTE: _comparison(operator.le),
    exp.Add: _arithmetic(operator.add),
    exp.Sub: _arithmetic(operator.sub),
    exp.Mul: _arithmetic(operator.mul),
    exp.Mod: _arithmetic(math.fmod),
    exp.DPipe: lambda a, b: None if a is None or b is None else f"{a}{b}",
}
_MADE: Mapping[type, Callable[[Any, Of, Leaves], Calculated]] = {
    exp.Column: lambda column, of, leaves: leaves.column(column),
    exp.AggFunc: lambda function, of, leaves: leaves.aggregate(function),
    exp.Literal: _literal,
    exp.Boolean: _truth,
    exp.Null: lambda null, of, leaves: lambda row: None,
    exp.Typeof: _type_of,
    **dict.fromkeys(
        (exp.Paren, exp.Alias, exp.Collate, exp.TsOrDsToTimestamp, exp.TsOrDsToDate), _inside
    ),
    **dict.fromkeys((exp.Subquery, exp.Select), _scalar),
    exp.Exists: _exists,
    **dict.fromkeys((exp.And, exp.Or), _logic),
    exp.Is: _is,
    exp.In: _in,
    exp.Between: _between,
    exp.Case: _case,
    exp.Coalesce: _first,
    **dict.fromkeys((exp.Like, exp.ILike, exp.Glob), _like),
    exp.Escape: _escaped,
    **dict.fromkeys((exp.Cast, exp.TryCast), _turned),
    **dict.fromkeys((exp.Div, exp.IntDiv), _quotient),
    exp.Round: _round,
    exp.Nullif: _unless,
    exp.Substring: _part_of,
    exp.Extract: _extracted,
    exp.TimeToStr: _timed,
    exp.Concat: _concat,
}
_KNOWN = {"this", "expression", "expressions"}
_ARGUMENTS: Mapping[type, frozenset[str]] = {
    kind: frozenset(names.split())
    for kind, names in {
        exp.Literal: "is_string",
        exp.Count: "big_int",
        exp.Alias: "alias",
        **dict.fromkeys((exp.Is, exp.Like, exp.ILike), "negate"),
        exp.In: "query",
        exp.Between: "low high",
        exp.Case: "ifs default",
        exp.Cast: "to",
        exp.TryCast: "to requires_string",
        exp.Div: "typed safe",
        exp.DPipe: "safe",
        exp.Round: "decimals",
        exp.Substring: "start length",
        exp.TimeToStr: "format",
        exp.Concat: "safe coalesce",
        exp.Coalesce: "is_nvl is_null",
    }.items()
}
"""What an expression may say beyond its operands: an argument that is not known here would be left out unseen."""
