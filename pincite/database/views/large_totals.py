"""Totals among the rows of a relation too large to be read whole: labels whose sums are those of all other labels."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from pincite.database.relations.model import NUMERIC, Relation
from pincite.database.views.column_cleaning import CleanColumn
from pincite.database.views.total_rows import MEASURES, ROUNDED, labelled, may_be_total
from pincite.database.views.view_model import Kind, quoted


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
            found, count = _found(connection, relation, clean.column.name, labels, measures)
            if found:
                said[clean.column.name] = found
                rows += count
    return " OR ".join(labelled(name, sorted(values)) for name, values in said.items()), said, rows


def _found(
    connection: sa.Connection,
    relation: Relation,
    name: str,
    labels: Sequence[str],
    measures: Sequence[str],
) -> tuple[frozenset[str], int]:
    """Those of some labels whose sums are those of all other rows, and how many rows these have."""
    table = sa.table(
        relation.name, *map(sa.column, (name, *measures)), schema=relation.schema or None
    )
    sums = [sa.func.sum(table.c[m]) for m in measures]
    asked = sa.select(table.c[name], sa.func.count(), *sums).group_by(table.c[name])
    groups = [tuple(row) for row in connection.execute(asked)]
    own = {
        str(g[0]).strip(): g for g in groups if g[0] is not None and str(g[0]).strip() in labels
    }
    others = [g for g in groups if str(g[0]).strip() not in own]
    whole = [sum(float(g[at + 2] or 0) for g in others) for at in range(len(measures))]
    found = {
        label for label, g in own.items() if _are_equal([float(v or 0) for v in g[2:]], whole)
    }
    return frozenset(found), sum(own[label][1] for label in found)


def _are_equal(sums: Sequence[float], whole: Sequence[float]) -> bool:
    right = [s != 0 and abs(s - w) <= ROUNDED * abs(s) for s, w in zip(sums, whole, strict=True)]
    return sum(right) * 2 >= len(right) > 0
