"""The clean views of a source: every relation read in part, its columns named and cleaned, its totals and links found."""

from __future__ import annotations

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Relation
from pincite.database.sources.connection import OpenDatabase
from pincite.database.views.view_links import linked
from pincite.database.views.view_model import ROW_ID, CleanView, Kind, ViewColumn, quoted
from pincite.database.views.view_names import column_names, free, view_name


def made_views(source: OpenDatabase) -> tuple[CleanView, ...]:
    """A view of every relation of a source, in their order."""
    taken: set[str] = set()
    views = []
    for relation in source.database.relations:
        views.append(_view(relation, view_name(relation, taken), source.database.dialect))
    return linked(views)


def _view(relation: Relation, name: str, dialect: str) -> CleanView:
    names = column_names(relation.columns)
    columns = [
        _plain(relation, column, named)
        for column, named in zip(relation.columns, names, strict=True)
    ]
    if not relation.key and relation.rowid:
        numbered = free(ROW_ID, set(names), "column")
        columns.insert(
            0, ViewColumn(numbered, relation.rowid, quoted(relation.rowid), "integer", kind="key")
        )
    meaning = relation.described or (
        "" if relation.readable == relation.name else relation.readable
    )
    return CleanView(name, relation, tuple(columns), meaning=meaning, dialect=dialect)


def _plain(relation: Relation, column: Column, name: str) -> ViewColumn:
    meaning = column.described or ("" if column.guessed else column.readable)
    return ViewColumn(
        name,
        column.name,
        quoted(column.name),
        column.type,
        meaning,
        column.unit,
        column.scale,
        values=column.values,
        low=column.low,
        high=column.high,
        nulls=column.nulls,
        distinct=column.distinct,
        kind=_kind(relation, column),
    )


def _kind(relation: Relation, column: Column) -> Kind:
    if column.name in relation.key:
        return "key"
    if any(column.name in link.columns for link in relation.links):
        return "link"
    if column.type in NUMERIC:
        return "measure"
    if column.type in TEMPORAL:
        return "date"
    return "label" if column.type == "text" else "other"
