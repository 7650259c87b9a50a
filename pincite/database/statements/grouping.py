"""Groups, aggregates, order and limits of a statement, computed from its rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cmp_to_key
from itertools import accumulate, chain, pairwise
from typing import Any

from sqlglot import exp

from pincite.database.statements.expressions import Calculated, Leaves, calculation
from pincite.database.statements.result_lines import Env, Origin, ResultLine, same
from pincite.database.statements.scalars import Unreplayable, alike

Group = list[Env]


def grouped(by: Sequence[Calculated], envs: Sequence[Env]) -> list[Group]:
    """The envs that share the values of `by`, in the order in which each group first comes."""
    groups: dict[Any, Group] = {}
    for env in envs:
        groups.setdefault(same(tuple(calculate(env) for calculate in by)), []).append(env)
    return list(groups.values())


def origins(envs: Sequence[Env], more: Sequence[Origin] = ()) -> tuple[Origin, ...]:
    """The rows that some envs were made of, each once, then `more`."""
    lines = chain.from_iterable(env.values() for env in envs)
    return tuple(dict.fromkeys(chain(chain.from_iterable(line.origins for line in lines), more)))


def extremes(aggregates: Sequence[exp.AggFunc], rows: Leaves) -> Callable[[Group], Group] | None:
    """Where the only aggregate is a largest or smallest value: the rows of a group that have it."""
    only = aggregates[0] if len(aggregates) == 1 else None
    if not isinstance(only, exp.Max | exp.Min) or isinstance(only.this, exp.Distinct):
        return None
    value, sign = calculation(only.this, rows), 1 if isinstance(only, exp.Max) else -1

    def best(group: Group) -> Group:
        held = [value(env) for env in group]
        most = _extreme([value for value in held if value is not None], sign)
        return [
            env
            for env, value in zip(group, held, strict=True)
            if value is not None and order(value, most) == 0
        ]

    return best


def aggregate(function: exp.AggFunc, rows: Leaves) -> Calculated:
    """An aggregate over a group; raises Unreplayable for one that is not known."""
    distinct = isinstance(function.this, exp.Distinct)
    inner = _argument(function)
    if isinstance(function, exp.Count) and (isinstance(inner, exp.Star) or inner is None):
        return len
    value = calculation(inner, rows)
    total = _TOTALS.get(type(function))
    if total is None:
        raise Unreplayable(
            f"{type(function).__name__.upper()} is not computed again outside the database"
        )

    def aggregated(group: Group) -> Any:
        found = [made for env in group if (made := value(env)) is not None]
        return total(list({same((made,)): made for made in found}.values()) if distinct else found)

    return aggregated


def _argument(function: exp.AggFunc) -> Any:
    """What an aggregate is of; Unreplayable where it says more."""
    inner = function.this
    if isinstance(inner, exp.Distinct) and len(inner.expressions) == 1:
        inner = inner.expressions[0]
    if {name for name, held in function.args.items() if held} - {"this", "big_int"} or isinstance(
        inner, exp.Distinct
    ):
        raise Unreplayable(f"{function.sql()} is not computed again outside the database")
    return inner


def _sum(values: Sequence[Any]) -> Any:
    if any(isinstance(value, str) for value in values):
        raise Unreplayable("a sum over texts is not computed again outside the database")
    return math.fsum(values) if any(isinstance(value, float) for value in values) else sum(values)


def _extreme(values: Sequence[Any], sign: int) -> Any:
    best = None
    for value in values:
        if best is None or order(value, best) * sign > 0:
            best = value
    return best


_TOTALS: dict[type[exp.AggFunc], Callable[[Sequence[Any]], Any]] = {
    exp.Count: len,
    exp.Sum: lambda values: _sum(values) if values else None,
    exp.Avg: lambda values: _sum(values) / len(values) if values else None,
    exp.Max: lambda values: _extreme(values, 1),
    exp.Min: lambda values: _extreme(values, -1),
}
"""What an aggregate makes of the values of a group that are there."""


def order(a: Any, b: Any) -> int:
    """Below 0, 0 or above, as `a` comes before `b`, with it or after."""
    a, b = alike(a, b)
    return int(a > b) - int(a < b)


Pair = tuple[ResultLine, Any]
"""A row of a result and the env, group or values that it was made of."""


def ordered(
    lines: Sequence[Pair], by: exp.Expression, scope: Leaves
) -> tuple[list[Pair], list[int]]:
    """The rows in order, and for each its rank."""
    keys = [
        (
            calculation(expression.this, scope),
            bool(expression.args.get("desc")),
            _nulls_first(expression, scope.dialect),
        )
        for expression in by.expressions
    ]

    def against(a: Pair, b: Pair) -> int:
        for key, falling, nulls_first in keys:
            x, y = key(a[1]), key(b[1])
            if x is None or y is None:
                if (x is None) != (y is None):
                    return (-1 if x is None else 1) * (1 if nulls_first else -1)
                continue
            if found := order(x, y):
                return -found if falling else found
        return 0

    made = sorted(lines, key=cmp_to_key(against))
    ranks = list(accumulate((int(against(a, b) != 0) for a, b in pairwise(made)), initial=0))
    return made, ranks[: len(made)]


def _nulls_first(expression: exp.Expression, dialect: str) -> bool:
    given = expression.args.get("nulls_first")
    if given is not None:
        return bool(given)
    falling = bool(expression.args.get("desc"))
    return {"sqlite": not falling, "postgres": falling}.get(dialect, False)


def limited(tree: exp.Expression, lines: tuple[ResultLine, ...]) -> tuple[ResultLine, ...]:
    """The rows that a query's LIMIT and OFFSET leave."""
    skip, most = _count(tree.args.get("offset")), _count(tree.args.get("limit"))
    return lines[skip or 0 :] if most is None else lines[skip or 0 : (skip or 0) + most]


def _count(expression: exp.Expression | None) -> int | None:
    if expression is None:
        return None
    try:
        return int(expression.expression.name)
    except (AttributeError, ValueError) as error:
        raise Unreplayable("the limit is not a number") from error
