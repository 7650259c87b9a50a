"""The rows that a statement finds as the value of an answer: for what drafts it, and for the check, which runs it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.database.relations.column_heading import Heading
from pincite.database.relations.shaped_values import of_cell, shaped
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.database.views.clean_view import clean_views
from pincite.database.views.view_statements import headed, unit_column
from pincite.evidence.inside_tables import bound
from pincite.quantity import canonical_unit
from pincite.types import Node, Quantity, Value

EXISTS = "exists"
"""The operation of a claim that says yes because a statement finds rows."""
ROWS = 10_000
"""Rows of a statement's result that an answer holds."""
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
        names = tuple(bound(heading, node, source) for heading in names)
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
