"""The clean views of a source: every relation read in part, its columns named and cleaned, its totals and links found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sqlalchemy as sa

from pincite.database.relations.model import Column, Relation, Type
from pincite.database.sources.connection import OpenDatabase
from pincite.database.sources.typed_columns import quoted
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
from pincite.database.views.relation_sample import RelationSample, sampled
from pincite.database.views.row_units import with_row_units
from pincite.database.views.total_rows import labels_of_totals, totals_of
from pincite.database.views.view_model import (
    ROW_ID,
    CleanView,
    Kind,
    ViewColumn,
    ViewLink,
)
from pincite.database.views.view_names import column_names, free, view_name
from pincite.database.views.view_sql import ViewSql

_PROFILE = ("unit", "scale", "values", "low", "high", "nulls", "distinct")
"""What a column of a view has of the cleaned column."""


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
        linked_columns = _linked_columns(relations)
        made = []
        for relation, sample in zip(relations, samples, strict=True):
            name, known = (
                view_name(relation, taken),
                (sql, relation, sample, usual, linked_columns),
            )
            read = [_read_column(column, *known) for column in relation.columns]
            made.append(_make_view(connection, relation, name, read, linked_columns))
    by_relation = {view.relation.name: view for view in made}
    return tuple(replace(view, links=tuple(_view_links(view, by_relation))) for view in made)


def _view_links(view: CleanView, by_relation: Mapping[str, CleanView]) -> Iterator[ViewLink]:
    """The links of a view's relation in the names of views, where the relation and the columns that they name are there."""
    for link in view.relation.links:
        if (other := by_relation.get(link.to)) is None:
            continue
        to = link.to_columns or other.relation.key
        own, there = _view_columns(view, link.columns), _view_columns(other, to)
        if own and len(own) == len(there):
            many = not view.relation.is_unique(link.columns)
            to_many = not (link.declared or other.relation.is_unique(to))
            yield ViewLink(own, other.name, there, link.declared, many, to_many)


def _view_columns(view: CleanView, sources: Sequence[str]) -> tuple[str, ...]:
    """The columns of a view that are made of these of its relation; none where one is not there."""
    names = {column.source: column.name for column in reversed(view.columns)}
    return tuple(names[source] for source in sources) if names.keys() >= set(sources) else ()


def _make_view(
    connection: sa.Connection,
    relation: Relation,
    name: str,
    read: Sequence[CleanColumn],
    linked_columns: frozenset[tuple[str, str]],
) -> CleanView:
    kinds = []
    for clean in read:
        kind = kind_of(relation, clean.column, code=clean.is_code, linked=linked_columns)
        kinds.append((clean, kind))
    if all(clean.whole for clean in read):
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
            _made_column(numbered, relation.rowid, quoted(relation.rowid), "integer", "key")
        )
    for (clean, kind), named in zip(kinds, names, strict=True):
        columns += _shown_columns(clean, kind, named, taken)
    keys = {column.source: column.name for column in columns if column.kind == "key"}
    own_name = "" if relation.readable == relation.name else relation.readable
    return CleanView(
        name,
        tuple(with_row_units(columns, relation.described)),
        readable=name.replace("_", " "),
        key=tuple(keys[part] for part in relation.key or (relation.rowid,) if part in keys),
        rows=max(relation.rows - count, 0),
        described=relation.described or own_name,
        relation=relation,
        totals=totals,
        total_rows=count,
        dialect=connection.dialect.name,
    )


def _linked_columns(relations: Sequence[Relation]) -> frozenset[tuple[str, str]]:
    """The columns that links name, those that they lead to as well, with their relations."""
    found = set()
    for relation in relations:
        for link in relation.links:
            found |= {(relation.name, name) for name in link.columns}
            found |= {(link.to, name) for name in link.to_columns}
    return frozenset(found)


def _read_column(
    column: Column,
    sql: ViewSql,
    relation: Relation,
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


def _shown_columns(
    clean: CleanColumn, kind: Kind, name: str, taken: set[str]
) -> Sequence[ViewColumn]:
    """The column of a view, and those beside it that hold its currency and what reading left over."""
    column: Column = clean.column
    own = _made_column(name, column.name, clean.expression, column.type, kind)
    profile = {field: getattr(column, field) for field in _PROFILE}
    if meaning := column.described or ("" if column.guessed else column.readable):
        own = replace(own, readable=meaning, guessed=False)
    own = replace(own, done=clean.done, **profile)
    beside = []
    if clean.currency:
        own = replace(own, currency=free(f"{name}_currency", taken, "column"))
        beside.append(_made_column(own.currency, own.source, clean.currency, "text", "label"))
    if clean.note:
        own = replace(own, note=free(f"{name}_note", taken, "column"))
        beside.append(_made_column(own.note, own.source, clean.note, "text", "other"))
    return [own, *beside]


def _made_column(name: str, source: str, expression: str, kind: Type, use: Kind) -> ViewColumn:
    """A column of a view that is called as its name spells it."""
    readable = name.replace("_", " ")
    return ViewColumn(name, kind, readable, source=source, expression=expression, kind=use)
