"""The rows that a statement finds as the value of an answer: for what drafts it, and for the check, which runs it again.

Tables inside documents are asked like those of databases, their numbers in the unit and scale that the table binds to them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.database.relations.column_heading import Heading
from pincite.database.relations.model import Relation
from pincite.database.relations.shaped_values import of_cell, shaped
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.database.views.clean_view import clean_views
from pincite.database.views.view_statements import headed, unit_column
from pincite.document.cell_values import quantity_of
from pincite.document.headed_table import headed_table
from pincite.document.labelled_cells import labels
from pincite.evidence.cited_place import Failed
from pincite.quantity import canonical_unit
from pincite.types import Node, Quantity, Value

EXISTS = "exists"
"""The operation of a claim that says yes because a statement finds rows."""
ROWS = 10_000
"""Rows of a statement's result that an answer holds."""
INSIDE = "table "
"""What begins the name of a source that is a table inside a document; the id of its node follows."""
_PLAIN = re.compile(r"[-−+(]?[\d.,\s]+\)?")
"""A number without a word of scale of its own."""
_SAID = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


def says_yes(value: Value) -> bool:
    """Whether what a statement finds says yes: by its value where that is yes or no itself, else by being there."""
    if isinstance(value, Quantity) and not value.unit and value.value in (0, 1):
        return bool(value.value)
    if isinstance(value, bool):
        return value
    return _SAID.get(value.casefold(), True) if isinstance(value, str) else value is not None


def value_of(result: Result, statement: str, source: OpenDatabase, node: Node | None) -> Value:
    """What a result says as a value: numbers in the units of their columns; inside a document (`node`), of its cells.

    Raises Failed where numbers of several units are computed with.
    """
    names = headed(statement, source)
    if node is not None:
        names = tuple(_bound(heading, node, source) for heading in names)
    if len(names) == 2 and (pairs := _with_units(result, names, source)):
        return pairs[0] if len(pairs) == 1 else pairs
    return shaped(result.rows[:ROWS], names) if names else None


def _with_units(
    result: Result, names: Sequence[Heading], source: OpenDatabase
) -> tuple[Quantity, ...]:
    """Amounts beside the column that says the unit of each, as quantities; none for other columns."""
    views = clean_views(source)
    for amount, unit in ((0, 1), (1, 0)):
        if not names[unit].column or unit_column(names[amount], views) != names[unit].column:
            continue
        read = [(of_cell(row[amount], names[amount]), row[unit]) for row in result.rows[:ROWS]]
        return tuple(
            replace(value, unit=canonical_unit(str(said)), text="")
            for value, said in read
            if isinstance(value, Quantity) and said is not None
        )
    return ()


def place_of(relation: Relation, name: str, node: Node) -> int | None:
    """The column of a table that a column of its relation is of."""
    names = [column.name for column in relation.columns[: len(headed_table(node)[0])]]
    return names.index(name) if name in names else None


def _bound(heading: Heading, node: Node, source: OpenDatabase) -> Heading:
    """A column of a result in the unit and scale that the document's table binds to its cells.

    Raises Failed where it is computed from cells of several units or scales.
    """
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
        how = f"it computes with “{heading.name}” in different units or scales"
        raise Failed("unsupported", how)
    if len(found) != 1 or heading.scale != 1:
        return heading
    ((unit, scale),) = found
    return replace(heading, unit=unit or heading.unit, scale=scale)
