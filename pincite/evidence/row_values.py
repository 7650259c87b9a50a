"""The rows that a statement finds as the value of an answer: for what drafts it, and for the check, which runs it again."""

from __future__ import annotations

from dataclasses import replace

from pincite.database.relations.shaped_values import shaped
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.database.statements.pins import reading
from pincite.database.statements.replay import Replayed, agrees, replay
from pincite.database.statements.result_columns import headings
from pincite.database.statements.scalars import Unreplayable
from pincite.evidence.cited_place import Failed
from pincite.evidence.inside_tables import Mixed, shaped_inside
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


def replayed(
    statement: str, source: OpenDatabase, truncated: bool = False
) -> Replayed | Unreplayable:
    """A statement computed again from the stored rows, cut where the result was; or why it cannot be."""
    try:
        made = replay(statement, source.database, reading(source))
    except Unreplayable as error:
        return error
    return replace(made, rows=made.rows[:ROWS]) if truncated else made


def value_of(
    result: Result,
    made: Replayed | Unreplayable,
    statement: str,
    source: OpenDatabase,
    node: Node | None,
) -> Value:
    """What a result says as a value; for a table inside a document (`node`), its cells as the table binds them."""
    names = headings(statement, source.database)
    if node is not None and not (isinstance(made, Replayed) and agrees(made, result.rows)):
        return None
    if node is not None and isinstance(made, Replayed):
        try:
            return shaped_inside(made, names, node, source.database.relations[0])
        except Mixed as mixed:
            raise Failed(
                "unsupported", f"it computes with “{mixed}” in different units or scales"
            ) from mixed
    return shaped(result.rows[:ROWS], names) if names else None
