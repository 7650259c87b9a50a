"""What a question asks of a database, as a value: which rows, what of them, in which order. No SQL in it.

A program is a `RowQuery` over one relation. Columns of other relations are reached by a path of steps along links; rows are
kept by tests, some of which compare with the result of another query.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal, TypeAlias

Function = Literal["count", "sum", "avg", "min", "max"]
TOTALS: dict[str, Function] = {"sum": "sum", "avg": "avg"}
"""The functions that add numbers up, by the word that asks for them."""
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

    def holder(self, relation: str) -> str:
        """The relation that the column is of, seen from rows of `relation`."""
        return self.path[-1].to if self.path else relation


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A number made of many rows. `count` without a field counts rows."""

    function: Function
    field: Item | None = None
    distinct: bool = False


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


def reached(path: Path, test: Condition) -> Condition:
    """A test of the row that a path leads to, as one of the rows that it starts from."""
    return Related(path, (test,)) if path else test


def at_link(column: str, path: Path) -> Field | None:
    """The column by which a path reaches `column`: the same value, a step less far; None where it is reached by others."""
    if path and path[-1].to_columns == (column,):
        return Field(path[-1].columns[0], path[:-1])
    return None


def fields(part: Any) -> Iterator[Field]:
    """Every field of a query's own rows, those of queries nested in it and of related rows left out."""
    if isinstance(part, Field):
        yield part
    for inner in _inside(part):
        if not isinstance(inner, RowQuery):
            yield from fields(inner)


def _inside(part: Any) -> Sequence[Any]:
    """The parts that a query, an item or a condition is directly made of."""
    match part:
        case Aggregate():
            return (part.field,)
        case Combined():
            return part.left, part.right
        case Test():
            return part.item, part.value
        case Either():
            return part.tests
        case RowQuery():
            order = [item for item, _ in part.order]
            best = part.best and part.best.item
            return *part.select, *part.group, *order, best, *part.tests, *part.having
    return ()


def is_measured(item: Item) -> bool:
    """Whether an item is made of many rows."""
    if isinstance(item, Combined):
        return is_measured(item.left) or is_measured(item.right)
    return isinstance(item, Aggregate)


_SAID = {
    "=": "is", "!=": "is not", "<": "below", "<=": "at most", ">": "above", ">=": "at least", "in": "among",
    "contains": "contains", "begins": "begins with", "ends": "ends with", "null": "is empty",
}  # fmt: skip
_FUNCTIONS = {
    "count": "number",
    "sum": "total",
    "avg": "average",
    "min": "smallest",
    "max": "largest",
}


def explain(part: RowQuery | Item | Condition) -> str:
    """A program or a part of one in words, with the names the database gives."""
    match part:
        case Field():
            name = f"{part.path[-1].to}.{part.column}" if part.path else part.column
            return f"{part.part} of {name}" if part.part else name
        case Aggregate():
            return _explain_measure(part)
        case Constant():
            return str(part.value)
        case Combined():
            return f"({explain(part.left)} {part.sign} {explain(part.right)})"
        case Nested():
            return f"({explain(part.query)})"
        case Test():
            said = f"{'not ' if part.negated else ''}{_SAID[part.operator]}"
            return f"{explain(part.item)} {said} {_explain_value(part.value)}".rstrip()
        case Related():
            way = " > ".join(step.to for step in part.path)
            return f"{'no' if part.negated else 'some'} {way}{_explain_list(' where ', part.tests, ' and ')}"
        case Either():
            return f"({_explain_list('', part.tests, ' or ')})"
        case RowQuery():
            return _explain_query(part)


def _explain_list(opening: str, parts: Sequence[Item | Condition], between: str) -> str:
    """Parts in a row behind what opens them; "" where there are none."""
    return opening + between.join(map(explain, parts)) if parts else ""


def _explain_measure(measure: Aggregate) -> str:
    what = "rows" if measure.field is None else explain(measure.field)
    different = "different " if measure.field and measure.distinct else ""
    return f"{_FUNCTIONS[measure.function]} of {different}{what}"


def _explain_value(value: Any) -> str:
    match value:
        case None:
            return ""
        case tuple():
            return ", ".join(map(str, value))
        case RowQuery():
            return f"({explain(value)})"
        case Field() | Aggregate() | Constant() | Combined() | Nested():
            return explain(value)
    return str(value)


def _explain_query(query: RowQuery) -> str:
    said = [
        f"{_explain_list('', query.select, ', ')} of {query.relation}",
        _explain_list("where ", query.tests, " and "),
        _explain_list("for each ", query.group, ", "),
        _explain_list("keeping groups where ", query.having, " and "),
    ]
    if query.best:
        said.append(
            f"with the {'largest' if query.best.largest else 'smallest'} {explain(query.best.item)}"
        )
    if query.order:
        said.append(
            "by "
            + ", ".join(
                f"{explain(item)} {'falling' if down else 'rising'}" for item, down in query.order
            )
        )
    if query.limit is not None:
        last = query.offset + query.limit
        said.append(
            f"rows {query.offset + 1} to {last}" if query.offset else f"first {query.limit}"
        )
    return ", ".join(filter(None, said))
