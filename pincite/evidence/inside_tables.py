"""Tables inside documents asked like those of databases, their values read as the table binds them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from pincite.database.relations.column_heading import Heading
from pincite.database.relations.shaped_values import exact, of_cell, table, written
from pincite.document.cell_values import quantity_of
from pincite.document.headed_table import body_rows, headed_table
from pincite.evidence.cited_place import table_of
from pincite.evidence.table_view import TableView
from pincite.types import Node, Quantity, Value

if TYPE_CHECKING:
    from pincite.database.relations.model import Relation
    from pincite.database.statements.result_lines import Replayed, ResultLine

INSIDE = "table "
"""What begins the name of a source that is a table inside a document; the id of its node follows."""


def place_of(relation: Relation, name: str, node: Node) -> int | None:
    """The column of a table that a column of its relation is of: itself, or a part or number of its cells ("2023 (number)")."""
    known = {heading: at for at, heading in enumerate(_names(relation, node))}
    while name not in known:
        name, bracket, _ = name.rpartition(" (")
        if not bracket:
            return None
    return known[name]


def _names(relation: Relation, node: Node) -> list[str]:
    """The names of the written columns: after that of the row's number, as many as the table is wide."""
    return [column.name for column in relation.columns[1 : 1 + len(headed_table(node)[0])]]


class Mixed(Exception):
    """Numbers of different units or scales are computed with; the argument is what they stand under."""


def shaped_inside(
    made: Replayed, named: Sequence[Heading], node: Node, relation: Relation
) -> Value:
    """What a statement finds in a document's table, as `shaped_values.shaped` has it: its cells as the table binds them.

    Raises Mixed where it computes with numbers that differ in unit or scale.
    """
    view = table_of(node)
    rows = []
    for line in made.rows:
        rows.append(
            [
                _cell(line, at, made, heading, view, node, relation)
                for at, heading in enumerate(named)
            ]
        )
    if len(named) == 1:
        held = [row[0] for row in rows if row[0] is not None]
        return held[0] if len(held) == 1 else tuple(held) or None
    if all(value is None for value in chain.from_iterable(rows)):
        return None
    return table([list(map(_text, row)) for row in rows], named)


def _text(value: Value) -> str:
    return value.text or written(value.value) if isinstance(value, Quantity) else written(value)


_KEPT = (
    "",
    "sum",
    "avg",
    "max",
    "min",
    "sub",
    "add",
    "abs",
    "round",
    "case",
    "coalesce",
    "paren",
    "cast",
)
"""What leaves numbers in the unit of those that it is made of."""


def _cell(
    line: ResultLine,
    at: int,
    made: Replayed,
    heading: Heading,
    view: TableView | None,
    node: Node,
    relation: Relation,
) -> Value:
    found = _quantities(line, made.sources[at], view, node, relation) if view is not None else []
    value = line.values[at]
    if not made.functions[at] and len(found) == 1:
        return replace(found[0], period="")
    if value is None or not found or isinstance(value, str) or made.functions[at] not in _KEPT:
        return of_cell(value, heading)
    units = {(quantity.unit, quantity.scale) for quantity in found}
    if len(units) > 1:
        raise Mixed(heading.name)
    number = exact(value)
    ((unit, scale),) = units
    return (
        of_cell(value, heading)
        if number is None
        else Quantity(number, unit, scale, text=written(value))
    )


def _quantities(
    line: ResultLine,
    sources: Sequence[tuple[str, str]],
    view: TableView,
    node: Node,
    relation: Relation,
) -> list[Quantity]:
    """The numbers at the cells that a value is made of, as the table binds them."""
    body = body_rows(node)
    places = {
        (body[int(origin.key[0]) - 1], column)
        for role, name in sources
        for origin in line.origins
        if origin.role == role and (column := place_of(relation, name, node)) is not None
    }
    cells = (cell for cell in view.labels.cells if (cell.row, cell.column) in places)
    return [quantity for cell in cells if (quantity := quantity_of(view.node, cell))]
