"""Tables inside documents asked like those of databases, their numbers in the unit and scale that the table binds to them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pincite.database.relations.column_heading import Heading
from pincite.document.cell_values import quantity_of
from pincite.document.headed_table import headed_table
from pincite.document.labelled_cells import labels
from pincite.evidence.cited_place import Failed
from pincite.types import Node

if TYPE_CHECKING:
    from pincite.database.relations.model import Relation
    from pincite.database.sources.connection import OpenDatabase

INSIDE = "table "
"""What begins the name of a source that is a table inside a document; the id of its node follows."""
_PLAIN = re.compile(r"[-−+(]?[\d.,\s]+\)?")
"""A number without a word of scale of its own."""


def place_of(relation: Relation, name: str, node: Node) -> int | None:
    """The column of a table that a column of its relation is of."""
    names = [column.name for column in relation.columns[: len(headed_table(node)[0])]]
    return names.index(name) if name in names else None


def bound(heading: Heading, node: Node, source: OpenDatabase) -> Heading:
    """A column of a result in the unit and scale that the document's table binds to its cells.

    Raises Failed where it is computed from cells of several units or scales.
    """
    from pincite.database.views.clean_view import clean_views

    if not heading.column or node.table is None or heading.function == "count":
        return heading
    ((view,), relation) = clean_views(source)[:1], source.database.relations[0]
    stored = next((own.source for own in view.columns if own.name == heading.column), "")
    at = place_of(relation, stored, node)
    cells = [cell for cell in labels(node.table).cells if cell.column == at]
    found = {
        (quantity.unit, quantity.scale)
        for cell in cells
        if _PLAIN.fullmatch(cell.text) and (quantity := quantity_of(node, cell)) is not None
    }
    if len(found) > 1 and heading.function:
        raise Failed(
            "unsupported", f"it computes with “{heading.name}” in different units or scales"
        )
    if len(found) != 1 or heading.scale != 1:
        return heading
    ((unit, scale),) = found
    return replace(heading, unit=unit or heading.unit, scale=scale)
