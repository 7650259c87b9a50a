"""Rows that are totals of other rows of their relation: told by what their labels say and by their sums.

A relation too large to be read whole is asked for the sums of the labels of its columns of few values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import NUMERIC, TEMPORAL, Relation
from pincite.database.sources.typed_columns import quoted
from pincite.database.views.column_cleaning import CleanColumn
from pincite.database.views.view_model import Kind
from pincite.database.views.view_sql import literal
from pincite.text.lexicon import pattern

_TOTAL = pattern("database", "total", "cells")
_WORDS = pattern("database", "total words", "cells")
_AVERAGE = pattern("database", "average", "cells")
MOST, MEASURES = 400, 6
"""Rows that may be totals, and numbers of each that are added up."""
ROUNDED = 0.001
"""How far a total may be from its sum, as a share of it, because its parts were rounded."""
SURE = 0.8
"""The share of the rows of a label whose sums must be right, so that all of them are totals."""
FEW = 6
"""Rows of which no two need to be of one group."""
EMPTY = 0.4
"""The share of empty cells of a column in which an empty one may say that a row is a total."""


@dataclass(slots=True)
class _Rows:
    """The rows of a relation: texts that label them, what else they can be grouped by, numbers; which may be totals."""

    labels: list[CleanColumn]
    groups: list[CleanColumn]
    measures: list[CleanColumn]
    named: dict[int, str] = field(default_factory=dict)
    unnamed: set[int] = field(default_factory=set)
    indexes: dict[tuple[int, ...], dict[tuple[Any, ...], list[int]]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return len(self.labels[0].values)

    def having(self, places: Sequence[int], at: int) -> Sequence[int]:
        """The rows that have what a row has in the groups at these places, in their order."""
        index = self.indexes.get(tuple(places))
        if index is None:
            index = self.indexes[tuple(places)] = {}
            grouped = zip(*(self.groups[p].values for p in places), strict=True)
            for row, values in enumerate(grouped):
                index.setdefault(values, []).append(row)
        return index[tuple(self.groups[p].values[at] for p in places)]


def totals_of(columns: Sequence[tuple[CleanColumn, Kind]]) -> tuple[str, frozenset[int]]:
    """A predicate, in SQL, that is true for rows that are totals of others, and their places; "" where there are none.

    The cells of the columns must be those of all rows, in their order.
    """
    rows = _labelled_rows(columns)
    if rows is None:
        return "", frozenset()
    most = min(MOST, rows.count * 0.8)
    if len(rows.named) + len(rows.unnamed) > most:
        rows.unnamed = set()
    if not rows.named and not rows.unnamed or len(rows.named) > most:
        return "", frozenset()
    return _predicate(rows, _find_totals(rows))


@lru_cache(maxsize=10_000)
def may_be_total(label: str) -> bool:
    """Whether a label says that its row is a total, or an average, of others."""
    return bool(_TOTAL.match(label))


def _labelled_rows(columns: Sequence[tuple[CleanColumn, Kind]]) -> _Rows | None:
    labels = [c for c, kind in columns if c.column.type == "text" and len(c.values) > 1]
    measures = [c for c, kind in columns if kind == "measure" and c.column.type in NUMERIC]
    if not measures:
        measures = [c for c, kind in columns if kind == "other" and c.column.type in NUMERIC]
    if not labels or not measures:
        return None
    groups = []
    for c, kind in columns:
        year = kind == "other" and c.column.type == "integer"
        if c.column.type in ("text", *TEMPORAL) or kind in ("code", "link") or year:
            groups.append(c)
    rows = _Rows(labels, [c for c in groups if _has_repeats(c)], measures[:MEASURES])
    for at in range(rows.count):
        said = [str(v) for c in labels if (v := c.values[at]) is not None and may_be_total(str(v))]
        if said:
            rows.named[at] = said[0]
    for label in labels:  # rows in which a label is empty that most others have
        empty = {at for at, value in enumerate(label.values) if value is None}
        if 0 < len(empty) <= EMPTY * rows.count:
            rows.unnamed |= empty - rows.named.keys()
    return rows


def _has_repeats(clean: CleanColumn) -> bool:
    """Whether a value stands in several rows, so that it can group them; of few rows that is not asked."""
    filled = [value for value in clean.values if value is not None]
    return len(filled) <= FEW or len(set(filled)) < len(filled)


def _find_totals(rows: _Rows) -> set[int]:
    """The rows whose numbers are the sums of others."""
    plain = frozenset(at for at in range(rows.count) if at not in rows.named)
    found: set[int] = set()
    for details in dict.fromkeys((plain - rows.unnamed, plain)):
        found |= {at for at in rows.named if at not in found and _is_total(rows, at, details)}
    rest = rows.named.keys() - found
    if rest:  # a company called "Total Energies" is one of the rows, a bare "Total" is not
        held = plain | {at for at in rest if _WORDS.sub("", rows.named[at]).strip(" :")}
        found |= {at for at in rest if _is_total(rows, at, held - {at})}
    details = plain - rows.unnamed
    return found | {at for at in rows.unnamed if _is_total(rows, at, details, exact=True)}


def _is_total(rows: _Rows, at: int, details: frozenset[int], *, exact: bool = False) -> bool:
    averaged = bool(_AVERAGE.search(rows.named.get(at, "")))
    return any(
        len(covered) > exact and _adds_up(rows, at, covered, averaged=averaged, exact=exact)
        for covered in _covered_rows(rows, at, details)
    )


def _covered_rows(rows: _Rows, at: int, among: frozenset[int]) -> Iterator[Sequence[int]]:
    """What a total may be of: rows of its group, of the group that its label names, above it, below it, all."""
    same = [
        place
        for place, group in enumerate(rows.groups)
        if (v := group.values[at]) is not None and not may_be_total(str(v))
    ]
    if same:
        yield [j for j in rows.having(same, at) if j in among]
    if at not in rows.named and any(c.values[at] is not None for c in rows.labels):
        return
    details = sorted(among)
    if at in rows.named:
        name = _WORDS.sub("", rows.named[at]).strip(" :-").casefold()
        if name:
            values = [c.values for c in rows.labels]
            yield [j for j in details if any(str(v[j]).casefold() == name for v in values)]
        for each in same:  # "Europe, total, 2020" beside columns that are of other things
            yield [j for j in rows.having([each], at) if j in among]
    others = sorted(rows.named.keys() | rows.unnamed)
    before = max((j for j in others if j < at), default=-1)
    after = min((j for j in others if j > at), default=rows.count)
    yield [j for j in details if before < j < at]
    if at in rows.named:
        yield [j for j in details if at < j < after]
    yield [j for j in details if j < at]
    yield details


def _adds_up(rows: _Rows, at: int, covered: Sequence[int], *, averaged: bool, exact: bool) -> bool:
    """Whether most of a row's numbers are the sums of those of the rows that it covers, one at least that is not 0."""
    right = wrong = 0
    for measure in rows.measures:
        total = measure.values[at]
        parts = [v for j in covered if (v := measure.values[j]) is not None]
        if not isinstance(total, int | float | Decimal) or not parts:
            continue
        total = float(total)
        whole = math.fsum(map(float, parts)) / (len(parts) if averaged else 1)
        if _is_near(whole, total, parts, exact=exact):
            right += total != 0
        else:
            wrong += 1
    return right > 0 and right >= wrong and not (exact and wrong)


