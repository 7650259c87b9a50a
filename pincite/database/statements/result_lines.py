"""Rows of a result with the rows that they were made of, and whether two results are the same."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.database.statements.pins import Key
from pincite.database.statements.scalars import compared


@dataclass(frozen=True, slots=True)
class Origin:
    """A row of a relation that a value comes from; `role` tells apart the same relation joined twice."""

    role: str
    relation: str
    key: Key


@dataclass(frozen=True, slots=True)
class ResultLine:
    """A row of a result, and the rows that it was made of."""

    values: tuple[Any, ...]
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a statement gives. `sources` are, for each column, the (role, column) pairs that its values are made of.

    `functions` say of each column how it is made, "" where it is just what stands in one; `used` are the columns of each
    role that the statement looks at. `total` are all rows before a limit, `ranks`
    their places in the order that is asked for, the same for rows that share one.
    """

    columns: tuple[str, ...]
    rows: tuple[ResultLine, ...]
    sources: tuple[tuple[tuple[str, str], ...], ...]
    functions: tuple[str, ...]
    total: tuple[ResultLine, ...] = ()
    ranks: tuple[int, ...] = ()
    used: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


Env = dict[str, ResultLine]
"""The row of each alias that an expression is about."""


def loosely(values: Iterable[Any]) -> tuple[Any, ...]:
    """Values as a key under which those that may be equal come together: a number and a text that spells it."""
    return tuple(_number(value) for value in values)


def _number(value: Any) -> Any:
    if (
        isinstance(value, bool)
        or value is None
        or not isinstance(value, str)
        and not hasattr(value, "__float__")
    ):
        return repr(value) if isinstance(value, list | dict) else value
    try:
        return float(value)
    except (ValueError, OverflowError):
        return value


def same(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values as a key of a dict: lists and floats that are whole among them."""
    return tuple(
        repr(value) if isinstance(value, list | dict) else float(value) if _whole(value) else value
        for value in values
    )


def _whole(value: Any) -> bool:
    return not isinstance(value, str | bytes | bool | int) and hasattr(value, "as_tuple")


def agrees(made: Replayed, rows: Sequence[Sequence[Any]]) -> bool:
    """Whether a replay gives these rows: those that share a rank in any order, and where a limit cuts them any of them."""
    if len(rows) != len(made.rows):
        return False
    if all(equal_rows(line.values, row) for line, row in zip(made.rows, rows, strict=True)):
        return True
    return _permuted(made, rows)


def _permuted(made: Replayed, rows: Sequence[Sequence[Any]]) -> bool:
    """Whether each row is another line of its rank."""
    first = next((at for at, line in enumerate(made.total) if line is made.rows[0]), 0)
    wanted = made.ranks[first : first + len(made.rows)]
    left = [
        (rank, line.values)
        for rank, line in zip(made.ranks, made.total, strict=True)
        if rank in wanted
    ]
    for rank, row in zip(wanted, rows, strict=True):
        at = next(
            (
                at
                for at, (own, values) in enumerate(left)
                if own == rank and equal_rows(values, row)
            ),
            None,
        )
        if at is None:
            return False
        left.pop(at)
    return True


def equal_rows(a: Sequence[Any], b: Sequence[Any]) -> bool:
    """Whether two rows hold the same values."""
    return len(a) == len(b) and all(equal(x, y) for x, y in zip(a, b, strict=True))


def equal(a: Any, b: Any) -> bool:
    """Whether two values are the same, numbers to ten digits."""
    if a is None or b is None:
        return a is b
    if (
        not isinstance(a, str | bytes)
        and not isinstance(b, str | bytes)
        and hasattr(a, "__float__")
        and hasattr(b, "__float__")
    ):
        return math.isclose(float(a), float(b), rel_tol=1e-10, abs_tol=1e-12)
    return bool(a == b) or bool(compared(operator.eq, a, b))
