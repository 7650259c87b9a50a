"""What a question asks of a database, as a value: which rows, what of them, in which order. No SQL in it.

A program is a `RowQuery` over one relation. Columns of other relations are reached by a path of steps along links; rows are
kept by tests, some of which compare with the result of another query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeAlias

Function = Literal["count", "sum", "avg", "min", "max"]
Operator = Literal["=", "!=", "<", "<=", ">", ">=", "in", "contains", "begins", "ends", "null"]
Part = Literal["", "year", "quarter", "month", "month of year", "day"]

Scalar: TypeAlias = "str | int | float | bool | Decimal | date"


@dataclass(frozen=True, slots=True)
class Step:
    """From rows of one relation to the rows of relation `to` whose `to_columns` equal their `columns`."""

    columns: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]


Path: TypeAlias = "tuple[Step, ...]"


@dataclass(frozen=True, slots=True)
class Field:
    """A column of the relation that `path` leads to from the query's own; of a date, one `part` of it."""

    column: str
    path: Path = ()
    part: Part = ""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number made of many rows. `count` without a field counts rows; only rows that meet `tests` enter."""

    function: Function
    field: Item | None = None
    distinct: bool = False
    tests: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that stands for itself."""

    value: Scalar


@dataclass(frozen=True, slots=True)
class Combined:
    """Two numbers combined; a quotient is never cut to a whole number and is nothing where the right side is 0."""

    sign: Literal["-", "/", "*", "+"]
    left: Item
    right: Item


@dataclass(frozen=True, slots=True)
class Nested:
    """The one value that a query finds."""

    query: RowQuery


Item: TypeAlias = "Field | Aggregate | Constant | Combined | Nested"


@dataclass(frozen=True, slots=True)
class Test:
    """That an item compares with a value, one of many values, another item, or what another query finds.

    `null` takes no value. `negated` turns the test around; rows without a value then meet it too.
    """

    __test__ = False  # no test of pytest's

    item: Item
    operator: Operator
    value: Scalar | tuple[Scalar, ...] | Item | RowQuery | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Related:
    """That some row at the end of `path` meets all of `tests` (negated: that none does)."""

    path: Path
    tests: tuple[Condition, ...] = ()
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Either:
    """That one of the tests is met."""

    tests: tuple[Condition, ...]


Condition: TypeAlias = "Test | Related | Either"


@dataclass(frozen=True, slots=True)
class Best:
    """Only the rows (or groups) whose `item` is the largest, or the smallest: all of them where several share it."""

    item: Item
    largest: bool = True


@dataclass(frozen=True, slots=True)
class RowQuery:
    """Rows of `relation` that meet all tests, grouped, the best kept, put in order, cut; then `select` of each.

    With `group`, or when a measure is selected, a row of the result stands for a group of rows. `having` tests groups.
    """

    relation: str
    select: tuple[Item, ...]
    tests: tuple[Condition, ...] = ()
    group: tuple[Item, ...] = ()
    having: tuple[Condition, ...] = ()
    best: Best | None = None
    order: tuple[tuple[Item, bool], ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: bool = True


def fields(part: RowQuery | Item | Condition | None) -> Iterator[Field]:
    """Every field of a query's own rows, those of queries nested in it left out."""
    inside: tuple[Item | Condition | None, ...] = ()
    match part:
        case Field():
            yield part
        case Aggregate(field=inner, tests=tests):
            inside = (inner, *tests)
        case Combined(left=left, right=right):
            inside = (left, right)
        case Test(item=item, value=value):
            inside = (item, value if isinstance(value, Field | Aggregate | Combined) else None)
        case Either(tests=tests):
            inside = tests
        case RowQuery():
            order = [item for item, _ in part.order]
            best = part.best.item if part.best else None
            inside = (*part.select, *part.group, *order, best, *part.tests, *part.having)
    for each in inside:
        yield from fields(each)


def nested(part: Any) -> Iterator[RowQuery]:
    """Every query inside a query or a part of one, outermost first, itself left out."""
    inside: tuple[Any, ...] = ()
    match part:
        case Nested(query=query):
            yield query
            inside = (query,)
        case Aggregate(field=inner, tests=tests):
            inside = (inner, *tests)
        case Combined(left=left, right=right):
            inside = (left, right)
        case Test(item=item, value=value):
            yield from nested(item)
            if isinstance(value, RowQuery):
                yield value
            inside = (value,)
        case Related(tests=tests) | Either(tests=tests):
            inside = tests
        case RowQuery():
            order = [item for item, _ in part.order]
            inside = (*part.select, *part.tests, *part.group, *part.having, *order, part.best and part.best.item)
    for each in inside:
        yield from nested(each)


_SAID = {
    "=": "is", "!=": "is not", "<": "below", "<=": "at most", ">": "above", ">=": "at least", "in": "among",
    "contains": "contains", "begins": "begins with", "ends": "ends with", "null": "is empty",
}  # fmt: skip
_FUNCTIONS = {"count": "number", "sum": "total", "avg": "average", "min": "smallest", "max": "largest"}


def explain(part: RowQuery | Item | Condition) -> str:
    """A program or a part of one in words, with the names the database gives."""
    match part:
        case Field(column=column, path=path, part=of):
            name = f"{path[-1].to}.{column}" if path else column
            return f"{of} of {name}" if of else name
        case Aggregate(function=function, field=inner, distinct=distinct, tests=tests):
            what = "rows" if inner is None else f"{'different ' if distinct else ''}{explain(inner)}"
            kept = " with " + " and ".join(map(explain, tests)) if tests else ""
            return f"{_FUNCTIONS[function]} of {what}{kept}"
        case Constant(value=value):
            return str(value)
        case Combined(sign=sign, left=left, right=right):
            return f"({explain(left)} {sign} {explain(right)})"
        case Nested(query=query):
            return f"({explain(query)})"
        case Test(item=item, operator=operator, value=value, negated=negated):
            said = f"{'not ' if negated else ''}{_SAID[operator]}"
            return f"{explain(item)} {said} {_value(value)}".rstrip()
        case Related(path=path, tests=tests, negated=negated):
            kept = " where " + " and ".join(map(explain, tests)) if tests else ""
            return f"{'no ' if negated else 'some '}{' > '.join(step.to for step in path)}{kept}"
        case Either(tests=tests):
            return "(" + " or ".join(map(explain, tests)) + ")"
        case RowQuery():
            return _explain(part)


def _value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, RowQuery):
        return f"({explain(value)})"
    return explain(value) if isinstance(value, Field | Aggregate | Constant | Combined | Nested) else str(value)


def _explain(query: RowQuery) -> str:
    order = [f"{explain(item)} {'falling' if down else 'rising'}" for item, down in query.order]
    said = [f"{', '.join(map(explain, query.select))} of {query.relation}"]
    parts = (
        ("where", query.tests, " and "),
        ("for each", query.group, ", "),
        ("keeping groups where", query.having, " and "),
    )
    for opening, listed, between in parts:
        if listed:
            said.append(f"{opening} {between.join(map(explain, listed))}")
    if query.best:
        said.append(f"with the {'largest' if query.best.largest else 'smallest'} {explain(query.best.item)}")
    if order:
        said.append(f"by {', '.join(order)}")
    if query.limit is not None:
        last = query.offset + query.limit
        said.append(f"rows {query.offset + 1} to {last}" if query.offset else f"first {query.limit}")
    return ", ".join(said)
