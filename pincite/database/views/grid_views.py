"""Tables of records inside documents and sheets as a source of one relation, with its clean view."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pincite.database.relations.column_profile import profile
from pincite.database.relations.model import Database
from pincite.database.sources.connection import OpenDatabase, in_memory
from pincite.database.sources.typed_columns import create, insert, relation_of
from pincite.database.views.clean_view import clean_views
from pincite.database.views.view_model import CleanView

_NAME = "records"


def views_of_grid(rows: Sequence[Sequence[str]]) -> tuple[OpenDatabase, tuple[CleanView, ...]]:
    """A grid of text, headings first, as a source in memory whose rows are numbered from 1, and its view; the caller closes it.

    Blank lines are left out and have no number.
    """
    relation, typed = relation_of(rows, _NAME)

    def fill(connection: sqlite3.Connection) -> None:
        if relation.columns:
            create(connection, relation)
            insert(connection, relation, typed)

    relations = (relation,) if relation.columns else ()
    source = in_memory(Database(_NAME, relations), fill)
    with source.engine.connect() as connection:
        profiled = tuple(profile(connection, each, typed=True) for each in relations)
    source = OpenDatabase(Database(_NAME, profiled), source.engine)
    return source, clean_views(source)
