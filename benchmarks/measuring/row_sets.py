"""Rows found by a statement against accepted ones: equal as sets of rows, whatever the order of the columns.

Repeated rows count once; the order of rows counts only where the gold says so; numbers are compared to two decimals, text
stripped and lower-cased.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

Plain = float | str | None
Rows = Sequence[Sequence[Any]]


def plain(value: object) -> Plain:
    """A value as it is compared: a number to two decimals, text stripped and lower-cased, a date as ISO text."""
    if value is None:
        return None
    if isinstance(value, int | float | Decimal):
        return round(float(value), 2) + 0.0
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return str(value).strip().lower()


def same(given: Rows, gold: Rows, ordered: bool = False) -> bool:
    """Whether the rows are equal as sets under some order of the columns; in order of first appearance where `ordered`."""
    a, b = [tuple(map(plain, row)) for row in given], [tuple(map(plain, row)) for row in gold]
    if not a or not b:
        return not a and not b
    if len(a[0]) != len(b[0]):
        return False
    wanted = arranged(b, ordered)
    return any(
        arranged([tuple(row[at] for at in order) for row in a], ordered) == wanted
        for order in orders(a, b)
    )


def arranged(rows: Sequence[tuple[Plain, ...]], ordered: bool) -> object:
    """Distinct rows, as a list in order of appearance or as a set."""
    return list(dict.fromkeys(rows)) if ordered else frozenset(rows)


def orders(
    a: Sequence[tuple[Plain, ...]], b: Sequence[tuple[Plain, ...]]
) -> Iterator[tuple[int, ...]]:
    """Every order of the columns of `a` under which each holds the values of that of `b`; of equal columns one order."""
    columns = list(zip(*a, strict=True))
    theirs = [frozenset(column) for column in zip(*b, strict=True)]
    ours = [frozenset(column) for column in columns]

    def rest(taken: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(taken) == len(theirs):
            yield taken
            return
        tried = set()
        for at, values in enumerate(ours):
            if at not in taken and values == theirs[len(taken)] and columns[at] not in tried:
                tried.add(columns[at])
                yield from rest((*taken, at))

    return rest(())


def right(given: Rows | None, golds: Iterable[Mapping[str, Any]], ordered: bool = False) -> bool:
    """Whether rows equal one of the accepted golds, each with its `rows`; nothing given is never right."""
    return given is not None and any(same(given, gold["rows"], ordered) for gold in golds)
