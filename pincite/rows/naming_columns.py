"""The columns that name the rows of an answer: numbers of several rows are shown with what names each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pincite.database.statements.execution import Result
from pincite.rows.programs.program import Field, Item, RowQuery, Test, fields
from pincite.rows.programs.scheme import IDENTIFIER, Scheme, quantity

MOST = 500
"""Rows beyond which nothing is added: nobody reads them one by one."""


def told_apart(
    query: RowQuery,
    found: Result,
    held: Scheme,
    run: Callable[[RowQuery], Result | None],
    single: bool = False,
) -> RowQuery:
    """The query with the columns that name its rows, where it selects only numbers of several rows; else as it is.

    Rows with the same numbers are then rows of their own. A single column of numbers stays as it is, unless the question
    names the things itself or a `single` one is wanted so too: then each number is shown with its thing, or with what differs
    between the rows of one thing.
    """
    naming = _naming(query, found, held, single)
    if not naming:
        return query
    wide = run(_with(query, naming))
    if wide is None or not 1 < len(wide.rows) <= MOST:
        return query
    chosen = _telling(
        [row[: len(naming)] for row in wide.rows], naming, held.labels[query.relation]
    )
    return _with(query, chosen) if chosen else query


def _with(query: RowQuery, names: Sequence[str]) -> RowQuery:
    return replace(query, select=(*map(Field, names), *query.select))


def _naming(query: RowQuery, found: Result, held: Scheme, single: bool) -> list[str]:
    """The columns that may name the rows, the relation's label first; none where the answer needs no names."""
    if len(found.rows) < 2 or query.group or query.having or query.limit:
        return []
    if not all(_is_own_number(item, query, held) for item in query.select):
        return []
    label, said = held.labels[query.relation], dict(_said(query))
    if len(query.select) == 1 and label not in said and not single:
        return []
    texts = (
        column.name
        for column in held.database.relation(query.relation).columns
        if column.type == "text" and column.distinct > 1 and not IDENTIFIER.search(column.name)
    )
    names = dict.fromkeys((label, *texts) if label else texts)
    return [name for name in names if said.get(name) != "="]


def _is_own_number(item: Item, query: RowQuery, held: Scheme) -> bool:
    """Whether an item is a number of the row itself."""
    read = list(fields(item))
    return bool(read) and all(
        not field.path and not field.part and quantity(held.column(query.relation, field.column))
        for field in read
    )


def _said(query: RowQuery) -> Iterator[tuple[str, str]]:
    """The columns whose value the question itself names, with how: "=" for one value, "in" for several."""
    for test in query.tests:
        if isinstance(test, Test) and not test.negated and isinstance(test.item, Field):
            found = isinstance(test.value, RowQuery)
            if test.operator in ("=", "in") and not test.item.path and not found:
                yield test.item.column, test.operator


def _telling(rows: Sequence[Sequence[Any]], names: Sequence[str], label: str) -> list[str]:
    """The fewest columns whose values tell the rows apart: the label where it may differ, and one more where that does not do."""
    own = [0] if names[0] == label else []
    if own and _differ(rows, own):
        return [label]
    for at in range(len(own), len(names)):
        if _differ(rows, [*own, at]):
            return [names[index] for index in (*own, at)]
    return [label] if own else []


def _differ(rows: Sequence[Sequence[Any]], at: Sequence[int]) -> bool:
    """Whether no two rows have the same values at these places."""
    return len({tuple(row[index] for index in at) for row in rows}) == len(rows)
