"""Tables of records inside documents and sheets as a source of one relation, with its clean view."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.database.sources.connection import OpenDatabase, in_memory
from pincite.database.sources.typed_columns import relation_of
from pincite.database.views.clean_view import clean_views
from pincite.database.views.view_model import CleanView


def views_of_grid(rows: Sequence[Sequence[str]]) -> tuple[OpenDatabase, tuple[CleanView, ...]]:
    """A grid of text, headings first, as a source in memory whose rows are numbered from 1, and its view; the caller closes it.

    Blank lines are left out and have no number.
    """
    relation, typed = relation_of(rows, "records")
    source = in_memory([(relation, typed)] if relation.columns else [], "records")
    return source, clean_views(source)