def _is_near(whole: float, total: float, parts: Sequence[Any], *, exact: bool) -> bool:
    off = abs(whole - total)
    if exact:
        return off <= 1e-9 * max(abs(total), 1)
    places = max((len(f"{p:.6f}".rstrip("0").partition(".")[2]) for p in parts[:20]), default=0)
    rounding = 0.5 * 10**-places * len(parts) ** 0.5 if places else 0.0
    return off <= max(ROUNDED * abs(total), rounding, 1e-9)


def _predicate(rows: _Rows, found: set[int]) -> tuple[str, frozenset[int]]:
    """The rows that are totals as SQL that says them by their labels, and those that it says."""
    said: dict[str, list[str]] = {}
    chosen: set[int] = set()
    for label in rows.labels:
        for value in dict.fromkeys(label.values[at] for at in sorted(found - chosen)):
            if value is None or not may_be_total(str(value)):
                continue
            having = {at for at, other in enumerate(label.values) if other == value}
            if len(having & found) >= SURE * len(having):
                said.setdefault(label.column.name, []).append(str(value))
                chosen |= having
    tests = [labelled(name, sorted(set(values))) for name, values in said.items()]
    if left := (found & rows.unnamed) - chosen:
        for label in rows.labels:
            having = {at for at, value in enumerate(label.values) if value is None}
            if having & left and having <= found:
                tests.append(f"COALESCE(TRIM({quoted(label.column.name)}), '') = ''")
                chosen |= having
    return " OR ".join(tests), frozenset(chosen)


def labelled(column: str, labels: Sequence[str]) -> str:
    """That a column holds one of some labels, in SQL; never NULL, so that it can be negated."""
    return f"COALESCE(TRIM({quoted(column)}), '') IN ({', '.join(map(literal, labels))})"


def labels_of_totals(
    connection: sa.Connection, relation: Relation, columns: Sequence[tuple[CleanColumn, Kind]]
) -> tuple[str, dict[str, frozenset[str]], int]:
    """A predicate for rows that are totals, the labels that say so by their columns, and the number of these rows.

    Only columns of few values are looked at: what else labels rows is not known without reading all of them.
    """
    measures = [
        c.column.name
        for c, kind in columns
        if kind == "measure" and c.column.type in NUMERIC and c.expression == quoted(c.column.name)
    ][:MEASURES]
    said: dict[str, frozenset[str]] = {}
    rows = 0
    for clean, _ in columns if measures else ():
        labels = [value for value in clean.column.values if may_be_total(value)]
        if labels and len(labels) * 2 < len(clean.column.values):
            found, count = _summed_labels(
                connection, relation, clean.column.name, labels, measures
            )
            if found:
                said[clean.column.name] = found
                rows += count
    return " OR ".join(labelled(name, sorted(values)) for name, values in said.items()), said, rows


def _summed_labels(
    connection: sa.Connection,
    relation: Relation,
    name: str,
    labels: list[str],
    measures: list[str],
) -> tuple[frozenset[str], int]:
    """Those of some labels whose sums are those of all other rows, and how many rows these have."""
    table = relation.table((name, *measures))
    sums = [sa.func.sum(table.c[m]) for m in measures]
    asked = sa.select(table.c[name], sa.func.count(), *sums).group_by(table.c[name])
    groups = [tuple(row) for row in connection.execute(asked)]
    named = [(str(g[0]).strip() if g[0] is not None else None, g) for g in groups]
    own = {label: g for label, g in named if label in labels}
    others = [g for label, g in named if label not in own]
    whole = [sum(float(g[at + 2] or 0) for g in others) for at in range(len(measures))]
    found = set()
    for label, (_, _, *sums_of) in own.items():
        pairs = zip([float(value or 0) for value in sums_of], whole, strict=True)
        right = [s != 0 and abs(s - w) <= ROUNDED * abs(s) for s, w in pairs]
        if sum(right) * 2 >= len(right) > 0:
            found.add(label)
    return frozenset(found), sum(own[label][1] for label in found)
