"""The clean views of a source: every relation read in part, its columns named and cleaned, its totals and links found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from pincite.database.relations.model import Column, Relation
from pincite.database.sources.connection import OpenDatabase
from pincite.database.views.column_cleaning import (
    CleanColumn,
    Habits,
    cleaned,
    habits,
    left_over,
    unlabelled,
    without,
)
from pincite.database.views.column_kinds import kind_of
from pincite.database.views.large_totals import labels_of_totals
from pincite.database.views.relation_sample import RelationSample, sampled
from pincite.database.views.row_units import with_row_units
from pincite.database.views.total_rows import totals_of
from pincite.database.views.view_links import linked
from pincite.database.views.view_model import ROW_ID, CleanView, Kind, ViewColumn, quoted
from pincite.database.views.view_names import column_names, free, view_name
from pincite.database.views.view_sql import ViewSql


def made_views(source: OpenDatabase) -> tuple[CleanView, ...]:
    """A view of every relation of a source, in their order."""
    relations = source.database.relations
    taken: set[str] = set()
    sql = ViewSql(source.database.dialect)
    with source.engine.connect() as connection:
        samples = [sampled(connection, relation) for relation in relations]
        usual = habits(
            (column, sample.cells.get(column.name, ()))
            for relation, sample in zip(relations, samples, strict=True)
            for column in relation.columns
        )
        linked_columns = _linked(relations)
        made = []
        for relation, sample in zip(relations, samples, strict=True):
            name = view_name(relation, taken)
            read = [
                _read(sql, relation, column, sample, usual, linked_columns)
                for column in relation.columns
            ]
            made.append(
                _view(connection, relation, name, read, linked_columns, whole=sample.whole)
            )
    return linked(made)


def _view(
    connection: sa.Connection,
    relation: Relation,
    name: str,
    read: Sequence[CleanColumn],
    linked_columns: frozenset[tuple[str, str]],
    *,
    whole: bool,
) -> CleanView:
    kinds = [
        (clean, kind_of(relation, clean.column, code=clean.is_code, linked=linked_columns))
        for clean in read
    ]
    if whole:
        totals, left_out = totals_of(kinds)
        count = len(left_out)
        kinds = [(without(clean, left_out) if left_out else clean, kind) for clean, kind in kinds]
    else:
        totals, labels, count = labels_of_totals(connection, relation, kinds)
        kinds = [(unlabelled(clean, labels), kind) for clean, kind in kinds]
    names = column_names(relation.columns)
    taken = set(names)
    columns: list[ViewColumn] = []
    if not relation.key and relation.rowid:
        numbered = free(ROW_ID, taken, "column")
        columns.append(
            ViewColumn(numbered, relation.rowid, quoted(relation.rowid), "integer", kind="key")
        )
    for (clean, kind), named in zip(kinds, names, strict=True):
        columns += _shown(clean, kind, named, taken)
    return CleanView(
        name,
        relation,
        tuple(with_row_units(columns, relation.described)),
        totals,
        count,
        relation.described or ("" if relation.readable == relation.name else relation.readable),
        dialect=connection.dialect.name,
    )


def _linked(relations: Sequence[Relation]) -> frozenset[tuple[str, str]]:
    """The columns that links name, those that they lead to as well, with their relations."""
    found = set()
    for relation in relations:
        for link in relation.links:
            found |= {(relation.name, name) for name in link.columns}
            found |= {(link.to, name) for name in link.to_columns}
    return frozenset(found)


def _read(
    sql: ViewSql,
    relation: Relation,
    column: Column,
    sample: RelationSample,
    usual: Habits,
    linked_columns: frozenset[tuple[str, str]],
) -> CleanColumn:
    """A column made clean; one that links name stays as it is, so that both sides of them stay comparable."""
    cells = sample.cells.get(column.name, ())
    if (relation.name, column.name) in linked_columns:
        return CleanColumn(column, quoted(column.name), cells, is_code=True, whole=sample.whole)
    clean = cleaned(sql, column, cells, whole=sample.whole, usual=usual)
    if not column.written or clean.note:
        return clean
    written = sample.cells[column.written]
    lost = (w for v, w in zip(cells, written, strict=True) if isinstance(w, str) and w != str(v))
    done = clean.done or f"cells such as {max(lost, key=len, default='')}"
    return replace(clean, note=left_over(sql, column, cells, written), done=done)


def _shown(clean: CleanColumn, kind: Kind, name: str, taken: set[str]) -> Sequence[ViewColumn]:
    """The column of a view, and those beside it that hold its currency and what reading left over."""
    own = _column(clean, kind, name)
    beside = []
    if clean.currency:
        own = replace(own, currency=free(f"{name}_currency", taken, "column"))
        beside.append(ViewColumn(own.currency, own.source, clean.currency, "text", kind="label"))
    if clean.note:
        own = replace(own, note=free(f"{name}_note", taken, "column"))
        beside.append(ViewColumn(own.note, own.source, clean.note, "text"))
    return [own, *beside]


def _column(clean: CleanColumn, kind: Kind, name: str) -> ViewColumn:
    column: Column = clean.column
    return ViewColumn(
        name,
        column.name,
        clean.expression,
        column.type,
        column.described or ("" if column.guessed else column.readable),
        column.unit,
        column.scale,
        values=column.values,
        low=column.low,
        high=column.high,
        nulls=column.nulls,
        distinct=column.distinct,
        kind=kind,
        done=clean.done,
    )
