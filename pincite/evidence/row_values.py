"""The rows that a statement finds as the value of an answer: for what drafts it, and for the check, which runs it again."""

from __future__ import annotations

from pincite.database.relations.shaped_values import shaped
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.database.views.view_statements import headed
from pincite.evidence.inside_tables import bound
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
    return shaped(result.rows[:ROWS], names) if names else None
