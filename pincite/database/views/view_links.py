"""Links between views, declared or inferred, with which side of each is many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.database.relations.model import Link, Relation
from pincite.database.views.view_model import CleanView, ViewLink


def linked(views: Sequence[CleanView]) -> tuple[CleanView, ...]:
    """The views with the links of their relations, in the names of views."""
    by_relation = {view.relation.name: view for view in views}
    made = []
    for view in views:
        links = (_link(view, link, by_relation.get(link.to)) for link in view.relation.links)
        made.append(replace(view, links=tuple(link for link in links if link is not None)))
    return tuple(made)


def _link(view: CleanView, link: Link, other: CleanView | None) -> ViewLink | None:
    """A link between two views; None where the relation or a column that it names is not there."""
    if other is None:
        return None
    to = link.to_columns or other.relation.key
    own, there = _named(view, link.columns), _named(other, to)
    if not own or len(own) != len(there):
        return None
    return ViewLink(
        own,
        other.name,
        there,
        many=not is_unique(view.relation, link.columns),
        to_many=not (link.declared or is_unique(other.relation, to)),
        declared=link.declared,
    )


def _named(view: CleanView, sources: Sequence[str]) -> tuple[str, ...]:
    """The columns of a view that are made of these of its relation; none where one is not there."""
    names = {column.source: column.name for column in reversed(view.columns)}
    return (
        tuple(names[source] for source in sources if source in names)
        if names.keys() >= set(sources)
        else ()
    )


def is_unique(relation: Relation, columns: Sequence[str]) -> bool:
    """Whether no two rows of a relation have the same values in some columns, as its key or its profile says."""
    if relation.key and set(columns) >= set(relation.key):
        return True
    for column in relation.columns:
        if column.name in columns:
            filled = round(relation.rows * (1 - column.nulls))
            if 0 < filled <= column.distinct:
                return True
    return False
